import assert from "node:assert/strict";
import fc from "fast-check";
import { fitLines, fitText, pictureText, spread } from "../../../lib/notebook/plots/lettering.ts";
import { textWidth } from "../../../lib/notebook/plots/text_width.ts";

Deno.test("foreign text becomes one well-formed line without what XML can't hold", () => {
  assert.equal(pictureText("a\u0000b\n c\ud800\uffff"), "a b c\ufffd");
  assert.equal(pictureText("evil \u202etxt"), "evil txt");
  assert.equal(pictureText("abcdef", 4), "abc…");
  assert.equal(pictureText("שלום"), "\u2068שלום\u2069");
});

const HARD = [
  "W".repeat(500),
  "iiii".repeat(90),
  "未来の薬".repeat(80),
  "شفاء ".repeat(90),
  "e\u0301\u0302".repeat(200),
  "",
];

Deno.test("a label is cut to its width with an ellipsis, whatever it is written in, and left alone where it fits", () => {
  assert.equal(fitText("Elo", 100, 11), "Elo");
  assert.match(fitText("kinase inhibition in dorsal cells", 80, 11), /^kinase.*…$/);
  for (const text of HARD) {
    for (const width of [30, 120, 400]) {
      assert.ok(textWidth(fitText(text, width, 11), 11) <= width, `${text.slice(0, 9)} at ${width}`);
    }
  }
  // What was isolated stays isolated when it is cut.
  assert.match(fitText("שלום ".repeat(50), 90, 11), /^\u2068[^\u2068\u2069]*…\u2069$/);
});

Deno.test("lines break at spaces and end with an ellipsis where there are too many", () => {
  assert.deepEqual(fitLines("", 100, 11, 2), []);
  assert.deepEqual(fitLines("one two three four", 62, 11, 3), ["one two", "three four"]);
  assert.deepEqual(fitLines("one two three four", 50, 11, 3), ["one two", "three", "four"]);
  const [first, second, ...none] = fitLines("one two three four five six", 50, 11, 2);
  assert.equal(first, "one two");
  assert.match(second ?? "", /^three.*…$/);
  assert.deepEqual(none, []);
  for (const text of HARD) {
    const lines = fitLines(text, 140, 11, 2);
    assert.ok(lines.length <= 2);
    for (const line of lines) assert.ok(textWidth(line, 11) <= 140);
  }
});

Deno.test("labels are spread: in order, apart, inside where they fit, unmoved where nothing is near", () => {
  assert.deepEqual(spread([10, 50, 90], 15, 0, 100), [10, 50, 90]);
  assert.deepEqual(spread([50, 50], 10, 0, 100), [45, 55]);
  assert.deepEqual(spread([2, 1], 10, 0, 100), [10, 0]);
  assert.deepEqual(spread([], 10, 0, 100), []);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 10 }), (wishes) => {
      const places = spread(wishes, 10, 0, 100);
      const order = wishes.map((wish, i) => ({ wish, i })).sort((a, b) => a.wish - b.wish || a.i - b.i);
      for (const [n, { i }] of order.entries()) {
        const place = places[i] ?? NaN;
        assert.ok(place >= -1e-9 && place <= 100 + 1e-9, `${place} is outside`);
        const next = order[n + 1];
        if (next !== undefined) assert.ok((places[next.i] ?? NaN) - place >= 10 - 1e-9);
      }
    }),
  );
});
