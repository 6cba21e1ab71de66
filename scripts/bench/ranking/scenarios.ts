import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { areaUnderCurve, bestFirst, kendallTau, topFigures } from "./metrics.ts";
import {
  BASE,
  EASY,
  fixedWorld,
  FROZEN,
  growingWorld,
  growth,
  HARD,
  type JudgeModel,
  simulationSeed,
  type World,
} from "./oracle.ts";
import type { Policy } from "./policy.ts";
import { readReplicationProjects, replicationWorld } from "./replication.ts";
import { Match, scoresAt } from "./run.ts";
import { readVotePools, voteWorld } from "./votes.ts";

/** How many of the best are sought. */
export const K = 5;

/** What one repetition of a scenario gave: a row a column of the table, a number a metric. */
export type Sample = readonly (readonly number[])[];

/** A part of the bench: worlds, and what is measured on them. */
export interface Scenario {
  /** Its name, as `--only` takes it. */
  readonly name: string;
  /** What it is, for a table's heading. */
  readonly title: string;
  /** What the rows of a sample stand for: budgets in calls for each hypothesis, or targets. */
  readonly columns: readonly number[];
  /** What the numbers of a row are. */
  readonly metrics: readonly string[];
  /** Independent clusters: repetitions, or pools. */
  readonly clusters: number;
  /** Repetitions of each cluster, which are averaged before anything else (a pool's replays). */
  readonly replays: number;
  /** Whether it is about the precision that a policy itself expects. */
  readonly asksExpectation?: boolean;
  /** Whether it is about the chances that a policy itself sees; its numbers are told in bins, not in a table of means. */
  readonly asksChances?: boolean;
  /** Whether policies that ask about groups play it: its worlds rank them, and it is worth the time. */
  readonly ranksGroups?: boolean;
  /** One repetition; a pure function of its arguments. */
  sample(policy: Policy, cluster: number, replay: number): Sample;
}

/** The budgets of the tables, in calls for each hypothesis. */
export const BUDGETS: readonly number[] = [2, 5, 10];

/** What is measured where the truth is known. */
export const TRUTH_METRICS = ["p5", "tau", "regret5", "regret1"] as const;

const DATA = join(dirname(fileURLToPath(import.meta.url)), "../../../tests/data/ranking");

/** The votes of B2, unless others are given. */
export const VOTES = join(DATA, "argument_votes.csv");

function againstTruth(scores: Float64Array, { truth, unit }: World): number[] {
  const { precision, regret1, regretK } = topFigures(scores, truth, K, unit);
  return [precision, kendallTau(scores, truth), regretK, regret1];
}

interface Truth {
  readonly name: string;
  readonly title: string;
  readonly clusters: number;
  readonly replays?: number;
  readonly columns?: readonly number[];
  readonly ranksGroups?: boolean;
  world(cluster: number, replay: number): World;
}

/** A scenario on worlds with a truth and a pool that is there from the start. */
function truthScenario(
  { name, title, clusters, replays = 1, columns = BUDGETS, ranksGroups = false, world }: Truth,
): Scenario {
  return {
    name,
    title,
    columns,
    metrics: TRUTH_METRICS,
    clusters,
    replays,
    ranksGroups,
    sample: (policy, cluster, replay) => {
      const played = world(cluster, replay);
      const checkpoints = columns.map((each) => Math.round(each * played.truth.length));
      return scoresAt(policy, played, K, checkpoints).map((scores) => againstTruth(scores, played));
    },
  };
}

function simulated(
  name: string,
  title: string,
  size: number,
  clusters: number,
  model: JudgeModel,
  columns: readonly number[] = BUDGETS,
  ranksGroups = false,
): Scenario {
  const world = (repetition: number) => fixedWorld(simulationSeed(repetition), size, model);
  return truthScenario({ name, title, clusters, columns, ranksGroups, world });
}

function growing(name: string, title: string, drift: number): Scenario {
  return {
    name,
    title,
    columns: BUDGETS,
    metrics: TRUTH_METRICS,
    clusters: 200,
    replays: 1,
    ranksGroups: true,
    sample: (policy, repetition) =>
      BUDGETS.map((budget) => {
        const world = growingWorld(simulationSeed(repetition), growth(budget, drift), BASE);
        const [scores = new Float64Array(0)] = scoresAt(policy, world, K, [budget * world.truth.length]);
        return againstTruth(scores, world);
      }),
  };
}

/** Half-steps from 1 to 12 calls for each hypothesis. */
const HALF_STEPS = Array.from({ length: 23 }, (_, i) => 1 + i / 2);

/** Expected precisions at which to stop. */
export const TARGETS: readonly number[] = [0.6, 0.7, 0.8];

/** Calls for each hypothesis after which play stops anyway. */
const MOST_CALLS = 20;

/** When a policy would stop, and how good its best five are then, against what it expects. */
function calibration(name: string, title: string, model: JudgeModel): Scenario {
  const size = 40;
  return {
    name: `calibration.${name}`,
    title,
    columns: TARGETS,
    metrics: ["expected", "actual", "calls"],
    asksExpectation: true,
    clusters: 200,
    replays: 1,
    sample: (policy, repetition) => {
      const world = fixedWorld(simulationSeed(repetition), size, model);
      const match = new Match(policy, world, K), { player } = match;
      if (player.expectedPrecision === undefined) return TARGETS.map(() => [NaN, NaN, NaN]);
      const step = size / 4;
      let expected = 0;
      return TARGETS.map((target) => {
        while (expected < target && match.calls < MOST_CALLS * size) {
          match.playTo(match.calls + step);
          expected = player.expectedPrecision?.() ?? NaN;
        }
        const { precision } = topFigures(player.scores(), world.truth, K, world.unit);
        return [expected, precision, match.calls / size];
      });
    },
  };
}

/** Bins of chances, each a tenth wide. */
export const BINS = 10;

/**
 * How often those of whom a policy says that they are among the best with some chance truly are, in bins.
 *
 * @param clusters as many repetitions as the world has in B1
 */
function chances(
  name: string,
  title: string,
  clusters: number,
  world: (repetition: number, budget: number) => World,
): Scenario {
  return {
    name: `chances.${name}`,
    title,
    columns: BUDGETS,
    metrics: Array.from({ length: BINS }, (_, bin) => [`cases${bin}`, `said${bin}`, `true${bin}`]).flat(),
    asksChances: true,
    clusters,
    replays: 1,
    sample: (policy, repetition) =>
      BUDGETS.map((budget) => {
        const played = world(repetition, budget);
        const match = new Match(policy, played, K);
        const best = new Set(bestFirst(played.truth).slice(0, K));
        match.playTo(budget * played.truth.length);
        const row = new Array<number>(3 * BINS).fill(0);
        const add = (place: number, by: number) => row[place] = (row[place] ?? 0) + by;
        for (const [i, chance] of (match.player.topChances?.() ?? new Float64Array(0)).entries()) {
          const bin = Math.min(BINS - 1, Math.floor(chance * BINS));
          add(3 * bin, 1);
          add(3 * bin + 1, chance);
          add(3 * bin + 2, best.has(i) ? 1 : 0);
        }
        return row;
      }),
  };
}

/** The worlds of B1, each with its own number of repetitions. */
function chanceScenarios(): Scenario[] {
  const fixed = (name: string, what: string, size: number, clusters: number, model: JudgeModel) =>
    chances(
      name,
      `Chances to be among the best five, ${what}`,
      clusters,
      (repetition) => fixedWorld(simulationSeed(repetition), size, model),
    );
  return [
    fixed("n40", "N = 40", 40, 400, BASE),
    fixed("n100", "N = 100", 100, 200, BASE),
    chances(
      "growing",
      "Chances to be among the best five, growing pool",
      200,
      (repetition, budget) => growingWorld(simulationSeed(repetition), growth(budget, 0.1), BASE),
    ),
    fixed("frozen", "noise frozen", 40, 400, FROZEN),
    fixed("hard", "hard (s = 0.6)", 40, 400, HARD),
    fixed("easy", "easy (s = 2)", 40, 400, EASY),
  ];
}

/** B3: forecasters judge findings whose replication is known. */
function replicationScenarios(): Scenario[] {
  return readReplicationProjects(DATA).map((project) => ({
    name: `b3.${project.name}`,
    title: `B3 replication, ${project.name}: ${project.replicated.length} findings`,
    columns: BUDGETS,
    metrics: ["auc", "top5", "tau"],
    clusters: 100,
    replays: 1,
    sample: (policy: Policy, repetition: number) => {
      const world = replicationWorld(project, repetition), { replicated } = project;
      return scoresAt(policy, world, K, BUDGETS.map((each) => each * replicated.length)).map((scores) => [
        areaUnderCurve(scores, replicated),
        bestFirst(scores).slice(0, K).filter((i) => replicated[i] === true).length / K,
        kendallTau(scores, world.truth),
      ]);
    },
  }));
}

/** All scenarios; the votes of B2 are read from `votes`. */
export function allScenarios(votes: string): Scenario[] {
  const pools = readVotePools(votes);
  return [
    simulated("b1.n40", "B1, N = 40", 40, 400, BASE, HALF_STEPS, true),
    simulated("b1.n100", "B1, N = 100", 100, 200, BASE),
    growing("b1.growing", "B1, pool growing from 16 to 80, later ones better", 0.1),
    simulated("b1.frozen", "B1, N = 40, judge's noise frozen", 40, 400, FROZEN),
    simulated("b1.hard", "B1, N = 40, hard (s = 0.6)", 40, 400, HARD),
    simulated("b1.easy", "B1, N = 40, easy (s = 2)", 40, 400, EASY),
    ...[0, 0.5, 1, 2].map((orderBias) =>
      simulated(
        `b1.order.${orderBias}`,
        `B1, N = 40, being shown first worth ${orderBias} logits`,
        40,
        400,
        { ...BASE, orderBias },
        [2, 5, 6, 10],
      )
    ),
    truthScenario({
      name: "b2",
      title: `B2, votes on arguments, ${pools.length} pools`,
      clusters: pools.length,
      replays: 20,
      world: (cluster, replay) => {
        const pool = pools[cluster];
        if (pool === undefined) throw new RangeError(`There is no pool ${cluster}`);
        return voteWorld(pool, replay);
      },
    }),
    ...replicationScenarios(),
    calibration("0.6", "Calibration at stopping, s = 0.6", HARD),
    calibration("1.2", "Calibration at stopping, s = 1.2", BASE),
    calibration("2", "Calibration at stopping, s = 2", EASY),
    calibration("frozen", "Calibration at stopping, noise frozen", FROZEN),
    ...chanceScenarios(),
  ];
}

/** Scenarios that run only when `--only` names them. */
export function extraScenarios(): Scenario[] {
  return [
    simulated("b1.n20", "B1, N = 20", 20, 400, BASE),
    simulated("b1.n200", "B1, N = 200", 200, 60, BASE),
    growing("b1.growing_level", "B1, pool growing from 16 to 80, all alike", 0),
  ];
}
