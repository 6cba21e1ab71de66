import type { Settings } from "../config/settings.ts";
import type { Rng } from "../domain/rng.ts";
import { closePairs } from "./close_pairs.ts";
import { nearest } from "./nearest.ts";
import { pairAtRandom } from "./pair_at_random.ts";
import type { Pair, PairCandidate, PairRules } from "./pair_rules.ts";

/** The seed's reasons to draw a pair. */
export type Bucket = "new" | "close" | "random";

/** What the draw depends on. */
export interface BucketsInput {
  /** Who may be drawn. */
  readonly candidates: readonly PairCandidate[];
  /** How alike two are, from -1 to 1; 0 when that is unknown. */
  cosine(a: string, b: string): number;
  /** The weights of the buckets, and how near is near. */
  readonly settings: Pick<Settings["ranking"], "pNew" | "pClose" | "pRandom" | "closeWindow">;
  /** Matches from which a hypothesis is no newcomer. */
  readonly matureMatches: number;
  /** Chance, for this choice alone. */
  readonly rng: Rng;
}

/** How many close pairs are drawn by rating before one is taken by unlikeness. */
const CLOSE_DRAWS = 32;

/** Unlikeness that even twins are given, so that they can be told apart in the end. */
const LEAST_UNLIKENESS = 0.05;

/**
 * A pair by the seed's three buckets: a newcomer and its nearest, two of near rating that are unlike, any two. A bucket is
 * drawn in proportion to `pNew`, `pClose` and `pRandom`; one that yields no allowed pair gives way to the next, and at last
 * to `random`, which looks at every pair before it gives up. All pairs can be drawn, and none more often than allowed.
 */
export function pairByBuckets(input: BucketsInput, rules: PairRules): { pair: Pair; bucket: Bucket } | null {
  for (const bucket of bucketOrder(input)) {
    const pair = draw(bucket, input, rules);
    if (pair !== null) return { pair, bucket };
  }
  return null;
}

/** The drawn bucket, the others that have a weight, and `random` whatever its weight. */
function bucketOrder({ settings: { pNew, pClose, pRandom }, rng }: BucketsInput): Bucket[] {
  const buckets = ["new", "close", "random"] as const;
  const weights = [pNew, pClose, pRandom];
  const drawn = Math.max(0, rng.weighted(weights));
  const order: Bucket[] = [];
  for (let step = 0; step < buckets.length; step++) {
    const i = (drawn + step) % buckets.length;
    const bucket = buckets[i];
    if (bucket !== undefined && (weights[i] ?? 0) > 0) order.push(bucket);
  }
  if (!order.includes("random")) order.push("random");
  return order;
}

function draw(bucket: Bucket, input: BucketsInput, rules: PairRules): Pair | null {
  switch (bucket) {
    case "new":
      return drawNew(input, rules);
    case "close":
      return drawClose(input, rules);
    case "random":
      return pairAtRandom(input.candidates, rules, input.rng);
  }
}

/** The newcomer with the fewest matches (by lot among equals) against its nearest, a mature one where there is one. */
function drawNew(input: BucketsInput, rules: PairRules): Pair | null {
  const mature: PairCandidate[] = [], fresh: { candidate: PairCandidate; matches: number }[] = [];
  for (const candidate of input.candidates) {
    const matches = rules.matches(candidate);
    if (matches < input.matureMatches) fresh.push({ candidate, matches });
    else mature.push(candidate);
  }
  const order = input.rng.shuffle(fresh).sort((a, b) => a.matches - b.matches);
  const newcomers = fresh.map(({ candidate }) => candidate);
  for (const { candidate } of order) {
    const other = nearest(candidate, mature, rules, input.rng) ??
      nearest(candidate, newcomers, rules, input.rng);
    if (other !== null) return [candidate, other];
  }
  return null;
}

/**
 * A pair within `closeWindow`, in proportion to exp(−|ΔElo| / closeWindow) · max(1 − cosine, 0.05): pairs are drawn by
 * the first factor, and one of them is taken by the second (sampling and importance resampling), because similarities
 * of all pairs would cost too much.
 */
function drawClose(input: BucketsInput, rules: PairRules): Pair | null {
  const pairs = closePairs(input.candidates, input.settings.closeWindow, CLOSE_DRAWS, input.rng)
    .filter(([a, b]) => rules.allows(a, b));
  const unlikeness = pairs.map(([a, b]) => Math.max(1 - input.cosine(a.id, b.id), LEAST_UNLIKENESS));
  return pairs[input.rng.weighted(unlikeness)] ?? null;
}
