import type { Belief } from "../domain/ratings.ts";

/** The variance of the difference of two strengths. */
export function gapVariance(belief: Pick<Belief, "variance" | "covariance">, a: number, b: number): number {
  return belief.variance(a) + belief.variance(b) - 2 * belief.covariance(a, b);
}
