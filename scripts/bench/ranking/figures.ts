import { mulberry32 } from "./chance.ts";
import { DEFAULT_POLICY, WHOLE_POLICY } from "./policies.ts";
import type { Results } from "./results.ts";
import { BINS, BUDGETS, type Scenario, TARGETS } from "./scenarios.ts";
import { type Estimate, estimate, firstReach, type PairedDifference } from "./statistics.ts";

/** Means over the budgets 2N, 5N and 10N, and their standard errors. */
export interface BudgetFigures {
  readonly p5: readonly number[];
  readonly tau: readonly number[];
  readonly regret5: readonly number[];
  readonly se: {
    readonly p5: readonly number[];
    readonly tau: readonly number[];
    readonly regret5: readonly number[];
  };
}

/** Everything that one policy reached; what wasn't run is left out. */
export interface PolicyFigures {
  b1?: Record<string, BudgetFigures | (BudgetFigures & { readonly tauLoss: number })>;
  b2?: BudgetFigures;
  b3?: { auc: Record<string, number>; top5: Record<string, number> };
  /** `null`: more than the longest run. */
  callsTo70?: number | null;
  /** The largest error of expected precision at stopping. */
  calibration?: number;
  /** The largest error of the chance to be among the best five, in a bin of at least 500 cases of B1. */
  chances?: number;
  speedMs?: number;
  /** The strengths of 2,000 by 20,000 matches. */
  means2000Ms?: number;
}

/** What `--json` prints. */
export interface BenchFigures extends PolicyFigures {
  whole?: PolicyFigures;
  baselines: Record<string, PolicyFigures>;
}

/** Calls for each hypothesis at which the loss by order bias is measured: 240 among 40. */
export const ORDER_BUDGET = 6;

/** Resamples for the error of a number of calls. */
const RESAMPLES = 200;

/** Cases from which on a bin of chances says something. */
const ENOUGH_CASES = 500;

/** The name under which bins of all worlds together stand. */
export const ALL_WORLDS = "all";

/** A bin of chances in one world. */
export interface ChanceBin {
  /** The scenario, or `all`. */
  readonly name: string;
  /** Which tenth, from 0. */
  readonly bin: number;
  /** How many fell into it. */
  readonly cases: number;
  /** Their mean chance, as the policy said. */
  readonly said: number;
  /** The share of them that truly was among the best. */
  readonly really: number;
}

/** The scenarios that were run, by name, and what came of them. */
export class Bench {
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #results: Results;
  /** Milliseconds for a batch, by policy. */
  readonly speeds: Map<string, number> = new Map();
  /** Milliseconds for the strengths of 2,000 by 20,000 matches, if they were measured. */
  meansOfThousandsMs: number | null = null;

  constructor(scenarios: readonly Scenario[], results: Results) {
    this.#scenarios = new Map(scenarios.map((each) => [each.name, each]));
    this.#results = results;
  }

  /** A scenario that was run for a policy. */
  scenario(name: string, policy: string): Scenario | null {
    const found = this.#scenarios.get(name);
    return found !== undefined && this.#results.has(name, policy) ? found : null;
  }

  /** Means of a metric in columns, or `null` where nothing was measured. */
  estimates(name: string, policy: string, metric: string, columns: readonly number[]): Estimate[] | null {
    const scenario = this.scenario(name, policy);
    return scenario && columns.map((column) => this.#results.estimate(scenario, policy, column, metric));
  }

  /** What tau loses between order bias 0 and 2, on the same worlds. */
  tauLoss(policy: string, column: number): PairedDifference | null {
    const none = this.scenario("b1.order.0", policy), strong = this.scenario("b1.order.2", policy);
    if (none === null || strong === null) return null;
    return this.#results.differenceBetween(none, strong, policy, column, "tau");
  }

  /** Calls for each hypothesis until the mean P@5 of N = 40 reaches a level, its error by bootstrap; `null`: never. */
  callsTo(level: number, policy: string): { readonly calls: number | null; readonly se: number } | null {
    const scenario = this.scenario("b1.n40", policy);
    if (scenario === null) return null;
    const values = scenario.columns.map((column) => this.#results.values(scenario, policy, column, "p5"));
    const clusters = values[0]?.length ?? 0;
    const reach = (chosen: readonly number[]) =>
      firstReach(
        scenario.columns,
        values.map((row) => chosen.reduce((sum, i) => sum + (row[i] ?? NaN), 0) / chosen.length),
        level,
      );
    const chance = mulberry32(1);
    const resampled = Array.from(
      { length: RESAMPLES },
      () => reach(Array.from({ length: clusters }, () => chance.int(clusters))) ?? NaN,
    );
    const { se, n } = estimate(resampled);
    return { calls: reach(Array.from({ length: clusters }, (_, i) => i)), se: se * Math.sqrt(n) };
  }

  /** By how much expected and actual precision differ at stopping, by scenario and target. */
  calibrationErrors(
    policy: string,
  ): { readonly name: string; readonly target: number; readonly error: number }[] {
    return [...this.#scenarios.values()].flatMap((scenario) => {
      if (!scenario.asksExpectation || this.scenario(scenario.name, policy) === null) return [];
      return TARGETS.map((target) => ({
        name: scenario.name,
        target,
        error: this.#results.estimate(scenario, policy, target, "expected").mean -
          this.#results.estimate(scenario, policy, target, "actual").mean,
      }));
    });
  }

  /**
   * What a policy said of chances and what was true, by world and bin, and then (under the name `all`) in all worlds
   * together; bins with too few cases are left out.
   */
  chanceBins(policy: string): readonly ChanceBin[] {
    const worlds = [...this.#scenarios.values()].filter((scenario) =>
      scenario.asksChances === true && this.scenario(scenario.name, policy) !== null
    );
    const sums = (scenario: Scenario, what: string) =>
      scenario.columns.flatMap((column) => this.#results.values(scenario, policy, column, what))
        .reduce((total, value) => total + value, 0);
    const binsOf = (name: string, pooled: readonly Scenario[]) =>
      Array.from({ length: BINS }, (_, bin): ChanceBin => {
        const sum = (what: string) =>
          pooled.reduce((total, scenario) => total + sums(scenario, `${what}${bin}`), 0);
        const cases = sum("cases");
        return { name, bin, cases, said: sum("said") / cases, really: sum("true") / cases };
      }).filter(({ cases }) => cases >= ENOUGH_CASES);
    return [
      ...worlds.flatMap((scenario) => binsOf(scenario.name, [scenario])),
      ...(worlds.length > 1 ? binsOf(ALL_WORLDS, worlds) : []),
    ];
  }

  /**
   * The largest error of a chance in a bin of all worlds of B1 together. A single world's width is the same in every
   * repetition and not known to the policy, which can only be right on average over widths: its bins are told in tables.
   */
  chanceError(policy: string): number | null {
    const all = this.chanceBins(policy).filter(({ name }) => name === ALL_WORLDS);
    return all.length === 0 ? null : Math.max(...all.map(({ said, really }) => Math.abs(said - really)));
  }

  /** The figures of one policy. */
  figuresOf(policy: string): PolicyFigures {
    const figures: PolicyFigures = {};
    for (const name of ["n20", "n40", "n100", "n200", "growing", "growing_level", "frozen", "hard", "easy"]) {
      const budgets = this.#budgets(`b1.${name}`, policy);
      if (budgets !== null) (figures.b1 ??= {})[name] = budgets;
    }
    const order = this.#budgets("b1.order.2", policy), loss = this.tauLoss(policy, ORDER_BUDGET);
    if (order !== null && loss !== null) {
      (figures.b1 ??= {})["order"] = { ...order, tauLoss: round(loss.mean) };
    }
    const b2 = this.#budgets("b2", policy);
    if (b2 !== null) figures.b2 = b2;
    for (const name of this.#scenarios.keys()) {
      if (!name.startsWith("b3.")) continue;
      const [auc] = this.estimates(name, policy, "auc", [10]) ?? [];
      const [top5] = this.estimates(name, policy, "top5", [5]) ?? [];
      if (auc === undefined || top5 === undefined) continue;
      const b3 = figures.b3 ??= { auc: {}, top5: {} };
      b3.auc[name.slice(3)] = round(auc.mean);
      b3.top5[name.slice(3)] = round(top5.mean);
    }
    const calls = this.callsTo(0.7, policy);
    if (calls !== null) figures.callsTo70 = calls.calls === null ? null : round(calls.calls);
    const errors = this.calibrationErrors(policy).map(({ error }) => Math.abs(error));
    if (errors.length > 0) figures.calibration = round(Math.max(...errors));
    const chances = this.chanceError(policy);
    if (chances !== null) figures.chances = round(chances);
    const speed = this.speeds.get(policy);
    if (speed !== undefined) figures.speedMs = round(speed);
    return figures;
  }

  /** The figures of all policies, the default one's on top. */
  figures(policies: readonly string[]): BenchFigures {
    const rest = policies.filter((name) => name !== DEFAULT_POLICY && name !== WHOLE_POLICY);
    return {
      ...(policies.includes(DEFAULT_POLICY) ? this.figuresOf(DEFAULT_POLICY) : {}),
      ...(this.meansOfThousandsMs === null ? {} : { means2000Ms: round(this.meansOfThousandsMs) }),
      ...(policies.includes(WHOLE_POLICY) ? { whole: this.figuresOf(WHOLE_POLICY) } : {}),
      baselines: Object.fromEntries(rest.map((name) => [name, this.figuresOf(name)])),
    };
  }

  #budgets(name: string, policy: string): BudgetFigures | null {
    const all = (metric: string) => this.estimates(name, policy, metric, BUDGETS);
    const p5 = all("p5"), tau = all("tau"), regret5 = all("regret5");
    if (p5 === null || tau === null || regret5 === null) return null;
    const means = (estimates: readonly Estimate[]) => estimates.map(({ mean }) => round(mean));
    const errors = (estimates: readonly Estimate[]) => estimates.map(({ se }) => round(se));
    return {
      p5: means(p5),
      tau: means(tau),
      regret5: means(regret5),
      se: { p5: errors(p5), tau: errors(tau), regret5: errors(regret5) },
    };
  }
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
