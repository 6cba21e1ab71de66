import type { PromptChangesData } from "../../lib/notebook/displays/prompt_changes.ts";
import type { PromptDiffData } from "../../lib/notebook/displays/prompt_diff.ts";
import type { PromptListData, PromptRow } from "../../lib/notebook/displays/prompt_list.ts";
import type { PromptPreviewData } from "../../lib/notebook/displays/prompt_preview.ts";
import type { PromptTextData } from "../../lib/notebook/displays/prompt_text.ts";
import type { ResentAnswer, ResentData } from "../../lib/notebook/displays/resent.ts";
import { transcriptData } from "./display_data.ts";

// Plausible data of the values that tell of prompts. `foreign` stands wherever a text of foreign origin stands.

const origin = (foreign?: string) => ({ session: foreign ?? "aml", simulated: true });

function row(foreign?: string): PromptRow {
  return {
    name: "ranking.pairwise",
    what: "judges two hypotheses in one call",
    version: "2187f6aadd1e6e0c",
    changed: true,
    by: foreign ?? "iris",
    revision: "R4",
    seq: 101,
    calls: 12,
    earlierCalls: 40,
  };
}

/** All prompts. */
export function promptListData(foreign?: string): PromptListData {
  const rest = { changed: false, by: null, revision: null, seq: null, calls: 0, earlierCalls: 0 };
  return {
    ...origin(foreign),
    rows: [row(foreign), { ...row(), ...rest, name: "metareview.final", version: null }],
  };
}

/** One prompt. */
export function promptTextData(foreign?: string): PromptTextData {
  return {
    ...origin(foreign),
    ...row(foreign),
    text: foreign ?? "---\ninputs: goal\n---\n# Judge\n\n- by **evidence**\n- not by length\n\n{{ goal }}\n",
    inputs: ["goal"],
    given: ["goal", "plan"],
    versions: [
      { version: "01aa01aa01aa01aa", inForce: false, calls: 40, lastCall: 210 },
      { version: "2187f6aadd1e6e0c", inForce: true, calls: 12, lastCall: 301 },
    ],
  };
}

/** Two states of a prompt. */
export function promptDiffData(foreign?: string): PromptDiffData {
  const same = Array.from({ length: 9 }, (_, i) => ({ mark: " " as const, text: foreign ?? `line ${i}` }));
  return {
    ...origin(foreign),
    name: "ranking.pairwise",
    from: "shipped",
    to: "R4",
    same: false,
    text: [
      ...same,
      { mark: "-", text: foreign ?? "Decide which of two hypotheses deserves to be followed up first." },
      { mark: "+", text: foreign ?? "Decide which of two hypotheses is easier to test." },
      ...same,
    ],
    tools: [
      { name: "web_search", change: "same", lines: same },
      { name: "record_verdict", change: "changed", lines: [{ mark: "+", text: foreign ?? '"enum": ["1"]' }] },
    ],
    notes: [foreign ?? "No call was made with the text that is R4."],
  };
}

/** Changed prompts. */
export function promptChangesData(foreign?: string): PromptChangesData {
  return {
    ...origin(foreign),
    rows: [{
      revision: "R4",
      prompt: "ranking.pairwise",
      to: "changed",
      added: 3,
      removed: 1,
      by: foreign ?? "iris",
      seq: 101,
    }],
  };
}

function request(foreign?: string): string {
  const call: unknown = JSON.parse(transcriptData(foreign).request);
  return JSON.stringify({
    ...Object(call),
    tools: [{
      name: "record_verdict",
      description: foreign ?? "Hands over the verdict.",
      input_schema: { type: "object", properties: { why: { description: foreign ?? "why" } } },
    }],
  });
}

/** A request before it is sent. */
export function promptPreviewData(foreign?: string): PromptPreviewData {
  return {
    ...origin(foreign),
    prompt: "ranking.pairwise",
    version: "2187f6aadd1e6e0c",
    on: ["H3", "H7"],
    route: "ranking.pairwise",
    model: foreign ?? "claude-sonnet-4-6",
    request: request(foreign),
    inputTokens: 2800,
    maxInputTokens: 6600,
    outputTokens: 224,
    maxOutputTokens: 6048,
    usd: 0.0117,
    maxUsd: 0.1155,
    basis: "measured",
    concessions: [foreign ?? "claude-haiku-4-5-20251001 instead of claude-sonnet-4-6"],
    notes: [
      foreign ?? "As the settings of ranking are, a match of these two would be judged after a debate.",
    ],
  };
}

/** A call that was asked twice. */
export function resentData(foreign?: string): ResentData {
  const answer = (n: number): ResentAnswer => ({
    n,
    model: foreign ?? "claude-sonnet-4-6",
    promptVersion: "2187f6aadd1e6e0c",
    usd: 0.0118,
    inputTokens: 2800,
    outputTokens: 224,
    stopReason: "tool_use",
    error: "",
    concessions: [],
    request: request(foreign),
    response: transcriptData(foreign).response,
  });
  return {
    ...origin(foreign),
    prompt: "ranking.pairwise",
    was: answer(27),
    now: {
      ...answer(28),
      response: "",
      stopReason: "",
      error: foreign ?? "HTTP 529 overloaded_error",
      concessions: [foreign ?? "no thinking instead of 4000 tokens"],
    },
    text: promptDiffData(foreign).text,
    notes: [foreign ?? "The question could not be rebuilt word for word."],
  };
}
