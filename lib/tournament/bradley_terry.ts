import type { Score } from "./elo.ts";
import { factor, invert, logDeterminant, solve } from "./cholesky.ts";
import { logistic, logLogistic } from "./normal.ts";

/**
 * Something that is estimated: a hypothesis's strength, what standing first is worth to a judge, a slope of the prior.
 * Before any match it is normal about `mean` plus the weighted sum of earlier unknowns, with standard deviation `sd`;
 * unit: logits.
 */
export interface Unknown {
  /** Its own part of the prior mean. */
  readonly mean: number;
  /** Standard deviation of what the mean doesn't explain; above 0. */
  readonly sd: number;
  /** Earlier unknowns that its prior mean leans on: parents, slopes. */
  readonly from: readonly Lean[];
}

/** How much of another unknown something contains: a prior mean, or what speaks for a side. */
export interface Lean {
  /** The place of the unknown; for a prior mean, of one that comes earlier. */
  readonly on: number;
  /** Its weight. */
  readonly weight: number;
}

/** A judged pair, sides by their places among the unknowns. */
export interface Comparison {
  /** The one shown first. */
  readonly first: number;
  /** The one shown second. */
  readonly second: number;
  /** What the first scored. A tie counts as half a win of each. */
  readonly score: Score;
  /** How much it counts. */
  readonly weight: number;
  /** The place of the unknown that standing first adds, or -1 where both orders were shown. */
  readonly term: number;
}

/** A judged pair in which more than strength and order counts. */
export interface SwayedComparison extends Comparison {
  /** What else speaks for the first: unknowns with their weights, such as a judge's liking for length. */
  readonly also?: readonly Lean[];
}

/** A verdict on several at once: a Plackett-Luce ranking. */
export interface Placing {
  /** Places of the ranked among the unknowns, best first. */
  readonly ranked: readonly number[];
  /** For each of them, which slot it was shown in: 0 for the first. */
  readonly slots: readonly number[];
  /** How much it counts. */
  readonly weight: number;
  /** The place of the unknown that an earlier slot adds, or -1 for none. */
  readonly term: number;
}

/** What is estimated from what. */
export interface Problem {
  /** The unknowns; who leans on another comes after it. */
  readonly unknowns: readonly Unknown[];
  /** Judged pairs. */
  readonly comparisons: readonly Comparison[];
  /** Verdicts on several. */
  readonly placings?: readonly Placing[];
}

/** The same with comparisons in which more counts. */
export interface SwayedProblem extends Problem {
  /** Judged pairs. */
  readonly comparisons: readonly SwayedComparison[];
}

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
  const mean = priorMeans(problem.unknowns);
  const x = Float64Array.from(start ?? mean);
  let value = logPosterior(problem, x);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, hessian } = derivatives(problem, precision, mean, x);
    if (!factor(hessian, n)) throw new RangeError("Cannot fit ratings: a weight or a width is not a number");
    const move = solve(hessian, n, gradient);
    let scale = 1;
    let largest = 0;
    for (let halvings = 0;; halvings++) {
      const tried = x.map((v, i) => v + scale * (move[i] ?? 0));
      const now = logPosterior(problem, tried);
      largest = move.reduce((most, d) => Math.max(most, Math.abs(scale * d)), 0);
      if (now >= value || halvings >= 30 || largest < 1e-7) {
        x.set(tried);
        value = now;
        break;
      }
      scale /= 2;
    }
    if (largest < SETTLED) break;
  }
  const { hessian } = derivatives(problem, precision, mean, x);
  factor(hessian, n);
  const widths = problem.unknowns.reduce((sum, unknown) => sum + Math.log(unknown.sd), 0);
  return { x, factor: hessian, logEvidence: value - widths - logDeterminant(hessian, n) / 2 };
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

/** The second derivatives of the negative log prior, row by row. */
function priorPrecision(unknowns: readonly Unknown[]): Float64Array {
  const n = unknowns.length;
  const precision = new Float64Array(n * n);
  for (const [i, { sd, from }] of unknowns.entries()) {
    const row: Lean[] = [{ on: i, weight: 1 }, ...from.map(({ on, weight }) => ({ on, weight: -weight }))];
    for (const a of row) {
      for (const b of row) {
        precision[a.on * n + b.on] = (precision[a.on * n + b.on] ?? 0) + a.weight * b.weight / sd ** 2;
      }
    }
  }
  return precision;
}

/** The logarithm of the posterior density at x, up to a constant. */
export function logPosterior(
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
  for (const { first, second, score, weight, term, also } of comparisons) {
    const d = at(first) - at(second) + at(term) + along(also, x);
    sum += weight * (score * logLogistic(d) + (1 - score) * logLogistic(-d));
  }
  for (const placing of placings) {
    for (const { shares: [best = 1] } of stages(placing, x)) sum += placing.weight * Math.log(best);
  }
  return sum;
}

/** First derivatives of the log posterior, and the second ones of its negative, at x. */
function derivatives(
  { comparisons, placings = [] }: SwayedProblem,
  precision: Float64Array,
  mean: Float64Array,
  x: Float64Array,
): { gradient: Float64Array; hessian: Float64Array } {
  const n = x.length;
  const gradient = new Float64Array(n);
  const hessian = Float64Array.from(precision);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum -= (precision[i * n + j] ?? 0) * ((x[j] ?? 0) - (mean[j] ?? 0));
    gradient[i] = sum;
  }
  const bend = (i: number, j: number, by: number) => hessian[i * n + j] = (hessian[i * n + j] ?? 0) + by;
  const push = (i: number, by: number) => gradient[i] = (gradient[i] ?? 0) + by;
  for (const { first, second, score, weight, term, also } of comparisons) {
    const p = logistic((x[first] ?? 0) - (x[second] ?? 0) + (term < 0 ? 0 : x[term] ?? 0) + along(also, x));
    const slope = weight * (score - p), curve = weight * p * (1 - p);
    push(first, slope);
    push(second, -slope);
    bend(first, first, curve);
    bend(second, second, curve);
    bend(first, second, -curve);
    bend(second, first, -curve);
    if (term >= 0) {
      push(term, slope);
      bend(term, term, curve);
      bend(first, term, curve);
      bend(term, first, curve);
      bend(second, term, -curve);
      bend(term, second, -curve);
    }
    if (also === undefined) continue;
    const others = [{ on: first, weight: 1 }, { on: second, weight: -1 }];
    if (term >= 0) others.push({ on: term, weight: 1 });
    for (const { on, weight: by } of also) {
      push(on, slope * by);
      for (const other of others) {
        bend(on, other.on, curve * by * other.weight);
        bend(other.on, on, curve * by * other.weight);
      }
      for (const other of also) bend(on, other.on, curve * by * other.weight);
    }
  }
  for (const placing of placings) {
    for (const { members, offsets, shares } of stages(placing, x)) {
      // The softmax's mean offset is the order term's derivative.
      const middle = offsets.reduce((sum, offset, k) => sum + offset * (shares[k] ?? 0), 0);
      const parts = members.map((on, k) => ({ on, share: shares[k] ?? 0, offset: offsets[k] ?? 0 }));
      for (const [k, { on, share }] of parts.entries()) {
        push(on, placing.weight * ((k === 0 ? 1 : 0) - share));
        for (const [l, other] of parts.entries()) {
          bend(on, other.on, placing.weight * ((k === l ? share : 0) - share * other.share));
        }
      }
      if (placing.term < 0) continue;
      push(placing.term, placing.weight * ((offsets[0] ?? 0) - middle));
      let spread = 0;
      for (const { on, share, offset } of parts) {
        const together = placing.weight * share * (offset - middle);
        bend(on, placing.term, together);
        bend(placing.term, on, together);
        spread += share * (offset - middle) ** 2;
      }
      bend(placing.term, placing.term, placing.weight * spread);
    }
  }
  return { gradient, hessian };
}

/** What a comparison's further unknowns add up to. */
function along(also: readonly Lean[] | undefined, x: Float64Array): number {
  if (also === undefined) return 0;
  return also.reduce((sum, { on, weight }) => sum + weight * (x[on] ?? NaN), 0);
}

/** One choice among several. */
export interface Stage {
  /** Places of those that could be chosen, the chosen one first. */
  readonly members: readonly number[];
  /** How much of the order term each has. */
  readonly offsets: readonly number[];
  /** The chance of each to be chosen. */
  readonly shares: readonly number[];
}

/** The choices that a ranking consists of, at x: each time the first of the members was chosen. */
export function stages({ ranked, slots, term }: Placing, x: Float64Array): Stage[] {
  const last = Math.max(1, ranked.length - 1);
  const beta = term < 0 ? 0 : x[term] ?? NaN;
  const all = ranked.map((on, k) => {
    const offset = 0.5 - (slots[k] ?? 0) / last;
    return { on, offset, strength: (x[on] ?? NaN) + beta * offset };
  });
  return all.slice(0, -1).map((_, from) => {
    const left = all.slice(from);
    const top = left.reduce((most, { strength }) => Math.max(most, strength), -Infinity);
    const odds = left.map(({ strength }) => Math.exp(strength - top));
    const total = odds.reduce((sum, o) => sum + o, 0);
    return {
      members: left.map(({ on }) => on),
      offsets: left.map(({ offset }) => offset),
      shares: odds.map((o) => o / total),
    };
  });
}
