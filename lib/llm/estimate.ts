import type { MicroUsd } from "../domain/money.ts";
import { costOf, type ModelRow } from "./models.ts";
import type { AnswerBlock, MessagesRequest, TextBlock, ToolResultBlock } from "./wire.ts";

/** What a request counts besides its parts, at most. */
const REQUEST_TOKENS = 32;
/** What a message, a block or a tool counts besides its text, at most. */
const PART_TOKENS = 16;
/** What the server adds to the prompt where tools are offered, at most. */
const TOOLS_TOKENS = 800;

/**
 * How many tokens a text can count at most.
 *
 * A run of ASCII letters counts one for two letters, rounded up (English words take one for four to five; names,
 * genes and base64 are worse); digits and other ASCII characters count one each; a single space before a letter is part
 * of the word; anything beyond ASCII counts its UTF-8 bytes, which no tokenizer that works on bytes can pass.
 */
export function tokenBound(text: string): number {
  let tokens = 0, letters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLetter(code)) {
      letters++;
      continue;
    }
    tokens += (letters + 1) >> 1;
    letters = 0;
    if (code === 0x20) {
      if (!isLetter(text.charCodeAt(i + 1)) || text.charCodeAt(i - 1) === 0x20) tokens++;
    } else if (code < 0x80) tokens++;
    else if (code < 0x800) tokens += 2;
    else if (code >= 0xd800 && code <= 0xdfff) tokens += 2;
    else tokens += 3;
  }
  return tokens + ((letters + 1) >> 1);
}

/**
 * How many tokens the prompt of a request can count at most. `hidden`: tokens of thinking that goes back as signatures
 * only; the server counts the thinking that they stand for.
 */
export function inputBound(request: Omit<MessagesRequest, "max_tokens">, hidden = 0): number {
  let tokens = REQUEST_TOKENS + hidden;
  for (const block of request.system ?? []) tokens += blockBound(block);
  const tools = request.tools ?? [];
  if (tools.length > 0) tokens += TOOLS_TOKENS;
  for (const { cache_control: _, ...tool } of tools) tokens += PART_TOKENS + tokenBound(JSON.stringify(tool));
  for (const message of request.messages) {
    tokens += PART_TOKENS;
    for (const block of message.content) tokens += blockBound(block);
  }
  return tokens;
}

function blockBound(block: TextBlock | ToolResultBlock | AnswerBlock): number {
  if (block.type === "text" && typeof block.text === "string") return PART_TOKENS + tokenBound(block.text);
  if (block.type === "tool_result" && typeof block.content === "string") {
    return PART_TOKENS + tokenBound(block.content);
  }
  return PART_TOKENS + tokenBound(JSON.stringify(block));
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/**
 * What a call can cost at most: its whole prompt at the dearer of the input and the cache-write price, and all of
 * `max_tokens`. A model whose price is unknown is taken at the dearest known one.
 */
export function worstCost(row: ModelRow, inputTokens: number, maxTokens: number): MicroUsd {
  const usage = { inputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0, outputTokens: maxTokens };
  return Math.max(
    costOf(row, { ...usage, cacheWriteTokens: inputTokens }),
    costOf(row, { ...usage, inputTokens }),
  );
}
