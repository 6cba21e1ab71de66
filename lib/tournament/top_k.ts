import type { Belief } from "../domain/ratings.ts";
import { factor, product } from "./cholesky.ts";
import { gapVariance } from "./gap_variance.ts";
import { normalBelow } from "./normal.ts";
import { standardNormals } from "./standard_normals.ts";

/** Who is among the best k, as far as is known. */
export interface TopK {
  /** For each of the places asked about, the chance that it is among the best k. They sum to k. */
  readonly chances: Float64Array;
  /**
   * The expected share of the true best k among the k with the highest means: the mean of their chances. 1 when there
   * are no more than k.
   */
  readonly expectedPrecision: number;
}

/** What a question about the best needs to know. */
export type Moments = Pick<Belief, "mean" | "average" | "variance" | "covariance" | "stretch">;

/** Pairs of mirrored draws; the standard error of a chance near one half is below 0.016. */
const DRAWS = 512;
/** Draws between two steps. */
const DRAWS_A_STEP = 64;
/** A chance below this, or above its complement, is taken as settled. */
const SETTLED = 5e-4;
/** Whose membership is drawn at most: the least settled ones. */
const MOST_DRAWN = 240;
/** How far apart the stretches of draws begin that are read one after the other. */
const STRIDE = 251;

/**
 * The chance of each to be among the best k, from draws of the joint distribution. The draws are always the same ones,
 * so that the answer is a function of the belief; those whose place is settled are not drawn.
 *
 * @param places the unknowns that compete
 */
export function topK(belief: Moments, places: readonly number[], k: number): TopK {
  const steps = topKInSteps(belief, places, k);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** The same in steps of some milliseconds. The belief must not change meanwhile. */
export function* topKInSteps(belief: Moments, places: readonly number[], k: number): Generator<void, TopK> {
  const n = places.length;
  const chances = new Float64Array(n);
  if (n <= k) return { chances: chances.fill(1), expectedPrecision: 1 };
  const { order, cut } = boundary(belief, places, k);
  const rough = places.map((place) =>
    normalBelow(
      (belief.average(place) - cut) / Math.sqrt(belief.variance(place) + belief.stretch(place, place)),
    )
  );
  const open: number[] = [];
  for (const i of order) {
    const q = rough[i] ?? 0;
    if (q > SETTLED && q < 1 - SETTLED) open.push(i);
    else chances[i] = q < 0.5 ? 0 : 1;
  }
  if (open.length > MOST_DRAWN) {
    open.sort((a, b) => Math.abs((rough[a] ?? 0) - 0.5) - Math.abs((rough[b] ?? 0) - 0.5));
    for (const i of open.splice(MOST_DRAWN)) chances[i] = (rough[i] ?? 0) < 0.5 ? 0 : 1;
  }
  const seats = k - chances.reduce((sum, chance) => sum + chance, 0);
  if (seats >= open.length) { for (const i of open) chances[i] = 1; }
  else if (seats > 0) yield* draw(belief, places, open, seats, chances);
  const best = order.slice(0, k);
  return { chances, expectedPrecision: best.reduce((sum, i) => sum + (chances[i] ?? 0), 0) / k };
}

/**
 * The order of the means, best first (equal ones as given), and the strength halfway between the k-th and the next.
 * Places are told by their position in `places`.
 */
export function boundary(
  belief: Pick<Belief, "mean">,
  places: readonly number[],
  k: number,
): { readonly order: readonly number[]; readonly cut: number } {
  const means = places.map((place) => belief.mean(place));
  const order = means.map((_, i) => i).sort((a, b) => (means[b] ?? 0) - (means[a] ?? 0) || a - b);
  const inside = means[order[Math.min(k, order.length) - 1] ?? 0] ?? 0;
  const outside = means[order[Math.min(k, order.length - 1)] ?? 0] ?? 0;
  return { order, cut: (inside + outside) / 2 };
}

/**
 * Groups of hypotheses that can't be told apart: going down the order, a new group begins with the first that the head of
 * the present one beats with a chance above `sure`. Returns the number of the group, from 1, of each place.
 *
 * @param places best first
 */
export function tiers(belief: Moments, places: readonly number[], sure = 0.9): number[] {
  const groups: number[] = [];
  let head = places[0], group = 1;
  for (const place of places) {
    if (head !== undefined && place !== head) {
      const variance = gapVariance(belief, head, place);
      const gap = belief.mean(head) - belief.mean(place);
      if (normalBelow(gap / Math.sqrt(Math.max(variance, 1e-12))) > sure) {
        head = place;
        group++;
      }
    }
    groups.push(group);
  }
  return groups;
}

/** Adds for each of the open ones the share of draws in which it takes one of the seats. */
function* draw(
  belief: Moments,
  places: readonly number[],
  open: readonly number[],
  seats: number,
  chances: Float64Array,
): Generator<void, void> {
  const n = open.length;
  const at = open.map((i) => places[i] ?? 0);
  const means = at.map((place) => belief.average(place));
  const spread = new Float64Array(n * n);
  for (const [i, a] of at.entries()) {
    for (let j = 0; j <= i; j++) {
      const b = at[j] ?? 0;
      spread[i * n + j] = belief.covariance(a, b) + belief.stretch(a, b);
    }
    // Rank-one updates leave rounding behind, which must not make the matrix indefinite.
    spread[i * n + i] = (spread[i * n + i] ?? 0) * (1 + 1e-9) + 1e-12;
  }
  if (!factor(spread, n)) {
    throw new RangeError("Cannot draw from ratings: their covariance is not positive definite");
  }
  const noise = standardNormals();
  const above = new Float64Array(n), below = new Float64Array(n);
  const counts = new Float64Array(n);
  for (let t = 0; t < DRAWS; t++) {
    if (t % DRAWS_A_STEP === 0) yield;
    const start = (t * STRIDE) % (noise.length - n);
    for (let i = 0; i < n; i++) {
      const mean = means[i] ?? 0, by = product(spread, i * n, noise, start, i + 1);
      above[i] = mean + by;
      below[i] = mean - by;
    }
    for (const values of [above, below]) {
      const least = values.toSorted()[n - seats] ?? Infinity;
      for (let i = 0; i < n; i++) if ((values[i] ?? 0) >= least) counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  for (const [i, which] of open.entries()) chances[which] = (counts[i] ?? 0) / (2 * DRAWS);
}
