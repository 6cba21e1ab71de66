import { clipTokens, countTextTokens } from "./tokens.ts";
import type { Signer } from "./thinking.ts";

/** What the simulated model wants to say, before limits and ids. */
export type Draft =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A block of an answer as it goes over the wire. */
export type AnswerBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string; readonly citations: null }
  | {
    readonly type: "tool_use";
    readonly id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  };

/** Why an answer ended. */
export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/** An answer within its limits. */
export interface Answer {
  /** Its blocks. */
  readonly content: readonly AnswerBlock[];
  /** Of a tool call that was cut: its JSON as far as it got, which streams carry as it is. By index of the block. */
  readonly cutJson: ReadonlyMap<number, string>;
  /** Why it ended. */
  readonly stopReason: StopReason;
  /** The stop sequence that ended it. */
  readonly stopSequence: string | null;
  /** All tokens, thinking included. */
  readonly outputTokens: number;
  /** Of them, thinking. */
  readonly thinkingTokens: number;
}

/** What an answer has to keep within. */
export interface AnswerLimits {
  /** Identifies the request: ids and signatures are made from it. */
  readonly contentKey: string;
  /** At most so many tokens, thinking included. */
  readonly maxTokens: number;
  /** Why it ends if it doesn't fit. */
  readonly whenFull: "max_tokens" | "model_context_window_exceeded";
  /** Texts that end it. */
  readonly stopSequences: readonly string[];
  /** Thinking before it, if any: its tokens and the words that come back. */
  readonly thinking: { readonly tokens: number; readonly text: string } | null;
}

/** Fits a draft into its limits: adds thinking, cuts at stop sequences and at the number of tokens. */
export function fitAnswer(drafts: readonly Draft[], limits: AnswerLimits, signer: Signer): Answer {
  const content: AnswerBlock[] = [];
  const cutJson = new Map<number, string>();
  const thinkingTokens = Math.min(limits.thinking?.tokens ?? 0, limits.maxTokens);
  let left = limits.maxTokens - thinkingTokens;
  const thought = limits.thinking !== null;
  if (limits.thinking !== null) {
    const { text } = limits.thinking;
    content.push({ type: "thinking", thinking: text, signature: signer.sign(limits.contentKey, text) });
  }
  const finish = (stopReason: StopReason, stopSequence: string | null = null): Answer => ({
    content,
    cutJson,
    stopReason,
    stopSequence,
    outputTokens: Math.max(1, limits.maxTokens - left),
    thinkingTokens,
  });
  let calls = 0;
  for (const draft of drafts) {
    if (left <= 0) return finish(limits.whenFull);
    if (draft.type === "text") {
      const stop = firstStop(draft.text, limits.stopSequences);
      const text = stop === null ? draft.text : draft.text.slice(0, stop.at);
      const clipped = clipTokens(text, left);
      if (clipped !== "") content.push({ type: "text", text: clipped, citations: null });
      left -= countTextTokens(clipped);
      if (clipped !== text) return finish(limits.whenFull);
      if (stop !== null) return finish("stop_sequence", stop.sequence);
      continue;
    }
    const id = signer.toolUseId(limits.contentKey, calls++, thought);
    const json = JSON.stringify(draft.input);
    const needed = countTextTokens(json) + countTextTokens(draft.name);
    if (needed > left) {
      const cut = clipTokens(json, Math.max(0, left - countTextTokens(draft.name)));
      cutJson.set(content.length, cut);
      content.push({ type: "tool_use", id, name: draft.name, input: completeKeys(draft.input, cut.length) });
      left = 0;
      return finish(limits.whenFull);
    }
    left -= needed;
    content.push({ type: "tool_use", id, name: draft.name, input: draft.input });
  }
  return finish(calls > 0 ? "tool_use" : "end_turn");
}

/** The keys whose values were complete when the JSON was cut after `length` characters. */
export function completeKeys(
  input: Readonly<Record<string, unknown>>,
  length: number,
): Record<string, unknown> {
  let end = 1;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) {
    const json = JSON.stringify(value);
    if (json === undefined) continue;
    end += JSON.stringify(key).length + 1 + json.length + 1;
    if (end > length) break;
    kept[key] = value;
  }
  return kept;
}

function firstStop(
  text: string,
  sequences: readonly string[],
): { readonly at: number; readonly sequence: string } | null {
  let best: { readonly at: number; readonly sequence: string } | null = null;
  for (const sequence of sequences) {
    const at = text.indexOf(sequence);
    if (at >= 0 && (best === null || at < best.at)) best = { at, sequence };
  }
  return best;
}
