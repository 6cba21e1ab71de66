import assert from "node:assert/strict";
import { eloFrame, JUDGE_MEASURES, judgeFrame, lineageFrame } from "../../lib/notebook/frames.ts";
import { judgeData, judgesData } from "./display_data.ts";
import { hypothesisRecord, matchRecord, syntheticView, viewOf } from "./view_double.ts";

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
      { hypothesis: "H1", match: 0, elo: 1200, seq: 1 },
      { hypothesis: "H1", match: 1, elo: 1216, seq: 3, revision: 0 },
      { hypothesis: "H2", match: 0, elo: 1200, seq: 2 },
      { hypothesis: "H2", match: 1, elo: 1184, seq: 3, revision: 0 },
      { hypothesis: "H2", match: 2, elo: Math.round((1184 + gain) * 1e6) / 1e6, seq: 5, revision: 2 },
      { hypothesis: "H3", match: 1, elo: 1200, seq: 4 },
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

Deno.test("the lineage has every hypothesis with those of its parents that are there", () => {
  const rows = lineageFrame(viewOf([
    hypothesisRecord(1),
    hypothesisRecord(2, { parents: ["hyp_1", "hyp_elsewhere"], generation: 1, strategy: "combine" }),
  ]));
  assert.deepEqual(
    rows.map(({ label, parents, generation, strategy, matches, state, elo }) => ({
      label,
      parents,
      generation,
      strategy,
      matches,
      state,
      elo,
    })),
    [
      {
        label: "H1",
        parents: [],
        generation: 0,
        strategy: "literature",
        matches: 0,
        state: "in_tournament",
        elo: 1200,
      },
      {
        label: "H2",
        parents: ["hyp_1"],
        generation: 1,
        strategy: "combine",
        matches: 0,
        state: "in_tournament",
        elo: 1200,
      },
    ],
  );
});

Deno.test("the judges' frame has a row for each judge and measure, and all together last", () => {
  const data = judgeData();
  const rows = judgeFrame(data);
  assert.equal(rows.length, 6 * JUDGE_MEASURES.length);
  assert.deepEqual(rows.slice(-8).map(({ measure, pooled, judge }) => [measure, pooled, judge]), [
    ...JUDGE_MEASURES.map((measure) => [measure, true, null]),
  ]);
  const of = (measure: string, judge: string) =>
    rows.find((row) => row.measure === measure && row.judge === judge && row.mode === "pairwise");
  const { value, low, high, of: whole, unit } = of("ties", "gpt-5") ?? {};
  assert.deepEqual([value, whole, unit], [12 / 23, 23, "share"]);
  assert.ok((low ?? 1) < 12 / 23 && 12 / 23 < (high ?? 0));
  const bias = of("order_bias", "claude-sonnet-4-6");
  assert.deepEqual([bias?.unit, bias?.of, bias?.value], ["logits", 58, data.judges[0]?.bias?.value]);
  assert.equal(of("self_preference", "llama-3.3-70b")?.value, null);
  assert.ok(judgeFrame(judgesData([])).every((row) => row.pooled && row.value === null));
});
