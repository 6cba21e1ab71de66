import { recordSafetyAssessment } from "../domain/drafts.ts";
import { CosciError, messageOf } from "../domain/errors.ts";
import type { ScreenRecord } from "../domain/records.ts";
import { fence } from "../domain/text.ts";
import type { Settings } from "../config/settings.ts";
import { Deferred } from "./afford.ts";
import type { Caller } from "./caller.ts";

/**
 * Asks the safety screen about a text. `target`: `goal`, `overview`, or a hypothesis's id.
 *
 * `blocked` where a category that blocks is named, or one that warns with at least `warnConfidence`; `warned` where one
 * that warns is named with less; `failed` where no assessment could be got, which counts as not screened.
 *
 * @throws Deferred, or CosciError `aborted`, `tape` or `prompt`: these are no failures of the screen
 */
export async function screenText(
  caller: Pick<Caller, "record">,
  safety: Settings["safety"],
  target: string,
  text: string,
): Promise<Omit<ScreenRecord, "seq" | "id">> {
  const tag = target === "goal" ? "GOAL" : target === "overview" ? "OVERVIEW" : "HYPOTHESIS";
  try {
    const { value } = await caller.record({
      route: "classifier",
      prompt: "safety.screen",
      variables: { text: fence(tag, text) },
      // The screen judges the text alone: what a session wants must not sway it.
      session: { goal: "", plan: "", known: "", criteria: "", feedback: "", directives: [] },
      record: recordSafetyAssessment,
      tools: [],
      maxTurns: 1,
    });
    const categories = [...new Set(value.categories)];
    const named = (list: readonly string[]) => categories.some((category) => list.includes(category));
    const warned = named(safety.warnCategories);
    const blocked = named(safety.blockCategories) || (warned && value.confidence >= safety.warnConfidence);
    return {
      target,
      result: blocked ? "blocked" : warned ? "warned" : "clear",
      categories,
      confidence: value.confidence,
      rationale: value.rationale,
    };
  } catch (error) {
    if (error instanceof Deferred || !isScreenFailure(error)) throw error;
    return { target, result: "failed", categories: [], confidence: 0, rationale: messageOf(error) };
  }
}

function isScreenFailure(error: unknown): boolean {
  return error instanceof CosciError &&
    (error.code === "provider" || error.code === "output" || error.code === "budget");
}
