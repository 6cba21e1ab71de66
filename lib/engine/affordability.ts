import { ROUTES } from "../domain/agent.ts";
import type { MicroUsd } from "../domain/money.ts";
import { microUsd } from "../domain/money.ts";
import type { AgentName } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import { agentOf, ladder, modelsOf, plainCall, plannedOverview, smallestOverview } from "../llm/afford.ts";
import { worstCost } from "../llm/estimate.ts";
import { rowFor } from "../llm/provider.ts";
import { buildRequest } from "../llm/request.ts";
import type { BudgetLimits } from "../store/budget.ts";
import type { ProviderRecord, View } from "../store/view.ts";

/** Tokens of a short prompt: what the smallest call of an agent is taken to read. */
const SHORT_INPUT = 2_000;

/** What the smallest useful call of a route may cost at most. */
export interface LeastCall {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens, read and written. */
  readonly tokens: number;
}

/** The smallest call of each agent, or the two that make its smallest result: what must be left for it to do anything at all. */
export function leastCalls(settings: Settings, provider: ProviderRecord): ReadonlyMap<AgentName, LeastCall> {
  const least = new Map<AgentName, LeastCall>();
  for (const route of ROUTES) {
    const agent = agentOf(route);
    // A match that is judged in both orders is not begun where money is left for the first verdict alone.
    const calls = agent === "ranking" && settings.ranking.order === "both" ? 2 : 1;
    const rungs = modelsOf(route, settings).flatMap((model) =>
      ladder({ ...plainCall(route, settings), model }, settings.efforts)
    );
    for (const { call } of rungs) {
      const row = rowFor(call.model, provider);
      const { max_tokens } = buildRequest(call, row, settings.efforts).request;
      const cost = {
        microUsd: calls * worstCost(row, SHORT_INPUT, max_tokens),
        tokens: calls * (SHORT_INPUT + max_tokens),
      };
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
  const { budgetTokens } = settings.run;
  const planned = plannedOverview(settings, session.provider);
  const least = smallestOverview(settings, session.provider, `${session.goal} ${session.preferences}`);
  // A quarter of a small cap may be less than any overview takes; then the overview goes before all else.
  const aside = (cap: number, planned: number, least: number) =>
    Math.min(cap, Math.max(least, Math.min(planned, Math.floor(cap / 4))));
  return {
    capMicroUsd: cap,
    capTokens: budgetTokens,
    overviewMicroUsd: aside(cap, planned.microUsd, least.microUsd),
    overviewTokens: aside(budgetTokens, planned.tokens, least.tokens),
    shares,
    reserve,
  };
}
