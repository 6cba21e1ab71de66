import type { ModelRow } from "../llm/models.ts";
import { thinkingOf } from "./thinking.ts";
import { blocksOf, type CountTokensRequest, invalid, type MessagesRequest } from "./wire.ts";

/** The whitespace-only texts, which the API refuses wherever text is due. */
function blank(text: string): boolean {
  return text.trim() === "";
}

/**
 * Refuses what the API refuses of a parsed request for this model, apart from the pairing of tool calls: sampling,
 * thinking, tools, breakpoints, empty texts, stop sequences, limits of the answer. `paused`: the last message is a turn
 * that ended with `pause_turn`, sent back to go on. Throws `ApiRefusal`.
 */
export function checkRequest(row: ModelRow, body: MessagesRequest, paused: boolean): void {
  if (body.max_tokens > row.maxOutputTokens) {
    throw invalid(
      `max_tokens: ${body.max_tokens} > ${row.maxOutputTokens}, which is the maximum allowed number of output ` +
        `tokens for ${row.id}`,
    );
  }
  for (const sequence of body.stop_sequences ?? []) {
    if (blank(sequence)) throw invalid("stop_sequences: each stop sequence must contain non-whitespace");
  }
  checkSampling(row, body);
  checkThinking(row, body, body.max_tokens);
  checkPrompt(row, body, paused);
}

/** The checks that a request to count tokens goes through as well: everything about the prompt itself. */
export function checkPrompt(row: ModelRow, body: CountTokensRequest, paused: boolean): void {
  checkTools(body);
  checkTexts(body);
  checkBreakpoints(body);
  if (!paused) checkEnd(row, body);
}

function checkSampling(row: ModelRow, body: MessagesRequest): void {
  if (row.sampling === "accepted") return;
  if (row.sampling === "one_of") {
    if (body.temperature !== undefined && body.top_p !== undefined) {
      throw invalid(
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
      );
    }
    return;
  }
  for (const key of ["temperature", "top_p", "top_k"] as const) {
    if (body[key] !== undefined) throw invalid(`\`${key}\` is not supported for this model.`);
  }
}

function checkThinking(row: ModelRow, body: MessagesRequest, maxTokens: number): void {
  const effort = body.output_config?.effort;
  if (effort !== null && effort !== undefined && !row.efforts.includes(effort)) {
    throw invalid(`output_config.effort: "${effort}" is not supported for this model.`);
  }
  const thinking = body.thinking;
  switch (thinking?.type) {
    case undefined:
      break;
    case "enabled":
      if (row.thinking === "none") throw invalid(`'${row.id}' does not support thinking.`);
      if (row.thinking !== "budget" && row.thinking !== "adaptive_or_budget") {
        throw invalid(
          '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and ' +
            '"output_config.effort" to control thinking behavior.',
        );
      }
      if (thinking.budget_tokens >= maxTokens) {
        throw invalid("`max_tokens` must be greater than `thinking.budget_tokens`.");
      }
      break;
    case "adaptive":
      if (row.thinking === "none") throw invalid(`'${row.id}' does not support thinking.`);
      if (row.thinking === "budget") throw invalid("adaptive thinking is not supported on this model");
      break;
    case "between_tools":
      if (row.thinking !== "default_on") {
        throw invalid('"thinking.type.between_tools" is not supported for this model.');
      }
      break;
    case "disabled":
      if (row.thinking !== "none" && row.thinking !== "budget" && row.thinking !== "adaptive_or_budget") {
        throw invalid('"thinking.type.disabled" is not supported for this model. Leave the field out.');
      }
      break;
    default:
      thinking satisfies never;
  }
  const byBudget = row.thinking === "budget" || row.thinking === "adaptive_or_budget";
  if (!byBudget || thinkingOf(row, body) === null) return;
  if (body.temperature !== undefined && body.temperature !== 1) {
    throw invalid("`temperature` may only be set to 1 when thinking is enabled.");
  }
  if (body.top_k !== undefined) throw invalid("`top_k` must be unset when thinking is enabled.");
  if (body.tool_choice?.type === "any" || body.tool_choice?.type === "tool") {
    throw invalid("Thinking may not be enabled when tool_choice forces tool use.");
  }
}

function checkTools(body: CountTokensRequest): void {
  const names = new Set<string>();
  for (const { name } of body.tools ?? []) {
    if (names.has(name)) throw invalid("tools: Tool names must be unique.");
    names.add(name);
  }
  const choice = body.tool_choice;
  if (choice === undefined) return;
  if (names.size === 0) throw invalid("tool_choice: may only be specified while providing tools.");
  if (choice.type === "tool" && !names.has(choice.name)) {
    throw invalid(`Tool '${choice.name}' not found in provided tools`);
  }
}

function checkTexts(body: CountTokensRequest): void {
  if (body.messages.length === 0) throw invalid("messages: at least one message is required");
  if (body.messages[0]?.role !== "user") {
    throw invalid('messages: first message must use the "user" role');
  }
  const checkText = (where: string, text: string) => {
    if (text === "") throw invalid(`${where}: text content blocks must be non-empty`);
    if (blank(text)) throw invalid(`${where}: text content blocks must contain non-whitespace text`);
  };
  if (Array.isArray(body.system)) { for (const block of body.system) checkText("system", block.text); }
  for (const [i, message] of body.messages.entries()) {
    const last = i === body.messages.length - 1;
    if (message.content.length === 0 && !(last && message.role === "assistant")) {
      throw invalid(
        `messages.${i}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    for (const block of message.content.length === 0 ? [] : blocksOf(message.content)) {
      if (block.type === "text") checkText("messages", block.text);
      if (block.type === "tool_result" && Array.isArray(block.content)) {
        for (const part of block.content) if (part.type === "text") checkText("messages", String(part.text));
      }
    }
  }
}

function checkBreakpoints(body: CountTokensRequest): void {
  const marked = (block: { cache_control?: unknown }) =>
    block.cache_control !== undefined && block.cache_control !== null;
  let count = marked(body) ? 1 : 0;
  count += (body.tools ?? []).filter(marked).length;
  if (Array.isArray(body.system)) count += body.system.filter(marked).length;
  for (const message of body.messages) {
    for (const block of blocksOf(message.content)) {
      if (marked(block)) count++;
      if (block.type === "tool_result" && Array.isArray(block.content)) {
        count += block.content.filter(marked).length;
      }
    }
  }
  if (count > 4) {
    throw invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${count}.`);
  }
}

function checkEnd(row: ModelRow, body: CountTokensRequest): void {
  const last = body.messages.at(-1);
  if (last?.role !== "assistant") return;
  const block = blocksOf(last.content).at(-1);
  if (block?.type === "text" && block.text !== block.text.trimEnd()) {
    throw invalid("messages: final assistant content cannot end with trailing whitespace");
  }
  if (row.prefill === "refused") {
    throw invalid(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  }
}
