import type { MatchVerdict } from "../../domain/records.ts";
import { type ColumnsOf, integer, text, time } from "./columns.ts";
import { type FrameSource, taskLabels } from "./source.ts";

/** What a judge said of a stored match when asked again. */
export interface RejudgementRow {
  /** Label of the match. */
  readonly match: string;
  /** The rejudging that it is part of. */
  readonly batch: number;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** The match's own verdict. */
  readonly verdictBefore: MatchVerdict;
  /** What it says now. */
  readonly verdict: MatchVerdict;
  /** Asked in both orders: the verdict with the first shown first. */
  readonly asShown: MatchVerdict | null;
  /** And with the second shown first. */
  readonly swapped: MatchVerdict | null;
  /** The model that judged the match. */
  readonly judgeBefore: string | null;
  /** The model that answered now. */
  readonly judge: string | null;
  /** The version of the prompt of the match. */
  readonly promptVersionBefore: string | null;
  /** The version of the prompt now. */
  readonly promptVersion: string | null;
  /** Label of its task. */
  readonly task: string | null;
  /** Why. */
  readonly rationale: string;
}

/** The columns of {@linkcode rejudgementFrame}. */
export const REJUDGEMENT_COLUMNS: ColumnsOf<RejudgementRow> = {
  match: text("label of the match"),
  verdictBefore: text("the match's own verdict"),
  verdict: text("what the judge says now, told by the match's own order"),
  judgeBefore: text("the model that judged the match"),
  judge: text("the model that answered now"),
  asShown: text("asked in both orders: the verdict with the first shown first"),
  swapped: text("the verdict with the second shown first"),
  promptVersionBefore: text("version of the prompt that the match was judged by"),
  promptVersion: text("version of the prompt now"),
  batch: integer("the rejudging that it is part of: the seq of its first task"),
  task: text("label of its task"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
  rationale: text("why"),
};

/** All rejudgements, in order. */
export function rejudgementFrame(source: Pick<FrameSource, "view" | "tasks" | "at">): RejudgementRow[] {
  const taskOf = taskLabels(source);
  const matches = new Map(source.view.matches.map((match) => [match.id, match]));
  return source.view.rejudgements.flatMap((again): RejudgementRow[] => {
    const match = matches.get(again.matchId);
    if (match === undefined) return [];
    const [asShown, swapped] = again.bothOrders ?? [null, null];
    return [{
      match: match.label,
      batch: again.batch,
      seq: again.seq,
      at: source.at(again.seq),
      verdictBefore: match.verdict,
      verdict: again.verdict,
      asShown,
      swapped,
      judgeBefore: match.judge,
      judge: again.judge,
      promptVersionBefore: match.promptVersion,
      promptVersion: again.promptVersion,
      task: taskOf(again.taskId),
      rationale: again.rationale,
    }];
  });
}
