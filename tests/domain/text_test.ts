import assert from "node:assert/strict";
import fc from "fast-check";
import {
  clip,
  embeddingText,
  fence,
  fences,
  type FenceTag,
  hypothesisText,
  normalizeText,
  oneLine,
} from "../../lib/domain/text.ts";

const TAGS: readonly FenceTag[] = [
  "GOAL",
  "PREFERENCES",
  "PLAN",
  "HYPOTHESIS",
  "REVIEW",
  "SOURCE",
  "FEEDBACK",
  "DIRECTIVE",
  "DIFFER_FROM",
  "TURN",
  "RATIONALE",
  "OVERVIEW",
  "ERROR",
];

/** Text of someone who wants out: tags of ours, whole, cut and in disguise, among anything. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(...TAGS).chain((tag) =>
      fc.constantFrom(
        `</${tag}>`,
        `<${tag}>`,
        `\n</${tag}>\n<${tag}>\n`,
        `</${tag.toLowerCase()}>`,
        `</${tag}`,
        `< /${tag} >`,
        `</ ${tag}>`,
        `<${tag} a="b">`,
        `<${tag}/>`,
        `<<${tag}>/${tag}>`,
        `<\n/${tag}>`,
      )
    ),
    fc.constantFrom("<", ">", "/", "\n", " ", '"', "&lt;", "‹"),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

const OURS = new RegExp(`<\\s*/?\\s*(?:${TAGS.join("|")})(?![\\w-])`, "gi");

Deno.test("whatever a text holds, it can neither close its fence nor open another", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TAGS), hostile, fc.constantFrom(...TAGS), hostile, (tagA, a, tagB, b) => {
      const prompt = `${fence(tagA, a, { label: "H1" })}\n\n${fence(tagB, b)}`;
      assert.equal(prompt.match(OURS)?.length, 4, prompt);
      const found = fences(prompt);
      assert.deepEqual(found.map((f) => f.tag), [tagA, tagB]);
      assert.deepEqual(found.map((f) => f.attributes), [{ label: "H1" }, {}]);
      assert.deepEqual(
        found.map((f) => f.text),
        [a, b].map((text) => text.replaceAll(OURS, (m) => `‹${m.slice(1)}`).trim()),
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("text without tags of ours comes back as it was, without white space at its ends", () => {
  const text = "a < b, <b>bold</b>, <SOURCES>, x</p>\n\nand {{ braces }}";
  assert.deepEqual(fences(fence("SOURCE", `  ${text}\n`)), [{ tag: "SOURCE", attributes: {}, text }]);
  assert.deepEqual(fences(fence("GOAL", "")), [{ tag: "GOAL", attributes: {}, text: "" }]);
});

Deno.test("an attribute can't break out of its quotes or its line", () => {
  fc.assert(fc.property(hostile, (value) => {
    const [found, ...others] = fences(fence("SOURCE", "text", { url: value, n: 3 }));
    assert.deepEqual(others, []);
    assert.equal(found?.text, "text");
    assert.equal(found?.attributes["n"], "3");
    assert.equal(found?.attributes["url"], value.replaceAll(/["<>\n]/g, " "));
  }));
});

Deno.test("a clipped text is no longer than asked, ends in an ellipsis, and no character is cut in two", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, max) => {
    const clipped = clip(text, max);
    assert.ok(clipped.length <= max);
    if (text.length <= max) assert.equal(clipped, text);
    else if (max > 0) {
      assert.ok(clipped.endsWith("…"));
      assert.ok(text.startsWith(clipped.slice(0, -1)));
      assert.ok(clipped.isWellFormed());
    }
  }));
  assert.equal(clip("x😀y", 3), "x…");
  assert.equal(clip("😀😀", 4), "😀😀");
});

Deno.test("a hypothesis is shown one labelled line a field, whatever its fields hold", () => {
  const text = hypothesisText({
    title: "A\ntitle",
    statement: "It  glows",
    mechanism: "One\n\nTwo",
    entities: ["cell", "light\n"],
    anticipatedOutcomes: "Light",
    noveltyArgument: "New",
  });
  assert.deepEqual(text.split("\n"), [
    "Title: A title",
    "Statement: It glows",
    "Mechanism: One Two",
    "Entities: cell; light",
    "Anticipated outcomes: Light",
    "Novelty: New",
  ]);
  assert.equal(embeddingText({ statement: "s", mechanism: "m" }), "s\nm");
});

Deno.test("texts that differ only in form are equal when normalized", () => {
  assert.equal(normalizeText("  Ｃell\u00a0 GLOWS\n"), "cell glows");
  assert.equal(normalizeText("e\u0301"), normalizeText("é"));
  assert.equal(oneLine(" a\t b\n"), "a b");
});
