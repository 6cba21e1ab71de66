import assert from "node:assert/strict";
import fc from "fast-check";
import { eloClasses, eloColor } from "../../../lib/notebook/plots/palette.ts";

Deno.test("ratings fall into at most five classes with round bounds", () => {
  assert.deepEqual(eloClasses([1130, 1290]).map(({ label }) => label), [
    "< 1150",
    "1150–1200",
    "1200–1250",
    "≥ 1250",
  ]);
  assert.deepEqual(eloClasses([1200]).map(({ label }) => label), ["1200"]);
  assert.deepEqual(eloClasses([]), []);
});

Deno.test("every rating has a colour, and a better one is never lighter", () => {
  const lightness = (color: string) =>
    [1, 3, 5].reduce((sum, i) => sum + parseInt(color.slice(i, i + 2), 16), 0);
  fc.assert(fc.property(fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { minLength: 1 }), (elos) => {
    const classes = eloClasses(elos);
    assert.ok(classes.length >= 1 && classes.length <= 5);
    const shades = elos.toSorted((a, b) => a - b).map((elo) => lightness(eloColor(elo, classes)));
    assert.deepEqual(shades, shades.toSorted((a, b) => b - a));
  }));
});
