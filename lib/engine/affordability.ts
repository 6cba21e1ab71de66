import { type Route, ROUTES } from "../domain/agent.ts";
import type { MicroUsd } from "../domain/money.ts";
import { microUsd } from "../domain/money.ts";
import type { AgentName } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import { agentOf, ladder, plannedOverviewCost } from "../llm/afford.ts";
import { worstCost } from "../llm/estimate.ts";
import { rowFor } from "../llm/provider.ts";
import { buildRequest, type IntendedCall } from "../llm/request.ts";
import type { BudgetLimits } from "../store/budget.ts";
import type { ProviderRecord, View } from "../store/view.ts";

/** Tokens of a short prompt: what the smallest call of an agent is taken to read. */
const SHORT_INPUT = 2_000;

/** The overview's share of the token budget, as of the money: a quarter at most. */
const OVERVIEW_TOKENS = 40_000;

/** What the smallest useful call of a route may cost at most. */
export interface LeastCall {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens, read and written. */
  readonly tokens: number;
}

/** The smallest call of each agent: what must be left for it to do anything at all. */
export function leastCalls(settings: Settings, provider: ProviderRecord): ReadonlyMap<AgentName, LeastCall> {
  const least = new Map<AgentName, LeastCall>();
  for (const route of ROUTES) {
    const agent = agentOf(route);
    for (const { call } of ladder(plainCall(route, settings), settings.efforts)) {
      const row = rowFor(call.model, provider);
      const { max_tokens } = buildRequest(call, row, settings.efforts).request;
      const cost = { microUsd: worstCost(row, SHORT_INPUT, max_tokens), tokens: SHORT_INPUT + max_tokens };
      const known = least.get(agent);
      if (
        known === undefined || cost.microUsd < known.microUsd ||
        (cost.microUsd === known.microUsd && cost.tokens < known.tokens)
      ) {
        least.set(agent, cost);
      }
    }
  }
  return least;
}

/** What a session may spend, as its settings say at the moment. */
export function budgetLimits(view: View): BudgetLimits {
  const { settings, session } = view;
  const cap = microUsd(settings.run.budgetUsd);
  const { reserve, ...shares } = settings.budgetShares;
  return {
    capMicroUsd: cap,
    capTokens: settings.run.budgetTokens,
    overviewMicroUsd: Math.min(plannedOverviewCost(settings, session.provider), Math.floor(cap / 4)),
    overviewTokens: Math.min(OVERVIEW_TOKENS, Math.floor(settings.run.budgetTokens / 4)),
    shares,
    reserve,
  };
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
