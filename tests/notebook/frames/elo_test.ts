import assert from "node:assert/strict";
import { eloFrame } from "../../../lib/notebook/frames/elo.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "../view_double.ts";

Deno.test("a trajectory starts at birth with a newcomer's rating and has a point after each match", () => {
  const view = viewOf(
    [hypothesisRecord(1, { seq: 1 }), hypothesisRecord(2, { seq: 2 }), hypothesisRecord(3, { seq: 4 })],
    [
      matchRecord(1, { seq: 3 }),
      matchRecord(2, { seq: 5, firstId: "hyp_3", secondId: "hyp_2", verdict: "tie", revision: 2 }),
    ],
  );
  const gain = 32 * (1 / (1 + 10 ** (-16 / 400)) - 0.5);
  assert.deepEqual(
    eloFrame(view).map(({ title: _, ...row }) => ({ ...row, elo: Math.round(row.elo * 1e6) / 1e6 })),
    [
      { hypothesis: "H1", match: 0, elo: 1200, seq: 1, revision: null },
      { hypothesis: "H1", match: 1, elo: 1216, seq: 3, revision: 0 },
      { hypothesis: "H2", match: 0, elo: 1200, seq: 2, revision: null },
      { hypothesis: "H2", match: 1, elo: 1184, seq: 3, revision: 0 },
      { hypothesis: "H2", match: 2, elo: Math.round((1184 + gain) * 1e6) / 1e6, seq: 5, revision: 2 },
      { hypothesis: "H3", match: 1, elo: 1200, seq: 4, revision: null },
      { hypothesis: "H3", match: 2, elo: Math.round((1200 - gain) * 1e6) / 1e6, seq: 5, revision: 2 },
    ],
  );
});

Deno.test("the last point of each trajectory is the rating on the leaderboard", () => {
  const view = syntheticView(30, 300);
  const last = new Map(eloFrame(view).map((row) => [row.hypothesis, row.elo]));
  for (const { record, elo } of view.leaderboard) {
    assert.ok(Math.abs((last.get(record.label) ?? NaN) - elo) < 1e-9);
  }
});

Deno.test("a hypothesis that never entered the tournament has no trajectory; one taken out keeps its own", () => {
  const view = viewOf(
    [1, 2, 3, 4].map((n) => hypothesisRecord(n)),
    [matchRecord(1, { seq: 9 })],
    { states: { H2: "rejected", H3: "disproved" } },
  );
  assert.deepEqual([...new Set(eloFrame(view).map((row) => row.hypothesis))], ["H1", "H2", "H4"]);
  assert.deepEqual(eloFrame(viewOf([])), []);
});
