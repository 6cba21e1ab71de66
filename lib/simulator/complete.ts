import { hashOf } from "../domain/ids.ts";
import type { MicroUsd } from "../domain/money.ts";
import { rng } from "../domain/rng.ts";
import { isKnownModel, type ModelOverride, type ModelRow, modelRow } from "../llm/models.ts";
import { type Answer, fitAnswer } from "./answer.ts";
import { type Fault, spoil, truncatedLimit } from "./faults.ts";
import { chargeFor } from "./ledger.ts";
import type { Literature } from "./literature.ts";
import { checkPairing } from "./pairing.ts";
import { readPrompt } from "./respond/prompt.ts";
import { answerProse } from "./respond/prose.ts";
import { respond } from "./respond/respond.ts";
import type { JudgeTraits } from "./respond/verdict.ts";
import type { WireAnswer } from "./stream.ts";
import { type Signer, thinkingOf, thinkingTokens } from "./thinking.ts";
import type { PrefixCache, PromptUsage } from "./usage_cache.ts";
import { promptTokens } from "./usage_cache.ts";
import { checkPrompt, checkRequest } from "./validate.ts";
import {
  ApiRefusal,
  blocksOf,
  type CountTokensRequest,
  countTokensRequest,
  invalid,
  type MessagesRequest,
  messagesRequest,
  parseBody,
  type WireMessage,
} from "./wire.ts";
import type { World } from "./world.ts";

/** What answering needs: the world, the settings, and the state that outlives a request. */
export interface Desk {
  /** Content is a function of this and the request. */
  readonly seed: string;
  /** The invented world. */
  readonly world: World;
  /** Its literature. */
  readonly literature: Literature;
  /** How its judge errs. */
  readonly judge: JudgeTraits;
  /** Rows of models by exact id, over those of the table. */
  readonly models: Readonly<Record<string, ModelOverride>>;
  /** Signs thinking. */
  readonly signer: Signer;
  /** State: the cache of prefixes. */
  readonly cache: PrefixCache;
  /** State: turns that ended with `pause_turn` and may come back. */
  readonly paused: Set<string>;
}

/** A request answered. */
export interface Completion {
  /** The message. */
  readonly message: WireAnswer;
  /** See {@linkcode Answer}. */
  readonly cutJson: ReadonlyMap<number, string>;
  /** What the prompt counted. */
  readonly prompt: PromptUsage;
  /** What the answer counted. */
  readonly outputTokens: number;
  /** What it costs. */
  readonly microUsd: MicroUsd;
}

/** Examines a message request and answers it. Throws `ApiRefusal` with what the API refuses. */
export function complete(
  desk: Desk,
  raw: unknown,
  at: number,
  fault: Fault | null,
  batch: boolean,
): Completion {
  const body = parseBody(messagesRequest, raw);
  const row = rowOf(desk, body.model);
  checkRequest(row, body, desk.paused.has(pauseKey(body.messages.at(-1))));
  const plan = thinkingOf(row, body);
  checkPairing(body.messages, body.tools !== undefined, plan !== null, desk.signer);
  const total = promptTokens(body);
  if (total > row.contextTokens) {
    throw invalid(`prompt is too long: ${total} tokens > ${row.contextTokens} maximum`);
  }

  const key = contentKey(desk.seed, body);
  const conversation = hashOf("conversation", JSON.stringify([body.system, body.messages[0]], withoutMarks));
  const prompt = readPrompt(body, key, conversation, desk.literature);
  const meant = respond(desk.world, {
    prompt,
    format: body.output_config?.format?.schema ?? null,
    judge: desk.judge,
  });
  const drafts = fault === null
    ? meant
    : spoil(fault, meant, () => answerProse(desk.world, desk.judge, prompt));
  const tokens = plan === null ? 0 : thinkingTokens(plan, rng(desk.seed, key, "thinking"));
  const room = Math.max(1, row.contextTokens - total);
  const wanted = fault?.kind === "truncated_tool" ? tokens + truncatedLimit(drafts) : body.max_tokens;
  const fitted = fitAnswer(drafts, {
    contentKey: key,
    maxTokens: Math.min(wanted, body.max_tokens, room),
    whenFull: room < body.max_tokens ? "model_context_window_exceeded" : "max_tokens",
    stopSequences: body.stop_sequences ?? [],
    thinking: plan === null ? null : {
      tokens,
      text: plan.display === "omitted"
        ? ""
        : `The question is about ${prompt.topic}; I weigh what speaks for it.`,
    },
  }, desk.signer);
  const answer = ended(fitted, fault);
  if (answer.stopReason === "pause_turn") {
    desk.paused.add(pauseKey({ role: "assistant", content: wireContent(answer) }));
  }
  const usage = desk.cache.meet(row, body, at, true);
  return {
    message: messageOf(body.model, key, answer, usage, batch),
    cutJson: answer.cutJson,
    prompt: usage,
    outputTokens: answer.outputTokens,
    microUsd: chargeFor(row, usage, answer.outputTokens, batch),
  };
}

/** Answers `count_tokens`. Throws `ApiRefusal` with what the API refuses. */
export function countTokens(desk: Desk, raw: unknown): { readonly input_tokens: number } {
  const body: CountTokensRequest = parseBody(countTokensRequest, raw);
  checkPrompt(rowOf(desk, body.model), body, desk.paused.has(pauseKey(body.messages.at(-1))));
  checkPairing(body.messages, body.tools !== undefined, false, desk.signer);
  return { input_tokens: promptTokens(body) };
}

function rowOf(desk: Desk, model: string): ModelRow {
  if (!isKnownModel(model) && !Object.hasOwn(desk.models, model)) {
    throw new ApiRefusal(404, "not_found_error", `model: ${model}`);
  }
  return modelRow(model, desk.models);
}

/** Leaves cache breakpoints out: they change what a call costs, not what it asks. */
function withoutMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}

function contentKey(seed: string, body: MessagesRequest): string {
  const { stream: _stream, metadata: _metadata, ...asked } = body;
  return hashOf("content", seed, JSON.stringify(asked, withoutMarks));
}

function ended(answer: Answer, fault: Fault | null): Answer {
  if (fault?.kind === "refusal") return { ...answer, stopReason: "refusal" };
  if (fault?.kind === "pause_turn") return { ...answer, stopReason: "pause_turn" };
  return answer;
}

/** A turn by its texts: what a client adds to the blocks (breakpoints, nulls) doesn't matter. */
function pauseKey(message: WireMessage | undefined): string {
  if (message?.role !== "assistant") return "";
  const texts = blocksOf(message.content).map((block) => block.type === "text" ? block.text : block.type);
  return hashOf("pause", ...texts);
}

function wireContent(answer: Answer): WireMessage["content"] {
  return answer.content.map((block) =>
    block.type === "text" ? { type: "text", text: block.text, cache_control: null } : { ...block }
  );
}

function messageOf(
  model: string,
  key: string,
  answer: Answer,
  usage: PromptUsage,
  batch: boolean,
): WireAnswer {
  return {
    id: `msg_sim${key.slice(0, 20)}`,
    type: "message",
    role: "assistant",
    model,
    content: answer.content,
    stop_reason: answer.stopReason,
    stop_sequence: answer.stopSequence,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: usage.inputTokens,
      cache_creation_input_tokens: usage.write5m + usage.write1h,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation: { ephemeral_5m_input_tokens: usage.write5m, ephemeral_1h_input_tokens: usage.write1h },
      output_tokens: answer.outputTokens,
      output_tokens_details: { thinking_tokens: answer.thinkingTokens },
      server_tool_use: null,
      service_tier: batch ? "batch" : "standard",
      inference_geo: null,
      speed: "standard",
    },
  };
}
