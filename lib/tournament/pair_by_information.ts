import type { Belief } from "../domain/ratings.ts";
import type { Rng } from "../domain/rng.ts";
import { expectedInformation } from "./information.ts";
import { normalBelow } from "./normal.ts";
import type { Pair, PairCandidate, PairRules } from "./pair_rules.ts";
import { boundary } from "./top_k.ts";

/** What the choice depends on. */
export interface InformationInput {
  /** Who may be drawn, with its place in the belief. */
  readonly candidates: readonly { readonly candidate: PairCandidate; readonly place: number }[];
  /** What is known of strengths. Pairs under way are taken into it already. */
  readonly belief: Belief;
  /** How many of the best are looked for. */
  readonly topK: number;
  /** From 0, only who is among the best counts, to 1, the whole order counts. */
  readonly wholeOrder: number;
  /** A hypothesis that must be one side, if it can be. */
  readonly focus?: string;
  /** Chance, for equally good pairs. */
  readonly rng: Rng;
}

/** Whom pairs are sought among at most: those of whom information is worth most. */
const MOST_SOUGHT = 240;
/** Pairs whose values are nearer than this, in proportion, are equally good. */
const EQUAL = 1e-3;

/**
 * The pair of which a verdict is expected to tell most of what is asked: the information about their gap, times what it
 * is worth to know more of the two. Knowing more of one is worth 4·q·(1 − q) for the best k, q the chance that it is
 * above the boundary between the k-th and the next. `null` when no pair is allowed.
 */
export function pairByInformation(input: InformationInput, rules: PairRules): Pair | null {
  const { rng, focus } = input;
  // Those of most worth come first, so that the best pair is met early and the rest can be passed over.
  const field = soughtIn(input).sort((a, b) => b.worth - a.worth);
  const most = mostInformation(field), worthiest = field[0]?.worth ?? 0;
  const pairs: { value: number; pair: Pair }[] = [];
  let best = 0;
  for (const [i, a] of field.entries()) {
    if (focus === undefined && most * (a.worth + worthiest) < best) break;
    for (let j = 0; j < i; j++) {
      const b = field[j];
      if (b === undefined || (focus !== undefined && a.candidate.id !== focus && b.candidate.id !== focus)) {
        continue;
      }
      const value = valueOf(input.belief, a, b);
      if (value < best * (1 - EQUAL) || !rules.allows(a.candidate, b.candidate)) continue;
      best = Math.max(best, value);
      pairs.push({ value, pair: [a.candidate, b.candidate] });
    }
  }
  const equal = pairs.filter(({ value }) => value >= best * (1 - EQUAL));
  return equal.length === 0 ? null : rng.pick(equal).pair;
}

/**
 * Who is judged together with those chosen already: the one whose pairs with all of them are worth most together. `null`
 * when nobody may meet all of them.
 */
export function joinByInformation(
  input: InformationInput,
  chosen: readonly PairCandidate[],
  rules: PairRules,
): PairCandidate | null {
  const ids = new Set(chosen.map(({ id }) => id));
  const field = withWorth(input);
  const members = field.filter(({ candidate }) => ids.has(candidate.id));
  let best: PairCandidate | null = null, most = -1;
  for (const other of field) {
    if (ids.has(other.candidate.id) || !chosen.every((one) => rules.allows(one, other.candidate))) continue;
    const value = members.reduce((sum, one) => sum + valueOf(input.belief, one, other), 0);
    if (value > most) {
      best = other.candidate;
      most = value;
    }
  }
  return best;
}

interface Sought {
  readonly candidate: PairCandidate;
  readonly place: number;
  readonly mean: number;
  readonly variance: number;
  readonly worth: number;
}

function valueOf(belief: Belief, a: Sought, b: Sought): number {
  const variance = a.variance + b.variance - 2 * belief.covariance(a.place, b.place);
  return expectedInformation(a.mean - b.mean, variance) * (a.worth + b.worth);
}

/** More information than any pair of these can give: as if the two least known had nothing in common and no gap. */
function mostInformation(field: readonly Sought[]): number {
  const widest = field.reduce((most, { variance }) => Math.max(most, variance), 0);
  return expectedInformation(0, 4 * widest);
}

/** Those among whom a pair is sought: of many, those of whom information is worth most; a focus whatever it is worth. */
function soughtIn(input: InformationInput): Sought[] {
  const field = withWorth(input);
  if (field.length <= MOST_SOUGHT) return field;
  const first = ({ candidate }: Sought) => Number(candidate.id === input.focus);
  return field.sort((a, b) => first(b) - first(a) || b.worth - a.worth).slice(0, MOST_SOUGHT);
}

function withWorth({ candidates, belief, topK, wholeOrder }: InformationInput): Sought[] {
  const { cut } = boundary(belief, candidates.map(({ place }) => place), topK);
  return candidates.map(({ candidate, place }) => {
    const mean = belief.mean(place), variance = belief.variance(place);
    const q = normalBelow((mean - cut) / Math.sqrt(variance));
    return { candidate, place, mean, variance, worth: wholeOrder / 2 + (1 - wholeOrder) * 4 * q * (1 - q) };
  });
}
