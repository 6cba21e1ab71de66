import assert from "node:assert/strict";
import fc from "fast-check";
import { rng } from "../../lib/domain/rng.ts";
import { normalBelow } from "../../lib/tournament/normal.ts";
import { boundary, type Moments, tiers, topK } from "../../lib/tournament/top_k.ts";

/** Independent strengths with these means and standard deviations. */
function independent(strengths: readonly (readonly [mean: number, sd: number])[]): Moments {
  return {
    mean: (i) => strengths[i]?.[0] ?? NaN,
    average: (i) => strengths[i]?.[0] ?? NaN,
    stretch: () => 0,
    variance: (i) => (strengths[i]?.[1] ?? NaN) ** 2,
    covariance: (i, j) => (i === j ? (strengths[i]?.[1] ?? NaN) ** 2 : 0),
  };
}

const places = (n: number) => Array.from({ length: n }, (_, i) => i);

Deno.test("the chances sum to k, follow the means, and those of the first k are the expected precision", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 80 }), fc.integer({ min: 1, max: 8 }), fc.nat(), (n, k, seed) => {
      const chance = rng("top", String(seed), "strengths");
      const belief = independent(places(n).map(() => [1.5 * chance.normal(), 0.5]));
      const { chances, expectedPrecision } = topK(belief, places(n), k);
      const sum = chances.reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - Math.min(n, k)) < 1e-9, `${sum}`);
      const { order } = boundary(belief, places(n), k);
      const best = order.slice(0, k).reduce((total, i) => total + (chances[i] ?? 0), 0) / Math.min(k, n);
      assert.ok(Math.abs(best - expectedPrecision) < 1e-9);
    }),
  );
});

Deno.test("of two, the chance to be the best is Φ(gap / spread of the gap)", () => {
  for (const [gap, sd] of [[0, 1], [0.5, 1], [1, 0.4], [2, 1.5]] as const) {
    const { chances } = topK(independent([[gap, sd], [0, sd]]), [0, 1], 1);
    assert.ok(Math.abs((chances[0] ?? NaN) - normalBelow(gap / (sd * Math.SQRT2))) < 0.035);
  }
});

Deno.test("what two have in common doesn't count: only the spread of their gap does", () => {
  const shared: Moments = {
    mean: (i) => (i === 0 ? 0.3 : 0),
    average: (i) => (i === 0 ? 0.3 : 0),
    stretch: () => 0,
    variance: () => 4,
    covariance: (i, j) => (i === j ? 4 : 3.995),
  };
  assert.ok((topK(shared, [0, 1], 1).chances[0] ?? 0) > 0.99);
});

Deno.test("no more than k compete: all are in; certain ones are certain", () => {
  assert.deepEqual([...topK(independent([[0, 1], [1, 1]]), [0, 1], 5).chances], [1, 1]);
  assert.equal(topK(independent([[0, 1], [1, 1]]), [0, 1], 5).expectedPrecision, 1);
  const sure = topK(independent([[5, 0.1], [4, 0.1], [0, 0.1], [-1, 0.1]]), places(4), 2);
  assert.deepEqual([...sure.chances], [1, 1, 0, 0]);
  assert.equal(sure.expectedPrecision, 1);
});

Deno.test("the same question has the same answer; of a thousand alike, each has k in a thousand or so", () => {
  const alike = independent(places(1000).map(() => [0, 1]));
  const { chances, expectedPrecision } = topK(alike, places(1000), 5);
  assert.deepEqual(topK(alike, places(1000), 5).chances, chances);
  assert.ok(expectedPrecision < 0.05);
});

Deno.test("the boundary lies halfway between the k-th and the next", () => {
  const belief = independent([[1, 1], [4, 1], [2, 1], [3, 1]]);
  assert.deepEqual(boundary(belief, places(4), 2), { order: [1, 3, 2, 0], cut: 2.5 });
  assert.equal(boundary(belief, places(4), 9).cut, 1);
});

Deno.test("a tier ends where its head beats the next with a chance above 0.9", () => {
  const belief = independent([[3, 0.5], [2.8, 0.5], [1, 0.5], [0.9, 0.5], [-2, 0.5]]);
  assert.deepEqual(tiers(belief, places(5)), [1, 1, 2, 2, 3]);
  assert.deepEqual(tiers(belief, []), []);
});

Deno.test("not knowing the width makes chances less extreme, and those at the boundary stay as they are", () => {
  const means = [2, 1, 0, -1, -2];
  const sure: Moments = independent(means.map((mean) => [mean, 0.7] as const));
  const unsure: Moments = { ...sure, stretch: (i, j) => 0.2 * (means[i] ?? NaN) * (means[j] ?? NaN) };
  const a = topK(sure, places(5), 2).chances, b = topK(unsure, places(5), 2).chances;
  assert.ok((b[0] ?? NaN) < (a[0] ?? NaN) && (b[4] ?? NaN) > (a[4] ?? NaN) - 1e-9);
});
