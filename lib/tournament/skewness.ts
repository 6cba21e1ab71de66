import type { Belief } from "../domain/ratings.ts";
import { logistic } from "./normal.ts";
import type { SwayedComparison } from "./rating_problem.ts";
import { gapVariance } from "./gap_variance.ts";

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
function skewForces(
  comparisons: readonly SwayedComparison[],
  peak: Peak,
  push: (place: number, by: number) => void,
): void {
  for (const comparison of comparisons) {
    const { first, second, term, also = [] } = comparison;
    let gap = peak.mean(first) - peak.mean(second) + peak.mean(term);
    let variance = gapVariance(peak, first, second);
    if (term >= 0) {
      variance += peak.variance(term) + 2 * (peak.covariance(first, term) - peak.covariance(second, term));
    }
    for (const { on, weight } of also) {
      let together = peak.covariance(first, on) - peak.covariance(second, on);
      if (term >= 0) together += peak.covariance(term, on);
      gap += weight * peak.mean(on);
      variance += 2 * weight * together;
      for (const other of also) variance += weight * other.weight * peak.covariance(on, other.on);
    }
    const force = skewForce(comparison.weight, gap, variance);
    push(first, force);
    push(second, -force);
    if (term >= 0) push(term, force);
    for (const { on, weight } of also) push(on, weight * force);
  }
}

/** The force of one verdict along its gap. */
export function skewForce(weight: number, gap: number, variance: number): number {
  const p = logistic(gap);
  return weight * p * (1 - p) * (2 * p - 1) * variance / 2;
}

/** Moves the averages of what is known by all that these verdicts skew. */
export function leanBySkewness(
  known: Peak & { readonly size: number; lean(forces: Float64Array): void },
  comparisons: readonly SwayedComparison[],
): void {
  const forces = new Float64Array(known.size);
  skewForces(comparisons, known, (place, by) => forces[place] = (forces[place] ?? 0) + by);
  known.lean(forces);
}
