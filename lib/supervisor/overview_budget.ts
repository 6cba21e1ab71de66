import type { Settings } from "../config/settings.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { leastCalls } from "../engine/affordability.ts";
import type { ProviderRecord } from "../store/view.ts";

/**
 * Refuses a budget that allows not even the smallest overview. `verb` stands before the keys in messages.
 *
 * @throws CosciError `budget`
 */
export function requireOverviewBudget(settings: Settings, provider: ProviderRecord, verb = ""): void {
  const least = leastCalls(settings, provider).get("metareview");
  if (least === undefined) return;
  const { budgetUsd, budgetTokens } = settings.run;
  if (budgetUsd * 1e6 < least.microUsd) {
    throw tooSmall(
      `${verb}budget.usd`,
      budgetUsd,
      `Even the smallest overview may cost $${
        (least.microUsd / 1e6).toFixed(4)
      }. Give more, or cheaper models.`,
    );
  }
  if (budgetTokens < least.tokens) {
    throw tooSmall(
      `${verb}budget.tokens`,
      budgetTokens,
      `Even the smallest overview may take ${least.tokens} tokens. Give more.`,
    );
  }
}

/** Programs tell a budget that is too small from other wrong input by its code. */
function tooSmall(key: string, value: number, remedy: string): CosciError {
  return new CosciError("budget", inputError(key, value, remedy).message);
}
