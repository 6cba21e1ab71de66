import assert from "node:assert/strict";
import { cosine } from "../../lib/vectors/cosine.ts";
import { hashEmbedder } from "../../lib/vectors/hash_embedder.ts";

const never = new AbortController().signal;

async function similarity(a: string, b: string): Promise<number> {
  const { vectors: [u, v] } = await hashEmbedder().embed([a, b], never);
  assert.ok(u && v);
  return cosine(u, v);
}

const METFORMIN =
  "Metformin sensitises acute myeloid leukaemia blasts to venetoclax by inhibiting complex I of the respiratory chain, " +
  "which lowers ATP and depletes MCL-1. Because MCL-1 is the main route of resistance to BCL-2 inhibition, lowering its " +
  "translation through the AMPK-mTOR axis should restore apoptosis in resistant clones. The effect is expected to be " +
  "greatest in cells that depend on oxidative phosphorylation.";

/** Other ideas for the same goal, in the same style, with the same stock phrases. */
const OTHERS = [
  "Disulfiram eliminates acute myeloid leukaemia stem cells by forming a copper complex that inhibits aldehyde " +
  "dehydrogenase and traps NPL4, which blocks the p97 segregase. Because leukaemia stem cells depend on ALDH activity " +
  "for detoxification, the drug should spare normal progenitors. The effect is expected to be greatest in clones with " +
  "high ALDH1A1 expression.",
  "Itraconazole suppresses acute myeloid leukaemia by inhibiting the Hedgehog pathway and cholesterol trafficking, " +
  "which reduces the self-renewal of leukaemic stem cells in the bone marrow niche. Because the niche protects residual " +
  "cells after chemotherapy, combining it with cytarabine should delay relapse.",
  "Metformin kills acute myeloid leukaemia by another route: it activates PP2A, which dephosphorylates AKT and " +
  "destabilises MYC, independent of mitochondrial complex I, so that venetoclax is not needed.",
];

Deno.test("a lightly edited hypothesis is a near-duplicate, another idea for the same goal is not", async () => {
  const edited = METFORMIN.replace("sensitises", "sensitizes").replace("inhibiting", "blocking")
    .replace("lowering its", "reducing its");
  assert.notEqual(edited, METFORMIN);
  const near = await similarity(METFORMIN, edited);
  assert.ok(near > 0.92, `near-duplicate at ${near}`);
  for (const other of OTHERS) {
    const far = await similarity(METFORMIN, other);
    assert.ok(far < 0.5, `another idea at ${far}`);
  }
});

Deno.test("frequent little words count less than their number", async () => {
  const similar = await similarity(
    "the kinase of the cell and the niche of the marrow",
    "the copper of the drug and the trap of the segregase",
  );
  assert.ok(similar < 0.7, `${similar}, where plain counts would give (21 + 1.25) / (24 + 3) = 0.82`);
});

Deno.test("form doesn't count: case, width, white space and punctuation", async () => {
  assert.equal(await similarity("Complex I  inhibits\nMCL-1.", "ｃｏｍｐｌｅｘ i inhibits mcl 1"), 1);
});

Deno.test("word order counts a little", async () => {
  const reversed = await similarity("AMPK suppresses mTOR strongly", "mTOR suppresses AMPK strongly");
  assert.ok(reversed > 0.7 && reversed < 0.95, `${reversed}`);
});

Deno.test("scripts without spaces are compared by pairs of characters", async () => {
  const edited = await similarity("白血病细胞依赖氧化磷酸化", "白血病干细胞依赖氧化磷酸化");
  const other = await similarity("白血病细胞依赖氧化磷酸化", "二甲双胍抑制肿瘤生长");
  assert.ok(edited > 0.8, `edited ${edited}`);
  assert.ok(other < 0.2, `other ${other}`);
  assert.ok(await similarity("ミトコンドリアの阻害", "ミトコンドリアを阻害") > 0.5);
  assert.ok(await similarity("백혈병 세포의 대사", "백혈병 세포에서 대사") > 0.4);
});

Deno.test("every text has a unit vector, even one without a word", async () => {
  const texts = ["", "   ", "—!?", "x", "1", "é", "👩‍🔬", METFORMIN];
  const { vectors, tokens } = await hashEmbedder().embed(texts, never);
  assert.equal(tokens, 0);
  for (const [i, vector] of vectors.entries()) {
    assert.equal(vector.length, 1024);
    const length = Math.hypot(...vector);
    assert.ok(Math.abs(length - 1) < 1e-6, `"${texts[i]}" has length ${length}`);
  }
  assert.deepEqual(vectors[0], vectors[1]);
  assert.deepEqual(vectors[0], vectors[2]);
});

Deno.test("the vectors are the same on every machine and in every release of this version", async () => {
  const { vectors: [vector] } = await hashEmbedder({ dimensions: 16 }).embed(["metformin lowers ATP"], never);
  assert.ok(vector);
  const rounded = [...vector].map((x) => Math.round(x * 1e4) / 1e4 + 0);
  assert.deepEqual(rounded, [0.2357, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.7071, 0, -0.4714, 0.4714, 0]);
});

Deno.test("the name says version and dimensions, for vectors of different names are never compared", () => {
  assert.equal(hashEmbedder().name, "hash-1/1024");
  assert.equal(hashEmbedder({ dimensions: 256 }).dimensions, 256);
  assert.throws(() => hashEmbedder({ dimensions: 2.5 }), { code: "input" });
});

Deno.test("it stops when it is told to", async () => {
  await assert.rejects(hashEmbedder().embed(["a"], AbortSignal.abort(new Error("enough"))), /enough/);
});
