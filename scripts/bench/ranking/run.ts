import type { Player, Policy, Score } from "./policy.ts";
import type { World } from "./oracle.ts";

/** A policy and a world in the middle of play. */
export class Match {
  /** The policy's player. */
  readonly player: Player;
  /** Calls made. */
  calls = 0;
  /** Hypotheses in the pool. */
  live = 0;
  readonly #world: World;
  readonly #asked: Uint16Array;
  readonly #groupsAsked = new Map<string, number>();
  #groups = 0;
  #batch: { first: number; second: number }[] = [];

  constructor(policy: Policy, world: World, k: number) {
    this.player = policy.open({ seed: world.policySeed, k });
    this.#world = world;
    this.#asked = new Uint16Array(world.truth.length ** 2);
    this.#admit();
  }

  /** Plays until `calls` calls were made. A batch goes on over the end; what is left of it is played next time. */
  playTo(calls: number): void {
    while (this.calls < calls) {
      if (this.#admit()) this.#batch = [];
      if (this.player.nextGroup !== undefined) {
        this.#playGroup(this.player.nextGroup());
        continue;
      }
      if (this.#batch.length === 0) this.#batch = this.#draw();
      const pair = this.#batch.shift();
      if (pair !== undefined) {
        this.player.tell(pair.first, pair.second, this.#judge(pair.first, pair.second));
      } else if (!this.#allHaveMet()) {
        throw new Error("A policy had no pair to play");
      }
      this.calls++;
    }
  }

  /** Whether every pair was asked about: only then may a policy have nothing more to ask. */
  #allHaveMet(): boolean {
    for (let high = 1; high < this.live; high++) {
      for (let low = 0; low < high; low++) {
        if (this.#asked[low * this.#world.truth.length + high] === 0) return false;
      }
    }
    return true;
  }

  /** Asks about a group. It costs as many calls on pairs as read the same number of texts. */
  #playGroup(shown: readonly number[]): void {
    const { ranking } = this.#world;
    if (ranking === undefined || this.player.tellGroup === undefined) {
      throw new Error("This world ranks no groups");
    }
    const key = [...shown].sort((a, b) => a - b).join(" ");
    const repeat = this.#groupsAsked.get(key) ?? 0;
    this.#groupsAsked.set(key, repeat + 1);
    this.player.tellGroup(shown, ranking(shown, repeat));
    this.calls += shown.length / 2;
  }

  /** The pairs of a batch, checked. */
  #draw(): { first: number; second: number }[] {
    const { batch } = this.player;
    const size = batch === "one" ? 1 : Math.max(1, Math.round(batch * this.live));
    return this.player.next(size).map(([first, second]) => {
      if (first === second || !(first >= 0 && first < this.live) || !(second >= 0 && second < this.live)) {
        throw new RangeError(`A policy chose ${first} against ${second} of ${this.live}`);
      }
      return { first, second };
    });
  }

  #judge(first: number, second: number): Score {
    const place = Math.min(first, second) * this.#world.truth.length + Math.max(first, second);
    const repeat = this.#asked[place] ?? 0;
    this.#asked[place] = repeat + 1;
    return this.#world.verdict(first, second, repeat);
  }

  /** Lets in whoever is due; whether anybody came. */
  #admit(): boolean {
    let came = false;
    for (;;) {
      const group = this.#world.arrivals[this.#groups];
      if (group === undefined || this.calls < group.atCall) return came;
      const { live } = this;
      this.player.arrive(Array.from({ length: group.count }, (_, i) => live + i));
      this.live += group.count;
      this.#groups++;
      came = true;
    }
  }
}

/** The scores of a policy after each of the ascending numbers of calls. */
export function scoresAt(
  policy: Policy,
  world: World,
  k: number,
  checkpoints: readonly number[],
): Float64Array[] {
  const match = new Match(policy, world, k);
  return checkpoints.map((calls) => {
    match.playTo(calls);
    return Float64Array.from(match.player.scores());
  });
}
