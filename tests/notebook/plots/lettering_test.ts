import assert from "node:assert/strict";
import fc from "fast-check";
import { pictureText, spread, wrapText } from "../../../lib/notebook/plots/lettering.ts";

Deno.test("foreign text becomes one well-formed line without what XML can't hold", () => {
  assert.equal(pictureText("a\u0000b\n c\ud800\uffff"), "a b c\ufffd");
  assert.equal(pictureText("evil \u202etxt"), "evil txt");
  assert.equal(pictureText("abcdef", 4), "abc…");
  assert.equal(pictureText("שלום"), "\u2068שלום\u2069");
});

Deno.test("lines break at spaces and end with an ellipsis where there are too many", () => {
  assert.deepEqual(wrapText("one two three four", 9), ["one two", "three", "four"]);
  assert.deepEqual(wrapText("one two three four", 9, 2), ["one two", "three …"]);
  assert.deepEqual(wrapText("unbreakable", 6), ["unbre…"]);
  assert.deepEqual(wrapText("", 6), []);
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
