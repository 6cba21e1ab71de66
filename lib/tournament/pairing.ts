import type { Settings } from "../config/settings.ts";
import type { Belief, Ratings } from "../domain/ratings.ts";
import type { MatchMode } from "../domain/records.ts";
import type { Rng } from "../domain/rng.ts";
import { nearest } from "./nearest.ts";
import { type Contender, matchMode, type Meetings, showOrder } from "./order.ts";
import { pairAtRandom } from "./pair_at_random.ts";
import { type Bucket, pairByBuckets } from "./pair_by_buckets.ts";
import { type InformationInput, pairByInformation } from "./pair_by_information.ts";
import { pairBySwiss } from "./pair_by_swiss.ts";
import { type Pair, type PairCandidate, PairRules } from "./pair_rules.ts";

/** What the choice of pairs depends on, and nothing else. */
export interface PairingInput {
  /** Who may be drawn. */
  readonly candidates: readonly PairCandidate[];
  /** Valid matches between two so far. */
  met(a: string, b: string): Meetings;
  /** How alike two are, from -1 to 1; 0 when that is unknown. */
  cosine(a: string, b: string): number;
  /** What is known of strengths. */
  readonly ratings: Pick<Ratings, "place" | "belief">;
  /** Pairs that are being judged at the moment, in either order. */
  readonly busy: readonly (readonly [string, string])[];
  /** A hypothesis that must be one side, if it can be. */
  readonly focus?: string;
  /** The settings of ranking. */
  readonly settings: Settings["ranking"];
  /** Matches from which a hypothesis is no newcomer. */
  readonly matureMatches: number;
  /** Chance, for this choice alone. */
  readonly rng: Rng;
}

/** Why a pair was drawn. */
export type PairReason = "focus" | Bucket | "information" | "swiss" | "asked";

/** A pair in the order in which it will be shown. */
export interface ChosenPair {
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** How it is to be judged. */
  readonly mode: MatchMode;
  /** Why this pair. */
  readonly bucket: PairReason;
}

/**
 * The next pair to judge, or `null` when every pair has met `maxMatchesPerPair` times or is being judged. A pure
 * function.
 */
export function choosePair(input: PairingInput): ChosenPair | null {
  return choosePairs(input, 1)[0] ?? null;
}

/**
 * Up to `count` pairs to be judged side by side, by `ranking.pairing`: each is chosen as if those before it, and those
 * under way, had been judged without their verdicts being known. Fewer when no more are allowed.
 */
export function choosePairs(input: PairingInput, count: number): ChosenPair[] {
  const { met, settings, rng } = input;
  const rules = new PairRules({ met, busy: input.busy, maxMatchesPerPair: settings.maxMatchesPerPair });
  const draw = drawer(input, rules);
  const chosen: ChosenPair[] = [];
  while (chosen.length < count && input.candidates.length > 1) {
    const drawn = draw();
    if (drawn === null) break;
    const [a, b] = drawn.pair;
    rules.reserve(a.id, b.id);
    const [first, second] = showOrder(a, b, met(a.id, b.id), settings.order, rng);
    chosen.push({
      firstId: first.id,
      secondId: second.id,
      mode: matchMode(a, b, settings),
      bucket: drawn.bucket,
    });
  }
  return chosen;
}

/** A pair that a person asked for, with its order and the way to judge it as for any other. */
export function askedPair(
  a: Contender,
  b: Contender,
  { met, settings, rng }: Pick<PairingInput, "met" | "settings" | "rng">,
): ChosenPair {
  const [first, second] = showOrder(a, b, met(a.id, b.id), settings.order, rng);
  return { firstId: first.id, secondId: second.id, mode: matchMode(a, b, settings), bucket: "asked" };
}

type Drawer = () => { readonly pair: Pair; readonly bucket: PairReason } | null;

/** The way to draw that the settings ask for; a focus goes first where there is one. */
function drawer(input: PairingInput, rules: PairRules): Drawer {
  const { candidates, settings, rng } = input;
  switch (settings.pairing) {
    case "information":
      return byInformation(input, rules);
    case "buckets":
      return focused(input, rules, () => pairByBuckets(input, rules));
    case "swiss": {
      const strength = strengthOf(input);
      return focused(input, rules, () => {
        const pair = pairBySwiss(candidates, strength, (a, b) => input.met(a, b).total, rules, rng);
        return pair === null ? null : { pair, bucket: "swiss" };
      });
    }
    case "random":
      return focused(input, rules, () => {
        const pair = pairAtRandom(candidates, rules, rng);
        return pair === null ? null : { pair, bucket: "random" };
      });
  }
}

/** A focus against its nearest, as long as there is one to meet; then as usual. */
function focused({ candidates, focus, rng }: PairingInput, rules: PairRules, usual: Drawer): Drawer {
  const subject = candidates.find((candidate) => candidate.id === focus);
  if (subject === undefined) return usual;
  return () => {
    const other = nearest(subject, candidates, rules, rng);
    return other === null ? usual() : { pair: [subject, other], bucket: "focus" };
  };
}

function byInformation(input: PairingInput, rules: PairRules): Drawer {
  const question = informationInput(input);
  if (question === null) return focused(input, rules, () => pairByBuckets(input, rules));
  const { focus } = input;
  return () => {
    const aimed = focus === undefined ? null : pairByInformation({ ...question, focus }, rules);
    const pair = aimed ?? pairByInformation(question, rules);
    if (pair === null) return null;
    expect(input, question.belief, pair[0].id, pair[1].id);
    return { pair, bucket: aimed === null ? "information" : "focus" };
  };
}

/**
 * What information is asked about, with all pairs under way taken as judged; `null` where less than two candidates are
 * rated.
 */
export function informationInput(input: PairingInput): InformationInput | null {
  const { candidates, ratings, settings: { topK, wholeOrder }, busy, rng } = input;
  const known = candidates.flatMap((candidate) => {
    const place = ratings.place(candidate.id);
    return place === undefined ? [] : [{ candidate, place }];
  });
  if (known.length < 2) return null;
  // The ratings' own belief is not to be narrowed by what is only expected.
  const belief = ratings.belief().copy();
  for (const [a, b] of busy) expect(input, belief, a, b);
  return { candidates: known, belief, topK, wholeOrder, rng };
}

/** Narrows a belief as a verdict on these two would. */
export function expect(
  { ratings }: Pick<PairingInput, "ratings">,
  belief: Belief,
  a: string,
  b: string,
): void {
  const first = ratings.place(a), second = ratings.place(b);
  if (first !== undefined && second !== undefined) belief.expect(first, second);
}

/** What orders the field: the rating that orders the leaderboard. */
function strengthOf({ ratings, settings }: PairingInput): (candidate: PairCandidate) => number {
  if (settings.rating === "elo") return (candidate) => candidate.elo;
  const belief = ratings.belief();
  return ({ id }) => {
    const place = ratings.place(id);
    return place === undefined ? 0 : belief.mean(place);
  };
}
