import { resolve } from "node:path";
import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { clip } from "../domain/text.ts";
import type { CrossMatches } from "../notebook/displays/comparison.ts";
import { PROGRESS_MODES, type ProgressMode } from "../notebook/progress/mode.ts";
import { Comparison } from "../notebook/values/comparison.ts";
import type { Store } from "../store/store.ts";
import { paidUpTo } from "../store/work_costs.ts";
import { comparisonOf, type Side } from "./comparison_data.ts";
import { INSIDE } from "./inside.ts";
import { playCrossMatches } from "./cross_matches.ts";
import type { Comparable } from "./comparable.ts";
import { PROGRESS_REMEDY } from "./verb_options.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What a comparison does besides looking. */
export interface CompareOptions {
  /** Matches between the best of each two sessions, played in a session of their own. @default none */
  readonly crossMatches?: number | undefined;
  /** What these matches may cost in all. Live models need it. */
  readonly budget?: { readonly usd: number } | undefined;
  /** Ends the matches at once; those that are left can be played later. */
  readonly signal?: AbortSignal | undefined;
  /** Where the progress of the matches is shown: see `StepOptions`. @default that of the first session of each two */
  readonly progress?: ProgressMode | undefined;
}

const COMPARE: OptionsRule = {
  shape: z.strictObject({
    crossMatches: z.number().int().min(1).max(1000).optional(),
    budget: z.strictObject({ usd: z.number().positive() }).optional(),
    signal: z.instanceof(AbortSignal).optional(),
    progress: z.enum(PROGRESS_MODES).optional(),
  }),
  example: "{ crossMatches: 20, budget: { usd: 1 } }",
  remedies: {
    crossMatches: "Give a whole number from 1 to 1000.",
    budget: "Give { usd } with a number above 0.",
    signal: "Give the signal of an AbortController.",
    progress: PROGRESS_REMEDY,
  },
};

/** Checks what a person gave to `compare`, before a session is opened. @throws CosciError `input` */
export function requireComparable(sessions: unknown, options: unknown): void {
  requireOptions("compare", options, COMPARE);
  if (!Array.isArray(sessions) || sessions.length < 2) {
    throw inputError(
      "compare",
      Array.isArray(sessions) ? `${sessions.length} sessions` : sessions,
      "Give at least two: handles, or { store, session } where none is open.",
    );
  }
}

/**
 * Compares sessions of one goal; with `crossMatches` it plays the best of each two against each other first.
 *
 * @throws CosciError `input` for sessions of different goals or one that is named twice, `state` where there is nothing to play
 */
export async function compareSessions(
  labs: readonly Comparable[],
  { crossMatches, budget, signal, progress }: CompareOptions,
): Promise<Comparison> {
  const together = togetherIn(labs);
  requireDifferent(labs, together);
  requireOneGoal(labs);
  if (crossMatches === undefined && budget !== undefined) {
    throw inputError("compare: budget", budget, "It is for crossMatches: without them nothing is spent.");
  }
  const cross: CrossMatches[] = [];
  if (crossMatches !== undefined) {
    const pairs = labs.flatMap((a, i) => labs.slice(i + 1).map((b) => [a, b] as const));
    if (budget === undefined && pairs.some(([a]) => a.view().session.mode === "live")) {
      throw new CosciError(
        "input",
        "compare: budget.usd: live models cost money, and no limit was given. Add budget: { usd: 1 }.",
      );
    }
    const usd = budget === undefined ? undefined : budget.usd / pairs.length;
    for (const [a, b] of pairs) {
      cross.push(await playCrossMatches(a, b, { matches: crossMatches, usd, step: { signal, progress } }));
    }
  }
  return new Comparison({ ...comparisonOf(labs.map(sideOf), together), cross });
}

/**
 * Sessions that are open side by side, without a match between them: looking alone.
 *
 * @throws CosciError `input` for fewer than two, sessions of different goals, or one that is named twice
 */
export function comparisonNow(labs: readonly Comparable[]): Comparison {
  requireComparable(labs, {});
  requireDifferent(labs, togetherIn(labs));
  requireOneGoal(labs);
  return new Comparison({ ...comparisonOf(labs.map(sideOf), togetherIn(labs)), cross: [] });
}

/** Whether two of the handles, by their places, work on one store. */
function togetherIn(labs: readonly Comparable[]): (i: number, j: number) => boolean {
  return (i, j) => {
    const a = labs[i], b = labs[j];
    return a !== undefined && b !== undefined && sameStore(a.store, b.store);
  };
}

function sideOf(lab: Comparable): Side {
  const view = lab.view();
  const { parentId } = view.session;
  const stretches = lab.store.stretches(view.session.id);
  return {
    view,
    stretches,
    paid: paidUpTo(lab.store.sql, stretches),
    store: lab.store.name,
    parent: parentId === null ? null : lab.store.findSession(parentId)?.name ?? null,
    prompts: lab[INSIDE].promptTexts(),
  };
}

/** Whether two handles work on one store. Those in memory are told apart by themselves, having no name. */
function sameStore(a: Store, b: Store): boolean {
  return a === b || (a.path !== null && b.path !== null && resolve(a.path) === resolve(b.path));
}

function requireDifferent(
  labs: readonly Comparable[],
  together: (i: number, j: number) => boolean,
): void {
  for (const [i, a] of labs.entries()) {
    const twice = labs.some((b, j) => j < i && together(i, j) && a.view().session.id === b.view().session.id);
    if (twice) throw inputError("compare", a.name, "It is named twice: name each session once.");
  }
}

function requireOneGoal(labs: readonly Comparable[]): void {
  const [first, ...others] = labs;
  const other = others.find((lab) => lab.view().session.goal !== first?.view().session.goal);
  if (first === undefined || other === undefined) return;
  const told = (lab: Comparable) => `"${lab.name}" asks "${clip(lab.view().session.goal, 80)}"`;
  throw new CosciError(
    "input",
    `compare: ${told(first)} and ${
      told(other)
    }: hypotheses on different goals can't be ranked against each other. ` +
      "Compare sessions of one goal, such as a session and its forks.",
  );
}
