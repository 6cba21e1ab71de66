import assert from "node:assert/strict";
import { ratingsFrame } from "../../../lib/notebook/frames/ratings.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "../view_double.ts";

const records = [1, 2, 3, 4].map((n) => hypothesisRecord(n));

Deno.test("ratings are in the order of the leaderboard, on the Elo scale, with 90 % intervals", () => {
  const view = viewOf(records, [
    matchRecord(1, { firstId: "hyp_3", secondId: "hyp_1" }),
    matchRecord(2, { firstId: "hyp_1", secondId: "hyp_2" }),
  ]);
  const rows = ratingsFrame(view);
  assert.deepEqual(rows.map(({ rank }) => rank), [1, 2, 3, 4]);
  assert.deepEqual(
    rows.map(({ hypothesis }) => hypothesis),
    view.leaderboard.map(({ record }) => record.label),
  );
  assert.equal(rows[0]?.hypothesis, "H3");
  for (const [i, { rating, low, high, elo }] of rows.entries()) {
    const { strength, strengthSd, elo: same } = view.leaderboard[i] ?? {};
    assert.ok(rating !== null && low !== null && high !== null && strength != null && strengthSd != null);
    assert.ok(Math.abs(rating - (1200 + 173.718 * strength)) < 1e-2);
    assert.ok(Math.abs(high - low - 2 * 1.645 * 173.718 * strengthSd) < 1e-2);
    assert.ok(Math.abs((low + high) / 2 - rating) < 1e-9);
    assert.equal(elo, same);
  }
});

Deno.test("a folded near-duplicate has no rank, names the better one, and takes no place from the others", () => {
  const rows = ratingsFrame(viewOf(records, [], { standings: { H2: { foldedUnder: "hyp_1" } } }));
  const folded = rows.find(({ hypothesis }) => hypothesis === "H2");
  assert.equal(folded?.rank, null);
  assert.equal(folded?.foldedUnder, "H1");
  assert.equal(folded?.tier, null);
  assert.deepEqual(rows.flatMap(({ rank }) => rank ?? []), [1, 2, 3]);
});

Deno.test("an unrated one has Elo alone, and results are told", () => {
  const [row] = ratingsFrame(viewOf([hypothesisRecord(1)], [], {
    standings: { H1: { strength: null, strengthSd: null, result: "confirmed" } },
  }));
  assert.deepEqual(
    [row?.rating, row?.low, row?.high, row?.elo, row?.result],
    [null, null, null, 1200, "confirmed"],
  );
});

Deno.test("chances to be among the best sum to how many those are; where no more compete there is none to tell", () => {
  const view = syntheticView(30, 200);
  const sum = ratingsFrame(view).reduce((all, { topChance }) => all + (topChance ?? 0), 0);
  assert.ok(Math.abs(sum - view.settings.ranking.topK) < 1e-6, String(sum));
  assert.deepEqual(ratingsFrame(viewOf(records)).map(({ topChance }) => topChance), [null, null, null, null]);
  assert.deepEqual(ratingsFrame(viewOf([])), []);
});
