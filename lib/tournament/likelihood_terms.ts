import { logistic, logLogistic } from "./normal.ts";
import type { Lean, Placing, SwayedComparison } from "./rating_problem.ts";

/** Takes a slope of the log likelihood in an unknown. */
type Push = (i: number, by: number) => void;
/** Takes a curvature of its negative in a pair of unknowns, which comes once. */
type Bend = (i: number, j: number, by: number) => void;

/** The logarithm of the chance of a verdict: σ(θ₁ − θ₂ + β + …), and half of either side's for a tie. */
export function logComparison(comparison: SwayedComparison, x: Float64Array): number {
  const { score, weight } = comparison;
  const gap = gapOf(comparison, x);
  return weight * (score * logLogistic(gap) + (1 - score) * logLogistic(-gap));
}

/** Adds a verdict's derivatives at x: of its log likelihood to the slopes, of the negative one to the curvature. */
export function addComparison(comparison: SwayedComparison, x: Float64Array, push: Push, bend: Bend): void {
  const { first, second, score, weight, term, also } = comparison;
  const p = logistic(gapOf(comparison, x));
  const slope = weight * (score - p), curve = weight * p * (1 - p);
  push(first, slope);
  push(second, -slope);
  bend(first, first, curve);
  bend(second, second, curve);
  bend(first, second, -curve);
  if (term >= 0) {
    push(term, slope);
    bend(term, term, curve);
    bend(first, term, curve);
    bend(second, term, -curve);
  }
  if (also === undefined) return;
  for (const [k, { on, weight: by }] of also.entries()) {
    push(on, slope * by);
    bend(on, on, curve * by ** 2);
    bend(on, first, curve * by);
    bend(on, second, -curve * by);
    if (term >= 0) bend(on, term, curve * by);
    for (const other of also.slice(k + 1)) bend(on, other.on, curve * by * other.weight);
  }
}

function gapOf({ first, second, term, also }: SwayedComparison, x: Float64Array): number {
  const gap = (x[first] ?? NaN) - (x[second] ?? NaN) + (term < 0 ? 0 : x[term] ?? NaN);
  return also === undefined ? gap : gap + sumOf(also, x);
}

function sumOf(leans: readonly Lean[], x: Float64Array): number {
  return leans.reduce((sum, { on, weight }) => sum + weight * (x[on] ?? NaN), 0);
}

/** The odds of each of a ranking, best first, at x, and their sums from each place to the end. */
interface Odds {
  /** exp(strength) of each, up to a common factor. */
  readonly odds: readonly number[];
  /** How much of the order term each has: ½ in the first slot, −½ in the last. */
  readonly offsets: readonly number[];
  /** Sums of odds from each place on. */
  readonly left: readonly number[];
  /** Sums of odds times offsets from each place on. */
  readonly leftOffset: readonly number[];
}

function oddsOf({ ranked, slots, term }: Placing, x: Float64Array): Odds {
  const n = ranked.length;
  const last = Math.max(1, n - 1), beta = term < 0 ? 0 : x[term] ?? NaN;
  // Plain lists: a ranking is short, and typed arrays take longer to make than to fill.
  const offsets = slots.map((slot) => 0.5 - slot / last);
  const odds = ranked.map((on, k) => (x[on] ?? NaN) + beta * (offsets[k] ?? NaN));
  const top = odds.reduce((most, strength) => Math.max(most, strength), -Infinity);
  const left = odds.map(() => 0), leftOffset = odds.map(() => 0);
  let sum = 0, sumOffset = 0;
  for (let k = n - 1; k >= 0; k--) {
    const each = Math.exp((odds[k] ?? NaN) - top);
    odds[k] = each;
    left[k] = sum += each;
    leftOffset[k] = sumOffset += each * (offsets[k] ?? NaN);
  }
  return { odds, offsets, left, leftOffset };
}

/** The logarithm of a ranking's Plackett-Luce probability: each place is won against all that are left. */
export function logPlacing(placing: Placing, x: Float64Array): number {
  const { odds, left } = oddsOf(placing, x);
  let sum = 0;
  for (let k = 0; k + 1 < odds.length; k++) sum += Math.log((odds[k] ?? NaN) / (left[k] ?? NaN));
  return placing.weight * sum;
}

/** Adds a ranking's derivatives at x, as {@linkcode addComparison} does a verdict's. */
export function addPlacing(placing: Placing, x: Float64Array, push: Push, bend: Bend): void {
  const { ranked, term, weight } = placing;
  const { odds, offsets, left, leftOffset } = oddsOf(placing, x);
  const n = ranked.length;
  // Sums over the choices in which the present one took part.
  let inverse = 0, squared = 0, middles = 0, chosen = 0;
  let spread = 0;
  for (let k = 0; k < n; k++) {
    const e = odds[k] ?? NaN, o = offsets[k] ?? NaN, i = ranked[k] ?? -1;
    if (k + 1 < n) {
      const s = left[k] ?? NaN, middle = (leftOffset[k] ?? NaN) / s;
      inverse += 1 / s;
      squared += 1 / s ** 2;
      middles += middle / s;
      chosen += o - middle;
      spread -= middle ** 2;
    }
    push(i, weight * ((k + 1 < n ? 1 : 0) - e * inverse));
    bend(i, i, weight * (e * inverse - e ** 2 * squared));
    for (let l = k + 1; l < n; l++) bend(i, ranked[l] ?? -1, -weight * e * (odds[l] ?? NaN) * squared);
    if (term < 0) continue;
    bend(i, term, weight * e * (o * inverse - middles));
    spread += o ** 2 * e * inverse;
  }
  if (term < 0) return;
  push(term, weight * chosen);
  bend(term, term, weight * spread);
}
