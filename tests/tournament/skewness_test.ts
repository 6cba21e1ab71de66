import assert from "node:assert/strict";
import { fitBradleyTerry } from "../../lib/tournament/bradley_terry.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { Posterior } from "../../lib/tournament/posterior.ts";
import type { Comparison } from "../../lib/tournament/rating_problem.ts";
import { leanBySkewness } from "../../lib/tournament/skewness.ts";
import { fitWide } from "../../lib/tournament/wide_fit.ts";
import { WidePosterior } from "../../lib/tournament/wide_posterior.ts";

/** One whose strength is unknown and one whose strength is all but known, after some wins of the former. */
function wins(n: number): { problem: Parameters<typeof fitBradleyTerry>[0]; comparisons: Comparison[] } {
  const comparisons = Array.from({ length: n }, (): Comparison => ({
    first: 0,
    second: 1,
    score: 1,
    weight: 1,
    term: -1,
  }));
  return {
    problem: { unknowns: [{ mean: 0, sd: 1, from: [] }, { mean: 0, sd: 1e-4, from: [] }], comparisons },
    comparisons,
  };
}

/** The average strength after so many wins, by a fine sum over the posterior. */
function exactAverage(n: number): number {
  let total = 0, sum = 0;
  for (let x = -8; x <= 8; x += 0.001) {
    const density = Math.exp(-x * x / 2) * logistic(x) ** n;
    total += density;
    sum += x * density;
  }
  return sum / total;
}

function leaned<T extends Parameters<typeof leanBySkewness>[0]>(
  known: T,
  comparisons: readonly Comparison[],
): T {
  leanBySkewness(known, comparisons);
  return known;
}

Deno.test("the average of one who always won is nearer to the exact one than the most probable value is", () => {
  for (const n of [1, 2, 4, 8]) {
    const { problem, comparisons } = wins(n);
    const posterior = leaned(Posterior.of(fitBradleyTerry(problem)), comparisons);
    const exact = exactAverage(n);
    assert.ok(posterior.average(0) > posterior.mean(0));
    assert.ok(
      Math.abs(posterior.average(0) - exact) < 0.35 * Math.abs(posterior.mean(0) - exact),
      `${n}: ${posterior.mean(0)} ${posterior.average(0)} ${exact}`,
    );
  }
});

Deno.test("where wins and losses are even there is no skew", () => {
  const even: Comparison[] = [0, 1].map((score) => ({
    first: 0,
    second: 1,
    score: score === 1 ? 1 : 0,
    weight: 1,
    term: -1,
  }));
  const unknowns = [0, 1].map(() => ({ mean: 0, sd: 1, from: [] }));
  const posterior = leaned(Posterior.of(fitBradleyTerry({ unknowns, comparisons: even })), even);
  assert.ok(Math.abs(posterior.average(0)) < 1e-9);
});

Deno.test("a verdict taken in by an update leans the averages as a refit does, and large pools as small ones", () => {
  const { problem, comparisons } = wins(1);
  const refitted = leaned(Posterior.of(fitBradleyTerry(problem)), comparisons);
  const updated = Posterior.empty();
  for (const unknown of problem.unknowns) updated.enter(unknown);
  for (const comparison of comparisons) updated.observe(comparison);
  assert.ok(Math.abs(updated.average(0) - refitted.average(0)) < 1e-6);
  const wide = leaned(WidePosterior.of(fitWide(problem), [0, 1]), comparisons);
  assert.ok(Math.abs(wide.average(0) - refitted.average(0)) < 1e-6);
  assert.equal(updated.copy().average(0), updated.average(0));
});
