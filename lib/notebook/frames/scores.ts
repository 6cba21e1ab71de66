import type { View } from "../../store/view.ts";
import { newestFullReview } from "../../tournament/criteria_scores.ts";
import { boolean, type ColumnsOf, double, text } from "./columns.ts";
import { hypothesisLabel } from "./source.ts";

/** One score of one review. */
export interface ScoreRow {
  /** Label of the review. */
  readonly review: string;
  /** Label of the hypothesis. */
  readonly hypothesis: string;
  /** By what: `novelty`, `correctness`, `testability`, `feasibility`, or a criterion of the scientist's own. */
  readonly criterion: string;
  /** Whether it is one of the scientist's own. */
  readonly own: boolean;
  /** The score. */
  readonly score: number;
  /** Whether the review was taken out of account. */
  readonly void: boolean;
  /** Whether it is the newest full review of its hypothesis: the one whose scores hold. */
  readonly inForce: boolean;
  /** How much the criterion counts now, for those of the scientist's own that are in force. */
  readonly criterionWeight: number | null;
  /** Whether it is a hard constraint now; likewise. */
  readonly must: boolean | null;
}

/** The columns of {@linkcode scoreFrame}. */
export const SCORE_COLUMNS: ColumnsOf<ScoreRow> = {
  review: text("label of the review"),
  hypothesis: text("label of the hypothesis"),
  criterion: text("novelty, correctness, testability, feasibility, or a criterion of the scientist's own"),
  own: boolean("whether it is a criterion of the scientist's own"),
  score: double("the score", "from 0 to 1"),
  void: boolean("whether the review was taken out of account"),
  inForce: boolean("whether it stands in the newest full review of its hypothesis, whose scores hold"),
  criterionWeight: double("how much the scientist's criterion counts; empty where it is none in force"),
  must: boolean("whether it is a hard constraint; empty likewise"),
};

const STANDARD = ["novelty", "correctness", "testability", "feasibility"] as const;

/** All scores, one a row: by review, then by criterion. */
export function scoreFrame(view: View): ScoreRow[] {
  const { criteria } = view.settings.scope;
  return view.reviews.flatMap((review) => {
    const base = { review: review.label, hypothesis: hypothesisLabel({ view }, review.hypothesisId) };
    const rest = {
      void: view.marked("void", review.id) !== null,
      inForce: newestFullReview(view, review.hypothesisId)?.id === review.id,
    };
    return [
      ...STANDARD.flatMap((criterion): ScoreRow[] => {
        const score = review.scores[criterion];
        return score === undefined
          ? []
          : [{ ...base, criterion, own: false, score, ...rest, criterionWeight: null, must: null }];
      }),
      ...Object.entries(review.scores.criteria ?? {}).map(([criterion, score]): ScoreRow => {
        const asked = criteria.find(({ name }) => name === criterion);
        return {
          ...base,
          criterion,
          own: true,
          score,
          ...rest,
          criterionWeight: asked?.weight ?? null,
          must: asked === undefined ? null : asked.must === true,
        };
      }),
    ];
  });
}
