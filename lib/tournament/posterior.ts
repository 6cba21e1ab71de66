import type { Belief } from "../domain/ratings.ts";
import { covarianceOf, type Fit } from "./bradley_terry.ts";
import type { Comparison, Unknown } from "./rating_problem.ts";
import { logistic } from "./normal.ts";
import { skewForce } from "./skewness.ts";

/**
 * What is known of the unknowns after some matches: a normal distribution, to which newcomers and single verdicts can be
 * added without a refit. It is a value of its own: a copy can be changed without the original.
 */
export class Posterior implements Belief {
  #size: number;
  #stride: number;
  #mean: Float64Array;
  #covariance: Float64Array;
  /** How far each average lies from the mean. */
  #skew: Float64Array;
  /** How far each mean lies from those of other widths, by the square root of their weights. */
  #stretch: readonly Float64Array[];

  private constructor(
    size: number,
    stride: number,
    mean: Float64Array,
    covariance: Float64Array,
    skew = new Float64Array(stride),
    stretch: readonly Float64Array[] = [],
  ) {
    this.#size = size;
    this.#stride = stride;
    this.#mean = mean;
    this.#covariance = covariance;
    this.#skew = skew;
    this.#stretch = stretch;
  }

  /** Nothing is known and nothing is asked. */
  static empty(): Posterior {
    return new Posterior(0, 8, new Float64Array(8), new Float64Array(64));
  }

  /** Laplace's approximation about a fit. */
  static of(fit: Fit): Posterior {
    return Posterior.from(fit.x, covarianceOf(fit));
  }

  /** A normal distribution by its means and its covariances, row by row. */
  static from(means: Float64Array, covariances: Float64Array): Posterior {
    const size = means.length;
    const stride = size + 8;
    const mean = new Float64Array(stride), covariance = new Float64Array(stride * stride);
    mean.set(means);
    for (let i = 0; i < size; i++) {
      covariance.set(covariances.subarray(i * size, (i + 1) * size), i * stride);
    }
    return new Posterior(size, stride, mean, covariance);
  }

  /** A copy. */
  copy(): Posterior {
    return new Posterior(
      this.#size,
      this.#stride,
      Float64Array.from(this.#mean),
      Float64Array.from(this.#covariance),
      Float64Array.from(this.#skew),
      this.#stretch.map((each) => Float64Array.from(each)),
    );
  }

  /** How many unknowns. */
  get size(): number {
    return this.#size;
  }

  /** Of how many the covariances are kept: all. */
  get kept(): number {
    return this.#size;
  }

  /** The mean of an unknown; 0 for -1, which stands for none. */
  mean(i: number): number {
    return i < 0 ? 0 : this.#mean[i] ?? NaN;
  }

  /** The average of an unknown: its mean is the most probable value, and away from it where it is skewed. */
  average(i: number): number {
    return i < 0 ? 0 : (this.#mean[i] ?? NaN) + (this.#skew[i] ?? NaN);
  }

  /** What not knowing the width adds to a covariance. */
  stretch(i: number, j: number): number {
    let sum = 0;
    for (const each of this.#stretch) sum += (each[i] ?? 0) * (each[j] ?? 0);
    return sum;
  }

  /** Takes in what the means would be under other widths. @param others with their weights; the present ones have the rest */
  widen(others: readonly { readonly x: Float64Array; readonly weight: number }[]): void {
    this.#stretch = others.map(({ x, weight }) => {
      const stretch = new Float64Array(this.#stride);
      for (let i = 0; i < this.#size; i++) {
        const away = (x[i] ?? 0) - (this.#mean[i] ?? 0);
        stretch[i] = Math.sqrt(weight) * away;
        this.#skew[i] = (this.#skew[i] ?? 0) + weight * away;
      }
      return stretch;
    });
  }

  /** Moves the averages by forces on the unknowns. */
  lean(forces: Float64Array): void {
    for (let i = 0; i < this.#size; i++) {
      const row = i * this.#stride;
      let sum = 0;
      for (let j = 0; j < this.#size; j++) sum += (this.#covariance[row + j] ?? 0) * (forces[j] ?? 0);
      this.#skew[i] = (this.#skew[i] ?? 0) + sum;
    }
  }

  /** The variance of an unknown. */
  variance(i: number): number {
    return this.#covariance[i * this.#stride + i] ?? NaN;
  }

  /** The covariance of two unknowns. */
  covariance(i: number, j: number): number {
    return this.#covariance[i * this.#stride + j] ?? NaN;
  }

  /**
   * The standard deviation of each against the mean of all of them: what they have in common tells nobody apart.
   *
   * @param places those who are compared
   */
  sdsAgainstField(places: readonly number[]): Float64Array {
    const n = Math.max(1, places.length);
    const shared = Float64Array.from(places, (i) => {
      const row = i * this.#stride;
      let sum = 0;
      for (const j of places) sum += this.#covariance[row + j] ?? 0;
      return sum / n;
    });
    const all = shared.reduce((sum, value) => sum + value, 0) / n;
    return shared.map((value, k) => Math.sqrt(Math.max(0, this.variance(places[k] ?? -1) - 2 * value + all)));
  }

  /** Adds an unknown of which nothing but the prior is known. Exact. Returns its place. */
  enter({ mean, sd, from }: Unknown): number {
    if (this.#size === this.#stride) this.#grow();
    const place = this.#size++;
    const stride = this.#stride;
    this.#mean[place] = from.reduce((sum, { on, weight }) => sum + weight * this.mean(on), mean);
    for (const each of this.#stretch) {
      each[place] = from.reduce((sum, { on, weight }) => sum + weight * (each[on] ?? 0), 0);
    }
    this.#skew[place] = from.reduce((sum, { on, weight }) => sum + weight * (this.#skew[on] ?? 0), 0);
    let variance = sd ** 2;
    for (let i = 0; i < place; i++) {
      let together = 0;
      for (const { on, weight } of from) together += weight * this.covariance(i, on);
      this.#covariance[i * stride + place] = together;
      this.#covariance[place * stride + i] = together;
    }
    for (const { on, weight } of from) variance += weight * this.covariance(place, on);
    this.#covariance[place * stride + place] = variance;
    return place;
  }

  /**
   * Takes in a verdict by a rank-one update about the most probable gap: from a normal distribution it gives the mean
   * that a refit gives, exactly. What drifts from a refit over several updates is that earlier curvatures stay as they
   * were.
   */
  observe({ first, second, score, weight, term }: Comparison): void {
    const { pull, variance } = this.#pull(first, second, term);
    const before = this.mean(first) - this.mean(second) + this.mean(term);
    const gap = mostProbableGap(before, variance, score, weight);
    const p = logistic(gap);
    const push = variance > 0 ? (gap - before) / variance : 0;
    for (let i = 0; i < this.#size; i++) this.#mean[i] = (this.#mean[i] ?? 0) + (pull[i] ?? 0) * push;
    const curve = weight * p * (1 - p), left = 1 / (1 + curve * variance);
    this.#narrow(pull, variance, curve);
    const force = skewForce(weight, gap, variance * left) * left;
    for (let i = 0; i < this.#size; i++) this.#skew[i] = (this.#skew[i] ?? 0) + (pull[i] ?? 0) * force;
  }

  /**
   * Narrows the distribution as a verdict on these two would, whatever it says: the mean stays. How several matches
   * are chosen that are judged side by side.
   */
  expect(first: number, second: number): void {
    const { pull, variance } = this.#pull(first, second, -1);
    const p = logistic(this.mean(first) - this.mean(second));
    this.#narrow(pull, variance, p * (1 - p));
  }

  /** Σ·z for z = the first − the second (+ the term), and z'Σz. */
  #pull(first: number, second: number, term: number): { pull: Float64Array; variance: number } {
    const stride = this.#stride;
    const pull = new Float64Array(this.#size);
    const a = first * stride, b = second * stride, c = term * stride;
    for (let i = 0; i < this.#size; i++) {
      let value = (this.#covariance[a + i] ?? 0) - (this.#covariance[b + i] ?? 0);
      if (term >= 0) value += this.#covariance[c + i] ?? 0;
      pull[i] = value;
    }
    const variance = (pull[first] ?? 0) - (pull[second] ?? 0) + (term >= 0 ? pull[term] ?? 0 : 0);
    return { pull, variance };
  }

  #narrow(pull: Float64Array, variance: number, curve: number): void {
    const size = this.#size, stride = this.#stride, covariance = this.#covariance;
    const scale = curve / (1 + curve * variance);
    for (let i = 0; i < size; i++) {
      const by = scale * (pull[i] ?? 0);
      if (by === 0) continue;
      const row = i * stride;
      for (let j = 0; j < size; j++) covariance[row + j] = (covariance[row + j] ?? 0) - by * (pull[j] ?? 0);
    }
  }

  #grow(): void {
    const stride = Math.max(8, Math.ceil(this.#stride * 1.5));
    const mean = new Float64Array(stride), covariance = new Float64Array(stride * stride);
    const skew = new Float64Array(stride);
    skew.set(this.#skew.subarray(0, this.#size));
    this.#skew = skew;
    this.#stretch = this.#stretch.map((each) => {
      const grown = new Float64Array(stride);
      grown.set(each.subarray(0, this.#size));
      return grown;
    });
    mean.set(this.#mean.subarray(0, this.#size));
    for (let i = 0; i < this.#size; i++) {
      covariance.set(this.#covariance.subarray(i * this.#stride, i * this.#stride + this.#size), i * stride);
    }
    this.#stride = stride;
    this.#mean = mean;
    this.#covariance = covariance;
  }
}

/**
 * The most probable gap after one verdict, where it was normal about `before` with this variance: the root of
 * g = before + variance · weight · (score − σ(g)), by Newton within a bracket that halves where Newton leaves it.
 */
function mostProbableGap(before: number, variance: number, score: number, weight: number): number {
  const reach = variance * weight;
  let low = before - reach * (1 - score), high = before + reach * score;
  let gap = before;
  for (let step = 0; step < 100 && high - low > 1e-13; step++) {
    const p = logistic(gap);
    const off = gap - before - reach * (score - p);
    if (off > 0) high = gap;
    else low = gap;
    const next = gap - off / (1 + reach * p * (1 - p));
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(inside - gap) < 1e-13) break;
    gap = inside;
  }
  return gap;
}
