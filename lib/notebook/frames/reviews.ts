import type { ReviewKind, ReviewVerdict } from "../../domain/records.ts";
import { isReviewStale } from "../../store/stale_review.ts";
import { boolean, type ColumnsOf, double, integer, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel, taskLabels } from "./source.ts";

/** A review. */
export interface ReviewFrameRow {
  /** `V3`. */
  readonly label: string;
  /** The commit. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** Label of the hypothesis. */
  readonly hypothesis: string;
  /** The version that was read. */
  readonly hypothesisVersion: number;
  /** Which kind. */
  readonly kind: ReviewKind;
  /** What it says. */
  readonly verdict: ReviewVerdict;
  /** Is it new? */
  readonly novelty: number | null;
  /** Is it right? */
  readonly correctness: number | null;
  /** Can it be tested? */
  readonly testability: number | null;
  /** Can it be done? */
  readonly feasibility: number | null;
  /** How much it counts. */
  readonly weight: number;
  /** `model`, or a person's name. */
  readonly author: string;
  /** Whether a person took it out of account. */
  readonly void: boolean;
  /** Whether the text has changed since. */
  readonly stale: boolean;
  /** Label of the review that it stands in for. */
  readonly amends: string | null;
  /** How many assumptions it names. */
  readonly assumptions: number;
  /** How many sources it gives. */
  readonly evidence: number;
  /** Sources that no tool had returned: dropped. */
  readonly droppedEvidence: number;
  /** Free text. */
  readonly notes: string;
  /** Label of the task that made it. */
  readonly task: string | null;
}

const SCORE = "from 0 to 1";

/** The columns of {@linkcode reviewFrame}. */
export const REVIEW_COLUMNS: ColumnsOf<ReviewFrameRow> = {
  label: text("the review"),
  hypothesis: text("label of the hypothesis"),
  kind: text("full, verification or observation"),
  verdict: text("what it says of the hypothesis"),
  novelty: double("score: is it new?", SCORE),
  correctness: double("score: is it right, as far as one can tell?", SCORE),
  testability: double("score: can it be tested?", SCORE),
  feasibility: double("score: can it be done?", SCORE),
  author: text("model, or a person's name"),
  weight: double("how much it counts beside others; 1 unless said otherwise"),
  void: boolean("whether a person took it out of account"),
  stale: boolean("whether the hypothesis has another text by now"),
  hypothesisVersion: integer("the version that was read"),
  seq: integer("the commit"),
  at: time("when it was recorded"),
  amends: text("label of the review that it stands in for"),
  assumptions: integer("assumptions that it names"),
  evidence: integer("sources that it gives"),
  droppedEvidence: integer("sources that it gave and no tool had returned: dropped"),
  notes: text("free text"),
  task: text("label of the task that made it"),
};

/** All reviews, in order, void ones too. */
export function reviewFrame(source: Pick<FrameSource, "view" | "tasks" | "at">): ReviewFrameRow[] {
  const { view } = source;
  const taskOf = taskLabels(source);
  const labels = new Map(view.reviews.map(({ id, label }) => [id, label]));
  return view.reviews.map((review): ReviewFrameRow => ({
    label: review.label,
    seq: review.seq,
    at: source.at(review.seq),
    hypothesis: hypothesisLabel(source, review.hypothesisId),
    hypothesisVersion: review.hypothesisVersion,
    kind: review.kind,
    verdict: review.verdict,
    novelty: review.scores.novelty ?? null,
    correctness: review.scores.correctness ?? null,
    testability: review.scores.testability ?? null,
    feasibility: review.scores.feasibility ?? null,
    weight: review.weight,
    author: review.author,
    void: view.marked("void", review.id) !== null,
    stale: isReviewStale(view, review),
    amends: review.amends === null ? null : labels.get(review.amends) ?? null,
    assumptions: review.assumptions.length,
    evidence: review.evidence.length,
    droppedEvidence: review.droppedEvidence,
    notes: review.notes,
    task: taskOf(review.taskId),
  }));
}
