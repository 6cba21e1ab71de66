import assert from "node:assert/strict";
import { Supervisor } from "../../mod.ts";
import { hypothesisId } from "../store/fixture.ts";
import { GOAL } from "./support/session.ts";
import { Table } from "./support/table.ts";

/** A season by the seed's arithmetic, worked out elsewhere: who met whom, what the first scored, both ratings after it. */
const SEASON: readonly (readonly [first: string, second: string, score: number, elo: number, elo: number])[] =
  [
    ["a", "b", 1, 1216, 1184],
    ["c", "d", 1, 1216, 1184],
    ["a", "c", 0, 1200, 1232],
    ["b", "d", 1, 1200, 1168],
    ["a", "d", 1, 1214.530498471024, 1153.469501528976],
    ["b", "c", 0.5, 1201.469501528976, 1230.530498471024],
    ["a", "b", 1, 1229.929300511777, 1186.070699488223],
    ["c", "a", 0, 1214.502812309479, 1245.956986673322],
    ["d", "b", 0, 1138.966451316419, 1200.573749700779],
    ["a", "c", 1, 1260.512412888892, 1199.94738609391],
    ["b", "a", 1, 1209.940357482597, 1251.145805107074],
    ["d", "c", 0, 1125.74624058828, 1213.167596822049],
    ["c", "b", 1, 1221.093289027202, 1202.014665277444],
    ["a", "d", 1, 1256.377548908659, 1120.514496786695],
    ["d", "a", 0, 1115.492584951457, 1261.399460743897],
    ["b", "c", 0, 1194.453525798598, 1228.654428506048],
  ];

Deno.test("Elo is the seed's: a season of sixteen matches, K 32 until both have played five, to 1e-9", () => {
  using table = new Table({ ranking: { rating: "elo" } });
  table.hypotheses(["a", "b", "c", "d"]);
  for (const [first, second, score, ...after] of SEASON) {
    table.play(first, second, score === 1 ? "first" : score === 0 ? "second" : "tie");
    for (const [i, name] of [first, second].entries()) {
      const { elo = NaN } = table.view.hypothesis(hypothesisId(name)) ?? {};
      assert.ok(Math.abs(elo - (after[i] ?? NaN)) < 1e-9, `${name}: ${elo}`);
    }
  }
});

/** One that beat only the weak, often, and one that beat it once: Elo and Bradley-Terry order them differently. */
function upset(table: Table): void {
  table.hypotheses(["busy", "late", "w1", "w2", "w3", "w4"]);
  for (const weak of ["w1", "w2", "w3", "w4"]) {
    for (let i = 0; i < 6; i++) table.play("busy", weak);
  }
  table.play("late", "busy");
  table.play("busy", "late", "second");
}

Deno.test("ranking.rating orders the leaderboard; the other rating is kept beside it, and changing it reorders at once", () => {
  using table = new Table();
  upset(table);
  const order = () => table.view.leaderboard.map(({ record }) => record.id);
  assert.equal(order()[0], hypothesisId("late"));
  table.configure({ "ranking.rating": "elo" });
  assert.equal(order()[0], hypothesisId("busy"));
  for (const { strength, strengthSd, elo } of table.view.leaderboard) {
    assert.ok(Number.isFinite(elo) && strength !== null && strengthSd !== null && strengthSd > 0);
  }
});

Deno.test("13.E1 a judge that always says first puts nobody ahead, and is found out", async () => {
  await using lab = await Supervisor.create({
    name: "always first",
    goal: GOAL,
    store: ":memory:",
    seed: "always first",
    environment: {},
    settings: {
      run: { maxIdeas: 10, initialIdeas: 6, keptForEvolution: 0, concurrency: 1 },
      ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0, maxMatchesPerPair: 4, reviewPrior: 0 },
      termination: { topKPrecision: 0, minMatches: 1000 },
      simulator: { positionBias: 60, judgeNoise: 0.1 },
    },
  });
  await lab.runUntil({ matches: 80 });
  const { matches } = lab.view();
  assert.ok(matches.length >= 80 && matches.every(({ verdict }) => verdict !== "second"));
  assert.ok(
    matches.filter(({ verdict }) => verdict === "tie").length <= 8,
    `it ties where two truly are equal: ${matches.filter(({ verdict }) => verdict === "tie").length}`,
  );
  const rows = lab.inspect().leaderboard;
  assert.deepEqual([...new Set(rows.map(({ tier }) => tier))], [1], "all in one tier");
  assert.ok(rows.every(({ topChance }) => topChance === null || (topChance > 0.1 && topChance < 0.9)));
  const numbers = rows.map(({ label }) => Number(label.slice(1)));
  assert.notDeepEqual(numbers, numbers.toSorted((a, b) => a - b));
  assert.notDeepEqual(numbers, numbers.toSorted((a, b) => b - a));
  const [judge] = lab.judge.judges;
  assert.ok(judge?.bias !== null && judge !== undefined && judge.bias.value > 1 && judge.bias.low > 1);
  assert.ok(lab.judge.warnings.length > 0);
});
