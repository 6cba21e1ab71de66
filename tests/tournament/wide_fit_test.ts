import assert from "node:assert/strict";
import { rng } from "../../lib/domain/rng.ts";
import { covarianceOf, fitBradleyTerry } from "../../lib/tournament/bradley_terry.ts";
import type { Comparison, Placing, Problem, Unknown } from "../../lib/tournament/rating_problem.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { RatingBook } from "../../lib/tournament/rating_book.ts";
import { fitWide } from "../../lib/tournament/wide_fit.ts";
import { WidePosterior } from "../../lib/tournament/wide_posterior.ts";

/** Two order terms, a slope, and players of whom some are children of others; pairs, ties and rankings. */
function season(players: number, games: number, key: string): Problem {
  const chance = rng("wide", key, "season");
  const unknowns: Unknown[] = [
    { mean: 0, sd: 1, from: [] },
    { mean: 0, sd: 1, from: [] },
    { mean: 0.3, sd: 0.35, from: [] },
  ];
  const base = unknowns.length;
  const truth: number[] = [];
  for (let i = 0; i < players; i++) {
    const from = [{ on: 2, weight: chance.normal() }];
    const parent = chance.int(Math.max(1, i));
    if (i > 0 && chance.next() < 0.3) from.push({ on: base + parent, weight: 0.5 });
    unknowns.push({ mean: 0, sd: 1, from });
    truth.push(chance.normal());
  }
  const comparisons = Array.from({ length: games }, (): Comparison => {
    const a = chance.int(players), b = (a + 1 + chance.int(players - 1)) % players;
    const p = logistic((truth[a] ?? 0) - (truth[b] ?? 0) + 0.4);
    const draw = chance.next();
    return {
      first: base + a,
      second: base + b,
      score: draw < 0.1 ? 0.5 : chance.next() < p ? 1 : 0,
      weight: 1,
      term: chance.int(3) - 1,
    };
  });
  const placings = Array.from({ length: 10 }, (): Placing => {
    const ranked = chance.shuffle(Array.from({ length: players }, (_, i) => base + i)).slice(0, 4);
    return { ranked, slots: chance.shuffle([0, 1, 2, 3]), weight: 1, term: 0 };
  });
  return { unknowns, comparisons, placings };
}

Deno.test("conjugate gradients end with the strengths that the dense solver finds, to 1e-6", () => {
  for (const [players, games] of [[5, 0], [30, 60], [120, 600]] as const) {
    const problem = season(players, games, `${players}`);
    const wide = fitWide(problem).x, dense = fitBradleyTerry(problem).x;
    for (const [i, value] of dense.entries()) assert.ok(Math.abs(value - (wide[i] ?? NaN)) < 1e-6);
  }
});

Deno.test("covariances of the chosen are near those of the whole curvature; the others' variances are near theirs", () => {
  const problem = season(150, 900, "near");
  const n = problem.unknowns.length;
  const exact = covarianceOf(fitBradleyTerry(problem));
  const fit = fitWide(problem);
  const chosen = Array.from({ length: 60 }, (_, i) => i);
  const wide = WidePosterior.of(fit, chosen);
  for (let i = 0; i < n; i++) {
    const truth = exact[i * n + i] ?? NaN;
    const ratio = wide.variance(i) / truth;
    assert.ok(i < 3 ? ratio > 0.4 && ratio < 1.3 : ratio > 0.75 && ratio < 1.15, `${i}: ${ratio}`);
  }
  for (let i = 3; i < 60; i++) {
    for (let j = 3; j < i; j++) {
      assert.ok(Math.abs(wide.covariance(i, j) - (exact[i * n + j] ?? NaN)) < 0.06);
    }
  }
});

Deno.test("with all chosen nothing is approximate", () => {
  const problem = season(40, 200, "all");
  const n = problem.unknowns.length;
  const exact = covarianceOf(fitBradleyTerry(problem));
  const wide = WidePosterior.of(fitWide(problem), Array.from({ length: n }, (_, i) => i));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) assert.ok(Math.abs(wide.covariance(i, j) - (exact[i * n + j] ?? NaN)) < 1e-6);
  }
});

Deno.test("whoever a match involves is kept with covariances from then on; a copy doesn't change the original", () => {
  const wide = WidePosterior.of(fitWide(season(50, 100, "take")), [0, 1, 2, 3]);
  assert.equal(wide.covariance(10, 20), 0);
  const before = wide.variance(10);
  const copy = wide.copy();
  copy.expect(10, 20);
  assert.ok(copy.covariance(10, 20) > 0);
  assert.ok(copy.variance(10) < before);
  assert.equal(wide.covariance(10, 20), 0);
  assert.equal(wide.variance(10), before);
  const mean = wide.mean(10);
  wide.observe({ first: 10, second: 20, score: 1, weight: 1, term: -1 });
  assert.ok(wide.mean(10) > mean);
  const child = wide.enter({ mean: 0, sd: 1, from: [{ on: 30, weight: 0.5 }] });
  assert.ok(Math.abs(wide.mean(child) - wide.mean(30) / 2) < 1e-12);
  assert.ok(wide.covariance(child, 30) > 0);
  assert.equal(wide.size, child + 1);
});

Deno.test("a pool of 2,000 is rated; the best are found, and it grows on", () => {
  const chance = rng("wide", "2000", "book");
  const n = 2000;
  const truth = Array.from({ length: n }, () => 1.2 * chance.normal());
  const book = new RatingBook({ priorWidth: 0, reviewPrior: 0.3, parentPrior: 0.5 });
  for (let i = 0; i < n; i++) book.enter({ id: `h${i}`, score: chance.next() });
  for (let g = 0; g < 10 * n; g++) {
    const a = chance.int(n), b = (a + 1 + chance.int(n - 1)) % n;
    const p = logistic((truth[a] ?? 0) - (truth[b] ?? 0) + 0.5);
    book.record({
      firstId: `h${a}`,
      secondId: `h${b}`,
      score: chance.next() < p ? 1 : 0,
      weight: 1,
      judge: "j",
    });
  }
  const posterior = book.posterior();
  const rated = truth.map((t, i) => ({ t, mean: posterior.mean(book.place(`h${i}`) ?? NaN) }));
  const best = rated.toSorted((a, b) => b.mean - a.mean).slice(0, 100);
  const average = best.reduce((sum, { t }) => sum + t, 0) / best.length;
  assert.ok(average > 1.7, `${average}`);
  assert.ok(book.width > 0.8 && book.width < 1.4);
  assert.ok(Math.abs(posterior.mean(book.term("j") ?? NaN) - 0.5) < 0.1);
  book.enter({ id: "late", score: 0.5, parents: ["h3"] });
  book.record({ firstId: "late", secondId: "h3", score: 1, weight: 1, judge: "other" });
  const { mean } = { mean: (id: string) => book.posterior().mean(book.place(id) ?? NaN) };
  assert.ok(mean("late") > mean("h3") / 2);
});
