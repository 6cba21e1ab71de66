import { judgeEffects, type Texts } from "./judge_effects.ts";
import { type JudgedMatch, judgesOf } from "./judge_looks.ts";
import { type JudgeMeasures, type JudgeRow, measures, type Result } from "./judge_measures.ts";
import { type JudgeWarning, warningsOf } from "./judge_warnings.ts";

/** What the card is made from, and nothing else. */
export interface JudgeCardInput extends Texts {
  /** All matches, invalid ones too. */
  readonly matches: readonly JudgedMatch[];
  /** What results say, by hypothesis; hypotheses without one, or with results on both sides, are not in it. */
  readonly results: ReadonlyMap<string, Result>;
}

/** How the judges of a session judge. */
export interface JudgeMeasurements {
  /** Each judge, the one with most answers first. */
  readonly judges: readonly JudgeRow[];
  /** All together, as if they were one. */
  readonly pooled: JudgeMeasures;
  /** What is wrong, with what to do about it. */
  readonly warnings: readonly JudgeWarning[];
}

/**
 * The judge card: what the verdicts say of those who gave them. A pure function of the matches, whatever their order.
 * Matches by persons (an author other than `model`) are not looked at.
 */
export function judgeCard(input: JudgeCardInput): JudgeMeasurements {
  const judges = judgesOf(input.matches);
  const { byJudge, pooled } = judgeEffects(judges, input);
  const rows = judges.map((judged, i): JudgeRow => ({
    ...judged.name,
    ...measures([judged], byJudge[i] ?? pooled, input.results),
  }));
  const all = measures(judges, pooled, input.results);
  return { judges: rows, pooled: all, warnings: warningsOf(rows, all) };
}
