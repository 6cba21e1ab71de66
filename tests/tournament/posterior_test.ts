import assert from "node:assert/strict";
import fc from "fast-check";
import { fitBradleyTerry } from "../../lib/tournament/bradley_terry.ts";
import type { Comparison, Unknown } from "../../lib/tournament/rating_problem.ts";
import { gapVariance } from "../../lib/tournament/gap_variance.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { Posterior } from "../../lib/tournament/posterior.ts";
import { rng } from "../../lib/domain/rng.ts";

const pool = (n: number, sd: number): Unknown[] =>
  Array.from({ length: n + 1 }, (_, i) => ({ mean: 0, sd: i < n ? sd : 1, from: [] }));

function entered(unknowns: readonly Unknown[]): Posterior {
  const posterior = Posterior.empty();
  for (const unknown of unknowns) posterior.enter(unknown);
  return posterior;
}

/** Matches of a pool with these strengths, against a judge with a liking for the first place. */
function season(n: number, games: number, key: string, spread = 1.2): Comparison[] {
  const chance = rng("posterior", key, "season");
  const truth = Array.from({ length: n }, () => spread * chance.normal());
  return Array.from({ length: games }, () => {
    const first = chance.int(n), second = (first + 1 + chance.int(n - 1)) % n;
    const p = logistic((truth[first] ?? 0) - (truth[second] ?? 0) + 0.5);
    return { first, second, score: chance.next() < p ? 1 : 0, weight: 1, term: n };
  });
}

Deno.test("after one match from the prior an update says what a refit says, to 1e-9", () => {
  for (const sd of [0.35, 1, 2]) {
    for (const score of [0, 0.5, 1] as const) {
      const unknowns = pool(4, sd);
      const comparison = { first: 1, second: 2, score, weight: 1, term: 4 };
      const posterior = entered(unknowns);
      posterior.observe(comparison);
      const fit = fitBradleyTerry({ unknowns, comparisons: [comparison] });
      const refitted = Posterior.of(fit);
      for (let i = 0; i < 5; i++) {
        assert.ok(Math.abs(posterior.mean(i) - refitted.mean(i)) < 1e-9);
        for (let j = 0; j < 5; j++) {
          assert.ok(Math.abs(posterior.covariance(i, j) - refitted.covariance(i, j)) < 1e-6);
        }
      }
    }
  }
});

Deno.test("after N/4 updates since a refit every strength is within 0.1 logit of the next refit", () => {
  for (const n of [20, 40, 100]) {
    for (let r = 0; r < 10; r++) {
      const games = season(n, 3 * n, `${n} ${r}`);
      const unknowns = pool(n, 1);
      for (const known of [0, n, 2 * n]) {
        const posterior = Posterior.of(fitBradleyTerry({ unknowns, comparisons: games.slice(0, known) }));
        const later = known + Math.ceil(n / 4);
        for (const game of games.slice(known, later)) posterior.observe(game);
        const { x } = fitBradleyTerry({ unknowns, comparisons: games.slice(0, later) });
        for (let i = 0; i <= n; i++) assert.ok(Math.abs(posterior.mean(i) - (x[i] ?? NaN)) < 0.1);
      }
    }
  }
});

Deno.test("a newcomer's prior leans on what is known of its parents, as in a fit with it", () => {
  const child: Unknown = { mean: 0.1, sd: 0.8, from: [{ on: 0, weight: 0.3 }, { on: 2, weight: 0.2 }] };
  const unknowns = pool(5, 1);
  const comparisons = season(5, 12, "child");
  const posterior = Posterior.of(fitBradleyTerry({ unknowns, comparisons }));
  assert.equal(posterior.enter(child), 6);
  const together = Posterior.of(fitBradleyTerry({ unknowns: [...unknowns, child], comparisons }));
  for (let i = 0; i < 7; i++) {
    assert.ok(Math.abs(posterior.mean(i) - together.mean(i)) < 1e-9);
    for (let j = 0; j < 7; j++) {
      assert.ok(Math.abs(posterior.covariance(i, j) - together.covariance(i, j)) < 1e-9);
    }
  }
});

Deno.test("an expected match narrows the gap and leaves all means; a copy leaves the original", () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 0, max: 60 }), (n, games) => {
    const posterior = Posterior.of(
      fitBradleyTerry({ unknowns: pool(n, 1), comparisons: season(n, games, `${n} ${games}`) }),
    );
    const before = gapVariance(posterior, 0, 1);
    const copy = posterior.copy();
    copy.expect(0, 1);
    assert.ok(gapVariance(copy, 0, 1) < before);
    assert.equal(gapVariance(posterior, 0, 1), before);
    for (let i = 0; i < n; i++) assert.equal(copy.mean(i), posterior.mean(i));
  }));
});

Deno.test("an update with a huge prior width finds its place", () => {
  const posterior = entered(pool(2, 50));
  posterior.observe({ first: 0, second: 1, score: 1, weight: 1, term: -1 });
  const gap = posterior.mean(0) - posterior.mean(1);
  assert.ok(Math.abs(gap - 5000 * (1 - logistic(gap))) < 1e-6);
});
