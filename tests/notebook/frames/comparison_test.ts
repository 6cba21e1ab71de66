import assert from "node:assert/strict";
import { comparisonFrame } from "../../../lib/notebook/frames/comparison.ts";
import { comparisonData } from "../display_data.ts";

Deno.test("the leaderboards stand below each other; what several sessions have can be joined by one word", () => {
  const data = comparisonData();
  const rows = comparisonFrame(data);
  assert.equal(rows.length, data.sessions.reduce((sum, { leaderboard }) => sum + leaderboard.length, 0));
  const bySame = Map.groupBy(rows, ({ same }) => same);
  const of = (session: string, hypothesis: string) =>
    rows.find((row) => row.session === session && row.hypothesis === hypothesis);
  assert.equal(of("aml", "H1")?.same, of("strict judge", "H1")?.same);
  assert.deepEqual(bySame.get(of("aml", "H1")?.same ?? "")?.map(({ session }) => session), [
    "aml",
    "strict judge",
  ]);
  // The third has no label in the second session: what is called so there is another hypothesis.
  assert.notEqual(of("aml", "H3")?.same, of("strict judge", "H3")?.same);
  assert.equal(of("strict judge", "H3")?.shared, false);
  assert.deepEqual(
    rows.slice(0, 2).map((
      { session, place, hypothesis, rating, elo, ratedBy },
    ) => [session, place, hypothesis, rating, elo, ratedBy]),
    [["aml", 1, "H1", 1300, 1280, "bradley_terry"], ["aml", 2, "H2", 1280, 1265, "bradley_terry"]],
  );
});
