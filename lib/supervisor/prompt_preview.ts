import { usd } from "../domain/money.ts";
import { matchMode } from "../tournament/order.ts";
import type { RehearsedCall } from "../engine/rehearsal.ts";
import { actionOf, SCREENED, TYPICAL_SCREEN, TYPICAL_TASKS } from "../engine/typical_calls.ts";
import type { PromptPreviewData } from "../notebook/displays/prompt_preview.ts";
import { agentOf, ladder } from "../llm/afford.ts";
import { worstCost } from "../llm/estimate.ts";
import { costOf } from "../llm/models.ts";
import { rowFor } from "../llm/provider.ts";
import { buildRequest } from "../llm/request.ts";
import type { Headroom } from "../store/calls.ts";
import type { Sql } from "../store/database.ts";
import { callHabits } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import { hypothesisOf } from "./labels.ts";
import { originOf } from "./look.ts";

/** Characters of a request's JSON that make a token, where no call has told yet. */
const CHARS_PER_TOKEN = 4;

/** A call that was rehearsed, as the request that would be sent with the money that is left, and what it may cost. */
export function previewData(
  view: View,
  sql: Sql,
  { scope, intended }: RehearsedCall,
  labels: readonly string[],
  headroom: Headroom,
  pending: readonly string[],
): PromptPreviewData {
  const { settings, session: { provider, id } } = view;
  const rungs = ladder(intended, settings.efforts).map(({ call, concessions }) => {
    const row = rowFor(call.model, provider);
    const built = buildRequest(call, row, settings.efforts);
    return { ...built, row, concessions, most: worstCost(row, built.inputTokens, built.request.max_tokens) };
  });
  const fits = rungs.find(({ most, inputTokens, request }) =>
    most <= headroom.microUsdLater && inputTokens + request.max_tokens <= headroom.tokens
  );
  const [first = undefined] = rungs;
  const chosen = fits ?? first;
  if (chosen === undefined) throw new TypeError("A ladder has a first rung");
  const { request, row, most, inputTokens } = chosen;
  const json = JSON.stringify(request);
  const habits = callHabits(sql, id, row.id, scope.prompt);
  const read = Math.min(inputTokens, Math.ceil(json.length / (habits.charsPerToken ?? CHARS_PER_TOKEN)));
  const written = Math.min(
    request.max_tokens,
    Math.round(habits.outputTokens ?? typicalOutput(intended.route)),
  );
  const likely = costOf(row, {
    inputTokens: read,
    cacheWriteTokens: 0,
    cacheReadTokens: 0,
    outputTokens: written,
  });
  return {
    ...originOf(view),
    prompt: scope.prompt,
    version: scope.promptVersion,
    on: labels,
    route: intended.route,
    model: row.id,
    request: json,
    inputTokens: read,
    maxInputTokens: inputTokens,
    outputTokens: written,
    maxOutputTokens: request.max_tokens,
    usd: usd(likely),
    maxUsd: usd(most),
    basis: habits.charsPerToken === null || habits.outputTokens === null ? "typical" : "measured",
    concessions: chosen.concessions,
    notes: [
      ...pending.map((name) =>
        `The file of prompt ${name} was edited: the next claim takes it over, and so does this.`
      ),
      ...(fits === undefined
        ? [`What is left for ${agentOf(intended.route)} is not enough for this call, whatever it gives up.`]
        : []),
      ...modeNote(view, scope.prompt, labels),
      ...(request.tool_choice === undefined && intended.tools.length > 1
        ? [
          "It is the first turn: an answer that calls a tool is followed by further turns, which cost extra.",
        ]
        : []),
      ...(intended.route !== "classifier" && SCREENED.has(intended.route) && settings.safety.enabled
        ? [
          `The safety screen of this ${
            actionOf(intended.route)
          } task is a call of its own, which costs extra.`,
        ]
        : []),
    ],
  };
}

function typicalOutput(route: RehearsedCall["intended"]["route"]): number {
  const task = route === "classifier" ? TYPICAL_SCREEN : TYPICAL_TASKS[route];
  return task.outputTokens / task.calls;
}

/** A person may look at either way of judging; which one a match of these two would take now is said. */
function modeNote(view: View, prompt: string, labels: readonly string[]): string[] {
  if (prompt !== "ranking.pairwise" && prompt !== "ranking.debate.turn") return [];
  const [a, b] = labels.map((label) => hypothesisOf(view, label, "prompts.preview"));
  if (a === undefined || b === undefined) return [];
  const contender = ({ record: { id }, elo, matches, bornSeq }: typeof a) => ({ id, elo, matches, bornSeq });
  const mode = matchMode(contender(a), contender(b), view.settings.ranking);
  const shown = prompt === "ranking.pairwise" ? "pairwise" : "debate";
  return mode === shown ? [] : [
    `As the settings of ranking are, a match of these two would be judged ${
      mode === "debate" ? "after a debate" : "in one call"
    }.`,
  ];
}
