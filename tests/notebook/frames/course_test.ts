import assert from "node:assert/strict";
import { courseFrame } from "../../../lib/notebook/frames/course.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "../view_double.ts";

Deno.test("a course tells after each match who is best, with what Elo, and what had been paid", () => {
  const view = viewOf([1, 2, 3].map((n) => hypothesisRecord(n)), [
    matchRecord(1, { seq: 10, firstId: "hyp_1", secondId: "hyp_2", verdict: "first" }),
    matchRecord(2, { seq: 20, firstId: "hyp_3", secondId: "hyp_1", verdict: "first" }),
  ]);
  const course = courseFrame(view, [[5, 1_000], [10, 3_000], [15, 9_000], [30, 20_000]]);
  assert.deepEqual(course.map(({ matches, usd, best, elo }) => [matches, usd, best, Math.round(elo)]), [
    [1, 0.003, "H1", 1216],
    [2, 0.009, "H3", 1217],
  ]);
});

Deno.test("it ends with the present leader by Elo: who was taken out is never the best", () => {
  const view = viewOf([1, 2, 3].map((n) => hypothesisRecord(n)), [
    matchRecord(1, { firstId: "hyp_1", secondId: "hyp_2", verdict: "first" }),
    matchRecord(2, { firstId: "hyp_1", secondId: "hyp_3", verdict: "first" }),
  ], { states: { H1: "rejected" } });
  const points = courseFrame(view, []);
  // H1 won both: H3, which had not played yet, stood above H2, and then H2 above H3.
  assert.deepEqual(points.map(({ best }) => best), ["H3", leaderByElo(view)]);
  assert.ok(points.every(({ elo }) => elo <= 1200));
});

/** The best by Elo of those in the tournament. */
function leaderByElo(view: ReturnType<typeof viewOf>): string {
  return view.leaderboard.toSorted((a, b) => b.elo - a.elo)[0]?.record.label ?? "";
}

Deno.test("a long course is thinned to what a picture can show, and keeps its end", () => {
  const view = syntheticView(40, 3000);
  const points = courseFrame(view, []);
  assert.ok(points.length <= 201 && points.length > 100, String(points.length));
  assert.equal(points.at(-1)?.matches, view.eloJournal.length);
  assert.equal(points.at(-1)?.best, leaderByElo(view));
  assert.deepEqual(courseFrame(viewOf([hypothesisRecord(1)]), []), []);
});
