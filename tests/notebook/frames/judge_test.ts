import assert from "node:assert/strict";
import { JUDGE_MEASURES, judgeFrame } from "../../../lib/notebook/frames/judge.ts";
import { judgeData, judgesData } from "../display_data.ts";

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
