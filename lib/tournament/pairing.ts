import type { Settings } from "../config/settings.ts";
import type { MatchMode } from "../domain/records.ts";
import type { Rng } from "../domain/rng.ts";
import { closePairs } from "./close_pairs.ts";
import { type Contender, matchMode, type Meetings, showOrder } from "./order.ts";

/** A hypothesis that may be drawn. */
export type PairCandidate = Contender;

/** What the choice of a pair depends on, and nothing else. */
export interface PairingInput {
  /** Who may be drawn. */
  readonly candidates: readonly PairCandidate[];
  /** Valid matches between two so far. */
  met(a: string, b: string): Meetings;
  /** How alike two are, from -1 to 1; 0 when that is unknown. */
  cosine(a: string, b: string): number;
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
export type Bucket = "focus" | "new" | "close" | "random";

/** A pair in the order in which it will be shown. */
export interface ChosenPair {
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** How it is to be judged. */
  readonly mode: MatchMode;
  /** Why this pair. */
  readonly bucket: Bucket;
}

type Pair = readonly [PairCandidate, PairCandidate];

/** How many close pairs are drawn by rating before one is taken by unlikeness. */
const CLOSE_DRAWS = 32;

/** Unlikeness that even twins are given, so that they can be told apart in the end. */
const LEAST_UNLIKENESS = 0.05;

/**
 * The next pair to judge, or `null` when every pair has met `maxMatchesPerPair` times or is being judged.
 *
 * A focus hypothesis goes against its nearest in rating. Otherwise a bucket is drawn in proportion to `pNew`, `pClose`
 * and `pRandom`; a bucket that yields no allowed pair gives way to the next, and at last to `random`, which looks at
 * every pair before it gives up.
 */
export function choosePair(input: PairingInput): ChosenPair | null {
  if (input.candidates.length < 2) return null;
  const rules = new Rules(input);
  for (const bucket of bucketOrder(input)) {
    const pair = draw(bucket, input, rules);
    if (pair === null) continue;
    const [a, b] = pair;
    const [first, second] = showOrder(a, b, input.met(a.id, b.id), input.settings.order, input.rng);
    return { firstId: first.id, secondId: second.id, mode: matchMode(a, b, input.settings), bucket };
  }
  return null;
}

/** Which pairs are allowed, and how many matches each has with those under way. */
export class Rules {
  readonly #input: PairingInput;
  readonly #busy = new Set<string>();
  readonly #underWay = new Map<string, number>();

  /** The rules of one choice. @param input what it depends on */
  constructor(input: PairingInput) {
    this.#input = input;
    for (const [a, b] of input.busy) {
      this.#busy.add(pairKey(a, b));
      this.#underWay.set(a, (this.#underWay.get(a) ?? 0) + 1);
      this.#underWay.set(b, (this.#underWay.get(b) ?? 0) + 1);
    }
  }

  /** Whether the two may meet: they have not met too often, and nobody judges them at the moment. */
  allows(a: PairCandidate, b: PairCandidate): boolean {
    return a.id !== b.id &&
      (this.#busy.size === 0 || !this.#busy.has(pairKey(a.id, b.id))) &&
      this.#input.met(a.id, b.id).total < this.#input.settings.maxMatchesPerPair;
  }

  /** Matches played and under way: side by side, workers spread over the newcomers. */
  matches(candidate: PairCandidate): number {
    return candidate.matches + (this.#underWay.get(candidate.id) ?? 0);
  }
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a}\u0000${b}` : `${b}\u0000${a}`;
}

/** The focus, the drawn bucket, the others that have a weight, and `random` whatever its weight. */
function bucketOrder(input: PairingInput): Bucket[] {
  const { pNew, pClose, pRandom } = input.settings;
  const buckets = ["new", "close", "random"] as const;
  const weights = [pNew, pClose, pRandom];
  const drawn = Math.max(0, input.rng.weighted(weights));
  const order: Bucket[] = input.focus === undefined ? [] : ["focus"];
  for (let step = 0; step < buckets.length; step++) {
    const i = (drawn + step) % buckets.length;
    const bucket = buckets[i];
    if (bucket !== undefined && (weights[i] ?? 0) > 0) order.push(bucket);
  }
  if (!order.includes("random")) order.push("random");
  return order;
}

function draw(bucket: Bucket, input: PairingInput, rules: Rules): Pair | null {
  switch (bucket) {
    case "focus":
      return drawFocus(input, rules);
    case "new":
      return drawNew(input, rules);
    case "close":
      return drawClose(input, rules);
    case "random":
      return drawRandom(input, rules);
  }
}

function drawFocus(input: PairingInput, rules: Rules): Pair | null {
  const focus = input.candidates.find((candidate) => candidate.id === input.focus);
  if (focus === undefined) return null;
  const other = nearestByElo(focus, input.candidates, rules, input.rng);
  return other === null ? null : [focus, other];
}

/** The newcomer with the fewest matches (by lot among equals) against its nearest, a mature one where there is one. */
function drawNew(input: PairingInput, rules: Rules): Pair | null {
  const mature: PairCandidate[] = [], fresh: { candidate: PairCandidate; matches: number }[] = [];
  for (const candidate of input.candidates) {
    const matches = rules.matches(candidate);
    if (matches < input.matureMatches) fresh.push({ candidate, matches });
    else mature.push(candidate);
  }
  const order = input.rng.shuffle(fresh).sort((a, b) => a.matches - b.matches);
  const newcomers = fresh.map(({ candidate }) => candidate);
  for (const { candidate } of order) {
    const other = nearestByElo(candidate, mature, rules, input.rng) ??
      nearestByElo(candidate, newcomers, rules, input.rng);
    if (other !== null) return [candidate, other];
  }
  return null;
}

/**
 * A pair within `closeWindow`, in proportion to exp(−|ΔElo| / closeWindow) · max(1 − cosine, 0.05): pairs are drawn by
 * the first factor, and one of them is taken by the second (sampling and importance resampling), because similarities
 * of all pairs would cost too much.
 */
function drawClose(input: PairingInput, rules: Rules): Pair | null {
  const pairs = closePairs(input.candidates, input.settings.closeWindow, CLOSE_DRAWS, input.rng)
    .filter(([a, b]) => rules.allows(a, b));
  const unlikeness = pairs.map(([a, b]) => Math.max(1 - input.cosine(a.id, b.id), LEAST_UNLIKENESS));
  return pairs[input.rng.weighted(unlikeness)] ?? null;
}

/** A hypothesis by lot, and any that it may meet by lot; the next one by lot where there is none. */
function drawRandom(input: PairingInput, rules: Rules): Pair | null {
  const left = [...input.candidates];
  while (left.length > 1) {
    const i = input.rng.int(left.length);
    const first = left[i], last = left.pop();
    if (first === undefined || last === undefined) return null;
    if (last !== first) left[i] = last;
    // Whoever was tried before has no allowed partner, so it need not be looked at again.
    const partners = left.filter((other) => rules.allows(first, other));
    if (partners.length > 0) return [first, input.rng.pick(partners)];
  }
  return null;
}

/** The allowed one whose rating is nearest, by lot among equally near ones. */
function nearestByElo(
  to: PairCandidate,
  among: readonly PairCandidate[],
  rules: Rules,
  rng: Rng,
): PairCandidate | null {
  let best: PairCandidate[] = [];
  let distance = Infinity;
  for (const other of among) {
    const d = Math.abs(other.elo - to.elo);
    // The comparison comes first, since it is cheaper than the pair's record.
    if (d > distance || !rules.allows(to, other)) continue;
    if (d < distance) best = [];
    best.push(other);
    distance = d;
  }
  return best.length === 0 ? null : rng.pick(best);
}
