import type { HypothesisState, MatchMode, Strategy } from "../domain/records.ts";
import type { Standing, View } from "../store/view.ts";
import type { JudgeMeasurements } from "../tournament/judge_card.ts";
import type { Effect } from "../tournament/judge_effects.ts";
import type { JudgeMeasures } from "../tournament/judge_measures.ts";
import type { Share } from "../tournament/share.ts";

/** A point of a rating's trajectory. */
export interface EloRow {
  /** Rated matches of the whole session up to here; at a hypothesis's first point, those before its birth. */
  readonly match: number;
  /** The hypothesis's label, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title as it now reads. */
  readonly title: string;
  /** Its rating after that match. */
  readonly elo: number;
  /** The commit: of the match, or of the birth. */
  readonly seq: number;
  /** The revision under which the match was judged; absent at the first point. */
  readonly revision?: number;
}

/** A hypothesis in the lineage. */
export interface LineageRow {
  /** Its id. */
  readonly id: string;
  /** Its label. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** How it came about. */
  readonly strategy: Strategy;
  /** 0 without parents, else by its parents. */
  readonly generation: number;
  /** Its rating. */
  readonly elo: number;
  /** Valid matches that stand behind the rating. */
  readonly matches: number;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Ids of the hypotheses it was made from; all are in the frame. */
  readonly parents: readonly string[];
}

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

/**
 * The trajectories of all ratings in the current epoch, from the ledger: by hypothesis in order of birth, then by match.
 * Each starts at its birth with the rating of a newcomer. Hypotheses that never entered the tournament are left out.
 */
export function eloFrame(view: Pick<View, "hypotheses" | "eloJournal" | "matches">): EloRow[] {
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const points = new Map<string, { match: number; elo: number; seq: number; revision: number }[]>();
  const starts = new Map<string, number>();
  const seqs: number[] = [];
  for (const [i, line] of view.eloJournal.entries()) {
    const match = matches.get(line.matchId);
    // A later epoch writes all its lines in one commit; the match tells when it really was.
    const seq = match?.seq ?? line.seq;
    seqs.push(seq);
    const sides = [
      { id: line.firstId, before: line.firstBefore, elo: line.firstBefore + line.delta },
      { id: line.secondId, before: line.secondBefore, elo: line.secondBefore - line.delta },
    ];
    for (const { id, before, elo } of sides) {
      if (!starts.has(id)) starts.set(id, before);
      const own = points.get(id) ?? [];
      own.push({ match: i + 1, elo, seq, revision: match?.revision ?? 0 });
      points.set(id, own);
    }
  }
  return view.hypotheses.flatMap((standing) => {
    const { record, bornSeq, state } = standing;
    const own = points.get(record.id) ?? [];
    if (own.length === 0 && state !== "in_tournament") return [];
    const base = { hypothesis: record.label, title: record.title };
    // A version that was edited, or entered again, is younger than its first match.
    const before = (own[0]?.match ?? Infinity) - 1;
    const start: EloRow = {
      ...base,
      match: Math.min(countUpTo(seqs, bornSeq), before),
      elo: starts.get(record.id) ?? standing.elo,
      seq: bornSeq,
    };
    return [start, ...own.map((point) => ({ ...base, ...point }))];
  });
}

/** All hypotheses with their parents, in order of birth. Parents that the view doesn't know are left out. */
export function lineageFrame(view: Pick<View, "hypotheses" | "hypothesis">): LineageRow[] {
  return view.hypotheses.map((standing: Standing) => ({
    id: standing.record.id,
    label: standing.record.label,
    title: standing.record.title,
    strategy: standing.record.strategy,
    generation: standing.record.generation,
    elo: standing.elo,
    matches: standing.matches,
    state: standing.state,
    parents: standing.record.parents.filter((id) => view.hypothesis(id) !== undefined),
  }));
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0, high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
