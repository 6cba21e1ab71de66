import { mulberry32, type Stream } from "./chance.ts";
import { normalBelow } from "../../../lib/tournament/normal.ts";
import { informationOf } from "./information.ts";
import { bestFirst } from "./metrics.ts";
import { PairCounts } from "./pair_counts.ts";
import type { Player, Policy, PoolNotice, Score, ShownPair } from "./policy.ts";
import { ReferencePosterior } from "./reference_posterior.ts";

/** What makes one of the reference's posterior-based policies. */
interface ReferenceRule {
  /** The knob a: what a pair's information is worth wherever it lies. */
  readonly everywhere: number;
  /** What uncertainty of being among the best k adds. */
  readonly boundary: number;
  /** What uncertainty of being the best adds. */
  readonly best: number;
  /** How many are judged side by side. */
  readonly batch: "one" | number;
}

/** Matches between the same two at most. */
const MOST_PER_PAIR = 2;

/** Draws from the posterior for the expected precision. */
const PRECISION_DRAWS = 400;

/** The reference's comparators, from the formulas of its section 4: fixed s0 = 1, order by coin, a fit every N/2. */
const RULES: Readonly<Record<string, ReferenceRule>> = {
  reference_f2: { everywhere: 0, boundary: 1, best: 0, batch: "one" },
  reference_f7: { everywhere: 0.3, boundary: 1, best: 0.5, batch: "one" },
  reference_f8: { everywhere: 0.3, boundary: 1, best: 0.5, batch: 0.25 },
  reference_f10: { everywhere: 0.3, boundary: 1, best: 0.5, batch: 0.125 },
  reference_e1: { everywhere: 1, boundary: 0, best: 0, batch: "one" },
  reference_e3: { everywhere: 1, boundary: 0, best: 0, batch: 0.25 },
};

/** The reference's policies that choose pairs by information, to be beaten. */
export const REFERENCE_POLICIES: readonly Policy[] = Object.entries(RULES).map(([name, rule]) => ({
  name,
  open: (pool) => new ReferencePlayer(rule, pool),
}));

class ReferencePlayer implements Player {
  readonly batch: "one" | number;
  readonly #rule: ReferenceRule;
  readonly #k: number;
  readonly #chance: Stream;
  readonly #counts = new PairCounts();
  readonly #posterior = new ReferencePosterior({ s0: 1, order: true });
  /** Handed out and not told. */
  #open: ShownPair[] = [];

  constructor(rule: ReferenceRule, { seed, k }: PoolNotice) {
    this.batch = rule.batch;
    this.#rule = rule;
    this.#k = k;
    this.#chance = mulberry32(seed);
  }

  arrive(ids: readonly number[]): void {
    this.#counts.withdraw(this.#open);
    this.#open = [];
    this.#counts.grow(ids.length);
    this.#posterior.grow(ids.length);
  }

  next(n: number): readonly ShownPair[] {
    const kept = n > 1 ? this.#posterior.covariance.slice() : this.#posterior.covariance;
    const pairs: ShownPair[] = [];
    while (pairs.length < n) {
      const [a, b] = this.#best();
      this.#counts.add(a, b);
      if (n > 1) this.#posterior.imagine(a, b);
      pairs.push(this.#chance.next() < 0.5 ? [a, b] : [b, a]);
    }
    this.#posterior.covariance = kept;
    this.#open.push(...pairs);
    return pairs;
  }

  tell(first: number, second: number, score: Score): void {
    const at = this.#open.findIndex((pair) => pair[0] === first && pair[1] === second);
    if (at >= 0) this.#open.splice(at, 1);
    this.#posterior.add({ first, second, score });
  }

  scores(): Float64Array {
    this.#posterior.fit();
    return this.#posterior.scores();
  }

  expectedPrecision(): number {
    const { size, mean } = this.#posterior, n = size + 1, k = this.#k;
    const factor = this.#posterior.covarianceFactor();
    const chosen = bestFirst(this.#posterior.scores()).slice(0, k);
    const z = new Float64Array(n), draw = new Float64Array(size);
    let found = 0;
    for (let t = 0; t < PRECISION_DRAWS; t++) {
      for (let i = 0; i < n; i++) z[i] = this.#chance.normal();
      for (let i = 1; i < n; i++) {
        let value = mean[i] ?? 0;
        for (let j = 0; j <= i; j++) value += (factor[i * n + j] ?? 0) * (z[j] ?? 0);
        draw[i - 1] = value;
      }
      const cut = draw.toSorted()[size - k] ?? 0;
      for (const i of chosen) if ((draw[i] ?? 0) >= cut) found++;
    }
    return found / (PRECISION_DRAWS * k);
  }

  /** How uncertain it is whether each is among the best k, from 0 to 1. */
  #uncertainty(k: number, order: readonly number[]): Float64Array {
    const { mean, covariance, size } = this.#posterior, n = size + 1;
    const at = (place: number) => mean[(order[place] ?? 0) + 1] ?? 0;
    const cut = (at(k - 1) + at(Math.min(k, size - 1))) / 2;
    return Float64Array.from({ length: size }, (_, i) => {
      const q = normalBelow(((mean[i + 1] ?? 0) - cut) / Math.sqrt(covariance[(i + 1) * (n + 1)] ?? 1));
      return 4 * q * (1 - q);
    });
  }

  /** What information about each is worth. */
  #worth(): Float64Array {
    const { everywhere, boundary, best } = this.#rule;
    const worth = new Float64Array(this.#posterior.size).fill(everywhere / 2);
    if (boundary === 0 && best === 0) return worth;
    const order = bestFirst(this.#posterior.scores());
    for (const [k, weight] of [[this.#k, boundary], [1, best]] as const) {
      if (weight === 0) continue;
      const uncertain = this.#uncertainty(k, order);
      for (let i = 0; i < worth.length; i++) worth[i] = (worth[i] ?? 0) + weight * (uncertain[i] ?? 0);
    }
    return worth;
  }

  /** The allowed pair of the highest information times worth; by lot among nearly equal ones. */
  #best(): [number, number] {
    const { mean, covariance, size } = this.#posterior, n = size + 1;
    const counts = this.#counts, chance = this.#chance, worth = this.#worth();
    let most = -1, a = -1, b = -1;
    for (let i = 1; i < size; i++) {
      const row = (i + 1) * n, own = covariance[row + i + 1] ?? 0, mu = mean[i + 1] ?? 0, w = worth[i] ?? 0;
      for (let j = 0; j < i; j++) {
        if (counts.met(i, j) >= MOST_PER_PAIR) continue;
        const variance = own + (covariance[(j + 1) * (n + 1)] ?? 0) - 2 * (covariance[row + j + 1] ?? 0);
        const value = informationOf(mu - (mean[j + 1] ?? 0), variance) * (w + (worth[j] ?? 0)) *
          (1 + 1e-3 * chance.next());
        if (value > most) [most, a, b] = [value, i, j];
      }
    }
    if (a >= 0) return [a, b];
    // Every pair has met often enough: any goes.
    a = chance.int(size);
    return [a, (a + 1 + chance.int(size - 1)) % size];
  }
}
