import { readFileSync } from "node:fs";
import { hashOf, mulberry32, shuffle } from "./chance.ts";
import type { World } from "./oracle.ts";
import type { Score } from "./policy.ts";
import { mapScores, type Verdict } from "./reference_posterior.ts";
import { numberIn, rowsOf } from "./table_file.ts";

/** Votes on one pair, as scores of the lower-numbered. */
interface PairVotes {
  readonly low: number;
  readonly high: number;
  readonly votes: readonly Score[];
}

/** A pool whose pairs people have judged. */
export interface VotePool {
  /** Its name in the file. */
  readonly name: string;
  /** Its number in the file. */
  readonly number: number;
  /** How many are in it. */
  readonly size: number;
  /** Votes, a row a pair. */
  readonly pairs: readonly PairVotes[];
}

/** Votes of each pair that define the truth; the others judge. */
const TRUTH_VOTES = 2;

/** Seed of the replays. */
const SEED = 20250102;

const TAGS = { pair: 11, policy: 12 } as const;

/** The pools of a file of votes: `pool, a, b, win_a, win_b, equal`. */
export function readVotePools(path: string): VotePool[] {
  const pools = new Map<string, PairVotes[]>();
  for (const row of rowsOf(readFileSync(path, "utf8"), ["pool", "a", "b", "win_a", "win_b", "equal"])) {
    const a = numberIn(row, "a"), b = numberIn(row, "b");
    const votes = [
      ...new Array<Score>(numberIn(row, "win_a")).fill(a < b ? 1 : 0),
      ...new Array<Score>(numberIn(row, "win_b")).fill(a < b ? 0 : 1),
      ...new Array<Score>(numberIn(row, "equal")).fill(0.5),
    ];
    const name = row["pool"] ?? "", pairs = pools.get(name) ?? [];
    pairs.push({ low: Math.min(a, b), high: Math.max(a, b), votes });
    pools.set(name, pairs);
  }
  return Array.from(pools, ([name, pairs], number) => ({
    name,
    number,
    size: 1 + Math.max(...pairs.map(({ high }) => high)),
    pairs,
  }));
}

/**
 * A replay of a pool: two votes of each pair, drawn at random, make the truth (MAP of Bradley and Terry's model, s0 = 1,
 * ties half); the others answer in a random order, each once, and from the first again when all were asked. The order
 * shown plays no part, since it wasn't recorded.
 */
export function voteWorld(pool: VotePool, replay: number): World {
  const { size, number } = pool;
  const answers: (readonly Score[] | undefined)[] = [];
  const held: Verdict[] = [];
  for (const { low, high, votes } of pool.pairs) {
    const mixed = shuffle([...votes], mulberry32(hashOf(TAGS.pair, SEED, number, replay, low, high)));
    const cut = Math.min(TRUTH_VOTES, mixed.length - 1);
    for (const score of mixed.slice(0, cut)) held.push({ first: low, second: high, score });
    answers[low * size + high] = mixed.slice(cut);
  }
  const truth = mapScores(size, held, 1);
  return {
    policySeed: hashOf(TAGS.policy, SEED, number, replay),
    truth,
    unit: deviation(truth),
    arrivals: [{ atCall: 0, count: size }],
    verdict: (first, second, repeat) => {
      const low = Math.min(first, second);
      const votes = answers[low * size + Math.max(first, second)] ?? [];
      const score = votes[repeat % Math.max(1, votes.length)] ?? 0.5;
      return first === low ? score : opposite(score);
    },
  };
}

/** The same verdict seen from the other side. */
export function opposite(score: Score): Score {
  switch (score) {
    case 0:
      return 1;
    case 0.5:
      return 0.5;
    case 1:
      return 0;
  }
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1));
}
