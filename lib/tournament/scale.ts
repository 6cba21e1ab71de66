import type { Strength } from "../domain/ratings.ts";

/** Elo points in a logit: 400 / ln 10, so that both scales say the same of the same odds. */
export const POINTS_PER_LOGIT = 400 / Math.LN10;

/** Where strength 0 stands on the Elo scale. */
const ORIGIN = 1200;

/** Standard deviations on either side of the mean that hold 90 % of a normal distribution. */
const NINETY = 1.645;

/** A strength on the Elo scale: 1200 + 173.7 · θ. */
export function ratingOf(logits: number): number {
  return ORIGIN + POINTS_PER_LOGIT * logits;
}

/** The 90 % interval of a strength on the Elo scale. */
export function ratingBand({ mean, sd }: Strength): readonly [low: number, high: number] {
  return [ratingOf(mean - NINETY * sd), ratingOf(mean + NINETY * sd)];
}
