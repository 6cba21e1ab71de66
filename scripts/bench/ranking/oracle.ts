import { hashOf, mulberry32, normalOf, uniformOf } from "./chance.ts";
import type { Score } from "./policy.ts";

/** How good the simulated hypotheses are, and how well the judge sees it (reference, section 3). */
export interface JudgeModel {
  /** Spread of true quality, in logits. */
  readonly spread: number;
  /** What being shown first is worth, in logits. */
  readonly orderBias: number;
  /** Share of verdicts that are a coin flip. */
  readonly lapse: number;
  /** Spread of what the judge holds for or against a pair, the same at every repeat, in logits. */
  readonly frozen: number;
}

/** A group of hypotheses that joins the pool. */
export interface Arrival {
  /** They join as soon as this many calls were made. */
  readonly atCall: number;
  /** How many. */
  readonly count: number;
}

/** A pool with its truth and its judge. */
export interface World {
  /** What the policy draws its own chance from. */
  readonly policySeed: number;
  /** True quality of all hypotheses that ever join, in logits. */
  readonly truth: Float64Array;
  /** The unit of regret: the spread of true quality. */
  readonly unit: number;
  /** Who joins when; the first at call 0. */
  readonly arrivals: readonly Arrival[];
  /** The verdict of the pair's `repeat`-th call (from 0, both orders counted together): a pure function. */
  verdict(first: number, second: number, repeat: number): Score;
  /**
   * The ranking of a group, best first: Plackett-Luce, with the order bias spread over the slots. A pure function of who is
   * shown where and of how often the group was asked before. `undefined` where only pairs can be asked about.
   *
   * It is optimistic: it takes the judge to see each of several as well as each of two.
   */
  ranking?(shown: readonly number[], repeat: number): number[];
}

/** B1's usual judge: 73 % right on an average pair, 63 % agreement with itself when the order is swapped. */
export const BASE: JudgeModel = { spread: 1.2, orderBias: 0.5, lapse: 0.05, frozen: 0 };

/** A judge whose noise is mostly the same at each repeat. */
export const FROZEN: JudgeModel = { spread: 2, orderBias: 1, lapse: 0, frozen: 2.5 };

/** Hypotheses that hardly differ. */
export const HARD: JudgeModel = { ...BASE, spread: 0.6 };

/** Hypotheses that differ a lot. */
export const EASY: JudgeModel = { ...BASE, spread: 2 };

/** The seed of the r-th repetition of B1. */
export function simulationSeed(repetition: number): number {
  return 20250101 + 7919 * repetition;
}

const TAGS = { verdict: 1, frozen: 2, policy: 3, ranking: 4, lapse: 5 } as const;

/** A simulated pool of `size` that is there from the start. */
export function fixedWorld(seed: number, size: number, model: JudgeModel): World {
  const stream = mulberry32(seed);
  const truth = Float64Array.from({ length: size }, () => model.spread * stream.normal());
  return simulatedWorld(seed, truth, model, [{ atCall: 0, count: size }]);
}

/** How a pool grows. */
export interface Growth {
  /** Hypotheses at the start. */
  readonly from: number;
  /** Hypotheses in the end. */
  readonly to: number;
  /** How many join at a time. */
  readonly by: number;
  /** Calls for each live hypothesis after which the next ones join. */
  readonly callsEach: number;
  /** By how much each group is better on average than the one before, in spreads. */
  readonly drift: number;
}

/** B1's growing pool, for a budget of `callsEach` calls for each of its 80 hypotheses in the end. */
export function growth(callsEach: number, drift = 0.1): Growth {
  return { from: 16, to: 80, by: 8, callsEach, drift };
}

/** A simulated pool that grows: the next group joins when `callsEach` calls were made for each live hypothesis. */
export function growingWorld(
  seed: number,
  { from, to, by, callsEach, drift }: Growth,
  model: JudgeModel,
): World {
  const stream = mulberry32(seed);
  const truth = Float64Array.from({ length: to }, (_, i) => {
    const group = i < from ? 0 : 1 + Math.floor((i - from) / by);
    return model.spread * (stream.normal() + drift * group);
  });
  const arrivals: Arrival[] = [{ atCall: 0, count: from }];
  for (let live = from; live < to; live += by) {
    arrivals.push({ atCall: callsEach * live, count: Math.min(by, to - live) });
  }
  return simulatedWorld(seed, truth, model, arrivals);
}

function simulatedWorld(
  seed: number,
  truth: Float64Array,
  model: JudgeModel,
  arrivals: readonly Arrival[],
): World {
  const { orderBias, lapse, frozen } = model;
  const pool = truth.length;
  return {
    policySeed: hashOf(TAGS.policy, seed, pool),
    truth,
    unit: model.spread,
    arrivals,
    verdict: (first, second, repeat) => {
      const low = Math.min(first, second), high = Math.max(first, second);
      let logit = (truth[first] ?? 0) - (truth[second] ?? 0) + orderBias;
      if (frozen > 0) {
        const held = frozen * normalOf(TAGS.frozen, seed, pool, low, high);
        logit += first === low ? held : -held;
      }
      const chance = lapse / 2 + (1 - lapse) / (1 + Math.exp(-logit));
      const draw = uniformOf(TAGS.verdict, seed, pool, low, high, first === low ? 0 : 1, repeat);
      return draw < chance ? 1 : 0;
    },
    // What a judge holds for or against a pair has no meaning for a group.
    ...(frozen > 0 ? {} : {
      ranking: (shown: readonly number[], repeat: number) => {
        const group = hashOf(seed, pool, ...[...shown].sort((a, b) => a - b));
        const lapsed = uniformOf(TAGS.lapse, group, repeat) < lapse;
        const seen = shown.map((id, slot) => {
          // The highest of strengths with Gumbel noise is a draw by softmax: the ranking is Plackett-Luce.
          const noise = -Math.log(-Math.log(uniformOf(TAGS.ranking, group, id, slot, repeat)));
          const offset = 0.5 - slot / (shown.length - 1);
          return { id, strength: noise + (lapsed ? 0 : (truth[id] ?? 0) + orderBias * offset) };
        });
        return seen.sort((a, b) => b.strength - a.strength).map(({ id }) => id);
      },
    }),
  };
}
