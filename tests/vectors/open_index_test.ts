import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ExactIndex } from "../../lib/vectors/exact_index.ts";
import { openIndex } from "../../lib/vectors/open_index.ts";
import { clustered, unit } from "./vectors.ts";

const ITEMS = clustered({ count: 2000, dimensions: 64, centres: 100, spread: 0.8, seed: "recall" });

function exactOf(items: typeof ITEMS): ExactIndex {
  const exact = new ExactIndex();
  for (const { id, vector } of items) exact.add(id, vector);
  return exact;
}

Deno.test("HNSW finds at least 95 in 100 of the true ten nearest, with their exact cosines in order", async () => {
  const exact = exactOf(ITEMS);
  const index = openIndex({ kind: "hnsw", exact });
  try {
    assert.equal(index.answeredBy, "exact");
    const query = ITEMS[17]?.vector ?? unit([1]);
    assert.deepEqual(await index.search(query, 10), exact.search(query, 10), "answers before it is ready");
    await index.ready;
    assert.equal(index.answeredBy, "hnsw");
    const queries = clustered({ count: 100, dimensions: 64, centres: 100, spread: 0.8, seed: "recall" })
      .map(({ vector }, i) => unit(vector.map((x, d) => x + 0.1 * Math.sin(i + d))));
    let found = 0;
    for (const vector of queries) {
      const truth = new Map(exact.search(vector, 10).map((hit) => [hit.id, hit.cosine]));
      const hits = await index.search(vector, 10);
      assert.equal(hits.length, 10);
      assert.deepEqual(hits, hits.toSorted((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1)));
      for (const { id, cosine } of hits) {
        if (!truth.has(id)) continue;
        assert.equal(cosine, truth.get(id));
        found++;
      }
    }
    assert.ok(found / (10 * queries.length) >= 0.95, `recall ${found / (10 * queries.length)}`);
    assert.equal(index.failure, null);
  } finally {
    index.close();
  }
});

Deno.test("what comes, changes and goes is followed, while the graph is built and afterwards", async () => {
  const exact = exactOf(ITEMS.slice(0, 600));
  const index = openIndex({ kind: "hnsw", exact, hnswFrom: 500 });
  try {
    const [first, second, third] = clustered({
      count: 3,
      dimensions: 64,
      centres: 3,
      spread: 0,
      seed: "new",
    });
    assert.ok(first && second && third);
    const nearest = async (vector: Float32Array) => (await index.search(vector, 1))[0]?.id;
    index.add("during", first.vector);
    index.add("h599", second.vector);
    index.remove("h598");
    index.remove("never there");
    await index.ready;
    assert.equal(index.size, 600);
    assert.equal(index.answeredBy, "hnsw");
    assert.equal(await nearest(first.vector), "during");
    assert.equal(await nearest(second.vector), "h599");
    assert.notEqual(await nearest(ITEMS[598]?.vector ?? first.vector), "h598");
    index.add("after", third.vector);
    assert.equal(await nearest(third.vector), "after");
    index.add("after", first.vector);
    index.remove("during");
    assert.equal(await nearest(first.vector), "after");
    assert.notEqual(await nearest(third.vector), "after");
    for (const { id, vector } of ITEMS.slice(600, 1400)) index.add(id, vector);
    assert.equal(
      await nearest(ITEMS[1399]?.vector ?? first.vector),
      "h1399",
      "grows beyond its first capacity",
    );
    const late = index.search(ITEMS[0]?.vector ?? first.vector, 20);
    for (const { id } of exact.search(ITEMS[0]?.vector ?? first.vector, 5)) index.remove(id);
    assert.equal((await late).length, 20, "removals during a search never make a short list");
    assert.ok((await late).every((hit) => exact.vectorOf(hit.id) !== undefined));
    assert.equal(index.failure, null);
  } finally {
    index.close();
  }
});

Deno.test("a graph is built only when it was asked for and there are enough vectors", async () => {
  const few = openIndex({ kind: "hnsw", exact: exactOf(ITEMS.slice(0, 10)), hnswFrom: 11 });
  await few.ready;
  assert.equal(few.answeredBy, "exact");
  few.add("one more", ITEMS[10]?.vector ?? unit([1]));
  await few.ready;
  assert.equal(few.answeredBy, "hnsw");
  assert.equal((await few.search(ITEMS[3]?.vector ?? unit([1]), 20)).length, 11, "more than there are");
  assert.deepEqual(await few.search(ITEMS[3]?.vector ?? unit([1]), 0), []);
  few.close();

  const exact = openIndex({ kind: "exact", exact: exactOf(ITEMS) });
  await exact.ready;
  assert.equal(exact.answeredBy, "exact");
  assert.equal((await exact.search(ITEMS[3]?.vector ?? unit([1]), 1))[0]?.id, "h3");
  exact.close();

  const empty = openIndex({ kind: "hnsw", exact: new ExactIndex(), hnswFrom: 0 });
  assert.deepEqual(await empty.search(unit([1]), 1), []);
  empty.close();
});

Deno.test("a graph that fails says why, and the exact scan goes on answering", async () => {
  const exact = exactOf(ITEMS.slice(0, 50));
  const index = openIndex({ kind: "hnsw", exact, hnswFrom: 1, m: 50_000_000 });
  await assert.rejects(index.ready, { code: "internal", message: /HNSW/ });
  assert.equal(index.failure?.code, "internal");
  assert.equal(index.answeredBy, "exact");
  index.add("x", ITEMS[60]?.vector ?? unit([1]));
  assert.equal((await index.search(ITEMS[60]?.vector ?? unit([1]), 1))[0]?.id, "x");
  index.close();
});

Deno.test("closing ends the worker at any time; searches under way and later ones are answered", async () => {
  const exact = exactOf(ITEMS.slice(0, 300));
  const early = openIndex({ kind: "hnsw", exact, hnswFrom: 1 });
  early.close();
  await assert.rejects(early.ready, { code: "aborted" });
  const late = openIndex({ kind: "hnsw", exact, hnswFrom: 1 });
  await late.ready;
  const query = ITEMS[5]?.vector ?? unit([1]);
  const underWay = late.search(query, 3);
  late.close();
  late.close();
  assert.deepEqual(await underWay, exact.search(query, 3));
  assert.deepEqual(await late.search(query, 3), exact.search(query, 3));
  late.add("closed", query);
  assert.equal(late.answeredBy, "exact");
  assert.equal(late.failure, null);
});

Deno.test("a vector of another length is the caller's mistake, not the graph's end", async () => {
  const index = openIndex({ kind: "hnsw", exact: exactOf(ITEMS.slice(0, 50)), hnswFrom: 1 });
  try {
    await index.ready;
    await assert.rejects(index.search(unit([1, 2]), 1), { code: "input" });
    assert.throws(() => index.add("x", unit([1, 2])), { code: "input" });
    assert.equal(index.answeredBy, "hnsw");
  } finally {
    index.close();
  }
});

Deno.test("the module prints nothing and leaves no global behind", async () => {
  const at = (path: string) => new URL(`../../lib/vectors/${path}`, import.meta.url).href;
  const code = `
    import { ExactIndex } from "${at("exact_index.ts")}";
    import { openIndex } from "${at("open_index.ts")}";
    const exact = new ExactIndex();
    for (let i = 0; i < 60; i++) exact.add("h" + i, new Float32Array([Math.sin(i), Math.cos(i)]));
    const before = Object.getOwnPropertyNames(globalThis).join();
    const index = openIndex({ kind: "hnsw", exact, hnswFrom: 1 });
    await index.ready;
    const hits = await index.search(new Float32Array([0, 1]), 3);
    index.close();
    const same = before === Object.getOwnPropertyNames(globalThis).join();
    console.log(hits[0].id, same, "importScripts" in globalThis, "window" in globalThis);`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", fileURLToPath(new URL("../../deno.json", import.meta.url)), code],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.equal(new TextDecoder().decode(stdout), "h0 true false false\n");
});
