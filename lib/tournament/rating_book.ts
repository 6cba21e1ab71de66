import type { Score } from "./elo.ts";
import { Posterior } from "./posterior.ts";
import type { Comparison, Lean, Placing } from "./rating_problem.ts";
import {
  FIRST_WIDTH,
  type Kept,
  type KnownStrengths,
  pairsOfPlacing,
  type Refit,
  refitInSteps,
  type Scale,
  scaled,
} from "./refit.ts";

/** What the prior of a rating depends on. */
export interface RatingSettings {
  /** Standard deviation of strengths before any match, in logits; 0 finds it by the evidence. */
  readonly priorWidth: number;
  /** What 0.2 of review score is worth before any match, in logits; matches correct it. 0 ignores reviews. */
  readonly reviewPrior: number;
  /** The part of its parents' strength that a child begins with, from 0 to 1. */
  readonly parentPrior: number;
}

/** A hypothesis as it enters. */
export interface Entrant {
  /** Its id. */
  readonly id: string;
  /** Ids of its parents; those that never entered count for nothing. */
  readonly parents?: readonly string[];
  /** The mean score of its review, from 0 to 1; `null` where there is none. */
  readonly score?: number | null;
}

/** A judged pair, sides by id. */
export interface RatedMatch {
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** What the first scored. */
  readonly score: Score;
  /** How much it counts. */
  readonly weight: number;
  /** Whose liking for a place counts in: one name for each judge, prompt and mode; `null` where both orders were shown. */
  readonly judge: string | null;
}

/** A judged group, by id. */
export interface RatedGroup {
  /** The hypotheses, best first. */
  readonly ids: readonly string[];
  /** For each, which slot it was shown in. */
  readonly slots: readonly number[];
  /** How much it counts. */
  readonly weight: number;
  /** As for a pair. */
  readonly judge: string | null;
}

type Happening =
  | { readonly kind: "unknown"; readonly unknown: Kept }
  | { readonly kind: "match"; readonly comparison: Comparison }
  | { readonly kind: "group"; readonly placing: Placing };

/** What standing first may be worth to a judge, in logits, as a standard deviation. */
const ORDER_WIDTH = 1;
/** How far what a review score is worth may be off, in logits for 0.2 of score. */
const REVIEW_SPREAD = 0.35;
/** Score that one unit of the review's covariate stands for. */
const REVIEW_UNIT = 0.2;
/** How much later hypotheses may be better or worse than those that entered so many before them, in logits. */
const DRIFT_WIDTH = 0.4;
const DRIFT_UNIT = 40;
/** Refits come each time after so many matches for a hypothesis, and no sooner than after so many more in proportion. */
const REFIT_SHARE = 1 / 4, REFIT_GROWTH = 1 / 40;
/** Covariances that one step moves, or a little more: some milliseconds. */
const MOST_EFFORT = 4e6;

/**
 * Bradley-Terry ratings of a growing pool. Who enters and what was judged is written down in order, and the posterior is
 * a function of these lines alone: a refit each time after a fixed number of matches, exact rank-one updates between. So
 * it comes out the same, to the last bit, whether the lines came one by one or were read at once.
 *
 * Prior of a strength: normal, with a width found by the evidence (once there is a match for each hypothesis); its mean
 * leans on the strengths of the parents, on the review's score and on how late the hypothesis entered, the last two with
 * slopes that are learned from the matches.
 */
export class RatingBook {
  readonly #settings: RatingSettings;
  readonly #unknowns: Kept[] = [];
  readonly #comparisons: Comparison[] = [];
  readonly #placings: Placing[] = [];
  readonly #places = new Map<string, number>();
  readonly #judges = new Map<string, number>();
  #reviewSlope = -1;
  #driftSlope = -1;
  #reviews = 0;
  #reviewed = 0;
  /** The width and the centre of reviews as the last refit found them. */
  #scale: Scale = { width: FIRST_WIDTH, reviewCentre: null };
  #matches = 0;
  /** Entrants since the last match, and how many there were before them. */
  #wave = { before: 0, played: 0 };
  #anchor = { unknowns: 0, comparisons: 0, placings: 0, matches: 0, fitted: true };
  #since: Happening[] = [];
  #applied = 0;
  #posterior: KnownStrengths = Posterior.empty();
  /** A refit that is under way, and the lines that it is about. */
  #refit: { readonly anchor: unknown; readonly steps: Generator<void, Refit> } | null = null;

  /** An empty book. */
  constructor(settings: RatingSettings) {
    this.#settings = settings;
    if (settings.priorWidth > 0) this.#scale = { width: settings.priorWidth, reviewCentre: null };
  }

  /** How many hypotheses entered. */
  get players(): number {
    return this.#places.size;
  }

  /** How many matches were written down; a group of k counts as k − 1. */
  get matches(): number {
    return this.#matches;
  }

  /** The place of a hypothesis in the posterior, or `undefined` before it entered. */
  place(id: string): number | undefined {
    return this.#places.get(id);
  }

  /** The place of a judge's order term, or `undefined` before its first match. */
  term(judge: string): number | undefined {
    return this.#judges.get(judge);
  }

  /** The prior width in use, in logits. */
  get width(): number {
    this.#sync();
    return this.#scale.width;
  }

  /** Lets a hypothesis in; one that is in already is left as it is. */
  enter({ id, parents = [], score = null }: Entrant): void {
    if (this.#places.has(id)) return;
    if (this.#wave.played !== this.#matches) {
      this.#wave = { before: this.#places.size, played: this.#matches };
    }
    const from: Lean[] = [];
    const { parentPrior, reviewPrior } = this.#settings;
    const known = parentPrior === 0 ? [] : parents.flatMap((parent) => this.#places.get(parent) ?? []);
    for (const on of known) from.push({ on, weight: parentPrior / known.length });
    let review: number | undefined;
    if (reviewPrior !== 0) {
      if (score !== null) {
        this.#reviews += score / REVIEW_UNIT;
        this.#reviewed++;
        if (this.#reviewSlope < 0) {
          this.#reviewSlope = this.#add({ mean: reviewPrior, sd: REVIEW_SPREAD, from: [], scaled: false });
        }
      }
      // Without a review of its own it counts as an average one.
      if (this.#reviewed > 0) review = score === null ? this.#reviews / this.#reviewed : score / REVIEW_UNIT;
      if (this.#scale.reviewCentre === null) this.#scale = { ...this.#scale, reviewCentre: review ?? null };
    }
    if (this.#wave.before > 0) {
      if (this.#driftSlope < 0) {
        this.#driftSlope = this.#add({ mean: 0, sd: DRIFT_WIDTH, from: [], scaled: false });
      }
      // A child's strength holds its parents' part of the drift already.
      const own = known.length > 0 ? 1 - parentPrior : 1;
      from.push({ on: this.#driftSlope, weight: own * this.#wave.before / DRIFT_UNIT });
    }
    const sd = known.length > 0 ? Math.sqrt(1 - parentPrior ** 2) : 1;
    this.#places.set(
      id,
      this.#add({ mean: 0, sd, from, scaled: true, ...(review === undefined ? {} : { review }) }),
    );
  }

  /** Writes a verdict down; one on a hypothesis that never entered is left out. */
  record({ firstId, secondId, score, weight, judge }: RatedMatch): void {
    const first = this.#places.get(firstId), second = this.#places.get(secondId);
    if (first === undefined || second === undefined || weight === 0) return;
    const comparison = { first, second, score, weight, term: this.#term(judge) };
    this.#comparisons.push(comparison);
    this.#since.push({ kind: "match", comparison });
    this.#count(1);
  }

  /** Writes a verdict on a group down. */
  recordGroup({ ids, slots, weight, judge }: RatedGroup): void {
    const ranked = ids.flatMap((id) => this.#places.get(id) ?? []);
    if (ranked.length !== ids.length || ranked.length < 2 || weight === 0) return;
    const placing = { ranked, slots, weight, term: this.#term(judge) };
    this.#placings.push(placing);
    this.#since.push({ kind: "group", placing });
    this.#count(ids.length - 1);
  }

  /** What is known now. It is the book's own: copy it before changing it. */
  posterior(): KnownStrengths {
    this.#sync();
    return this.#posterior;
  }

  #term(judge: string | null): number {
    if (judge === null) return -1;
    const known = this.#judges.get(judge);
    if (known !== undefined) return known;
    const place = this.#add({ mean: 0, sd: ORDER_WIDTH, from: [], scaled: false });
    this.#judges.set(judge, place);
    return place;
  }

  #add(unknown: Kept): number {
    this.#unknowns.push(unknown);
    this.#since.push({ kind: "unknown", unknown });
    return this.#unknowns.length - 1;
  }

  #count(matches: number): void {
    this.#matches += matches;
    const due = Math.max(
      1,
      Math.ceil(this.#places.size * REFIT_SHARE),
      Math.ceil(this.#matches * REFIT_GROWTH),
    );
    if (this.#matches - this.#anchor.matches < due) return;
    this.#anchor = {
      unknowns: this.#unknowns.length,
      comparisons: this.#comparisons.length,
      placings: this.#placings.length,
      matches: this.#matches,
      fitted: false,
    };
    this.#since = [];
    this.#applied = 0;
  }

  /**
   * Does a part, of some milliseconds, of what is still to be computed (a refit that is due, and the lines since), and says
   * whether there is more to do: for who must not hold the thread. Whoever asks for the posterior meanwhile gets the rest
   * done at once.
   */
  step(): boolean {
    if (this.#refitStep()) return true;
    // An update moves all covariances that are kept.
    for (let effort = 0; effort < MOST_EFFORT && this.#applied < this.#since.length;) {
      const next = this.#since[this.#applied++];
      if (next === undefined) continue;
      this.#apply(next);
      const updates = next.kind === "group" ? next.placing.ranked.length ** 2 / 2 : 1;
      effort += updates * this.#posterior.kept ** 2;
    }
    return this.#applied < this.#since.length;
  }

  #refitStep(): boolean {
    const anchor = this.#anchor;
    if (anchor.fitted) return false;
    if (this.#refit?.anchor !== anchor) {
      const { unknowns, comparisons, placings, matches } = anchor;
      const steps = refitInSteps({
        unknowns: this.#unknowns.slice(0, unknowns),
        comparisons: this.#comparisons.slice(0, comparisons),
        placings: this.#placings.slice(0, placings),
        matches,
        priorWidth: this.#settings.priorWidth,
        reviewSlope: this.#reviewSlope,
      });
      this.#refit = { anchor, steps };
    }
    const next = this.#refit.steps.next();
    if (next.done !== true) return true;
    const { scale, posterior } = next.value;
    // Where the refit knew of no review, the first one since then is the centre, whenever the refit came to be done.
    this.#scale = { ...scale, reviewCentre: scale.reviewCentre ?? this.#scale.reviewCentre };
    this.#posterior = posterior;
    anchor.fitted = true;
    this.#refit = null;
    return false;
  }

  #sync(): void {
    while (this.#refitStep());
    while (this.#applied < this.#since.length) {
      const next = this.#since[this.#applied++];
      if (next !== undefined) this.#apply(next);
    }
  }

  #apply(next: Happening): void {
    switch (next.kind) {
      case "unknown":
        this.#posterior.enter(scaled(next.unknown, this.#scale, this.#reviewSlope));
        return;
      case "match":
        this.#posterior.observe(next.comparison);
        return;
      case "group":
        for (const comparison of pairsOfPlacing(next.placing)) this.#posterior.observe(comparison);
    }
  }
}
