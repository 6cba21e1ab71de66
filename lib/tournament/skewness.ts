import type { Belief } from "../domain/ratings.ts";
import { logistic } from "./normal.ts";
import type { Comparison } from "./rating_problem.ts";

/** What the skewness of a distribution depends on: most probable values, and covariances about them. */
export type Peak = Pick<Belief, "mean" | "variance" | "covariance">;

/**
 * By how much each verdict pulls the averages away from the most probable values, as forces on the unknowns; the covariance
 * times these is the distance. Where somebody won nearly always, the strengths above the most probable one are far more
 * probable than those below it, and a normal distribution about it would make too little of the wins.
 *
 * To first order (Lindley 1980; Tierney and Kadane 1986): ½ · Σ · Σₘ ℓ‴ₘ · vₘ · zₘ, ℓ‴ = −w·p(1 − p)(1 − 2p) the third
 * derivative of a verdict's log likelihood in the gap, v the gap's variance.
 *
 * @param push takes a force on an unknown
 */
export function skewForces(
  comparisons: readonly Comparison[],
  peak: Peak,
  push: (place: number, by: number) => void,
): void {
  for (const comparison of comparisons) {
    const { first, second, term } = comparison;
    const gap = peak.mean(first) - peak.mean(second) + peak.mean(term);
    let variance = peak.variance(first) + peak.variance(second) - 2 * peak.covariance(first, second);
    if (term >= 0) {
      variance += peak.variance(term) + 2 * (peak.covariance(first, term) - peak.covariance(second, term));
    }
    const force = skewForce(comparison.weight, gap, variance);
    push(first, force);
    push(second, -force);
    if (term >= 0) push(term, force);
  }
}

/** The force of one verdict along its gap. */
export function skewForce(weight: number, gap: number, variance: number): number {
  const p = logistic(gap);
  return weight * p * (1 - p) * (2 * p - 1) * variance / 2;
}
