import { DEFAULT_SETTINGS, type Settings } from "../../../lib/config/settings.ts";
import { rng } from "../../../lib/domain/rng.ts";
import { eloDelta, kFactor } from "../../../lib/tournament/elo.ts";
import type { Meetings } from "../../../lib/tournament/order.ts";
import type { PairCandidate } from "../../../lib/tournament/pair_rules.ts";
import { chooseGroup, pairsAmong } from "../../../lib/tournament/group.ts";
import { choosePair, choosePairs, type PairingInput } from "../../../lib/tournament/pairing.ts";
import { RatingBook } from "../../../lib/tournament/rating_book.ts";
import { topK } from "../../../lib/tournament/top_k.ts";
import type { Player, Policy, PoolNotice, Score, ShownPair } from "./policy.ts";

/** Settings of ranking that make a policy; the others are the project's usual ones. */
export interface OursSettings extends Partial<Settings["ranking"]> {
  /** What tables call it. */
  readonly name: string;
  /** How many pairs are judged side by side. */
  readonly batch: Player["batch"];
}

/** The project's own ranking, as its tournament runs it: its pairing, its order, its ratings. */
export function ours({ name, batch, ...ranking }: OursSettings): Policy {
  const settings = { ...DEFAULT_SETTINGS.ranking, ...ranking };
  return {
    name,
    groups: settings.judgedAtOnce > 2,
    open: (pool) =>
      settings.judgedAtOnce > 2
        ? new GroupPlayer(settings, batch, pool)
        : new ProjectPlayer(settings, batch, pool),
  };
}

type Candidate = { -readonly [K in keyof PairCandidate]: PairCandidate[K] };

class ProjectPlayer implements Player {
  readonly batch: Player["batch"];
  readonly #settings: Settings["ranking"];
  readonly #seed: string;
  /** The ratings. */
  protected readonly book: RatingBook;
  readonly #candidates: Candidate[] = [];
  readonly #met = new Map<string, { total: number; firstShown: number }>();
  #busy: (readonly [string, string])[] = [];
  #choices = 0;

  constructor(settings: Settings["ranking"], batch: Player["batch"], { seed, k }: PoolNotice) {
    this.batch = batch;
    this.#settings = { ...settings, topK: k };
    this.#seed = String(seed);
    this.book = new RatingBook(settings);
  }

  arrive(ids: readonly number[]): void {
    this.#busy = [];
    const { eloInitial } = this.#settings;
    for (const id of ids) {
      this.#candidates.push({ id: String(id), elo: eloInitial, matches: 0, bornSeq: id + 1 });
      this.book.enter({ id: String(id) });
    }
  }

  next(n: number): readonly ShownPair[] {
    const pairs = choosePairs(this.input(), n);
    for (const { firstId, secondId } of pairs) this.#busy.push([firstId, secondId]);
    return pairs.map(({ firstId, secondId }) => [Number(firstId), Number(secondId)]);
  }

  /** What the tournament's choices depend on, at the next choice. */
  protected input(): PairingInput {
    return {
      candidates: this.#candidates,
      met: (a, b) => this.#meetings(a, b),
      // No texts, no likeness.
      cosine: () => 0,
      ratings: { place: (id) => this.book.place(id), belief: () => this.book.posterior() },
      busy: this.#busy,
      settings: this.#settings,
      matureMatches: DEFAULT_SETTINGS.evolution.matureMatches,
      rng: rng(this.#seed, String(this.#choices++), "pair"),
    };
  }

  tell(first: number, second: number, score: Score): void {
    this.book.record({ firstId: String(first), secondId: String(second), score, weight: 1, judge: "judge" });
    this.played(first, second, score);
  }

  /** Counts a match that the book knows, and moves both by Elo. */
  protected played(first: number, second: number, score: Score): void {
    const a = this.#candidates[first], b = this.#candidates[second];
    if (a === undefined || b === undefined) throw new RangeError(`No pair ${first}, ${second}`);
    this.#busy = this.#busy.filter(([x, y]) => x !== a.id || y !== b.id);
    const k = kFactor(a.matches, b.matches, this.#settings);
    const delta = eloDelta({ first: a.elo, second: b.elo, score, k, weight: 1 });
    a.elo += delta;
    b.elo -= delta;
    a.matches++;
    b.matches++;
    for (const [key, shown] of [[`${a.id} ${b.id}`, 1], [`${b.id} ${a.id}`, 0]] as const) {
      const met = this.#met.get(key);
      if (met === undefined) this.#met.set(key, { total: 1, firstShown: shown });
      else {
        met.total++;
        met.firstShown += shown;
      }
    }
  }

  scores(): Float64Array {
    if (this.#settings.rating === "elo") return Float64Array.from(this.#candidates, ({ elo }) => elo);
    const posterior = this.book.posterior();
    return Float64Array.from(this.#places(), (place) => posterior.mean(place));
  }

  expectedPrecision(): number {
    return topK(this.book.posterior(), this.#places(), this.#settings.topK).expectedPrecision;
  }

  topChances(): Float64Array {
    return topK(this.book.posterior(), this.#places(), this.#settings.topK).chances;
  }

  #places(): number[] {
    return this.#candidates.flatMap(({ id }) => this.book.place(id) ?? []);
  }

  #meetings(a: string, b: string): Meetings {
    return this.#met.get(`${a} ${b}`) ?? NEVER;
  }
}

/** The same, judging several at once. */
class GroupPlayer extends ProjectPlayer {
  nextGroup(): readonly number[] {
    const input = this.input();
    const pair = choosePair(input);
    if (pair === null) throw new Error("Every pair has met");
    const group = chooseGroup(input, pair, input.settings.judgedAtOnce);
    return (group ?? [pair.firstId, pair.secondId]).map(Number);
  }

  tellGroup(shown: readonly number[], ranked: readonly number[]): void {
    const slots = ranked.map((id) => shown.indexOf(id));
    this.book.recordGroup({ ids: ranked.map(String), slots, weight: 1, judge: "judge" });
    for (const [first, second] of pairsAmong(shown)) {
      this.played(first, second, ranked.indexOf(first) < ranked.indexOf(second) ? 1 : 0);
    }
  }
}

const NEVER: Meetings = { total: 0, firstShown: 0 };
