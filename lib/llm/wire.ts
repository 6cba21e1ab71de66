import { z } from "zod";
import type { Effort, Usage } from "./models.ts";

/** Marks the end of a prefix that the server may keep. */
export interface CacheControl {
  /** The only kind. */
  readonly type: "ephemeral";
}

/** A text in a request. */
export interface TextBlock {
  /** Tells it from other blocks. */
  readonly type: "text";
  /** Never empty, never only white space. */
  readonly text: string;
  /** A breakpoint of the cache. */
  readonly cache_control?: CacheControl;
}

/** What a tool gave, for the call with this id. */
export interface ToolResultBlock {
  /** Tells it from other blocks. */
  readonly type: "tool_result";
  /** The call's id. */
  readonly tool_use_id: string;
  /** The result as text. */
  readonly content: string;
  /** Whether the tool failed. */
  readonly is_error?: true;
  /** A breakpoint of the cache. */
  readonly cache_control?: CacheControl;
}

/** A block of an answer, kept as it came so that it can go back unchanged. */
export type AnswerBlock = { readonly type: string; readonly [key: string]: unknown };

/** A message of a request. */
export type WireMessage =
  | { readonly role: "user"; readonly content: readonly (TextBlock | ToolResultBlock)[] }
  | { readonly role: "assistant"; readonly content: readonly AnswerBlock[] };

/** A tool as the model reads of it. */
export interface ToolDefinition {
  /** Unique in a request; letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** JSON schema of an object. */
  readonly input_schema: { readonly type: "object"; readonly [key: string]: unknown };
  /** A breakpoint of the cache. */
  readonly cache_control?: CacheControl;
}

/** The body of `POST /v1/messages`, as far as cosci uses it. Sampling parameters are never sent. */
export interface MessagesRequest {
  /** The model's id. */
  readonly model: string;
  /** Tokens of the answer at most, thinking included. */
  readonly max_tokens: number;
  /** The system prompt. */
  readonly system?: readonly TextBlock[];
  /** The tools on offer. */
  readonly tools?: readonly ToolDefinition[];
  /** Which tool must be called; left out for a free choice. */
  readonly tool_choice?: { readonly type: "tool"; readonly name: string };
  /** How to think; left out for no thinking. */
  readonly thinking?:
    | { readonly type: "enabled"; readonly budget_tokens: number }
    | { readonly type: "adaptive" }
    | { readonly type: "between_tools" };
  /** How hard to work. */
  readonly output_config?: { readonly effort: Effort };
  /** The conversation; the first message is the user's. */
  readonly messages: readonly WireMessage[];
}

/** A tool that an answer calls. */
export interface ToolUse {
  /** Under which id the result is due. */
  readonly id: string;
  /** Which tool. */
  readonly name: string;
  /** What it is given, not yet checked. */
  readonly input: unknown;
  /** Why the input can't be read, or `null`. */
  readonly broken: string | null;
}

/** A model's answer, read leniently: servers that lack a feature of the API give what they have. */
export interface Answer {
  /** The blocks, ready to go back: texts that are blank are left out, ids are unique, inputs are objects. */
  readonly content: readonly AnswerBlock[];
  /** All texts, joined. */
  readonly text: string;
  /** The tools that it calls, in order. */
  readonly toolUses: readonly ToolUse[];
  /** Why it ended: the API's word, or an empty text where the server gave none. */
  readonly stopReason: string;
  /** What was used. */
  readonly usage: Usage;
  /** Whether the server gave no or only part of the usage, so that it is an upper bound. */
  readonly estimated: boolean;
}

const tokens = z.number().int().nonnegative().nullish().catch(null);

const answerBody = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
  stop_reason: z.string().nullish(),
  usage: z.looseObject({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  }).nullish().catch(null),
});

/** What stands in for a usage that the server didn't give. */
export interface UsageBounds {
  /** Tokens of the prompt at most. */
  readonly inputTokens: number;
  /** Tokens of a text at most. */
  tokensOf(text: string): number;
}

/**
 * Reads an answer; `null` where it is none. `idPrefix` makes ids for tool calls that have none or share one.
 */
export function readAnswer(body: unknown, bounds: UsageBounds, idPrefix: string): Answer | null {
  const parsed = answerBody.safeParse(body);
  if (!parsed.success) return null;
  const { content: given, stop_reason, usage } = parsed.data;
  if (given === undefined && stop_reason === undefined && usage === undefined) return null;
  const blocks: readonly AnswerBlock[] = typeof given === "string"
    ? [{ type: "text", text: given }]
    : given ?? [];
  const content: AnswerBlock[] = [], texts: string[] = [], toolUses: ToolUse[] = [];
  const ids = new Set<string>();
  for (const [i, block] of blocks.entries()) {
    if (block.type === "text") {
      const text = typeof block.text === "string" ? block.text : "";
      if (text.trim() === "") continue;
      texts.push(text);
      content.push(block);
    } else if (block.type === "tool_use") {
      const own = typeof block.id === "string" && /^[a-zA-Z0-9_-]+$/.test(block.id) && !ids.has(block.id);
      const id = own ? String(block.id) : `${idPrefix}_${i}`;
      ids.add(id);
      const name = typeof block.name === "string" ? block.name : "";
      const { input, broken } = readInput(block.input);
      toolUses.push({ id, name, input, broken });
      content.push({ ...block, id, name: name === "" ? "unnamed" : name, input });
    } else content.push(block);
  }
  const input = usage?.input_tokens, output = usage?.output_tokens;
  return {
    content,
    text: texts.join("\n\n"),
    toolUses,
    stopReason: stop_reason ?? "",
    usage: {
      inputTokens: input ?? bounds.inputTokens,
      cacheWriteTokens: usage?.cache_creation_input_tokens ?? 0,
      cacheReadTokens: usage?.cache_read_input_tokens ?? 0,
      outputTokens: output ?? bounds.tokensOf(JSON.stringify(given ?? "")),
    },
    estimated: typeof input !== "number" || typeof output !== "number",
  };
}

const toolInput = z.record(z.string(), z.unknown());

/** The input of a tool call: an object, or an object's JSON as some servers give it. */
function readInput(
  input: unknown,
): { readonly input: Readonly<Record<string, unknown>>; readonly broken: string | null } {
  let value = input;
  if (typeof input === "string") {
    try {
      value = JSON.parse(input);
    } catch (error) {
      return {
        input: {},
        broken: `the arguments are not JSON: ${error instanceof Error ? error.message : ""}`,
      };
    }
  }
  const object = toolInput.safeParse(value ?? {});
  return object.success
    ? { input: object.data, broken: null }
    : { input: {}, broken: "the arguments are not an object" };
}
