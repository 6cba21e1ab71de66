import type { Score } from "../../../lib/tournament/elo.ts";

export type { Score };

/** Two hypotheses by number, in the order in which the judge sees them. */
export type ShownPair = readonly [first: number, second: number];

/** What a policy is told of the pool, and nothing about how good anyone is. */
export interface PoolNotice {
  /** Chance of the policy's own; the oracle's chance has nothing to do with it. */
  readonly seed: number;
  /** How many of the best are sought. */
  readonly k: number;
}

/** A way to choose pairs and to rank by the verdicts. */
export interface Policy {
  /** What tables call it. */
  readonly name: string;
  /** Whether it asks about groups: only some worlds rank them. */
  readonly groups?: boolean;
  /** A fresh player for one pool. */
  open(pool: PoolNotice): Player;
}

/** A policy at work on one pool. */
export interface Player {
  /** How many pairs are judged side by side: one, or this fraction of the live pool (at least one). */
  readonly batch: "one" | number;
  /**
   * Newcomers, numbered on from the last. Pairs that were handed out and not told by now are not going to be judged: a
   * batch is cut short when somebody arrives.
   */
  arrive(ids: readonly number[]): void;
  /** Up to `n` pairs to be judged side by side, each in the order shown. */
  next(n: number): readonly ShownPair[];
  /** What came of a pair that `next` handed out, in the order shown. */
  tell(first: number, second: number, score: Score): void;
  /** The next group to be ranked by one call, in the order shown: for a policy that judges several at once. */
  nextGroup?(): readonly number[];
  /** What came of a group: the same, best first. */
  tellGroup?(shown: readonly number[], ranked: readonly number[]): void;
  /** One number for each hypothesis; higher is better. May be asked in the middle of a batch. */
  scores(): Float64Array;
  /** The precision among the best `k` that the policy itself expects, between 0 and 1. */
  expectedPrecision?(): number;
  /** The chance of each to be among the best `k`, as the policy itself sees it. */
  topChances?(): Float64Array;
}
