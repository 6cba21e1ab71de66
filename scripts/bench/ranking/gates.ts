import { type Bench, ORDER_BUDGET } from "./figures.ts";
import { BUDGETS } from "./scenarios.ts";
import { alignedTable, short } from "./tables.ts";

/** What must be reached, and what would be a feat. */
interface Gate {
  /** What is measured. */
  readonly what: string;
  /** Whose figure counts: the one that seeks the top, or the one that orders the whole. */
  readonly aim: "top" | "whole";
  /** Whether more is better. */
  readonly more: boolean;
  readonly must: readonly number[];
  readonly stretch: readonly number[];
  /** What a policy reached; `null` where it wasn't run. */
  measured(bench: Bench, policy: string): readonly number[] | null;
}

function budgetGate(
  what: string,
  aim: Gate["aim"],
  scenario: string,
  metric: "p5" | "tau" | "regret5",
  must: readonly number[],
  stretch: readonly number[],
): Gate {
  return {
    what,
    aim,
    more: metric !== "regret5",
    must,
    stretch,
    measured: (bench, policy) =>
      bench.estimates(scenario, policy, metric, BUDGETS)?.map(({ mean }) => mean) ?? null,
  };
}

const PROJECTS = ["RPP", "EERP", "SSRP", "ML2"] as const;

/** The gates of the reference's section 8. */
const GATES: readonly Gate[] = [
  budgetGate("B1 N=40 P@5", "top", "b1.n40", "p5", [.53, .69, .76], [.59, .725, .80]),
  budgetGate("B1 N=40 regret5", "top", "b1.n40", "regret5", [.37, .145, .075], [.28, .12, .06]),
  budgetGate("B1 N=100 P@5", "top", "b1.n100", "p5", [.49, .66, .76], [.545, .71, .79]),
  budgetGate("B1 frozen P@5", "top", "b1.frozen", "p5", [.53, .67, .74], [.58, .70, .77]),
  budgetGate("B1 growing P@5", "top", "b1.growing", "p5", [.39, .61, .71], [.53, .685, .75]),
  budgetGate("B1 N=40 tau", "whole", "b1.n40", "tau", [.45, .62, .725], [.47, .635, .74]),
  budgetGate("B2 P@5", "top", "b2", "p5", [.53, .635, .70], [.57, .665, .72]),
  budgetGate("B2 tau", "whole", "b2", "tau", [.485, .63, .71], [.50, .645, .725]),
  {
    what: "B3 AUC at 10N (RPP, EERP, SSRP, ML2)",
    aim: "whole",
    more: true,
    must: [.61, .72, .90, .87],
    stretch: [.64, .79, .925, .895],
    measured: (bench, policy) => {
      const all = PROJECTS.map((project) =>
        bench.estimates(`b3.${project}`, policy, "auc", [10])?.[0]?.mean ?? NaN
      );
      return all.every((value) => Number.isNaN(value)) ? null : all;
    },
  },
  {
    what: "calls to P@5 = .70, N=40, in N",
    aim: "top",
    more: false,
    must: [5.2],
    stretch: [4.5],
    measured: (bench, policy) => {
      const found = bench.callsTo(0.7, policy);
      return found && [found.calls ?? Infinity];
    },
  },
  {
    what: "calibration, largest error",
    aim: "top",
    more: false,
    must: [.08],
    stretch: [.05],
    measured: (bench, policy) => {
      const errors = bench.calibrationErrors(policy).map(({ error }) => Math.abs(error));
      return errors.length === 0 ? null : [Math.max(...errors)];
    },
  },
  {
    what: "chance to be among the best 5, largest error in a bin",
    aim: "top",
    more: false,
    must: [.06],
    stretch: [.03],
    measured: (bench, policy) => {
      const error = bench.chanceError(policy);
      return error === null ? null : [error];
    },
  },
  {
    what: `order bias 2: loss of tau at ${ORDER_BUDGET}N`,
    aim: "top",
    more: false,
    must: [.09],
    stretch: [.076],
    measured: (bench, policy) => {
      const loss = bench.tauLoss(policy, ORDER_BUDGET);
      return loss && [loss.mean];
    },
  },
  {
    what: "batch of 50 at N=200, ms",
    aim: "top",
    more: false,
    must: [150],
    stretch: [80],
    measured: (bench, policy) => {
      const speed = bench.speeds.get(policy);
      return speed === undefined ? null : [speed];
    },
  },
  {
    what: "strengths at N=2000, ms",
    aim: "top",
    more: false,
    must: [2000],
    stretch: [500],
    measured: (bench) => bench.meansOfThousandsMs === null ? null : [bench.meansOfThousandsMs],
  },
];

/** The gates beside what a policy reached. */
export function gatesTable(bench: Bench, policies: { readonly top: string; readonly whole: string }): string {
  const text = (values: readonly number[]) =>
    values.map((value) => Math.abs(value) < 10 ? short(value) : value.toFixed(0)).join(" / ");
  const rows = GATES.flatMap(({ what, aim, more, must, stretch, measured }) => {
    const policy = policies[aim], reached = measured(bench, policy);
    if (reached === null) return [];
    const verdict = (goal: readonly number[]) =>
      reached.map((value, i) =>
        (more ? value >= (goal[i] ?? NaN) : value <= (goal[i] ?? NaN)) ? "pass" : "miss"
      )
        .join(" ");
    return [[what, policy, text(reached), text(must), verdict(must), text(stretch), verdict(stretch)]];
  });
  return alignedTable([["gate", "policy", "measured", "must", "", "stretch", ""], ...rows]);
}
