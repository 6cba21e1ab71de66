import type { Score } from "./policy.ts";

/** A verdict as the model reads it. */
export interface Verdict {
  /** The one shown first. */
  readonly first: number;
  /** The one shown second. */
  readonly second: number;
  /** What the first scored. */
  readonly score: Score;
}

/** The prior of the reference's model. */
export interface Prior {
  /** Width of the prior of quality. */
  readonly s0: number;
  /** Whether being shown first may be worth something. */
  readonly order: boolean;
}

/** Below this, a Newton step has arrived. */
const ARRIVED = 1e-6;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** The lower triangle of Cholesky's factor of a symmetric n × n matrix; only its lower triangle is read. */
function cholesky(a: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (l[i * n + k] ?? 0) * (l[j * n + k] ?? 0);
      l[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-14)) : sum / (l[j * n + j] ?? 0);
    }
  }
  return l;
}

/** The solution of L Lᵀ x = b. */
function solve(l: Float64Array, b: Float64Array, n: number): Float64Array {
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = b[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (l[i * n + k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (l[i * n + i] ?? 0);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i] ?? 0;
    for (let k = i + 1; k < n; k++) sum -= (l[k * n + i] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (l[i * n + i] ?? 0);
  }
  return x;
}

/** (L Lᵀ)⁻¹. The rows of the inverse factor are kept transposed so that both loops run along memory. */
function inverse(l: Float64Array, n: number): Float64Array {
  const t = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    t[c * n + c] = 1 / (l[c * n + c] ?? 0);
    for (let i = c + 1; i < n; i++) {
      let sum = 0;
      for (let k = c; k < i; k++) sum -= (l[i * n + k] ?? 0) * (t[c * n + k] ?? 0);
      t[c * n + i] = sum / (l[i * n + i] ?? 0);
    }
  }
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = i; k < n; k++) sum += (t[i * n + k] ?? 0) * (t[j * n + k] ?? 0);
      result[i * n + j] = result[j * n + i] = sum;
    }
  }
  return result;
}

/**
 * The Gaussian posterior of the reference's section 4, written from its formulas as a yardstick of the bench. It is no part
 * of the project's rating.
 *
 * Coordinate 0 is what being shown first is worth; hypothesis i is coordinate i + 1, so that a pool can grow.
 */
export class ReferencePosterior {
  /** Hypotheses. */
  size = 0;
  /** Means of all coordinates. */
  mean: Float64Array = new Float64Array(1);
  /** Covariances, (size + 1)². */
  covariance: Float64Array = new Float64Array(1);
  readonly #prior: Prior;
  readonly #verdicts: Verdict[] = [];
  #sinceFit = 0;

  constructor(prior: Prior) {
    this.#prior = prior;
  }

  /** How many verdicts it knows. */
  get verdicts(): number {
    return this.#verdicts.length;
  }

  /** Takes `count` more hypotheses in, at the prior. */
  grow(count: number): void {
    this.size += count;
    const mean = new Float64Array(this.size + 1);
    mean.set(this.mean);
    this.mean = mean;
    this.fit();
  }

  /** Takes a verdict in: at once by a rank-one step, and by a new fit after every N/2 of them. */
  add(verdict: Verdict): void {
    this.#verdicts.push(verdict);
    if (++this.#sinceFit >= Math.ceil(this.size / 2)) this.fit();
    else this.#step(verdict);
  }

  /** Takes a verdict in without a step; a fit must follow. */
  addWithoutStep(verdict: Verdict): void {
    this.#verdicts.push(verdict);
    this.#sinceFit++;
  }

  /** Newton's method from where the mean stands; the covariance is the inverse of the Hessian (Laplace). */
  fit(): void {
    const n = this.size + 1, { s0, order } = this.#prior;
    const quality = 1 / (s0 * s0), bias = order ? 1 : 1e12;
    const x = this.mean;
    let factor: Float64Array = new Float64Array(0);
    for (let step = 0; step < 30; step++) {
      const gradient = new Float64Array(n), h = new Float64Array(n * n);
      for (let i = 1; i < n; i++) {
        gradient[i] = -quality * (x[i] ?? 0);
        h[i * n + i] = quality;
      }
      gradient[0] = -bias * (x[0] ?? 0);
      h[0] = bias;
      for (const { first, second, score } of this.#verdicts) {
        const i = first + 1, j = second + 1;
        const p = sigmoid((x[i] ?? 0) - (x[j] ?? 0) + (x[0] ?? 0));
        const r = score - p, w = p * (1 - p);
        gradient[i] = (gradient[i] ?? 0) + r;
        gradient[j] = (gradient[j] ?? 0) - r;
        gradient[0] = (gradient[0] ?? 0) + r;
        h[i * n + i] = (h[i * n + i] ?? 0) + w;
        h[j * n + j] = (h[j * n + j] ?? 0) + w;
        const place = i > j ? i * n + j : j * n + i;
        h[place] = (h[place] ?? 0) - w;
        h[0] = (h[0] ?? 0) + w;
        h[i * n] = (h[i * n] ?? 0) + w;
        h[j * n] = (h[j * n] ?? 0) - w;
      }
      factor = cholesky(h, n);
      const move = solve(factor, gradient, n);
      let most = 0;
      for (let k = 0; k < n; k++) {
        const by = move[k] ?? 0;
        x[k] = (x[k] ?? 0) + by;
        most = Math.max(most, Math.abs(by));
      }
      if (most < ARRIVED) break;
    }
    this.covariance = inverse(factor, n);
    this.#sinceFit = 0;
  }

  /** The rank-one step of an extended Kalman filter. */
  #step({ first, second, score }: Verdict): void {
    const { mean } = this;
    const along = this.#along(first, second, true);
    const i = first + 1, j = second + 1;
    const variance = (along[i] ?? 0) - (along[j] ?? 0) + (along[0] ?? 0);
    const p = sigmoid((mean[i] ?? 0) - (mean[j] ?? 0) + (mean[0] ?? 0));
    const w = p * (1 - p), gain = (score - p) / (1 + w * variance);
    for (let k = 0; k < along.length; k++) mean[k] = (mean[k] ?? 0) + (along[k] ?? 0) * gain;
    this.#shrink(along, w / (1 + w * variance));
  }

  /** Shrinks the covariance as if the two had met, and leaves the mean where it is. */
  imagine(first: number, second: number): void {
    const { mean } = this;
    const i = first + 1, j = second + 1;
    const along = this.#along(first, second, false);
    const variance = (along[i] ?? 0) - (along[j] ?? 0);
    const p = sigmoid((mean[i] ?? 0) - (mean[j] ?? 0)), w = p * (1 - p);
    this.#shrink(along, w / (1 + w * variance));
  }

  /** Covariance times the row of a verdict between the two. */
  #along(first: number, second: number, withOrder: boolean): Float64Array {
    const n = this.size + 1, s = this.covariance;
    const along = new Float64Array(n);
    const a = (first + 1) * n, b = (second + 1) * n;
    for (let k = 0; k < n; k++) along[k] = (s[a + k] ?? 0) - (s[b + k] ?? 0) + (withOrder ? s[k] ?? 0 : 0);
    return along;
  }

  #shrink(along: Float64Array, by: number): void {
    const n = along.length, s = this.covariance;
    for (let a = 0; a < n; a++) {
      const t = by * (along[a] ?? 0), row = a * n;
      if (t === 0) continue;
      for (let b = 0; b < n; b++) s[row + b] = (s[row + b] ?? 0) - t * (along[b] ?? 0);
    }
  }

  /** Lower Cholesky factor of the covariance. */
  covarianceFactor(): Float64Array {
    return cholesky(this.covariance, this.size + 1);
  }

  /** Means of the hypotheses. */
  scores(): Float64Array {
    return this.mean.slice(1);
  }
}

/** The MAP of Bradley and Terry's model without an order term, ties as half a win. */
export function mapScores(size: number, verdicts: Iterable<Verdict>, s0: number): Float64Array {
  const posterior = new ReferencePosterior({ s0, order: false });
  posterior.size = size;
  posterior.mean = new Float64Array(size + 1);
  for (const verdict of verdicts) posterior.addWithoutStep(verdict);
  posterior.fit();
  return posterior.scores();
}
