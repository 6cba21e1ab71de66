import type { HypothesisRecord, MatchRecord } from "./records.ts";

/** What is known of one hypothesis's strength, in logits. */
export interface Strength {
  /** The most probable strength: 0 stands for an average one before any match. */
  readonly mean: number;
  /** The standard deviation of what is not known of it against the mean of all that entered. */
  readonly sd: number;
}

/** A normal distribution over strengths and what belongs to them, each in a place of its own; in logits. */
export interface Belief {
  /** The most probable value of what is in a place; 0 for place -1, which stands for none. */
  mean(place: number): number;
  /** The average of what is in a place: beyond the mean, which is the most probable value, where it is skewed. */
  average(place: number): number;
  /** Its variance. */
  variance(place: number): number;
  /** The covariance of two. */
  covariance(a: number, b: number): number;
  /** What is added to it by not knowing how far strengths lie apart at all: in a wider pool all gaps are wider. */
  stretch(a: number, b: number): number;
  /** Narrows it as a verdict on these two would, whatever the verdict says. */
  expect(a: number, b: number): void;
  /** A copy that can be narrowed without this one. */
  copy(): Belief;
}

/** Who may be among the best k. */
export interface TopChances {
  /** The chance of each that was asked about. */
  readonly chances: ReadonlyMap<string, number>;
  /** The expected share of the true best k among the k with the highest means. */
  readonly expectedPrecision: number;
}

/** Ratings of the hypotheses of a session, as its records say up to a seq. */
export interface Ratings {
  /** What is known of a hypothesis; `undefined` before it entered the tournament. */
  strength(id: string): Strength | undefined;
  /** The chances of those that compete to be among the best k. */
  top(ids: readonly string[], k: number): TopChances;
  /** The same in steps of some milliseconds, for who must not hold the thread. No match may come meanwhile. */
  topInSteps(ids: readonly string[], k: number): Generator<void, TopChances>;
  /** The number of the tier of each, from 1: hypotheses of one tier can't be told apart. @param ids best first */
  tiers(ids: readonly string[]): readonly number[];
  /**
   * Does a part, of some milliseconds, of what is still to be computed, and says whether there is more: for who must not
   * hold the thread. Whoever asks meanwhile gets the rest computed at once.
   */
  step(): boolean;
  /** The place of a hypothesis in the belief. */
  place(id: string): number | undefined;
  /** Everything that is known. It is not to be changed: copy it. */
  belief(): Belief;
}

/** Ratings that records are folded into, commit by commit. */
export interface RatingFold extends Ratings {
  /** A hypothesis entered the tournament. @param score the mean score of its newest full review, if it has one */
  enter(hypothesis: HypothesisRecord, score: number | null): void;
  /** Matches of one commit, invalid ones too. */
  judge(matches: readonly MatchRecord[]): void;
}
