import type { Signer } from "./thinking.ts";
import { blocksOf, invalid, type WireBlock, type WireMessage } from "./wire.ts";

type ToolResult = Extract<WireBlock, { type: "tool_result" }>;

/**
 * Refuses a conversation whose tool calls and results don't pair up, or whose thinking blocks are not what was sent.
 * `thinking`: whether this request thinks; then the turn that asked for the last results must still begin with its
 * thinking. Throws `ApiRefusal`.
 */
export function checkPairing(
  messages: readonly WireMessage[],
  hasTools: boolean,
  thinking: boolean,
  signer: Signer,
): void {
  const seen = new Set<string>();
  let open: string[] = [];
  let usesTools = false;
  for (const [i, message] of messages.entries()) {
    const blocks = blocksOf(message.content);
    if (message.role === "user") {
      checkResults(i, blocks, open);
      open = [];
    } else if (open.length > 0) {
      throw missing(i - 1, open);
    }
    for (const block of blocks) {
      if (block.type === "tool_use" || block.type === "tool_result") usesTools = true;
      if (message.role === "user") {
        if (block.type === "tool_use" || block.type === "thinking" || block.type === "redacted_thinking") {
          throw invalid(
            `messages.${i}: \`${block.type}\` blocks can only be in messages with the assistant role`,
          );
        }
        continue;
      }
      if (block.type === "tool_result") {
        throw invalid(
          `messages.${i}: \`tool_result\` blocks can only be in messages with the user role`,
        );
      }
      if (block.type === "redacted_thinking") {
        throw invalid(`messages.${i}: Invalid \`data\` in \`redacted_thinking\` block`);
      }
      if (block.type === "thinking" && !signer.verify(block.thinking, block.signature)) {
        throw invalid(
          `messages.${i}: Invalid \`signature\` in \`thinking\` block: thinking blocks must come back unchanged`,
        );
      }
      if (block.type !== "tool_use") continue;
      if (seen.has(block.id)) throw invalid("messages: `tool_use` ids must be unique");
      seen.add(block.id);
      open.push(block.id);
    }
    if (message.role === "assistant") checkThinkingFirst(i, blocks);
  }
  if (open.length > 0) throw missing(messages.length - 1, open);
  if (usesTools && !hasTools) {
    throw invalid(
      "Requests which have `tool_use` or `tool_result` blocks in the messages must define tools",
    );
  }
  if (thinking) checkThinkingKept(messages, signer);
}

function checkResults(i: number, blocks: readonly WireBlock[], open: readonly string[]): void {
  const results = blocks.filter((block): block is ToolResult => block.type === "tool_result");
  const answered = new Set<string>();
  for (const { tool_use_id: id } of results) {
    if (!open.includes(id)) {
      throw invalid(
        `messages.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` ` +
          "block must have a corresponding `tool_use` block in the previous message.",
      );
    }
    if (answered.has(id)) {
      throw invalid(
        `messages.${i}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    answered.add(id);
  }
  const unanswered = open.filter((id) => !answered.has(id));
  if (unanswered.length > 0) throw missing(i - 1, unanswered);
  if (blocks.slice(0, results.length).some((block) => block.type !== "tool_result")) {
    throw invalid(`messages.${i}: \`tool_result\` blocks must come before any other content`);
  }
}

function missing(i: number, ids: readonly string[]): Error {
  return invalid(
    `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${
        ids.join(", ")
      }. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkThinkingFirst(i: number, blocks: readonly WireBlock[]): void {
  const first = blocks.findIndex((block) => block.type === "tool_use");
  const late = blocks.findLastIndex((block) => block.type === "thinking");
  if (first >= 0 && late > first) {
    throw invalid(`messages.${i}: \`thinking\` blocks must come before the \`tool_use\` blocks they led to`);
  }
}

/** In a tool loop the last assistant turn must come back with the thinking that it was sent with. */
function checkThinkingKept(messages: readonly WireMessage[], signer: Signer): void {
  const i = messages.findLastIndex((message) => message.role === "assistant");
  const blocks = blocksOf(messages[i]?.content ?? []);
  const thought = blocks.some((block) => block.type === "tool_use" && signer.thoughtBefore(block.id));
  if (thought && blocks[0]?.type !== "thinking") {
    throw invalid(
      `messages.${i}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
        `\`${
          blocks[0]?.type
        }\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a ` +
        "thinking block.",
    );
  }
}
