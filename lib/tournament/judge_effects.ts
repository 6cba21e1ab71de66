import { fitBradleyTerry } from "./bradley_terry.ts";
import type { SwayedComparison, Unknown } from "./rating_problem.ts";
import { scoreOf } from "./elo.ts";
import type { Judged } from "./judge_looks.ts";
import { Posterior } from "./posterior.ts";
import { NORMAL_95 } from "./share.ts";
import { leanBySkewness } from "./skewness.ts";
import { evidenceWeights, WIDTH_OF_ESTIMATES, widthEvidence } from "./width_evidence.ts";

/** What something adds to the log odds of winning, in logits (0 for nothing, 0.7 doubles the odds), with a 95 % interval. */
export interface Effect {
  /** The most probable value. */
  readonly value: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end of the interval. */
  readonly high: number;
}

/** What moves a judge besides how good the hypotheses are; `null` with a reason in `why` where it can't be said. */
export interface Effects {
  /** What standing first adds. */
  readonly bias: Effect | null;
  /** What being twice as long adds. */
  readonly length: Effect | null;
  /** What being written by a model of the judge's own family adds. */
  readonly self: Effect | null;
  /** Why one of them is missing. */
  readonly why: Readonly<Partial<Record<"bias" | "length" | "self", string>>>;
}

/** What is known of the hypotheses besides the verdicts. */
export interface Texts {
  /** How long the text is that judges read, in characters, by hypothesis. */
  readonly lengths: ReadonlyMap<string, number>;
  /** The model that wrote it, by hypothesis; `null` for a person's and where it isn't known. */
  readonly makers: ReadonlyMap<string, string | null>;
  /** Who makes a model, by model; models of an unknown maker are not in it. */
  readonly families: ReadonlyMap<string, string>;
}

/** Verdicts below which a number is only noise: nothing is warned of, and side effects are not given. */
export const ENOUGH = 10;

/** Standard deviation of each effect before any verdict, in logits: it only keeps what is one-sided from being infinite. */
const EFFECT_WIDTH = 2.5;
/** Widths of the ratings' prior over which is averaged, in logits. */
const WIDTHS = [0.35, 0.5, 0.7, 1, 1.4, 2, 2.8];
/** With more hypotheses than this one width has to do: each costs their number to the third. */
const WEIGHED = 250;
/** With more than this nothing is fitted while a person waits. */
const MOST = 600;
/** Widths of less weight than this are left out. */
const LEAST_WEIGHT = 0.01;
/** Ratios of lengths nearer to 1 than this are no difference, in doublings. */
const SAME_LENGTH = 0.01;

/** A decided verdict with all that may have moved it. */
interface Observation {
  readonly by: number;
  readonly firstId: string;
  readonly secondId: string;
  readonly score: SwayedComparison["score"];
  readonly weight: number;
  /** How many times the first is as long as the second, in doublings. */
  readonly length: number;
  /** 1 where the first alone is of the judge's family, -1 where the second alone is, else 0. */
  readonly self: number;
}

/** Which effects the verdicts of a judge can tell, and why not the others. */
interface Telling {
  readonly length: string | null;
  readonly self: string | null;
}

/** Effects by judge, in the order given, and over all judges together. */
export interface AllEffects {
  /** Each judge's own. */
  readonly byJudge: readonly Effects[];
  /** As if all were one judge. */
  readonly pooled: Effects;
}

/**
 * What moves the judges besides the hypotheses' strength, from one Bradley-Terry fit over all verdicts: the strengths
 * θ are shared by all judges, and each judge has terms of its own,
 *
 *     log odds(first wins) = θ₁ − θ₂ + order + length · log₂(length₁ / length₂) + self · (own₁ − own₂)
 *
 * (order term: Davidson and Beaver 1977; further terms as in the "style control" of public arenas). Ties are left out:
 * what is decided follows these odds whatever the share of ties (Davidson 1970), while a tie counted as two half wins, as
 * ratings count it, would make a judge who ties much look less biased than it is.
 *
 * Before any verdict θ is normal about 0, and each effect normal with a standard deviation of 2.5. Values are posterior
 * means, intervals 1.96 standard deviations to either side. The mode won't do: where each hypothesis has few matches it
 * lies too near to 0 by a tenth or more, as all quasi-likelihood estimates of such models do (Breslow and Lin, Biometrika
 * 82, 1995). So the mean is taken to second order (Lindley 1980; Tierney, Kass and Kadane, JASA 84, 1989) and averaged
 * over widths of θ's prior by their evidence, which also makes the intervals hold what they say.
 *
 * What it can't tell: a text's length and its writer never change, so that they are told from its strength by the prior
 * alone, which takes strength to have nothing to do with them. Where longer texts are really better, a judge who is right
 * looks like one who likes length; and the same for a family that writes better. Judges that differ in this effect over
 * the same hypotheses can't both be right; that is the stronger sign.
 */
export function judgeEffects(judges: readonly Judged[], texts: Texts): AllEffects {
  const seen = judges.map((judged, by) => observationsOf(judged, by, texts));
  const telling = seen.map((own, i) => tellingOf(own, judges.slice(i, i + 1), texts));
  const all = seen.flat();
  if (new Set(all.flatMap(({ firstId, secondId }) => [firstId, secondId])).size > MOST) {
    return { byJudge: judges.map(() => nothing(TOO_MANY)), pooled: nothing(TOO_MANY) };
  }
  const widths = weighWidths(all, telling);
  const together = all.map((each) => ({ ...each, by: 0 }));
  const [pooled] = effectsOf(together, [tellingOf(all, judges, texts)], widths);
  return { byJudge: effectsOf(all, telling, widths), pooled: pooled ?? nothing(NO_VERDICT) };
}

const NO_VERDICT = "no decided verdict yet";
const TOO_MANY = `more than ${MOST} hypotheses: too many to fit while you wait`;

function nothing(why: string): Effects {
  return { bias: null, length: null, self: null, why: { bias: why, length: why, self: why } };
}

function observationsOf({ name, looks }: Judged, by: number, texts: Texts): Observation[] {
  const own = ownFamily(name.judge, texts);
  return looks.flatMap(({ firstId, secondId, verdict, weight }) => {
    const score = scoreOf(verdict);
    if (score === null || score === 0.5) return [];
    const [first, second] = [texts.lengths.get(firstId) ?? 0, texts.lengths.get(secondId) ?? 0];
    const length = first > 0 && second > 0 ? Math.log2(first / second) : 0;
    const [mine, theirs] = [own(firstId), own(secondId)];
    const self = mine === null || theirs === null ? 0 : Number(mine) - Number(theirs);
    return [{ by, firstId, secondId, score, weight, length, self }];
  });
}

/** Whether a hypothesis was written by the judge's own family; `null` where one of the two families isn't known. */
function ownFamily(judge: string | null, { makers, families }: Texts): (id: string) => boolean | null {
  const family = judge === null ? undefined : families.get(judge);
  return (id) => {
    const maker = makers.get(id) ?? null;
    const other = maker === null ? undefined : families.get(maker);
    return family === undefined || other === undefined ? null : other === family;
  };
}

function tellingOf(observations: readonly Observation[], judges: readonly Judged[], texts: Texts): Telling {
  const unequal = observations.filter(({ length }) => Math.abs(length) > SAME_LENGTH).length;
  const mixed = observations.filter(({ self }) => self !== 0).length;
  return {
    length: unequal >= ENOUGH
      ? null
      : `${unequal} of ${ENOUGH} verdicts that it takes on texts of different length`,
    self: mixed >= ENOUGH ? null : whyNoSelf(mixed, judges, texts),
  };
}

function whyNoSelf(mixed: number, judges: readonly Judged[], { makers, families }: Texts): string {
  const known = judges.flatMap(({ name }) => name.judge === null ? [] : families.get(name.judge) ?? []);
  if (known.length === 0) return "who makes the judge is not known";
  const written = new Set(
    [...makers.values()].flatMap((maker) => maker === null ? [] : families.get(maker) ?? []),
  );
  if (written.size === 0) return "no hypothesis was written by a model whose maker is known";
  if (known.every((family) => !written.has(family))) return "no hypothesis was written by its own family";
  if (written.size === 1) return "all hypotheses were written by its own family";
  return `${mixed} of ${ENOUGH} verdicts that it takes on a text of its own family against another's`;
}

/** The problem for {@linkcode fitBradleyTerry}: players first, then the terms of each judge. */
function problemOf(observations: readonly Observation[], telling: readonly Telling[], width: number) {
  const players = new Map<string, number>();
  for (const { firstId, secondId } of observations) {
    for (const id of [firstId, secondId]) if (!players.has(id)) players.set(id, players.size);
  }
  const unknowns: Unknown[] = [...players].map(() => ({ mean: 0, sd: width, from: [] }));
  const term = () => unknowns.push({ mean: 0, sd: EFFECT_WIDTH, from: [] }) - 1;
  const terms = telling.map(({ length, self }) => ({
    order: term(),
    length: length === null ? term() : -1,
    self: self === null ? term() : -1,
  }));
  const comparisons = observations.map((seen): SwayedComparison => {
    const { order, length, self } = terms[seen.by] ?? { order: -1, length: -1, self: -1 };
    return {
      first: players.get(seen.firstId) ?? -1,
      second: players.get(seen.secondId) ?? -1,
      score: seen.score,
      weight: seen.weight,
      term: order,
      also: [
        ...(length >= 0 && seen.length !== 0 ? [{ on: length, weight: seen.length }] : []),
        ...(self >= 0 && seen.self !== 0 ? [{ on: self, weight: seen.self }] : []),
      ],
    };
  });
  return { players: players.size, terms, problem: { unknowns, comparisons } };
}

/** A width of the ratings' prior with how much it counts; the weights sum to 1. */
interface Width {
  readonly width: number;
  readonly weight: number;
}

/** Widths by their evidence, with a log-normal prior about 1. */
function weighWidths(observations: readonly Observation[], telling: readonly Telling[]): Width[] {
  const { players } = problemOf(observations, telling, 1);
  if (players === 0 || players > WEIGHED) return [{ width: 1, weight: 1 }];
  let start: Float64Array | undefined;
  const tried = WIDTHS.map((width) => {
    // The next width's mode is near this one's.
    const fit = fitBradleyTerry(problemOf(observations, telling, width).problem, start);
    start = fit.x;
    return { width, evidence: widthEvidence(width, fit, WIDTH_OF_ESTIMATES) };
  });
  const weights = evidenceWeights(tried.map(({ evidence }) => evidence));
  const kept = tried.map(({ width }, i) => ({ width, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight >= LEAST_WEIGHT);
  const left = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ width, weight }) => ({ width, weight: weight / left }));
}

function effectsOf(
  observations: readonly Observation[],
  telling: readonly Telling[],
  widths: readonly Width[],
): Effects[] {
  if (observations.length === 0) return telling.map(() => nothing(NO_VERDICT));
  const { terms } = problemOf(observations, telling, 1);
  const fits = widths.map(({ width, weight }) => ({
    weight,
    ...momentsOf(problemOf(observations, telling, width).problem),
  }));
  return telling.map((why, by): Effects => {
    if (!observations.some((seen) => seen.by === by)) return nothing(NO_VERDICT);
    const places = terms[by];
    const effect = (place: number | undefined) =>
      place === undefined || place < 0 ? null : averaged(fits.map(({ weight, mean, variance }) => ({
        weight,
        mean: mean[place] ?? NaN,
        variance: variance[place] ?? NaN,
      })));
    return {
      bias: effect(places?.order),
      length: effect(places?.length),
      self: effect(places?.self),
      why: {
        ...(why.length === null ? {} : { length: why.length }),
        ...(why.self === null ? {} : { self: why.self }),
      },
    };
  });
}

/** Posterior means, not the most probable values, and variances of all unknowns. */
function momentsOf({ unknowns, comparisons }: ReturnType<typeof problemOf>["problem"]) {
  const posterior = Posterior.of(fitBradleyTerry({ unknowns, comparisons }));
  leanBySkewness(posterior, comparisons);
  return {
    mean: unknowns.map((_, i) => posterior.average(i)),
    variance: unknowns.map((_, i) => posterior.variance(i)),
  };
}

/** A mixture of normal distributions as one with the same mean and variance. */
function averaged(parts: readonly { weight: number; mean: number; variance: number }[]): Effect {
  const value = parts.reduce((sum, { weight, mean }) => sum + weight * mean, 0);
  const variance = parts.reduce(
    (sum, part) => sum + part.weight * (part.variance + (part.mean - value) ** 2),
    0,
  );
  const reach = NORMAL_95 * Math.sqrt(variance);
  return { value, low: value - reach, high: value + reach };
}
