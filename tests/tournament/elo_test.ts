import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { eloDelta, expectedScore, kFactor, replay, type Score, scoreOf } from "../../lib/tournament/elo.ts";

const near = (actual: number, expected: number, within = 1e-9) =>
  assert.ok(Math.abs(actual - expected) < within, `${actual} is not ${expected}`);

const rating = fc.double({ min: -2000, max: 4000, noNaN: true });
const score = fc.constantFrom<Score>(1, 0.5, 0);

Deno.test("the expected score is the logistic curve of the difference over 400 points", () => {
  const table: [number, number, number][] = [
    [1200, 1200, 0.5],
    [1600, 1200, 10 / 11],
    [1200, 1600, 1 / 11],
    [2000, 1200, 100 / 101],
    [1300, 1200, 0.6400649998028851],
    [1225, 1200, 0.5359159269451023],
  ];
  for (const [a, b, expected] of table) near(expectedScore(a, b), expected);
});

Deno.test("a match moves the ratings by weight × K × (score − expectation)", () => {
  const table: [first: number, second: number, score: Score, k: number, weight: number, delta: number][] = [
    [1200, 1200, 1, 32, 1, 16],
    [1200, 1200, 0, 32, 1, -16],
    [1200, 1200, 0.5, 32, 1, 0],
    [1200, 1200, 1, 16, 1, 8],
    [1200, 1200, 1, 32, 3, 48],
    [1200, 1200, 1, 32, 0, 0],
    [1600, 1200, 1, 32, 1, 32 / 11],
    [1600, 1200, 0, 32, 1, -320 / 11],
    [1600, 1200, 0.5, 22, 1, -9],
    [1300, 1200, 1, 16, 1, 16 * (1 - 0.6400649998028851)],
  ];
  for (const [first, second, score, k, weight, delta] of table) {
    near(eloDelta({ first, second, score, k, weight }), delta);
  }
});

Deno.test("K is the larger one until both sides have played kSwitchMatches", () => {
  const { ranking } = DEFAULT_SETTINGS;
  const table: [number, number, number][] = [[0, 0, 32], [4, 4, 32], [4, 50, 32], [50, 4, 32], [5, 5, 16], [
    5,
    9,
    16,
  ]];
  for (const [a, b, k] of table) assert.equal(kFactor(a, b, ranking), k);
  assert.equal(kFactor(0, 0, { ...ranking, kSwitchMatches: 0 }), 16);
});

Deno.test("a verdict is scored from the side shown first; an invalid one isn't scored", () => {
  assert.equal(scoreOf("first"), 1);
  assert.equal(scoreOf("tie"), 0.5);
  assert.equal(scoreOf("second"), 0);
  assert.equal(scoreOf("invalid"), null);
});

Deno.test("Elo is symmetric: the same match told from the other side has the opposite delta", () => {
  fc.assert(fc.property(rating, rating, score, (first, second, s) => {
    const other: Score = s === 1 ? 0 : s === 0 ? 1 : 0.5;
    const here = eloDelta({ first, second, score: s, k: 32, weight: 1 });
    const there = eloDelta({ first: second, second: first, score: other, k: 32, weight: 1 });
    near(here, -there);
    near(expectedScore(first, second) + expectedScore(second, first), 1);
  }));
});

Deno.test("replaying a ledger gives the stored ratings bit by bit, and they sum to 1200 a head", () => {
  const match = fc.record({ a: fc.nat(7), b: fc.nat(7), score, weight: fc.constantFrom(1, 0, 2.5) });
  fc.assert(fc.property(fc.array(match, { maxLength: 400 }), (matches) => {
    const stored = new Map<string, { elo: number; matches: number }>();
    const journal: { firstId: string; secondId: string; delta: number }[] = [];
    for (const { a, b, score, weight } of matches) {
      if (a === b) continue;
      const [firstId, secondId] = [`h${a}`, `h${b}`];
      const first = stored.get(firstId) ?? { elo: 1200, matches: 0 };
      const second = stored.get(secondId) ?? { elo: 1200, matches: 0 };
      const k = kFactor(first.matches, second.matches, DEFAULT_SETTINGS.ranking);
      const delta = eloDelta({ first: first.elo, second: second.elo, score, k, weight });
      stored.set(firstId, { elo: first.elo + delta, matches: first.matches + 1 });
      stored.set(secondId, { elo: second.elo - delta, matches: second.matches + 1 });
      journal.push({ firstId, secondId, delta });
    }
    const ratings = replay(journal, 1200);
    assert.deepEqual(ratings, new Map([...stored].map(([id, { elo }]) => [id, elo])));
    near([...ratings.values()].reduce((sum, elo) => sum + elo, 0), 1200 * ratings.size, 1e-6);
  }));
});
