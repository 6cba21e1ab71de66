import { DEFAULT_SETTINGS } from "../../../lib/config/settings.ts";
import { eloDelta, kFactor } from "../../../lib/tournament/elo.ts";
import { mulberry32, type Stream } from "./chance.ts";
import { bestFirst } from "./metrics.ts";
import { ours } from "./ours.ts";
import { PairCounts } from "./pair_counts.ts";
import type { Player, Policy, PoolNotice, Score, ShownPair } from "./policy.ts";
import { ReferencePosterior } from "./reference_posterior.ts";

/** Matches between the same two at most. */
const MOST_PER_PAIR = 2;

/** How a baseline turns verdicts into scores. */
interface Rating {
  /** Newcomers. */
  grow(count: number): void;
  /** A verdict; `matches`: what each had played before. */
  tell(first: number, second: number, score: Score, matches: readonly [number, number]): void;
  /** The scores as pairing sees them. */
  current(): Float64Array;
  /** The scores to rank by. */
  final(): Float64Array;
}

/** The project's Elo with its usual settings: 1200, K = 32 for the first five matches of the less-played, then 16. */
class EloRating implements Rating {
  #elo: Float64Array = new Float64Array(0);

  grow(count: number): void {
    const elo = new Float64Array(this.#elo.length + count).fill(DEFAULT_SETTINGS.ranking.eloInitial);
    elo.set(this.#elo);
    this.#elo = elo;
  }

  tell(first: number, second: number, score: Score, [a, b]: readonly [number, number]): void {
    const delta = eloDelta({
      first: this.#elo[first] ?? NaN,
      second: this.#elo[second] ?? NaN,
      score,
      k: kFactor(a, b, DEFAULT_SETTINGS.ranking),
      weight: 1,
    });
    this.#elo[first] = (this.#elo[first] ?? NaN) + delta;
    this.#elo[second] = (this.#elo[second] ?? NaN) - delta;
  }

  current(): Float64Array {
    return this.#elo;
  }

  final(): Float64Array {
    return this.#elo;
  }
}

/** The reference's Bradley–Terry posterior. */
class PosteriorRating implements Rating {
  readonly #posterior = new ReferencePosterior({ s0: 1, order: true });

  grow(count: number): void {
    this.#posterior.grow(count);
  }

  tell(first: number, second: number, score: Score): void {
    this.#posterior.add({ first, second, score });
  }

  current(): Float64Array {
    return this.#posterior.scores();
  }

  final(): Float64Array {
    this.#posterior.fit();
    return this.#posterior.scores();
  }
}

/** What a baseline's pairing sees. */
interface Table {
  readonly counts: PairCounts;
  readonly chance: Stream;
  scores(): Float64Array;
}

/** How a baseline chooses; one pair at a time. */
interface Pairing {
  /** The pool has grown. */
  arrive(table: Table): void;
  /** The next pair. */
  choose(table: Table): readonly [number, number];
}

function allowed({ counts }: Table, a: number, b: number): boolean {
  return a !== b && counts.met(a, b) < MOST_PER_PAIR;
}

/** Two by lot that may still meet; any two when none is found. */
function byLot(table: Table): readonly [number, number] {
  const { chance, counts: { size } } = table;
  for (let t = 0; t < 1000; t++) {
    const a = chance.int(size), b = chance.int(size);
    if (allowed(table, a, b)) return [a, b];
  }
  const a = chance.int(size);
  return [a, (a + 1 + chance.int(size - 1)) % size];
}

/**
 * The reference's reading of a tournament in three buckets (its section 5, policy b): a third of the pairs one of the
 * least-played against its nearest in rating, a third neighbours in an embedding that has nothing to do with quality, a
 * third within the top quarter.
 */
class ThreeBuckets implements Pairing {
  #places: (readonly number[])[] = [];
  #near: number[][] = [];

  arrive({ chance, counts: { size } }: Table): void {
    while (this.#places.length < size) this.#places.push([chance.normal(), chance.normal(), chance.normal()]);
    const distance = (a: number, b: number) =>
      (this.#places[a] ?? []).reduce((sum, x, axis) => sum + (x - (this.#places[b]?.[axis] ?? 0)) ** 2, 0);
    this.#near = this.#places.map((_, i) =>
      this.#places.keys().filter((j) => j !== i).toArray().sort((a, b) => distance(i, a) - distance(i, b))
        .slice(0, 5)
    );
  }

  choose(table: Table): readonly [number, number] {
    const draw = table.chance.next();
    return (draw < 0.34 ? this.#leastPlayed(table) : null) ??
      (draw < 0.67 ? this.#neighbours(table) : null) ??
      this.#amongTheTop(table) ?? byLot(table);
  }

  #leastPlayed(table: Table): readonly [number, number] | null {
    const { chance, counts } = table, scores = table.scores();
    const fewest = Math.min(...counts.matches);
    const fresh = [...counts.matches.keys()].filter((i) => counts.matches[i] === fewest);
    const a = fresh[chance.int(fresh.length)] ?? 0;
    let nearest: number | null = null, least = Infinity;
    for (let b = 0; b < counts.size; b++) {
      if (!allowed(table, a, b)) continue;
      const d = Math.abs((scores[a] ?? 0) - (scores[b] ?? 0)) + 1e-6 * chance.next();
      if (d < least) [least, nearest] = [d, b];
    }
    return nearest === null ? null : [a, nearest];
  }

  #neighbours(table: Table): readonly [number, number] | null {
    const { chance, counts: { size } } = table;
    for (let t = 0; t < 30; t++) {
      const a = chance.int(size), near = this.#near[a] ?? [];
      const b = near[chance.int(near.length)];
      if (b !== undefined && allowed(table, a, b)) return [a, b];
    }
    return null;
  }

  #amongTheTop(table: Table): readonly [number, number] | null {
    const { chance, counts: { size } } = table;
    const top = bestFirst(table.scores()).slice(0, Math.max(6, Math.ceil(size / 4)));
    for (let t = 0; t < 50; t++) {
      const a = top[chance.int(top.length)] ?? 0, b = top[chance.int(top.length)] ?? 0;
      if (allowed(table, a, b)) return [a, b];
    }
    return null;
  }
}

/** A pairing with a rating; the order shown is a coin's. */
class BaselinePlayer implements Player {
  readonly batch = "one";
  readonly #pairing: Pairing;
  readonly #rating: Rating;
  readonly #table: Table;
  #open: ShownPair[] = [];

  constructor(pairing: Pairing, rating: Rating, { seed }: PoolNotice) {
    this.#pairing = pairing;
    this.#rating = rating;
    this.#table = { counts: new PairCounts(), chance: mulberry32(seed), scores: () => rating.current() };
  }

  arrive(ids: readonly number[]): void {
    this.#table.counts.withdraw(this.#open);
    this.#open = [];
    this.#table.counts.grow(ids.length);
    this.#rating.grow(ids.length);
    this.#pairing.arrive(this.#table);
  }

  next(n: number): readonly ShownPair[] {
    const { chance, counts } = this.#table;
    const pairs = Array.from({ length: n }, (): ShownPair => {
      const [a, b] = this.#pairing.choose(this.#table);
      counts.add(a, b);
      return chance.next() < 0.5 ? [a, b] : [b, a];
    });
    this.#open.push(...pairs);
    return pairs;
  }

  tell(first: number, second: number, score: Score): void {
    const at = this.#open.findIndex((pair) => pair[0] === first && pair[1] === second);
    if (at >= 0) this.#open.splice(at, 1);
    const { matches } = this.#table.counts;
    this.#rating.tell(first, second, score, [(matches[first] ?? 1) - 1, (matches[second] ?? 1) - 1]);
  }

  scores(): Float64Array {
    return this.#rating.final();
  }
}

function baseline(name: string, pairing: () => Pairing, rating: () => Rating): Policy {
  return { name, open: (pool) => new BaselinePlayer(pairing(), rating(), pool) };
}

/** What the default policy is held against: the project's own code under other settings, and the reference's buckets. */
export const BASELINES: readonly Policy[] = [
  ours({ name: "seed", batch: "one", pairing: "buckets", rating: "elo" }),
  baseline("three_bucket_elo", () => new ThreeBuckets(), () => new EloRating()),
  ours({ name: "swiss_elo", batch: "one", pairing: "swiss", rating: "elo" }),
  ours({ name: "random_elo", batch: "one", pairing: "random", rating: "elo" }),
  baseline("three_bucket_bt", () => new ThreeBuckets(), () => new PosteriorRating()),
  ours({ name: "swiss_bt", batch: "one", pairing: "swiss" }),
  ours({ name: "random_bt", batch: "one", pairing: "random" }),
];
