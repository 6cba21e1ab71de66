import { type ColumnsOf, integer, list, text, time } from "./columns.ts";
import { type FrameSource, taskLabels } from "./source.ts";

/** A synthesis of reviews and matches that later prompts carry. */
export interface FeedbackRow {
  /** `F1`. */
  readonly label: string;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** How many valid matches it had seen. */
  readonly matchesSeen: number;
  /** One or two paragraphs. */
  readonly narrative: string;
  /** Recurring criticism. */
  readonly weaknesses: readonly string[];
  /** What is praised. */
  readonly strengths: readonly string[];
  /** Where to look next. */
  readonly focusAreas: readonly string[];
  /** Label of its task. */
  readonly task: string | null;
}

/** The columns of {@linkcode feedbackFrame}. */
export const FEEDBACK_COLUMNS: ColumnsOf<FeedbackRow> = {
  label: text("the feedback"),
  matchesSeen: integer("valid matches that it had seen"),
  narrative: text("one or two paragraphs"),
  weaknesses: list("recurring criticism"),
  strengths: list("what is praised"),
  focusAreas: list("where to look next"),
  task: text("label of its task"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
};

/** All system feedback, in order. */
export function feedbackFrame(source: Pick<FrameSource, "view" | "tasks" | "at">): FeedbackRow[] {
  const taskOf = taskLabels(source);
  return source.view.feedback.map((each): FeedbackRow => ({
    label: each.label,
    seq: each.seq,
    at: source.at(each.seq),
    matchesSeen: each.matchesSeen,
    narrative: each.narrative,
    weaknesses: each.weaknesses,
    strengths: each.strengths,
    focusAreas: each.focusAreas,
    task: taskOf(each.taskId),
  }));
}
