import type { Belief } from "../domain/ratings.ts";
import { factor, product } from "./cholesky.ts";
import { standardNormals } from "./standard_normals.ts";
import { boundary } from "./top_k.ts";

/** What matches are expected to do for the precision of the best k. */
export interface BatchWorth {
  /** The expected precision now. */
  readonly now: number;
  /** The expected precision once they were judged, before it is known how. */
  readonly after: number;
}

/** Draws of the truth, and of what the matches would say of it. */
const DRAWS = 4000;
/** Who takes part at most: those nearest to the boundary. */
const MOST_DRAWN = 60;

/**
 * What a batch is worth: the precision of the k with the highest means, now and after it, by draws of the truth and of
 * what would be known then. Before its verdicts are known, the means after the batch are normal about the present ones,
 * with the part of the covariance that the batch takes away; the truth is normal about them with the part that is left.
 * Both are computed from the same draws, so that their difference is far more exact than either.
 *
 * @param after the belief narrowed by the batch, whatever its verdicts
 * @param places those who compete
 */
export function batchWorth(belief: Belief, after: Belief, places: readonly number[], k: number): BatchWorth {
  if (places.length <= k) return { now: 1, after: 1 };
  const { order, cut } = boundary(belief, places, k);
  const near = order.map((i) => places[i] ?? -1)
    .map((place) => ({
      place,
      away: Math.abs(belief.mean(place) - cut) / Math.sqrt(belief.variance(place)),
      inside: belief.mean(place) > cut,
    }))
    .sort((a, b) => a.away - b.away);
  const drawn = near.slice(0, MOST_DRAWN).map(({ place }) => place);
  // Whoever is too far from the boundary to be drawn keeps the side on which it is.
  const seats = k - near.slice(MOST_DRAWN).filter(({ inside }) => inside).length;
  if (seats <= 0 || seats >= drawn.length) return { now: 1, after: 1 };
  const n = drawn.length;
  const left = spread(drawn, (a, b) => after.covariance(a, b));
  const taken = spread(drawn, (a, b) => belief.covariance(a, b) - after.covariance(a, b));
  const means = drawn.map((place) => belief.average(place));
  const chosenNow = best(Float64Array.from(means), seats);
  const noise = standardNormals();
  const known = new Float64Array(n), truth = new Float64Array(n);
  let now = 0, then = 0;
  for (let t = 0; t < DRAWS; t++) {
    const start = (t * 2 * n * 7) % (noise.length - 2 * n);
    for (let i = 0; i < n; i++) {
      const mean = (means[i] ?? 0) + product(taken, i * n, noise, start, i + 1);
      known[i] = mean;
      truth[i] = mean + product(left, i * n, noise, start + n, i + 1);
    }
    const really = best(truth, seats);
    now += overlap(chosenNow, really);
    then += overlap(best(known, seats), really);
  }
  const settled = k - seats;
  return { now: (settled + now / DRAWS) / k, after: (settled + then / DRAWS) / k };
}

/** The lower factor of a covariance that may be singular: a little is added to its diagonal until it can be factored. */
function spread(places: readonly number[], covariance: (a: number, b: number) => number): Float64Array {
  const n = places.length;
  for (let extra = 1e-9;; extra *= 10) {
    const matrix = new Float64Array(n * n);
    for (const [i, a] of places.entries()) {
      for (let j = 0; j <= i; j++) matrix[i * n + j] = covariance(a, places[j] ?? -1);
      matrix[i * n + i] = (matrix[i * n + i] ?? 0) + extra;
    }
    if (factor(matrix, n)) return matrix;
    if (extra > 1) throw new RangeError("Cannot weigh a batch: its covariance is not positive definite");
  }
}

/** Which of the values are among the highest `count`. */
function best(values: Float64Array, count: number): Uint8Array {
  const least = values.toSorted()[values.length - count] ?? Infinity;
  return Uint8Array.from(values, (value) => (value >= least ? 1 : 0));
}

function overlap(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
