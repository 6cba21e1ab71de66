import type { Comparison, Unknown } from "./rating_problem.ts";
import { factor, invert } from "./cholesky.ts";
import { Posterior } from "./posterior.ts";
import type { WideFit } from "./wide_fit.ts";

/**
 * What is known of thousands of unknowns: means of all, covariances of some. The others count as independent of each
 * other, each with a variance of its own, until a match or a newcomer involves them; from then on they are kept with the
 * covariances.
 */
export class WidePosterior {
  #size: number;
  readonly #means: Float64Array;
  readonly #variances: Float64Array;
  /** How far each average lies from the mean, for those without covariances. */
  readonly #skew: Float64Array;
  /** Where an unknown is among those with covariances. */
  readonly #inside: Map<number, number>;
  readonly #inner: Posterior;

  private constructor(
    size: number,
    means: Float64Array,
    variances: Float64Array,
    inside: Map<number, number>,
    inner: Posterior,
    skew = new Float64Array(means.length),
  ) {
    this.#size = size;
    this.#means = means;
    this.#variances = variances;
    this.#inside = inside;
    this.#inner = inner;
    this.#skew = skew;
  }

  /**
   * Laplace's approximation about a fit. Covariances of the chosen come from the curvature after the others were
   * eliminated from it, each as if it were coupled to nobody but the chosen; the others' variances from its inverse to
   * second order in their couplings.
   *
   * @param chosen the unknowns with covariances
   */
  static of({ x, diagonal, coupling }: WideFit, chosen: readonly number[]): WidePosterior {
    const inside = new Map(chosen.map((place, i) => [place, i]));
    const n = chosen.length;
    const curvature = new Float64Array(n * n);
    for (const [place, i] of inside) curvature[i * n + i] = diagonal[place] ?? 1;
    const outer = new Map<number, Map<number, number>>();
    const variances = diagonal.map((d) => 1 / d);
    const couplings = merged(coupling, x.length);
    for (const { a, b, by } of couplings) {
      const i = inside.get(a), j = inside.get(b);
      if (i !== undefined && j !== undefined) {
        curvature[i * n + j] = (curvature[i * n + j] ?? 0) + by;
        curvature[j * n + i] = (curvature[j * n + i] ?? 0) + by;
      } else if (i !== undefined || j !== undefined) {
        const outside = i === undefined ? a : b, chosenOne = i ?? j ?? 0;
        let row = outer.get(outside);
        if (row === undefined) outer.set(outside, row = new Map());
        row.set(chosenOne, (row.get(chosenOne) ?? 0) + by);
      }
      const da = diagonal[a] ?? 1, db = diagonal[b] ?? 1;
      variances[a] = (variances[a] ?? 0) + by ** 2 / (da ** 2 * db);
      variances[b] = (variances[b] ?? 0) + by ** 2 / (db ** 2 * da);
    }
    for (const [outside, row] of outer) {
      const d = diagonal[outside] ?? 1;
      for (const [i, u] of row) {
        for (const [j, v] of row) curvature[i * n + j] = (curvature[i * n + j] ?? 0) - u * v / d;
      }
    }
    if (!factor(curvature, n)) throw new RangeError("Cannot rate: the curvature is not positive definite");
    const means = Float64Array.from(chosen, (place) => x[place] ?? 0);
    const inner = Posterior.from(means, invert(curvature, n));
    return new WidePosterior(x.length, x, variances, inside, inner);
  }

  /** A copy. */
  copy(): WidePosterior {
    return new WidePosterior(
      this.#size,
      Float64Array.from(this.#means),
      Float64Array.from(this.#variances),
      new Map(this.#inside),
      this.#inner.copy(),
      Float64Array.from(this.#skew),
    );
  }

  /** How many unknowns. */
  get size(): number {
    return this.#size;
  }

  /** Of how many the covariances are kept. */
  get kept(): number {
    return this.#inner.size;
  }

  /** The mean of an unknown; 0 for -1, which stands for none. */
  mean(place: number): number {
    if (place < 0) return 0;
    const inside = this.#inside.get(place);
    return inside === undefined ? this.#means[place] ?? NaN : this.#inner.mean(inside);
  }

  /** The average of an unknown. */
  average(place: number): number {
    if (place < 0) return 0;
    const inside = this.#inside.get(place);
    return inside === undefined
      ? (this.#means[place] ?? NaN) + (this.#skew[place] ?? NaN)
      : this.#inner.average(inside);
  }

  /** What not knowing the width adds to a covariance: nothing, in a pool so large that it is known. */
  stretch(): number {
    return 0;
  }

  /** Moves the averages by forces on the unknowns. */
  lean(forces: Float64Array): void {
    const inner = new Float64Array(this.#inner.size);
    for (const [place, inside] of this.#inside) inner[inside] = forces[place] ?? 0;
    this.#inner.lean(inner);
    for (let i = 0; i < this.#skew.length; i++) {
      this.#skew[i] = (this.#skew[i] ?? 0) + (this.#variances[i] ?? 0) * (forces[i] ?? 0);
    }
  }

  /** The variance of an unknown. */
  variance(place: number): number {
    const inside = this.#inside.get(place);
    return inside === undefined ? this.#variances[place] ?? NaN : this.#inner.variance(inside);
  }

  /** The covariance of two unknowns; 0 where it is not kept. */
  covariance(a: number, b: number): number {
    if (a === b) return this.variance(a);
    const i = this.#inside.get(a), j = this.#inside.get(b);
    return i === undefined || j === undefined ? 0 : this.#inner.covariance(i, j);
  }

  /**
   * The standard deviation of each against the mean of all of them, as {@linkcode Posterior.sdsAgainstField}; those without
   * covariances count as having nothing in common with the others.
   */
  sdsAgainstField(places: readonly number[]): Float64Array {
    const kept = places.flatMap((place) => this.#inside.get(place) ?? []);
    const sds = this.#inner.sdsAgainstField(kept);
    const known = new Map(kept.map((inside, k) => [inside, sds[k] ?? NaN]));
    return Float64Array.from(places, (place) => {
      const inside = this.#inside.get(place);
      return (inside === undefined ? undefined : known.get(inside)) ?? Math.sqrt(this.variance(place));
    });
  }

  /** Adds an unknown of which nothing but the prior is known. Returns its place. */
  enter({ mean, sd, from }: Unknown): number {
    const lean = from.map(({ on, weight }) => ({ on: this.#take(on), weight }));
    const place = this.#size++;
    this.#inside.set(place, this.#inner.enter({ mean, sd, from: lean }));
    return place;
  }

  /** Takes in a verdict. */
  observe(comparison: Comparison): void {
    const { first, second, term } = comparison;
    this.#inner.observe({
      ...comparison,
      first: this.#take(first),
      second: this.#take(second),
      term: term < 0 ? term : this.#take(term),
    });
  }

  /** Narrows the distribution as a verdict on these two would, whatever it says. */
  expect(a: number, b: number): void {
    this.#inner.expect(this.#take(a), this.#take(b));
  }

  /** The place of an unknown among those with covariances, where it is put if it isn't there. */
  #take(place: number): number {
    const known = this.#inside.get(place);
    if (known !== undefined) return known;
    const taken = this.#inner.enter({
      mean: this.#means[place] ?? 0,
      sd: Math.sqrt(this.#variances[place] ?? 1),
      from: [],
    });
    this.#inside.set(place, taken);
    return taken;
  }
}

/** Couplings with repeated entries added up. */
function merged({ a, b, by }: WideFit["coupling"], size: number): { a: number; b: number; by: number }[] {
  const sums = new Map<number, number>();
  for (let n = 0; n < by.length; n++) {
    const low = Math.min(a[n] ?? 0, b[n] ?? 0), high = Math.max(a[n] ?? 0, b[n] ?? 0);
    const key = low * size + high;
    sums.set(key, (sums.get(key) ?? 0) + (by[n] ?? 0));
  }
  return [...sums].map(([key, sum]) => ({ a: Math.floor(key / size), b: key % size, by: sum }));
}
