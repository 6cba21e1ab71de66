import assert from "node:assert/strict";
import { cosine, unitVector } from "../../lib/vectors/cosine.ts";
import { unit } from "./vectors.ts";

Deno.test("the cosine of unit vectors is their inner product, whatever the length", () => {
  for (const n of [1, 3, 4, 7, 64]) {
    const a = unit(Array.from({ length: n }, (_, i) => i + 1));
    const b = unit(Array.from({ length: n }, (_, i) => n - 2 * i));
    const product = a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
    assert.ok(Math.abs(cosine(a, b) - product) < 1e-6, `${n} dimensions`);
  }
});

Deno.test("rounding never carries a cosine out of [-1, 1]", () => {
  for (let n = 1; n < 200; n++) {
    const a = unit(Array.from({ length: n }, (_, i) => Math.sin(i + n)));
    assert.ok(cosine(a, a) <= 1 && cosine(a, a) > 0.999999);
    assert.ok(cosine(a, a.map((x) => -x)) >= -1);
  }
});

Deno.test("vectors of different lengths can't be compared", () => {
  assert.throws(() => cosine(unit([1, 2]), unit([1, 2, 3])), { code: "input", message: /3 dimensions.*2/ });
});

Deno.test("there is no unit vector without a direction", () => {
  assert.equal(unitVector([0, 0]), null);
  assert.equal(unitVector([1, Number.NaN]), null);
  assert.equal(unitVector([1, Infinity]), null);
});
