import type { Contender, Meetings } from "./order.ts";

/** A hypothesis that may be drawn. */
export type PairCandidate = Contender;

/** Two that may meet. */
export type Pair = readonly [PairCandidate, PairCandidate];

/** What decides which pairs are allowed. */
export interface PairRulesInput {
  /** Valid matches between two so far. */
  met(a: string, b: string): Meetings;
  /** Pairs that are being judged at the moment, in either order. */
  readonly busy: readonly (readonly [string, string])[];
  /** Matches at most between the same two. */
  readonly maxMatchesPerPair: number;
}

/** Which pairs are allowed, and how many matches each has with those under way. */
export class PairRules {
  readonly #input: PairRulesInput;
  readonly #busy = new Set<string>();
  readonly #underWay = new Map<string, number>();

  constructor(input: PairRulesInput) {
    this.#input = input;
    for (const [a, b] of input.busy) this.reserve(a, b);
  }

  /** Takes a pair as being judged from now on. */
  reserve(a: string, b: string): void {
    this.#busy.add(pairKey(a, b));
    this.#underWay.set(a, (this.#underWay.get(a) ?? 0) + 1);
    this.#underWay.set(b, (this.#underWay.get(b) ?? 0) + 1);
  }

  /** Whether the two may meet now. */
  allows(a: PairCandidate, b: PairCandidate): boolean {
    return a.id !== b.id &&
      (this.#busy.size === 0 || !this.#busy.has(pairKey(a.id, b.id))) &&
      this.#input.met(a.id, b.id).total < this.#input.maxMatchesPerPair;
  }

  /** Matches played and under way: side by side, workers spread over the newcomers. */
  matches(candidate: PairCandidate): number {
    return candidate.matches + (this.#underWay.get(candidate.id) ?? 0);
  }
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a}\u0000${b}` : `${b}\u0000${a}`;
}
