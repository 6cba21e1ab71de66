import assert from "node:assert/strict";
import fc from "fast-check";
import { placeLabels } from "../../../lib/notebook/plots/label_places.ts";

const SPACE = { width: 600, height: 300, fontSize: 11, radius: 5 };

Deno.test("labels stand beside their points, never on each other nor outside", () => {
  const point = fc.record({
    x: fc.double({ min: 0, max: 600, noNaN: true }),
    y: fc.double({ min: 0, max: 300, noNaN: true }),
    text: fc.string({ minLength: 1, maxLength: 24 }),
  });
  fc.assert(fc.property(fc.array(point, { maxLength: 14 }), (labels) => {
    const placed = placeLabels(labels, { ...SPACE, points: labels });
    for (const [i, a] of placed.entries()) {
      assert.ok(a.left >= 0 && a.left + a.width <= 600 && a.middle >= 7 && a.middle <= 293);
      for (const b of placed.slice(i + 1)) {
        const beside = a.left + a.width < b.left || b.left + b.width < a.left;
        assert.ok(beside || Math.abs(a.middle - b.middle) > 14, `${a.text} on ${b.text}`);
      }
    }
  }));
});

Deno.test("the first choose first, to the right of their points; where there is no room a label is left out", () => {
  const at = { x: 100, y: 100 };
  const [first, second] = placeLabels([{ ...at, text: "H1" }, { ...at, text: "H2" }], {
    ...SPACE,
    points: [at],
  });
  assert.ok(first !== undefined && second !== undefined);
  assert.ok(first.left > 100 && first.middle === 100);
  assert.ok(second.left < 100);
  assert.deepEqual(
    placeLabels([{ x: 5, y: 5, text: "much too long" }], { ...SPACE, width: 20, points: [] }),
    [],
  );
});

Deno.test("a label rather stands a little farther than on a point", () => {
  const points = [{ x: 100, y: 100 }, { x: 120, y: 100 }];
  const [label] = placeLabels([{ x: 100, y: 100, text: "H1" }], { ...SPACE, points });
  assert.ok(label !== undefined && label.left + label.width < 100);
});
