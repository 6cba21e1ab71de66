import { climb, priorMeans } from "./bradley_terry.ts";
import type { Problem } from "./rating_problem.ts";
import { addComparison, addPlacing } from "./likelihood_terms.ts";

/** Newton steps at most. */
const MOST_STEPS = 40;
/** The largest move of any unknown in the last step. */
const SETTLED = 1e-6;
/** Where a Newton step is solved well enough: the residual in proportion to the gradient. */
const RESIDUAL = 1e-4;
const MOST_DIRECTIONS = 400;

/** The most probable values of many unknowns, and the curvature there without its matrix ever being built. */
export interface WideFit {
  /** The most probable values. */
  readonly x: Float64Array;
  /** The curvature's entries, each unordered pair of unknowns once, row by row; the diagonal apart. */
  readonly coupling: Coupling;
  /** The curvature's diagonal. */
  readonly diagonal: Float64Array;
}

/** Which unknowns are coupled, and how much: entry n couples `a[n]` with `b[n]` by `by[n]`. Entries may repeat. */
export interface Coupling {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly by: Float64Array;
}

/**
 * The estimate of {@linkcode fitBradleyTerry} for thousands of unknowns: Newton's method, each step solved by conjugate
 * gradients with a diagonal preconditioner (Hestenes and Stiefel, 1952), O(matches) a direction. It ends with the same
 * strengths to about 1e-6.
 */
export function fitWide(problem: Problem, start?: Float64Array): WideFit {
  const steps = fitWideInSteps(problem, start);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** The same, a Newton step at a time. */
export function* fitWideInSteps(problem: Problem, start?: Float64Array): Generator<void, WideFit> {
  const x = Float64Array.from(start ?? priorMeans(problem.unknowns));
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, diagonal, coupling } = curvature(problem, x);
    const move = conjugateGradients(gradient, diagonal, coupling);
    const largest = climb(problem, x, move);
    yield;
    if (largest < SETTLED) break;
  }
  const { diagonal, coupling } = curvature(problem, x);
  return { x, diagonal, coupling };
}

/** First derivatives of the log posterior and the parts of its curvature. */
function curvature({ unknowns, comparisons, placings = [] }: Problem, x: Float64Array) {
  const n = x.length;
  const gradient = new Float64Array(n), diagonal = new Float64Array(n);
  const a: number[] = [], b: number[] = [], by: number[] = [];
  const push = (i: number, slope: number) => gradient[i] = (gradient[i] ?? 0) + slope;
  const bend = (i: number, j: number, curve: number) => {
    if (i === j) diagonal[i] = (diagonal[i] ?? 0) + curve;
    else if (curve !== 0) {
      a.push(i);
      b.push(j);
      by.push(curve);
    }
  };
  for (const [i, { mean, sd, from }] of unknowns.entries()) {
    const parts = [{ on: i, weight: 1 }, ...from.map(({ on, weight }) => ({ on, weight: -weight }))];
    const off = parts.reduce((sum, { on, weight }) => sum + weight * (x[on] ?? 0), -mean) / sd ** 2;
    for (const [k, one] of parts.entries()) {
      push(one.on, -off * one.weight);
      bend(one.on, one.on, one.weight ** 2 / sd ** 2);
      for (const other of parts.slice(k + 1)) bend(one.on, other.on, one.weight * other.weight / sd ** 2);
    }
  }
  for (const comparison of comparisons) addComparison(comparison, x, push, bend);
  for (const placing of placings) addPlacing(placing, x, push, bend);
  return {
    gradient,
    diagonal,
    coupling: { a: Int32Array.from(a), b: Int32Array.from(b), by: Float64Array.from(by) },
  };
}

/** Solves H·move = gradient. */
function conjugateGradients(
  gradient: Float64Array,
  diagonal: Float64Array,
  coupling: Coupling,
): Float64Array {
  const n = gradient.length;
  const move = new Float64Array(n);
  const residual = Float64Array.from(gradient);
  const scaled = residual.map((r, i) => r / (diagonal[i] ?? 1));
  const direction = Float64Array.from(scaled);
  let energy = dot(residual, scaled);
  const enough = energy * RESIDUAL ** 2;
  for (let k = 0; k < MOST_DIRECTIONS && energy > enough && energy > 1e-30; k++) {
    const image = apply(direction, diagonal, coupling);
    const along = energy / dot(direction, image);
    for (let i = 0; i < n; i++) {
      move[i] = (move[i] ?? 0) + along * (direction[i] ?? 0);
      residual[i] = (residual[i] ?? 0) - along * (image[i] ?? 0);
      scaled[i] = (residual[i] ?? 0) / (diagonal[i] ?? 1);
    }
    const next = dot(residual, scaled);
    const keep = next / energy;
    energy = next;
    for (let i = 0; i < n; i++) direction[i] = (scaled[i] ?? 0) + keep * (direction[i] ?? 0);
  }
  return move;
}

function apply(v: Float64Array, diagonal: Float64Array, { a, b, by }: Coupling): Float64Array {
  const image = v.map((value, i) => value * (diagonal[i] ?? 0));
  for (let n = 0; n < by.length; n++) {
    const i = a[n] ?? 0, j = b[n] ?? 0, w = by[n] ?? 0;
    image[i] = (image[i] ?? 0) + w * (v[j] ?? 0);
    image[j] = (image[j] ?? 0) + w * (v[i] ?? 0);
  }
  return image;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
