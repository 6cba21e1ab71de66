import assert from "node:assert/strict";
import fc from "fast-check";
import { covarianceOf, fitBradleyTerry } from "../../lib/tournament/bradley_terry.ts";
import type { Comparison, Placing, Problem, Unknown } from "../../lib/tournament/rating_problem.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { plainSolver } from "./plain_solver.ts";

const free = (sd = 1, mean = 0): Unknown => ({ mean, sd, from: [] });

/** n players with a prior of width 1, then one order term. */
function pool(n: number, comparisons: readonly Comparison[], sd = 1): Problem {
  return { unknowns: [...Array.from({ length: n }, () => free(sd)), free()], comparisons };
}

const game = (first: number, second: number, score: 0 | 0.5 | 1, term = -1, weight = 1): Comparison => ({
  first,
  second,
  score,
  weight,
  term,
});

/** Players, an order term, a slope; parents among the players; pairs, ties, weights and rankings. */
const problems = fc.record({
  players: fc.integer({ min: 2, max: 7 }),
  games: fc.array(
    fc.tuple(
      fc.nat(),
      fc.nat(),
      fc.constantFrom(0, 0.5, 1),
      fc.boolean(),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    ),
    { maxLength: 30 },
  ),
  groups: fc.array(fc.tuple(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 3 }), fc.boolean()), {
    maxLength: 4,
  }),
  priors: fc.array(
    fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: 0.3, max: 2, noNaN: true }),
      fc.nat(),
      fc.double({ min: -1, max: 1, noNaN: true }),
    ),
    { minLength: 7, maxLength: 7 },
  ),
}).map(({ players, games, groups, priors }): Problem => {
  const term = 0, slope = 1;
  const unknowns: Unknown[] = [free(), free(0.5, 0.3)];
  for (const [mean, sd, parent, units] of priors.slice(0, players)) {
    const known = unknowns.length - 2;
    const on = known === 0 ? null : 2 + (parent % known);
    unknowns.push({
      mean,
      sd,
      from: [{ on: slope, weight: units }, ...(on === null ? [] : [{ on, weight: 0.5 }])],
    });
  }
  const comparisons = games.map(([a, b, score, ordered, weight]): Comparison => {
    const first = a % players, other = (first + 1 + b % (players - 1)) % players;
    return { first: 2 + first, second: 2 + other, score, weight, term: ordered ? term : -1 };
  });
  const placings = groups.flatMap(([subset, ordered]): Placing[] => {
    const ranked = subset.filter((i) => i < players).map((i) => 2 + i);
    if (ranked.length < 2) return [];
    const slots = ranked.map((_, i) => (i + 1) % ranked.length);
    return [{ ranked, slots, weight: 0.8, term: ordered ? term : -1 }];
  });
  return { unknowns, comparisons, placings };
});

Deno.test("estimates equal those of an independent solver with another parametrisation to 1e-6", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const ours = fitBradleyTerry(problem).x, plain = plainSolver(problem);
      for (const [i, value] of plain.entries()) {
        assert.ok(Math.abs((ours[i] ?? NaN) - value) < 1e-6, `${ours[i]} ${value}`);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("without matches everybody stands at the prior, with its width", () => {
  const fit = fitBradleyTerry(pool(3, [], 1.3));
  assert.deepEqual([...fit.x], [0, 0, 0, 0]);
  assert.ok(Math.abs((covarianceOf(fit)[0] ?? 0) - 1.69) < 1e-9);
});

Deno.test("one win between two: both strengths solve x = 1 − σ(2x)", () => {
  const { x } = fitBradleyTerry(pool(2, [game(0, 1, 1)]));
  const [a = NaN, b = NaN] = x;
  assert.ok(Math.abs(a - (1 - logistic(2 * a))) < 1e-9);
  assert.equal(a, -b);
});

Deno.test("a tie is half a win of each: it moves nobody who is level", () => {
  const { x } = fitBradleyTerry(pool(2, [game(0, 1, 0.5), game(1, 0, 0.5)]));
  for (const value of x) assert.ok(Math.abs(value) < 1e-12);
});

Deno.test("antisymmetry: all verdicts turned round turn the strengths and the order term round", () => {
  fc.assert(
    fc.property(problems, ({ unknowns, comparisons }) => {
      const level = unknowns.map((unknown) => ({ ...unknown, mean: 0 }));
      const turned = comparisons.map((c): Comparison => ({
        ...c,
        score: c.score === 1 ? 0 : c.score === 0 ? 1 : 0.5,
      }));
      const a = fitBradleyTerry({ unknowns: level, comparisons }).x;
      const b = fitBradleyTerry({ unknowns: level, comparisons: turned }).x;
      for (const [i, value] of a.entries()) assert.ok(Math.abs(value + (b[i] ?? NaN)) < 1e-9);
    }),
    { numRuns: 60 },
  );
});

Deno.test("neither the order of matches nor the names of players matter", () => {
  fc.assert(
    fc.property(problems, fc.infiniteStream(fc.nat()), ({ unknowns, comparisons }, chance) => {
      const plain = unknowns.map(({ mean, sd }) => ({ mean, sd, from: [] }));
      const shuffled = comparisons.map((c) => ({ c, key: chance.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key).map(({ c }) => c);
      const n = plain.length;
      const other = (i: number) => (i < 0 ? i : n - 1 - i);
      const renamed = shuffled.map((c) => ({
        ...c,
        first: other(c.first),
        second: other(c.second),
        term: other(c.term),
      }));
      const a = fitBradleyTerry({ unknowns: plain, comparisons }).x;
      const b = fitBradleyTerry({ unknowns: plain.toReversed(), comparisons: renamed }).x;
      for (const [i, value] of a.entries()) assert.ok(Math.abs(value - (b[n - 1 - i] ?? NaN)) < 1e-8);
    }),
    { numRuns: 60 },
  );
});

Deno.test("the order term takes what standing first is worth: a judge that always says first puts nobody ahead", () => {
  const games: Comparison[] = [];
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) if (i !== j) games.push(game(i, j, 1, 6));
  const { x } = fitBradleyTerry(pool(6, games));
  for (const value of x.slice(0, 6)) assert.ok(Math.abs(value) < 1e-9);
  assert.ok((x[6] ?? 0) > 2);
});

Deno.test("a ranking of two is a pair, order term and all", () => {
  const unknowns = [free(), free(), free()];
  const pair = fitBradleyTerry({ unknowns, comparisons: [game(0, 1, 0, 2, 0.7)] });
  const ranking = fitBradleyTerry({
    unknowns,
    comparisons: [],
    placings: [{ ranked: [1, 0], slots: [1, 0], weight: 0.7, term: 2 }],
  });
  for (const [i, value] of pair.x.entries()) assert.ok(Math.abs(value - (ranking.x[i] ?? NaN)) < 1e-9);
  const a = covarianceOf(pair), b = covarianceOf(ranking);
  for (const [i, value] of a.entries()) assert.ok(Math.abs(value - (b[i] ?? NaN)) < 1e-9);
});

Deno.test("Laplace's covariance is the inverse of the curvature, by finite differences of the slope", () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const fit = fitBradleyTerry(problem);
      const n = fit.x.length;
      const covariance = covarianceOf(fit);
      // Pulling the prior mean of the first unknown by h is pulling its strength with force h/sd²: by Σ·h/sd² to first order.
      const [head] = problem.unknowns;
      if (head === undefined) return;
      const h = 1e-4;
      const pulled = fitBradleyTerry({
        ...problem,
        unknowns: [{ ...head, mean: head.mean + h }, ...problem.unknowns.slice(1)],
      });
      for (let i = 0; i < n; i++) {
        const slope = ((pulled.x[i] ?? NaN) - (fit.x[i] ?? NaN)) / h * head.sd ** 2;
        assert.ok(Math.abs(slope - (covariance[i] ?? NaN)) < 1e-3);
      }
    }),
    { numRuns: 30 },
  );
});
