import { criteriaScore, unmetCriteria } from "../domain/criteria.ts";
import type { ReviewRecord } from "../domain/records.ts";
import type { View } from "../store/view.ts";

/** How a hypothesis does by the scientist's criteria. */
export interface CriteriaScores {
  /** Its score by each criterion in force, from 0 to 1; `null` where it was not judged by it. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** Their weighted mean over those that it was judged by; `null` without any. */
  readonly total: number | null;
  /** The hard constraints that it fails, by name. */
  readonly unmet: readonly string[];
}

/** The newest full review in force of a hypothesis: the one whose scores by criteria hold. */
export function newestFullReview(view: View, hypothesisId: string): ReviewRecord | undefined {
  return view.reviewsOf(hypothesisId).findLast(({ kind }) => kind === "full");
}

/** How a hypothesis does by the criteria in force, as its newest full review says; `null` where there are no criteria. */
export function criteriaScores(view: View, hypothesisId: string): CriteriaScores | null {
  const { criteria } = view.settings.scope;
  if (criteria.length === 0) return null;
  const scores = newestFullReview(view, hypothesisId)?.scores ?? {};
  const given = scores.criteria ?? {};
  return {
    scores: Object.fromEntries(
      criteria.map(({ name }) => [name, Object.hasOwn(given, name) ? given[name] ?? null : null]),
    ),
    total: criteriaScore(scores, criteria),
    unmet: unmetCriteria(scores, criteria).map(({ name }) => name),
  };
}
