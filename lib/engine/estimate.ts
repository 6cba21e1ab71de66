import { formatUsd, type MicroUsd, microUsd, usd } from "../domain/money.ts";
import type { AgentName, Cost, TaskAction } from "../domain/records.ts";
import { addCost, NO_COST, TASK_ACTIONS } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import { modelsOf, plainCall } from "../llm/afford.ts";
import { worstCost } from "../llm/estimate.ts";
import { costOf, isKnownModel } from "../llm/models.ts";
import { rowFor } from "../llm/provider.ts";
import { buildRequest } from "../llm/request.ts";
import type { ProviderRecord, View } from "../store/view.ts";
import { type Work, workUntil } from "./forecast.ts";
import { agentFor } from "./new_task.ts";
import { type CostRow, costRow } from "./snapshot.ts";
import type { Totals } from "./totals.ts";
import {
  actionOf,
  SCREENED,
  TASK_ROUTES,
  type TaskRoute,
  TYPICAL_SCREEN,
  TYPICAL_TASKS,
  type TypicalTask,
} from "./typical_calls.ts";

/** What the tasks of one kind of work did cost so far. */
export interface PastWork {
  /** How many tasks. */
  readonly tasks: number;
  /** Their cost together, failed attempts included. */
  readonly cost: Cost;
}

/** What a session's own tasks did cost, by work. */
export type Past = ReadonlyMap<TaskAction, PastWork>;

/** What one kind of work is expected to cost. */
export interface EstimateRow {
  /** Which work. */
  readonly action: TaskAction;
  /** How many tasks of it. */
  readonly tasks: number;
  /** What they are expected to cost together, in dollars. */
  readonly usd: number;
  /** What they can cost at worst, in dollars: all turns of all loops, each answer as long as it may be. */
  readonly maxUsd: number;
  /** Whether the expectation comes from this session's own calls, or from typical calls and prices. */
  readonly basis: "measured" | "prices";
}

/** What an agent is expected to use. */
export interface AgentEstimate {
  /** What is expected. */
  readonly expected: CostRow;
  /** The worst case. */
  readonly worst: CostRow;
}

/** What going on is expected to cost. */
export interface EstimateData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated: then the money is what live models would cost. */
  readonly simulated: boolean;
  /** Up to where, in words. */
  readonly until: string;
  /** By work. */
  readonly rows: readonly EstimateRow[];
  /** By agent: whose budget share it draws on, a screen on that of the task that it belongs to. */
  readonly byAgent: Readonly<Partial<Record<AgentName, AgentEstimate>>>;
  /** What is expected, in dollars. */
  readonly usd: number;
  /** What it can cost at worst, in dollars; the budget stops the session before it costs more than is left. */
  readonly maxUsd: number;
  /** What is expected: money, tokens, calls. */
  readonly expected: CostRow;
  /** The worst case: money, tokens, calls. */
  readonly worst: CostRow;
  /** The budget, in dollars. */
  readonly budgetUsd: number;
  /** What is left of it, in dollars. */
  readonly leftUsd: number;
  /** What is left of the token budget. */
  readonly leftTokens: number;
  /** What a fork inherited, in dollars: its own budget is not charged with it. */
  readonly inheritedUsd: number;
  /** Whether what is expected is more than what is left, in money or in tokens. */
  readonly exceedsBudget: boolean;
  /** What it assumes and warns of; one line each. */
  readonly notes: readonly string[];
}

/** Sums what a session's tasks did cost: those of its ancestors and its own. */
export function pastWork(
  parts: Iterable<PastWork & { readonly action: TaskAction }>,
): Past {
  const sums = new Map<TaskAction, PastWork>();
  for (const { action, tasks, cost } of parts) {
    const sum = sums.get(action) ?? { tasks: 0, cost: NO_COST };
    sums.set(action, { tasks: sum.tasks + tasks, cost: addCost(sum.cost, cost) });
  }
  return sums;
}

/** Tasks of one kind after which their own mean says more than a table. */
const ENOUGH = 3;

/**
 * What it costs to go on until totals are reached, or (without any) until the session comes to rest: the final overview
 * included. A pure function of the records; an estimate, not a promise: only the budget is one.
 *
 * @param until totals in all; a condition that is a function can't be foreseen and is not passed
 * @param past what the session's own tasks cost; work that it has little of is estimated from typical calls
 */
export function estimate(view: View, until: Totals, past: Past): EstimateData {
  const { settings, session: { provider } } = view;
  const expectedOf = (work: Work) =>
    sumOf(view, work, past).map(({ expected }) => expected).reduce(addCost, NO_COST);
  const work = workUntil(view, until, (done) => expectedOf(done).microUsd);
  const parts = sumOf(view, work, past).filter(({ tasks }) => tasks > 0);
  const expected = parts.map((part) => part.expected).reduce(addCost, NO_COST);
  const worst = parts.map((part) => part.worst).reduce(addCost, NO_COST);
  const leftMicroUsd = Math.max(0, microUsd(settings.run.budgetUsd) - view.cost.microUsd);
  const leftTokens = Math.max(0, settings.run.budgetTokens - view.cost.inputTokens - view.cost.outputTokens);
  const tokens = expected.inputTokens + expected.outputTokens;
  const byAgent: Partial<Record<AgentName, AgentEstimate>> = {};
  for (const agent of new Set(parts.map((part) => agentFor(part.action)))) {
    const own = parts.filter((part) => agentFor(part.action) === agent);
    byAgent[agent] = {
      expected: costRow(own.map((part) => part.expected).reduce(addCost, NO_COST)),
      worst: costRow(own.map((part) => part.worst).reduce(addCost, NO_COST)),
    };
  }
  return {
    session: view.session.name,
    simulated: view.session.mode === "simulator",
    until: inWords(until),
    rows: parts.map((part) => ({
      action: part.action,
      tasks: part.tasks,
      usd: usd(part.expected.microUsd),
      maxUsd: usd(part.worst.microUsd),
      basis: part.basis,
    })),
    byAgent,
    usd: usd(expected.microUsd),
    maxUsd: usd(worst.microUsd),
    expected: costRow(expected),
    worst: costRow(worst),
    budgetUsd: settings.run.budgetUsd,
    leftUsd: usd(leftMicroUsd),
    leftTokens,
    inheritedUsd: usd(view.inherited.cost.microUsd),
    exceedsBudget: expected.microUsd > leftMicroUsd || tokens > leftTokens,
    notes: notesOf(settings, provider, work, {
      expected: expected.microUsd,
      worst: worst.microUsd,
      left: leftMicroUsd,
      tokens,
      leftTokens,
      inherited: view.inherited.cost.microUsd,
    }),
  };
}

/** What a run is expected to take. */
export interface RunForecast {
  /** What it costs, in micro-dollars. */
  readonly microUsd: MicroUsd;
  /** How many tasks it takes. */
  readonly tasks: number;
}

/**
 * What a run until totals is expected to take: the same as {@linkcode estimate} tells, but for the final overview, which no
 * run writes.
 */
export function runForecast(view: View, until: Totals, past: Past): RunForecast {
  const expectedOf = (work: Work) =>
    sumOf(view, work, past).reduce((sum, part) => sum + part.expected.microUsd, 0);
  const work = { ...workUntil(view, until, expectedOf), "metareview.final": 0 };
  return { microUsd: expectedOf(work), tasks: TASK_ROUTES.reduce((sum, route) => sum + work[route], 0) };
}

interface Part {
  readonly action: TaskAction;
  readonly tasks: number;
  readonly expected: Cost;
  readonly worst: Cost;
  readonly basis: "measured" | "prices";
}

function sumOf(view: View, work: Work, past: Past): Part[] {
  return TASK_ACTIONS.map((action): Part => {
    const routes = TASK_ROUTES.filter((route) => actionOf(route) === action);
    const tasks = routes.reduce((sum, route) => sum + work[route], 0);
    const worst = routes.map((route) => times(worstTask(view, route), work[route])).reduce(addCost, NO_COST);
    const known = past.get(action);
    if (known !== undefined && known.tasks >= ENOUGH) {
      const expected = times(known.cost, tasks / known.tasks);
      // What a session really took is never beyond the worst that is foreseen for it.
      return { action, tasks, expected, worst: dearer(worst, expected), basis: "measured" };
    }
    const expected = routes.map((route) => times(typicalTask(view, route), work[route])).reduce(
      addCost,
      NO_COST,
    );
    return { action, tasks, expected, worst: dearer(worst, expected), basis: "prices" };
  });
}

function typicalTask(view: View, route: TaskRoute): Cost {
  const { settings, session: { provider } } = view;
  const judges = modelsOf(route, settings);
  const { verdicts, speeches } = verdictsOf(route, settings);
  // Of a panel each judges as often as the others; the speeches before a verdict are the route's own model's.
  const judged = judges.map((model) => typical(model, verdicts, provider)).reduce(addCost, NO_COST);
  const task = addCost(
    times(judged, 1 / judges.length),
    typical(settings.models[route], speeches, provider),
  );
  return settings.safety.enabled && SCREENED.has(route)
    ? addCost(task, typical(settings.models.classifier, TYPICAL_SCREEN, provider))
    : task;
}

function typical(model: string, task: TypicalTask, provider: ProviderRecord): Cost {
  const cacheReadTokens = Math.round(task.inputTokens * task.cached);
  const inputTokens = task.inputTokens - cacheReadTokens;
  const { outputTokens } = task;
  return {
    microUsd: costOf(rowFor(model, provider), {
      inputTokens,
      cacheReadTokens,
      cacheWriteTokens: 0,
      outputTokens,
    }),
    inputTokens: task.inputTokens,
    outputTokens,
    calls: task.calls,
    unconfirmedMicroUsd: 0,
  };
}

const NO_TASK: TypicalTask = { calls: 0, inputTokens: 0, cached: 0, outputTokens: 0 };

/**
 * A typical task in two parts: the calls that end it, and the speeches of a debate before them. Where matches are judged in
 * both orders there are two verdicts; where groups are, one call reads all of the group.
 */
function verdictsOf(
  route: TaskRoute,
  settings: Settings,
): { readonly verdicts: TypicalTask; readonly speeches: TypicalTask } {
  const task = TYPICAL_TASKS[route];
  const { order, judgedAtOnce } = settings.ranking;
  const both = order === "both" ? 2 : 1;
  switch (route) {
    case "ranking.pairwise":
      return { verdicts: part(task, both * task.calls, both, judgedAtOnce / 2), speeches: NO_TASK };
    case "ranking.debate": {
      const speeches = task.calls - 1;
      return {
        verdicts: part(task, both, both / task.calls),
        speeches: part(task, speeches, speeches / task.calls),
      };
    }
    default:
      return { verdicts: task, speeches: NO_TASK };
  }
}

function part(task: TypicalTask, calls: number, factor: number, read = 1): TypicalTask {
  return {
    calls,
    inputTokens: Math.round(task.inputTokens * factor * read),
    cached: task.cached,
    outputTokens: Math.round(task.outputTokens * factor),
  };
}

/** A prompt may be twice as long as a typical one. */
const LONG_PROMPT = 2;
/** Characters of a tool's answer that make a token. */
const CHARS_PER_TOKEN = 4;

/**
 * The worst case of a task: every turn that its loop may take, each answer of full length, and in each turn one more tool
 * result of full length to read again from then on. Retries of failed calls are not in it.
 */
function worstTask(view: View, route: TaskRoute): Cost {
  const models = new Set([view.settings.models[route], ...modelsOf(route, view.settings)]);
  return [...models].map((model) => worstTaskBy(view, route, model)).reduce(dearer);
}

function worstTaskBy(view: View, route: TaskRoute, model: string): Cost {
  const { settings, session: { provider } } = view;
  const row = rowFor(model, provider);
  const { max_tokens } =
    buildRequest({ ...plainCall(route, settings), model }, row, settings.efforts).request;
  const { calls, inputTokens } = TYPICAL_TASKS[route];
  const { turns, results } = turnsOf(route, settings);
  const shown = route === "ranking.pairwise" ? settings.ranking.judgedAtOnce / 2 : 1;
  const prompt = LONG_PROMPT * shown * inputTokens / calls;
  const growth = max_tokens + (results ? settings.toolLoop.resultChars / CHARS_PER_TOKEN : 0);
  let worst = NO_COST;
  for (let turn = 0; turn < turns; turn++) {
    const input = Math.min(row.contextTokens - max_tokens, Math.ceil(prompt + turn * growth));
    worst = addCost(worst, {
      microUsd: worstCost(row, input, max_tokens),
      inputTokens: input,
      outputTokens: max_tokens,
      calls: 1,
      unconfirmedMicroUsd: 0,
    });
  }
  if (!settings.safety.enabled || !SCREENED.has(route)) return worst;
  const screen = rowFor(settings.models.classifier, provider);
  const read = LONG_PROMPT * TYPICAL_SCREEN.inputTokens;
  return addCost(worst, {
    microUsd: worstCost(screen, read, settings.maxTokens.classifier),
    inputTokens: read,
    outputTokens: settings.maxTokens.classifier,
    calls: 1,
    unconfirmedMicroUsd: 0,
  });
}

/** What one task of an action can cost at worst, in micro-dollars: by its dearest route. */
export function worstOfAction(view: View, action: TaskAction): number {
  if (action === "rejudge") {
    // By single calls, whatever the match was; in both orders, unless a person asked for one.
    const verdicts = view.settings.ranking.order === "both" ? 1 : 2;
    return verdicts * worstTask(view, "ranking.pairwise").microUsd;
  }
  const routes = TASK_ROUTES.filter((route) => actionOf(route) === action);
  return Math.max(0, ...routes.map((route) => worstTask(view, route).microUsd));
}

/**
 * What a match is expected to cost, in micro-dollars: what the session's own did on average, or a typical one while there
 * are too few of them.
 */
export function matchPrice(view: View): number {
  // A fork's matches are partly its parent's, and so is what they cost.
  const spent = addCost(
    view.costByAgent.get("ranking") ?? NO_COST,
    view.inherited.byAgent.get("ranking") ?? NO_COST,
  );
  // A match that is judged again is paid like one, and is none of them.
  const judged = view.matchCount + view.rejudgements.length;
  if (spent.calls > 0 && view.matchCount >= ENOUGH) return spent.microUsd / judged;
  const routes = TASK_ROUTES.filter((route) => actionOf(route) === "match");
  return routes.reduce((sum, route) => sum + typicalTask(view, route).microUsd, 0) / routes.length;
}

/** What one task is expected to cost, and where that is known from. */
export interface TaskPrice {
  /** In micro-dollars. */
  readonly microUsd: MicroUsd;
  /** Whether it comes from this session's own tasks, or from typical calls and prices. */
  readonly basis: EstimateRow["basis"];
}

/** What one more task of a route is expected to cost: the mean of the session's own of that work, once there are some. */
export function taskPrice(view: View, route: TaskRoute, past: Past): TaskPrice {
  const known = past.get(actionOf(route));
  return known !== undefined && known.tasks >= ENOUGH
    ? { microUsd: Math.ceil(known.cost.microUsd / known.tasks), basis: "measured" }
    : { microUsd: typicalTask(view, route).microUsd, basis: "prices" };
}

/** What it costs to ask for so many verdicts on pairs, each by one call: what is expected, and at worst. */
export function verdictsPrice(
  view: View,
  models: readonly string[],
): { readonly expected: Cost; readonly worst: Cost } {
  const { provider } = view.session;
  const { turns } = turnsOf("ranking.pairwise", view.settings);
  const each = models.map((model) => ({
    expected: typical(model, TYPICAL_TASKS["ranking.pairwise"], provider),
    worst: times(worstTaskBy(view, "ranking.pairwise", model), 1 / turns),
  }));
  return {
    expected: each.map(({ expected }) => expected).reduce(addCost, NO_COST),
    worst: each.map(({ worst }) => worst).reduce(addCost, NO_COST),
  };
}

/** How many calls a task may make, and whether tools' results are read on the way. */
function turnsOf(
  route: TaskRoute,
  settings: Settings,
): { readonly turns: number; readonly results: boolean } {
  const { toolLoop, generation, ranking } = settings;
  switch (actionOf(route)) {
    case "generate": {
      const turns = toolLoop.generationMaxTurns +
        (route === "generation.debate" ? generation.debateTurns : 0);
      return { turns, results: true };
    }
    case "review":
      return route === "reflection.observation"
        ? { turns: 1, results: false }
        : { turns: toolLoop.reflectionMaxTurns, results: true };
    case "evolve":
      return { turns: toolLoop.evolutionMaxTurns, results: true };
    case "rejudge":
    case "match": {
      const verdicts = ranking.order === "both" ? 2 : 1;
      return { turns: (route === "ranking.debate" ? ranking.debateTurns : 0) + verdicts, results: false };
    }
    case "parse_goal":
    case "system_feedback":
    case "overview":
      return { turns: 1, results: false };
  }
}

function times(cost: Cost, factor: number): Cost {
  return {
    microUsd: Math.ceil(cost.microUsd * factor),
    inputTokens: Math.ceil(cost.inputTokens * factor),
    outputTokens: Math.ceil(cost.outputTokens * factor),
    calls: Math.ceil(cost.calls * factor),
    unconfirmedMicroUsd: Math.ceil(cost.unconfirmedMicroUsd * factor),
  };
}

function dearer(a: Cost, b: Cost): Cost {
  return {
    microUsd: Math.max(a.microUsd, b.microUsd),
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    calls: Math.max(a.calls, b.calls),
    unconfirmedMicroUsd: 0,
  };
}

function inWords(until: Totals): string {
  const totals = Object.entries(until).filter(([, value]) => value !== undefined);
  if (totals.length === 0) return "until the session comes to rest";
  return `until ${
    totals.map(([key, value]) => key === "usd" ? `$${value} spent` : `${value} ${key} in all`).join(" or ")
  }`;
}

function notesOf(
  settings: Settings,
  provider: ProviderRecord,
  work: Work,
  sums: {
    readonly expected: number;
    readonly worst: number;
    readonly left: number;
    readonly tokens: number;
    readonly leftTokens: number;
    readonly inherited: number;
  },
): string[] {
  const notes: string[] = [];
  if (sums.inherited > 0) {
    notes.push(`${formatUsd(sums.inherited)} were spent before the fork: they are no part of its budget.`);
  }
  if (sums.expected > sums.left) {
    notes.push(
      `This is more than the ${
        formatUsd(sums.left)
      } that is left of the budget: the session would stop before, ` +
        "with an overview. Raise run.budgetUsd, or ask for less.",
    );
  } else if (sums.worst > sums.left) {
    notes.push(`At worst the budget ends it first: it never costs more than ${formatUsd(sums.left)}.`);
  }
  if (sums.tokens > sums.leftTokens) {
    notes.push(
      `${sums.tokens} tokens are expected, and ${sums.leftTokens} are left. Raise run.budgetTokens, or ask for less.`,
    );
  }
  const unpriced = new Set(
    TASK_ROUTES.filter((route) => work[route] > 0)
      .flatMap((route) => [settings.models[route], ...modelsOf(route, settings)])
      .filter((model) => !isKnownModel(model) && rowFor(model, provider).price === null),
  );
  for (const model of unpriced) {
    notes.push(`The price of ${model} is unknown: it is counted at the dearest known rate.`);
  }
  return notes;
}
