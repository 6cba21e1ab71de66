import type { ReviewRecord } from "../domain/records.ts";
import { sameText } from "../domain/same_text.ts";
import type { View } from "./view.ts";

/** Whether a review is of a text that its hypothesis no longer has. */
export function isReviewStale(view: View, review: ReviewRecord): boolean {
  const versions = view.versionsOf(review.hypothesisId);
  const newest = versions.at(-1);
  const judged = versions.find(({ version }) => version === review.hypothesisVersion);
  return newest !== undefined && judged !== undefined && !sameText(judged, newest);
}

/** Whether another review of the same kind and author, of the present text, stands in for a stale one. */
export function isReviewReplaced(view: View, review: ReviewRecord): boolean {
  return isReviewStale(view, review) &&
    view.reviewsOf(review.hypothesisId).some((other) =>
      other.kind === review.kind && other.author === review.author && !isReviewStale(view, other)
    );
}
