import type { MatchMode } from "../../domain/records.ts";
import type { JudgeMeasurements } from "../../tournament/judge_card.ts";
import type { Effect } from "../../tournament/judge_effects.ts";
import type { JudgeMeasures } from "../../tournament/judge_measures.ts";
import type { Share } from "../../tournament/share.ts";
import { boolean, type ColumnsOf, double, integer, text } from "./columns.ts";

/** What the card of the judges measures. */
export const JUDGE_MEASURES = [
  "order_bias",
  "length_preference",
  "self_preference",
  "first",
  "flips",
  "ties",
  "invalid",
  "calibration",
] as const;
/** What the card of the judges measures. */
export type JudgeMeasure = (typeof JUDGE_MEASURES)[number];

/** One measure of one judge. */
export interface JudgeFrameRow {
  /** The model; `null` where it isn't known, and for all judges together. */
  readonly judge: string | null;
  /** The version of the judging prompt; `null` likewise. */
  readonly promptVersion: string | null;
  /** How it judged; `null` for all judges together. */
  readonly mode: MatchMode | null;
  /** Whether it stands for all judges together. */
  readonly pooled: boolean;
  /** What is measured. */
  readonly measure: JudgeMeasure;
  /** `logits` for what is added to the log odds, `share` for parts from 0 to 1. */
  readonly unit: "logits" | "share";
  /** The value; `null` where it can't be said. */
  readonly value: number | null;
  /** The lower end of its 95 % interval. */
  readonly low: number | null;
  /** The upper end of its 95 % interval. */
  readonly high: number | null;
  /** Of how many: decided verdicts behind an effect, the whole behind a share. */
  readonly of: number;
}

/** The columns of {@linkcode judgeFrame}. */
export const JUDGE_COLUMNS: ColumnsOf<JudgeFrameRow> = {
  judge: text("the model; empty where it isn't known, and for all judges together"),
  promptVersion: text("version of the judging prompt; empty likewise"),
  mode: text("pairwise, debate or kwise; empty for all judges together"),
  pooled: boolean("whether the row stands for all judges together"),
  measure: text(
    "what is measured: order_bias, length_preference, self_preference, first, flips, ties, invalid, calibration",
  ),
  unit: text("logits for what is added to the log odds, share for parts from 0 to 1"),
  value: double("the value; empty where it can't be said", "as unit says"),
  low: double("lower end of its 95 % interval", "as unit says"),
  high: double("upper end of its 95 % interval", "as unit says"),
  of: integer("decided verdicts behind an effect, the whole behind a share"),
};

/** The card of the judges as plain rows: each judge with each measure, all together last. */
export function judgeFrame({ judges, pooled }: JudgeMeasurements): JudgeFrameRow[] {
  return [
    ...judges.flatMap((judge) => measureRows(judge, judge)),
    ...measureRows(pooled, { judge: null, promptVersion: null, mode: null }),
  ];
}

function measureRows(
  measures: JudgeMeasures,
  { judge, promptVersion, mode }: Pick<JudgeFrameRow, "judge" | "promptVersion" | "mode">,
): JudgeFrameRow[] {
  const base = { judge, promptVersion, mode, pooled: mode === null };
  const effect = (measure: JudgeMeasure, of: Effect | null): JudgeFrameRow => ({
    ...base,
    measure,
    unit: "logits",
    value: of?.value ?? null,
    low: of?.low ?? null,
    high: of?.high ?? null,
    of: measures.first.of,
  });
  const part = (measure: JudgeMeasure, of: Share | null): JudgeFrameRow => ({
    ...base,
    measure,
    unit: "share",
    value: of?.share ?? null,
    low: of?.low ?? null,
    high: of?.high ?? null,
    of: of?.of ?? 0,
  });
  return [
    effect("order_bias", measures.bias),
    effect("length_preference", measures.length),
    effect("self_preference", measures.self),
    part("first", measures.first),
    part("flips", measures.flips),
    part("ties", measures.ties),
    part("invalid", measures.invalid),
    part("calibration", measures.calibration),
  ];
}
