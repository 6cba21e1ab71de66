import type { Ratings } from "../domain/ratings.ts";
import type { View } from "../store/view.ts";
import { inSlices } from "./in_slices.ts";

/**
 * Rates anew what new matches made due, so that it need be done neither inside a transaction nor at one go: in a large
 * session it takes longer than the thread may be held.
 */
export async function rateInSteps(view: View): Promise<void> {
  await inSlices(ratingSteps(() => view.ratings));
}

/** What ratings still have to compute, step by step. @param ratings asked before each step: they may be others by then */
export function* ratingSteps(ratings: () => Ratings): Generator<void, void> {
  while (ratings().step()) yield;
}
