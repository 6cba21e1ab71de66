import assert from "node:assert/strict";
import { expectedInformation } from "../../lib/tournament/information.ts";
import { logistic } from "../../lib/tournament/normal.ts";

/** The same by a fine sum over the normal density. */
function plain(gap: number, sd: number): number {
  const entropy = (p: number) => (p <= 0 || p >= 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log(1 - p));
  let total = 0, mean = 0, left = 0;
  for (let z = -8; z <= 8; z += 0.002) {
    const w = Math.exp(-z * z / 2), p = logistic(gap + sd * z);
    total += w;
    mean += w * p;
    left += w * entropy(p);
  }
  return entropy(mean / total) - left / total;
}

Deno.test("the information of a verdict is what summing over the gap's distribution gives, to 1e-3", () => {
  for (const gap of [0, 0.33, 1, 2.5, 5]) {
    for (const sd of [0.1, 0.42, 1, 1.7, 3]) {
      assert.ok(Math.abs(expectedInformation(gap, sd ** 2) - plain(gap, sd)) < 1e-3, `${gap} ${sd}`);
    }
  }
});

Deno.test("it is the same for either sign of the gap, nothing where the gap is known, most for a wide even one", () => {
  assert.equal(expectedInformation(1.3, 2), expectedInformation(-1.3, 2));
  assert.ok(expectedInformation(0.7, 0) < 1e-9);
  assert.ok(expectedInformation(0, 4) > expectedInformation(0, 1));
  assert.ok(expectedInformation(0, 1) > expectedInformation(2, 1));
  assert.ok(expectedInformation(0, 1e6) < Math.log(2));
  assert.ok(Number.isFinite(expectedInformation(1e6, 1e6)));
});
