import type { ReviewRecord, ReviewScores } from "../lib/domain/records.ts";
import { clip, fence, oneLine } from "../lib/domain/text.ts";
import { isReviewReplaced, isReviewStale } from "../lib/store/stale_review.ts";
import type { Standing, View } from "../lib/store/view.ts";

/** What of a review is shown, and how much. */
export interface ReviewDisplay {
  /**
   * Whether scores and author are told. Judges see neither: they would copy the ranking of the scores, and favour the one
   * whom they know to be a person.
   */
  readonly scores: boolean;
  /** Characters at most. */
  readonly chars: number;
}

/** Reviews of one hypothesis that a prompt shows at most. */
const REVIEWS_SHOWN = 3;

/** A review as the text that prompts show. */
export function reviewText(review: ReviewRecord, display: ReviewDisplay): string {
  const scores = display.scores ? scoreText(review.scores) : "";
  const lines = [
    `Finding: ${review.verdict.replaceAll("_", " ")}`,
    ...(scores === "" ? [] : [`Scores: ${scores}`]),
    ...section(
      "Assumptions",
      review.assumptions.map((a) =>
        `${a.assumption} (${a.plausibility})${a.rationale && `: ${a.rationale}`}`
      ),
    ),
    ...section(
      "Evidence",
      review.evidence.map((e) => `${e.claim} (${e.url})${e.excerpt && `: “${e.excerpt}”`}`),
    ),
    ...(review.notes === "" ? [] : [`Notes: ${review.notes}`]),
  ];
  return clip(lines.join("\n"), display.chars);
}

/** A review, fenced, with the label of the hypothesis that it is about, and a mark where it is of an earlier text. */
export function reviewBlock(view: View, review: ReviewRecord, of: Standing, display: ReviewDisplay): string {
  return fence("REVIEW", reviewText(review, display), {
    of: of.record.label,
    kind: review.kind,
    ...(display.scores ? { by: review.author } : {}),
    ...(isReviewStale(view, review)
      ? { version: review.hypothesisVersion, stale: `the text is at version ${of.record.version} by now` }
      : {}),
  });
}

/**
 * The reviews of a hypothesis that matter most, fenced: those of its present text first, among these a person's
 * before a model's, then the newest. One of an earlier text is left out where a newer one of its kind stands in for it.
 * Empty where there is none.
 */
export function reviewBlocks(view: View, of: Standing, display: ReviewDisplay): string {
  const current = (review: ReviewRecord) => (isReviewStale(view, review) ? 1 : 0);
  const personal = (review: ReviewRecord) => (review.author === "model" ? 1 : 0);
  return view.reviewsOf(of.record.id)
    .filter((review) => !isReviewReplaced(view, review))
    .sort((a, b) => current(a) - current(b) || personal(a) - personal(b) || b.seq - a.seq)
    .slice(0, REVIEWS_SHOWN)
    .map((review) => reviewBlock(view, review, of, display))
    .join("\n\n");
}

function section(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${heading}:`, ...items.map((item) => `- ${oneLine(item)}`)];
}

function scoreText({ criteria = {}, ...usual }: ReviewScores): string {
  return [...Object.entries(usual), ...Object.entries(criteria)]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${oneLine(name)} ${value}`)
    .join(", ");
}
