import assert from "node:assert/strict";
import { pairsFrame } from "../../../lib/notebook/frames/pairs.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "../view_double.ts";

const records = [1, 2, 3, 4].map((n) => hypothesisRecord(n));

Deno.test("each pair that met is told from both sides: result, times, and how often it was shown first", () => {
  const rows = pairsFrame(viewOf(records, [
    matchRecord(1, { firstId: "hyp_1", secondId: "hyp_2", verdict: "first" }),
    matchRecord(2, { firstId: "hyp_2", secondId: "hyp_1", verdict: "second" }),
    matchRecord(3, { firstId: "hyp_2", secondId: "hyp_1", verdict: "tie" }),
    matchRecord(4, { firstId: "hyp_3", secondId: "hyp_1", verdict: "first" }),
  ]));
  const of = (a: string, b: string) => {
    const row = rows.find(({ hypothesis, opponent }) => hypothesis === a && opponent === b);
    return row === undefined ? null : [row.matches, row.won, row.lost, row.tied, row.shownFirst, row.share];
  };
  assert.deepEqual(of("H1", "H2"), [3, 2, 0, 1, 1, 2.5 / 3]);
  assert.deepEqual(of("H2", "H1"), [3, 0, 2, 1, 2, 0.5 / 3]);
  assert.deepEqual(of("H3", "H1"), [1, 1, 0, 0, 1, 1]);
  assert.equal(of("H2", "H3"), null);
  assert.equal(rows.length, 4);
});

Deno.test("matches without a verdict and those that a person took out are none; who is out of play has no rank", () => {
  const rows = pairsFrame(viewOf(records, [
    matchRecord(1, { verdict: "invalid" }),
    matchRecord(2, { weight: 0 }),
    matchRecord(3, { firstId: "hyp_4", secondId: "hyp_1" }),
    matchRecord(4, { firstId: "hyp_3", secondId: "hyp_1" }),
  ], { states: { H4: "rejected" }, standings: { H3: { foldedUnder: "hyp_1" } } }));
  const ranks = Object.fromEntries(rows.map(({ hypothesis, rank }) => [hypothesis, rank]));
  assert.equal(rows.length, 4);
  assert.equal(ranks["H4"], null);
  assert.equal(ranks["H3"], null);
  assert.equal(typeof ranks["H1"], "number");
});

Deno.test("the two sides of each pair agree, and rows follow the leaderboard", () => {
  const view = syntheticView(40, 300);
  const rows = pairsFrame(view);
  const bySides = new Map(rows.map((row) => [`${row.hypothesis} ${row.opponent}`, row]));
  for (const row of rows) {
    const other = bySides.get(`${row.opponent} ${row.hypothesis}`);
    assert.ok(other !== undefined);
    assert.deepEqual([other.won, other.lost, other.tied], [row.lost, row.won, row.tied]);
    assert.equal(other.shownFirst + row.shownFirst, row.matches);
    assert.ok(Math.abs(other.share + row.share - 1) < 1e-9);
    assert.equal(row.won + row.lost + row.tied, row.matches);
  }
  assert.equal(rows.reduce((sum, { matches }) => sum + matches, 0) / 2, view.matches.length);
  const ranks = rows.flatMap(({ rank }) => rank ?? []);
  assert.deepEqual(ranks, ranks.toSorted((a, b) => a - b));
});
