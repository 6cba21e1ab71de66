import { type Fit, fitBradleyTerry } from "./bradley_terry.ts";
import { Posterior } from "./posterior.ts";
import type { Comparison, Placing, Unknown } from "./rating_problem.ts";
import { leanBySkewness } from "./skewness.ts";
import { evidenceWeights, WIDTH_OF_CHANCES, WIDTH_OF_ESTIMATES, widthEvidence } from "./width_evidence.ts";
import { fitWideInSteps, type WideFit } from "./wide_fit.ts";
import { WidePosterior } from "./wide_posterior.ts";

/** What is known of the strengths: all covariances of a pool of hundreds, those that matter of a pool of thousands. */
export type KnownStrengths = Posterior | WidePosterior;

/** An unknown as it is written down: a hypothesis's width is a multiple of one that is found by the evidence. */
export interface Kept extends Unknown {
  /** Whether its `sd` is such a multiple. */
  readonly scaled: boolean;
  /** Its review's score in units, where reviews count. */
  readonly review?: number;
}

/** What all hypotheses' priors share. */
export interface Scale {
  /** The width of strengths, in logits. */
  readonly width: number;
  /** The mean review: strength 0 stands for it. `null` before the first. */
  readonly reviewCentre: number | null;
}

/** What a refit is made from. */
export interface RefitInput {
  /** The unknowns, in order. */
  readonly unknowns: readonly Kept[];
  /** Judged pairs. */
  readonly comparisons: readonly Comparison[];
  /** Judged groups. */
  readonly placings: readonly Placing[];
  /** How many matches these are. */
  readonly matches: number;
  /** The width of strengths; 0 finds it by the evidence. */
  readonly priorWidth: number;
  /** The place of the slope of reviews, or -1. */
  readonly reviewSlope: number;
}

/** What a refit gives. */
export interface Refit {
  /** What all priors share from now on. */
  readonly scale: Scale;
  /** What is known. */
  readonly posterior: KnownStrengths;
}

/** The width until there are as many matches as hypotheses. */
export const FIRST_WIDTH = 1;
/** Widths among which the evidence chooses, in logits. */
const WIDTHS = [0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4];
/** Widths whose logarithm of evidence lies so far below the best one's count for nothing. */
const IMPROBABLE = 3;
/** Unknowns up to which all covariances are kept. */
const MOST_DENSE = 160;
/** Hypotheses whose covariances are kept beyond that. */
const MOST_LEADING = 160;
/** Rounds in which the width of a large pool is found. */
const WIDTH_ROUNDS = 3;

/** An unknown's prior under a scale. */
export function scaled({ mean, sd, from, scaled, review }: Kept, scale: Scale, reviewSlope: number): Unknown {
  if (!scaled) return { mean, sd, from };
  const lean = review === undefined
    ? from
    : [...from, { on: reviewSlope, weight: review - (scale.reviewCentre ?? review) }];
  return { mean, sd: sd * scale.width, from: lean };
}

/**
 * Rates everybody anew, from the prior, in steps of some milliseconds: whoever runs them may do other things between. The
 * width is found by the evidence once there is a match for each hypothesis.
 */
export function* refitInSteps(input: RefitInput): Generator<void, Refit> {
  const { unknowns, matches, priorWidth } = input;
  const reviews = unknowns.flatMap(({ review }) => review ?? []);
  const reviewCentre = reviews.length === 0
    ? null
    : reviews.reduce((sum, units) => sum + units, 0) / reviews.length;
  const places = unknowns.flatMap(({ scaled }, place) => (scaled ? [place] : []));
  const fixed = priorWidth > 0 ? priorWidth : matches < places.length ? FIRST_WIDTH : null;
  const at = { ...input, reviewCentre, places, fixed };
  const refit = unknowns.length > MOST_DENSE ? yield* wide(at) : yield* dense(at);
  yield;
  leanBySkewness(refit.posterior, [...input.comparisons, ...input.placings.flatMap(pairsOfPlacing)]);
  return refit;
}

interface Occasion extends RefitInput {
  readonly reviewCentre: number | null;
  /** Places of the hypotheses. */
  readonly places: readonly number[];
  /** The width, where it is not to be found. */
  readonly fixed: number | null;
}

function problemAt({ unknowns, comparisons, placings, reviewCentre, reviewSlope }: Occasion, width: number) {
  const scale = { width, reviewCentre };
  return { unknowns: unknowns.map((unknown) => scaled(unknown, scale, reviewSlope)), comparisons, placings };
}

/**
 * The width of the highest evidence, sought from the first one outwards, for the estimates; and about it, for the chances,
 * all that is not improbable: how far strengths lie apart is not known either.
 */
function* dense(input: Occasion): Generator<void, Refit> {
  const { fixed, reviewCentre } = input;
  const fitAt = (width: number, start?: Float64Array) => {
    const fit = fitBradleyTerry(problemAt(input, width), start);
    return {
      width,
      fit,
      value: widthEvidence(width, fit, WIDTH_OF_ESTIMATES),
      chance: widthEvidence(width, fit, WIDTH_OF_CHANCES),
    };
  };
  let best = fitAt(fixed ?? FIRST_WIDTH);
  const tries = [best];
  yield;
  if (fixed === null) {
    const start = best;
    let most = best.chance;
    for (const direction of [1, -1]) {
      let last: Fit = start.fit;
      for (let i = WIDTHS.indexOf(FIRST_WIDTH) + direction; i >= 0 && i < WIDTHS.length; i += direction) {
        const tried = fitAt(WIDTHS[i] ?? FIRST_WIDTH, last.x);
        last = tried.fit;
        tries.push(tried);
        yield;
        if (tried.value > best.value) best = tried;
        most = Math.max(most, tried.chance);
        if (tried.value < best.value - IMPROBABLE && tried.chance < most - IMPROBABLE) break;
      }
    }
  }
  const posterior = Posterior.of(best.fit);
  // Other widths are possible too, in which all gaps are wider or narrower.
  const weights = evidenceWeights(tries.map(({ chance }) => chance));
  posterior.widen(
    tries.flatMap(({ fit }, i) => fit === best.fit ? [] : [{ x: fit.x, weight: weights[i] ?? 0 }]),
  );
  return { scale: { width: best.width, reviewCentre }, posterior };
}

/**
 * A refit of thousands: the width by expectation and maximisation (Dempster, Laird and Rubin, 1977), since the evidence
 * would need the curvature's determinant; covariances of those that may be among the best, and of what all share.
 */
function* wide(input: Occasion): Generator<void, Refit> {
  const { unknowns, places, fixed, reviewCentre, reviewSlope } = input;
  let width = fixed ?? FIRST_WIDTH;
  let fit = yield* fitWideInSteps(problemAt(input, width));
  for (let round = 0; fixed === null && round < WIDTH_ROUNDS; round++) {
    const unit = { width: 1, reviewCentre };
    const sum = places.reduce((total, place) => {
      const unknown = unknowns[place];
      if (unknown === undefined) return total;
      const { mean, from, sd } = scaled(unknown, unit, reviewSlope);
      const off = from.reduce(
        (left, { on, weight }) => left - weight * (fit.x[on] ?? 0),
        (fit.x[place] ?? 0) - mean,
      );
      return total + (off ** 2 + 1 / (fit.diagonal[place] ?? 1)) / sd ** 2;
    }, 0);
    width = Math.sqrt(sum / places.length);
    fit = yield* fitWideInSteps(problemAt(input, width), fit.x);
  }
  yield;
  const shared = unknowns.flatMap(({ scaled }, place) => (scaled ? [] : [place]));
  return {
    scale: { width, reviewCentre },
    posterior: WidePosterior.of(fit, [...shared, ...leading(fit, places)]),
  };
}

/** Those of the places that may be among the best: the highest by mean and one standard deviation. */
function leading({ x, diagonal }: WideFit, places: readonly number[]): number[] {
  const reach = (place: number) => (x[place] ?? 0) + 1 / Math.sqrt(diagonal[place] ?? 1);
  return places.toSorted((a, b) => reach(b) - reach(a) || a - b).slice(0, MOST_LEADING);
}

/** A ranking as all its pairs, which together weigh as much as the ranking's choices. */
export function pairsOfPlacing({ ranked, slots, weight, term }: Placing): Comparison[] {
  const each = weight * 2 / ranked.length;
  const places = ranked.map((on, rank) => ({ on, rank, slot: slots[rank] ?? rank }));
  places.sort((a, b) => a.slot - b.slot);
  return places.flatMap((first, i) =>
    places.slice(i + 1).map((second): Comparison => ({
      first: first.on,
      second: second.on,
      score: first.rank < second.rank ? 1 : 0,
      weight: each,
      term,
    }))
  );
}
