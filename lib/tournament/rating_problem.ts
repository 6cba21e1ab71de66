import type { Score } from "./elo.ts";

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
