import assert from "node:assert/strict";
import { areaUnderCurve, bestFirst, kendallTau, topFigures } from "../../../scripts/bench/ranking/metrics.ts";
import { estimate, firstReach, pairedDifference } from "../../../scripts/bench/ranking/statistics.ts";

const of = (...values: number[]) => Float64Array.from(values);

Deno.test("Kendall's tau: 1 for the same order, -1 for the reverse, ties count for neither side", () => {
  assert.equal(kendallTau(of(1, 2, 3), of(10, 20, 30)), 1);
  assert.equal(kendallTau(of(3, 2, 1), of(10, 20, 30)), -1);
  assert.equal(kendallTau(of(1, 1, 2), of(10, 20, 30)), 2 / 3);
});

Deno.test("the best by score against the best in truth", () => {
  const truth = of(4, 3, 2, 1, 0), scores = of(0, 9, 1, 8, 0);
  assert.deepEqual(bestFirst(scores), [1, 3, 2, 0, 4]);
  assert.deepEqual(topFigures(scores, truth, 2, 2), { precision: 0.5, regret1: 0.5, regretK: 0.75 });
  assert.deepEqual(topFigures(truth, truth, 2, 2), { precision: 1, regret1: 0, regretK: 0 });
});

Deno.test("area under the curve; equal scores count half", () => {
  assert.equal(areaUnderCurve(of(3, 2, 1), [true, false, false]), 1);
  assert.equal(areaUnderCurve(of(1, 1, 0), [true, false, false]), 0.75);
});

Deno.test("a mean with its standard error, and a difference in pairs", () => {
  assert.deepEqual(estimate([1, 2, 3]), { mean: 2, se: Math.sqrt(1 / 3), n: 3 });
  assert.equal(estimate([1, NaN, 3]).mean, 2);
  const { mean, se, z } = pairedDifference([2, 4, 7], [1, 2, 4]);
  assert.deepEqual([mean, se, z], [2, Math.sqrt(1 / 3), 2 / Math.sqrt(1 / 3)]);
  assert.equal(pairedDifference([1, 1], [1, 1]).z, 0);
  assert.throws(() => pairedDifference([1], [1, 2]), RangeError);
});

Deno.test("where a curve first reaches a level", () => {
  assert.equal(firstReach([1, 2, 4], [0.25, 0.5, 0.75], 0.625), 3);
  assert.equal(firstReach([1, 2, 4], [0.7, 0.6, 0.8], 0.7), 1);
  assert.equal(firstReach([1, 2], [0.5, 0.6], 0.7), null);
});
