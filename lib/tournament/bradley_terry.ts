import { factor, invert, logDeterminant, solve } from "./cholesky.ts";
import { addComparison, addPlacing, logComparison, logPlacing } from "./likelihood_terms.ts";
import type { Lean, SwayedProblem, Unknown } from "./rating_problem.ts";

/** The most probable values, and what is needed to say how sure they are. */
export interface Fit {
  /** The most probable value of each unknown. */
  readonly x: Float64Array;
  /** The lower Cholesky factor of the negative log posterior's second derivatives at `x`, row by row. */
  readonly factor: Float64Array;
  /** The logarithm of the Laplace approximation of the evidence, up to a constant that depends on the data alone. */
  readonly logEvidence: number;
}

/** Newton steps at most: from the prior means it takes five to eight. */
const MOST_STEPS = 60;
/** The largest move of any unknown in the last step: Newton's error after it is its square, or so. */
const SETTLED = 1e-6;
/** A step in which no unknown moves by more than this many logits is taken as it is. */
const SAFE = 0.5;

/**
 * Bradley-Terry strengths by maximum a posteriori, with a normal prior, order terms (Davidson and Beaver, 1977), weights,
 * ties as half wins, and Plackett-Luce rankings. Pairs: P(first beats second) = σ(θ₁ − θ₂ + β). Rankings: each place is
 * won against all that are left, by softmax of θ + β·offset, with offsets falling evenly from ½ (first slot) to −½ (last
 * slot), so that a ranking of two is a pair. Newton's method from the prior means, so that the same problem always gives
 * the same numbers, however it was arrived at; a step that makes things worse is halved.
 *
 * O(n³) in the unknowns: for some hundreds.
 *
 * @param start where Newton's method begins instead; the values of a fit of nearly the same problem save half of the work
 */
export function fitBradleyTerry(problem: SwayedProblem, start?: Float64Array): Fit {
  const n = problem.unknowns.length;
  const precision = priorPrecision(problem.unknowns);
  const x = Float64Array.from(start ?? priorMeans(problem.unknowns));
  for (let step = 0;; step++) {
    const { gradient, curvature } = derivatives(problem, precision, x);
    if (!factor(curvature, n)) {
      throw new RangeError("Cannot fit ratings: a weight or a width is not a number");
    }
    const move = solve(curvature, n, gradient);
    const largest = climb(problem, x, move);
    if (largest >= SETTLED && step < MOST_STEPS) continue;
    const widths = problem.unknowns.reduce((sum, unknown) => sum + Math.log(unknown.sd), 0);
    const logEvidence = logPosterior(problem, x) - widths - logDeterminant(curvature, n) / 2;
    return { x, factor: curvature, logEvidence };
  }
}

/**
 * Moves x by a Newton step, halved as often as it would make things worse, and returns the largest move of any unknown.
 * Only a large step can: the log posterior is concave, and within a small one it is as good as a parabola.
 */
export function climb(problem: SwayedProblem, x: Float64Array, move: Float64Array): number {
  const largest = move.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
  let scale = 1;
  if (largest > SAFE) {
    const before = logPosterior(problem, x);
    const at = () => x.map((value, i) => value + scale * (move[i] ?? 0));
    while (scale > 1e-6 && !(logPosterior(problem, at()) >= before)) scale /= 2;
  }
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) + scale * (move[i] ?? 0);
  return scale * largest;
}

/** The covariance of a fit by Laplace's approximation, row by row. */
export function covarianceOf(fit: Fit): Float64Array {
  return invert(fit.factor, fit.x.length);
}

/** The prior mean of each unknown, with all that it leans on. */
export function priorMeans(unknowns: readonly Unknown[]): Float64Array {
  const means = new Float64Array(unknowns.length);
  for (const [i, { mean, from }] of unknowns.entries()) {
    means[i] = from.reduce((sum, { on, weight }) => sum + weight * (means[on] ?? 0), mean);
  }
  return means;
}

/** The second derivatives of the negative log prior, row by row: the lower triangle. */
function priorPrecision(unknowns: readonly Unknown[]): Float64Array {
  const n = unknowns.length;
  const precision = new Float64Array(n * n);
  for (const [i, { sd, from }] of unknowns.entries()) {
    const row: Lean[] = [{ on: i, weight: 1 }, ...from.map(({ on, weight }) => ({ on, weight: -weight }))];
    for (const a of row) {
      for (const b of row) {
        if (b.on > a.on) continue;
        precision[a.on * n + b.on] = (precision[a.on * n + b.on] ?? 0) + a.weight * b.weight / sd ** 2;
      }
    }
  }
  return precision;
}

/** The logarithm of the posterior density at x, up to a constant. */
function logPosterior(
  { unknowns, comparisons, placings = [] }: SwayedProblem,
  x: Float64Array,
): number {
  const at = (i: number) => (i < 0 ? 0 : x[i] ?? NaN);
  let sum = 0;
  for (const [i, { mean, sd, from }] of unknowns.entries()) {
    let residual = at(i) - mean;
    for (const { on, weight } of from) residual -= weight * at(on);
    sum -= (residual / sd) ** 2 / 2;
  }
  for (const comparison of comparisons) sum += logComparison(comparison, x);
  for (const placing of placings) sum += logPlacing(placing, x);
  return sum;
}

/**
 * First derivatives of the log posterior, and the second ones of its negative, at x; of these the lower triangle alone,
 * which is what is factored.
 */
function derivatives(
  { unknowns, comparisons, placings = [] }: SwayedProblem,
  precision: Float64Array,
  x: Float64Array,
): { gradient: Float64Array; curvature: Float64Array } {
  const n = x.length;
  const gradient = new Float64Array(n);
  const curvature = Float64Array.from(precision);
  const push = (i: number, by: number) => gradient[i] = (gradient[i] ?? 0) + by;
  const bend = (i: number, j: number, by: number) => {
    const at = i < j ? j * n + i : i * n + j;
    curvature[at] = (curvature[at] ?? 0) + by;
  };
  for (const [i, { mean, sd, from }] of unknowns.entries()) {
    let off = (x[i] ?? NaN) - mean;
    for (const { on, weight } of from) off -= weight * (x[on] ?? NaN);
    off /= sd ** 2;
    push(i, -off);
    for (const { on, weight } of from) push(on, off * weight);
  }
  for (const comparison of comparisons) addComparison(comparison, x, push, bend);
  for (const placing of placings) addPlacing(placing, x, push, bend);
  return { gradient, curvature };
}
