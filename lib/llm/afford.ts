import type { Route } from "../domain/agent.ts";
import { CosciError } from "../domain/errors.ts";
import { formatUsd, type MicroUsd } from "../domain/money.ts";
import type { AgentName } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import type { CallLedger } from "../store/calls.ts";
import type { ProviderRecord } from "../store/view.ts";
import { tokenBound, worstCost } from "./estimate.ts";
import { EFFORTS, type ModelRow, PRESETS } from "./models.ts";
import { rowFor } from "./provider.ts";
import { buildRequest, type BuiltRequest, effortOf, type IntendedCall } from "./request.ts";

/** A call that would fit if what others have reserved came free: its task is put off, not failed. */
export class Deferred extends CosciError {
  /** When to try again: once money comes free. */
  readonly retry = "later";
  /** `message` says what doesn't fit. */
  constructor(message: string) {
    super("budget", message);
    this.name = "Deferred";
  }
}

/** Routes that give up quality for money only, and the model last of all. */
const NEVER_DEGRADED: ReadonlySet<Route> = new Set(["reflection.verification", "metareview.final"]);

/** The shortest answer, in tokens, that is still of use on a route. */
const LEAST_ANSWER: Readonly<Record<Route, number>> = {
  "parse_goal": 1024,
  "generation.literature": 2048,
  "generation.debate": 2048,
  "reflection.full": 1536,
  "reflection.verification": 2048,
  "reflection.observation": 1536,
  "ranking.pairwise": 512,
  "ranking.debate": 1024,
  "evolution.combine": 2048,
  "evolution.simplify": 2048,
  "evolution.out_of_box": 2048,
  "evolution.feasibility": 2048,
  "metareview.system": 1024,
  "metareview.final": 3072,
  "classifier": 256,
};

/** Whose share a route draws on: an agent's name stands before the dot. */
export function agentOf(route: Route): AgentName {
  switch (route) {
    case "parse_goal":
      return "planning";
    case "classifier":
      return "safety";
    case "generation.literature":
    case "generation.debate":
      return "generation";
    case "reflection.full":
    case "reflection.verification":
    case "reflection.observation":
      return "reflection";
    case "ranking.pairwise":
    case "ranking.debate":
      return "ranking";
    case "evolution.combine":
    case "evolution.simplify":
    case "evolution.out_of_box":
    case "evolution.feasibility":
      return "evolution";
    case "metareview.system":
    case "metareview.final":
      return "metareview";
  }
}

/** The models that may stand in for one, best first, itself at the head: the rest of its preset. */
export function chainOf(model: string): readonly string[] {
  for (const { strong, middle, small } of Object.values(PRESETS)) {
    const chain = [strong, middle, small];
    const at = chain.indexOf(model);
    if (at >= 0) return chain.slice(at);
  }
  return [model];
}

/** One step of a ladder of concessions. */
export interface Rung {
  /** The call. */
  readonly call: IntendedCall;
  /** What it gives up, in words; nothing on the first. */
  readonly concessions: readonly string[];
}

/**
 * What may be asked instead of an intended call, dearest first. Models that are unavailable are passed over.
 *
 * Most routes walk down the chain of models, then shorten the answer. Never-degraded routes first give up effort, then
 * length, and only then the model.
 */
export function ladder(
  intended: IntendedCall,
  efforts: Settings["efforts"],
  unavailable: ReadonlySet<string> = new Set(),
): Rung[] {
  const chain = chainOf(intended.model).filter((model) => !unavailable.has(model));
  const withModel = (model: string): Rung => ({
    call: { ...intended, model },
    concessions: model === intended.model
      ? []
      : [`${model} instead of ${intended.model}${unavailable.has(intended.model) ? " (unavailable)" : ""}`],
  });
  const models = chain.map(withModel);
  if (NEVER_DEGRADED.has(intended.route)) {
    return models.flatMap((rung) => [rung, ...lessEffort(rung, efforts), ...shorter(rung)]);
  }
  const last = models.at(-1);
  return last === undefined ? [] : [...models, ...shorter(last)];
}

/** The same call with less thinking, level by level, down to one level above none. */
function lessEffort(rung: Rung, efforts: Settings["efforts"]): Rung[] {
  const wanted = rung.call.thinkingTokens;
  return EFFORTS.slice(0, EFFORTS.indexOf(effortOf(wanted, efforts)))
    .toReversed()
    .flatMap((effort) => effort === "max" || effort === "low" ? [] : [efforts[effort]])
    .filter((tokens) => tokens > 0 && tokens < wanted)
    .map((tokens) => withThinking(rung, tokens));
}

/** The same call without thinking, then with ever shorter answers. */
function shorter(rung: Rung): Rung[] {
  const { route, maxTokens, thinkingTokens } = rung.call;
  const plain = thinkingTokens > 0 ? withThinking(rung, 0) : rung;
  const rungs = thinkingTokens > 0 ? [plain] : [];
  const floor = Math.min(LEAST_ANSWER[route], maxTokens);
  for (let tokens = maxTokens; tokens > floor;) {
    tokens = Math.max(floor, Math.floor(tokens / 2));
    rungs.push({
      call: { ...plain.call, maxTokens: tokens },
      concessions: [
        ...plain.concessions,
        `an answer of at most ${tokens} tokens instead of ${maxTokens}`,
      ],
    });
  }
  return rungs;
}

function withThinking(rung: Rung, tokens: number): Rung {
  const wanted = rung.call.thinkingTokens;
  return {
    call: { ...rung.call, thinkingTokens: tokens },
    concessions: [
      ...rung.concessions,
      tokens === 0
        ? `no thinking instead of ${wanted} tokens`
        : `thinking of ${tokens} tokens, not ${wanted}`,
    ],
  };
}

/** A call that was let through, with its reservation. */
export interface Granted extends BuiltRequest {
  /** The reservation. */
  readonly reservationId: string;
  /** What is reserved. */
  readonly microUsd: MicroUsd;
  /** The model's row. */
  readonly row: ModelRow;
  /** What was given up for it, in words. */
  readonly concessions: readonly string[];
}

/**
 * Reserves money for the first rung that fits what is left. Nothing is given up for money that is only reserved by
 * others: then the call waits.
 *
 * @throws Deferred where it would fit later
 * @throws CosciError `budget` where no rung will ever fit
 */
export function admitFirst(
  rungs: readonly Rung[],
  ledger: CallLedger,
  settings: Settings,
  provider: ProviderRecord,
  taskId: string,
): Granted {
  let cheapest: { readonly microUsd: MicroUsd; readonly model: string } | undefined;
  let left:
    | { readonly microUsd: MicroUsd; readonly limit: "usd" | "tokens"; readonly tokens: number }
    | undefined;
  for (const { call, concessions } of rungs) {
    const row = rowFor(call.model, provider);
    const built = buildRequest(call, row, settings.efforts);
    const tokens = built.inputTokens + built.request.max_tokens;
    const microUsd = worstCost(row, built.inputTokens, built.request.max_tokens);
    const admission = ledger.admit({
      agent: agentOf(call.route),
      taskId,
      microUsd,
      tokens,
      overview: call.route === "metareview.final",
    });
    switch (admission.kind) {
      case "admitted":
        return { ...built, reservationId: admission.id, microUsd, row, concessions };
      case "later":
        throw new Deferred(
          `A call of ${call.model} for ${call.route} may cost ${formatUsd(microUsd)} and ${tokens} tokens; ` +
            `it fits once other calls give back what they reserved and don't use.`,
        );
      case "never":
        if (cheapest === undefined || microUsd < cheapest.microUsd) {
          cheapest = { microUsd, model: call.model };
        }
        left = { microUsd: admission.left, limit: admission.limit, tokens };
    }
  }
  const route = rungs[0]?.call.route ?? "the route";
  throw new CosciError(
    "budget",
    left?.limit === "tokens"
      ? `The token budget is used up for ${route}: even the smallest call may take ${left.tokens} tokens. ` +
        "Raise run.budgetTokens."
      : `The budget is used up for ${route}: even the cheapest call (${
        cheapest?.model ?? "none"
      }) may cost ` +
        `${formatUsd(cheapest?.microUsd ?? 0)}, and ${formatUsd(left?.microUsd ?? 0)} is left for it. ` +
        "Raise run.budgetUsd, or this agent's part of budgetShares.",
  );
}

/** Tokens of the prompt of an overview about ten hypotheses, by the upper bound that is reserved. */
const OVERVIEW_INPUT = 40_000;

/** The same about the best hypothesis alone; the goal comes on top. */
const LEAST_OVERVIEW_INPUT = 12_000;

/** What an overview may take at most. */
export interface OverviewCost {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens, read and written. */
  readonly tokens: number;
}

/**
 * What an overview may cost at most with a typical prompt: the part of the budget that is put aside for it (at most a
 * quarter of the cap, unless even the smallest one takes more).
 */
export function plannedOverview(settings: Settings, provider: ProviderRecord): OverviewCost {
  return overviewCost(plainCall("metareview.final", settings), OVERVIEW_INPUT, settings, provider);
}

/**
 * What the smallest overview may cost at most: about the best hypothesis alone, with every concession made. `goal`: the
 * goal and the preferences, which every prompt carries, and the plan repeats.
 */
export function smallestOverview(settings: Settings, provider: ProviderRecord, goal: string): OverviewCost {
  const input = LEAST_OVERVIEW_INPUT + 2 * tokenBound(goal);
  const costs = ladder(plainCall("metareview.final", settings), settings.efforts)
    .map(({ call }) => overviewCost(call, input, settings, provider));
  return costs.reduce((least, cost) => cost.microUsd <= least.microUsd ? cost : least);
}

/** A call of a route as its settings ask for it, with nothing to say yet: what limits and prices are read from. */
export function plainCall(route: Route, settings: Settings): IntendedCall {
  return {
    route,
    model: settings.models[route],
    maxTokens: settings.maxTokens[route],
    thinkingTokens: settings.thinking[route],
    system: [],
    turns: [],
    tools: [],
    force: null,
    growing: false,
  };
}

/**
 * The models that may get the calls of a route as long as all goes well: the route's own, or where a panel judges, its
 * members. The speeches of a debate are the route's own model's all the same.
 */
export function modelsOf(route: Route, settings: Settings): readonly string[] {
  const { panel } = settings.ranking;
  return agentOf(route) === "ranking" && panel.length > 0 ? panel : [settings.models[route]];
}

function overviewCost(
  call: IntendedCall,
  input: number,
  settings: Settings,
  provider: ProviderRecord,
): OverviewCost {
  const row = rowFor(call.model, provider);
  const { max_tokens } = buildRequest(call, row, settings.efforts).request;
  return { microUsd: worstCost(row, input, max_tokens), tokens: input + max_tokens };
}
