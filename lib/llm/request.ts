import type { Route } from "../domain/agent.ts";
import type { Settings } from "../config/settings.ts";
import { inputBound } from "./estimate.ts";
import { type Effort, effortFor, EFFORTS, type ModelRow } from "./models.ts";
import type {
  AnswerBlock,
  MessagesRequest,
  TextBlock,
  ToolDefinition,
  ToolResultBlock,
  WireMessage,
} from "./wire.ts";

/** A turn of the person's side: texts, and results of tools first. */
export interface UserTurn {
  /** Whose turn. */
  readonly role: "user";
  /** What is said. */
  readonly content: readonly (TextBlock | ToolResultBlock)[];
}

/** A turn that a model answered, to go back as it came. */
export interface AssistantTurn {
  /** Whose turn. */
  readonly role: "assistant";
  /** The answer's blocks. */
  readonly content: readonly AnswerBlock[];
  /** The model that wrote it: another one can't read its thinking. */
  readonly model: string;
  /** Tokens of the answer, thinking included. */
  readonly outputTokens: number;
}

/** A turn of a conversation. */
export type Turn = UserTurn | AssistantTurn;

/** A call as it is wanted, whatever the model can do of it. */
export interface IntendedCall {
  /** Which work. */
  readonly route: Route;
  /** The model's id. */
  readonly model: string;
  /** Tokens of the answer at most, without thinking. */
  readonly maxTokens: number;
  /** Tokens of thinking that the route asks for; 0 for none. */
  readonly thinkingTokens: number;
  /** The parts of the system prompt; empty ones are left out. */
  readonly system: readonly string[];
  /** The conversation. */
  readonly turns: readonly Turn[];
  /** The tools on offer. */
  readonly tools: readonly ToolDefinition[];
  /** The tool that must be called, or `null` for a free choice. */
  readonly force: string | null;
  /** Whether the conversation is likely to go on, so that its prefix is worth keeping in the server's cache. */
  readonly growing: boolean;
}

/** A request that is valid for its model. */
export interface BuiltRequest {
  /** The body. */
  readonly request: MessagesRequest;
  /** Tokens of its prompt at most. */
  readonly inputTokens: number;
  /** Whether the model thinks in answer to it. */
  readonly thinks: boolean;
}

/** The least budget that the API takes. */
const MIN_BUDGET = 1024;

/** What is asked of the model's thinking. */
interface ThinkingPlan {
  readonly field?: NonNullable<MessagesRequest["thinking"]>;
  readonly effort?: Effort;
  /** Tokens that thinking may take of `max_tokens`. */
  readonly allowance: number;
}

const NO_THINKING: ThinkingPlan = { allowance: 0 };

/**
 * The request for a call, as the model's row allows it: thinking by budget or by effort, `max_tokens` raised by what
 * thinking may take and kept within the row's limit, at most four breakpoints, sampling parameters never. A forced tool
 * drops thinking wherever it can be dropped: the API refuses the two together, or answers without the tool. `hidden`:
 * tokens of thinking that go back as signatures only.
 */
export function requestFor(
  call: IntendedCall,
  row: ModelRow,
  efforts: Settings["efforts"],
): Omit<BuiltRequest, "inputTokens"> & { readonly hidden: number } {
  const { messages, stripped, hidden } = messagesFor(call.turns, row);
  const limit = Math.max(1, Math.min(row.maxOutputTokens, Math.floor(row.contextTokens / 2)));
  // A turn that lost its thinking can't go on with thinking: a budget model wants it back at its beginning.
  const wanted = call.force === null && !stripped ? call.thinkingTokens : 0;
  const plan = withinLimit(thinkingFor(row, wanted, efforts, messages), call.maxTokens, limit);
  const cached = Number.isFinite(row.cacheMinTokens);
  const system = call.system.filter((text) => text.trim() !== "")
    .map((text): TextBlock => ({ type: "text", text }));
  const request: MessagesRequest = {
    model: row.id,
    max_tokens: Math.min(limit, call.maxTokens + plan.allowance),
    ...(system.length === 0 ? {} : { system: cached ? markLast(system) : system }),
    ...(call.tools.length === 0 ? {} : { tools: cached ? markLast(call.tools) : call.tools }),
    ...(call.force === null ? {} : { tool_choice: { type: "tool", name: call.force } }),
    ...(plan.field === undefined ? {} : { thinking: plan.field }),
    ...(plan.effort === undefined ? {} : { output_config: { effort: plan.effort } }),
    messages: cached && call.growing ? markConversation(messages) : messages,
  };
  return { request, thinks: plan.allowance > 0, hidden };
}

/** The same request with the bound on its prompt's tokens, which takes longer than all the rest. */
export function buildRequest(
  call: IntendedCall,
  row: ModelRow,
  efforts: Settings["efforts"],
): BuiltRequest {
  const { request, thinks, hidden } = requestFor(call, row, efforts);
  return { request, inputTokens: inputBound(request, hidden), thinks };
}

/** The effort that a number of thinking tokens stands for, by the table of the settings. */
export function effortOf(thinkingTokens: number, efforts: Settings["efforts"]): Effort {
  return EFFORTS.find((effort) => effort === "max" || thinkingTokens <= efforts[effort]) ?? "max";
}

function thinkingFor(
  row: ModelRow,
  wanted: number,
  efforts: Settings["efforts"],
  messages: readonly WireMessage[],
): ThinkingPlan {
  const byBudget = (): ThinkingPlan => {
    const budget = Math.max(MIN_BUDGET, wanted);
    return { field: { type: "enabled", budget_tokens: budget }, allowance: budget };
  };
  const byEffort = (): ThinkingPlan => {
    const level = effortOf(wanted, efforts);
    const effort = effortFor(row, level);
    return {
      field: { type: "adaptive" },
      ...(effort === undefined ? {} : { effort }),
      allowance: Math.max(wanted, level === "max" ? 0 : efforts[level]),
    };
  };
  // Thinks without being asked: as little as it can, with room for what it can't leave.
  const atLeast = (field?: ThinkingPlan["field"]): ThinkingPlan => {
    const effort = effortFor(row, "low");
    return {
      ...(field === undefined ? {} : { field }),
      ...(effort === undefined ? {} : { effort }),
      allowance: efforts.medium,
    };
  };
  switch (row.thinking) {
    case "none":
      return NO_THINKING;
    case "budget":
      return wanted > 0 ? byBudget() : NO_THINKING;
    case "adaptive":
      return wanted > 0 ? byEffort() : NO_THINKING;
    case "adaptive_or_budget":
      if (wanted === 0) return NO_THINKING;
      return row.efforts.length > 0 ? byEffort() : byBudget();
    case "always":
      return wanted > 0 ? byEffort() : atLeast();
    case "default_on": {
      if (wanted > 0) return byEffort();
      const afterTools = messages.at(-1)?.content.some((block) => block.type === "tool_result") ?? false;
      return afterTools ? atLeast() : { ...atLeast({ type: "between_tools" }), allowance: 0 };
    }
  }
}

/** Keeps a budget below `max_tokens` with room for the answer; drops thinking where nothing useful is left of it. */
function withinLimit(plan: ThinkingPlan, answer: number, limit: number): ThinkingPlan {
  if (plan.field?.type !== "enabled") return plan;
  const room = limit - Math.min(answer, Math.max(1, Math.floor(limit / 2)));
  const budget = Math.min(plan.field.budget_tokens, room);
  if (budget < MIN_BUDGET) return NO_THINKING;
  return { field: { type: "enabled", budget_tokens: budget }, allowance: budget };
}

/**
 * The turns as messages for this model. Thinking of another model is left out, since signatures are only good for the
 * model that made them; a model that can't help thinking wants thinking before every tool call, so for such a one the
 * other's calls and their results are told as text. `stripped`: the last turn lost its thinking and still calls tools.
 * `hidden`: tokens of thinking that stand behind signatures.
 */
function messagesFor(
  turns: readonly Turn[],
  row: ModelRow,
): { readonly messages: WireMessage[]; readonly stripped: boolean; readonly hidden: number } {
  const retold = new Set<unknown>();
  let stripped = false, hidden = 0;
  const messages: WireMessage[] = [];
  for (const turn of turns) {
    if (turn.role === "user") {
      const content = turn.content.map((block): TextBlock | ToolResultBlock =>
        block.type === "tool_result" && retold.has(block.tool_use_id)
          ? { type: "text", text: block.content }
          : block
      );
      messages.push({ role: "user", content });
      continue;
    }
    stripped = false;
    let content = turn.content;
    if (content.some(isThinking)) {
      if (turn.model === row.id && row.thinking !== "none") hidden += turn.outputTokens;
      else {
        content = content.filter((block) => !isThinking(block));
        if (row.thinking === "always" || row.thinking === "default_on") {
          for (const { type, id } of content) if (type === "tool_use") retold.add(id);
          content = content.map(retell);
        } else stripped = content.some(({ type }) => type === "tool_use");
      }
    }
    if (content.length > 0) messages.push({ role: "assistant", content });
  }
  return { messages, stripped, hidden };
}

/** A tool call told as text. */
function retell(block: AnswerBlock): AnswerBlock {
  return block.type === "tool_use"
    ? { type: "text", text: `I called ${String(block.name)} with ${JSON.stringify(block.input ?? {})}.` }
    : block;
}

/** Whether a block is thinking, shown or redacted. */
export function isThinking(block: { readonly type: string }): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function markLast<T extends TextBlock | ToolResultBlock | ToolDefinition>(items: readonly T[]): T[] {
  return items.map((item, i) =>
    i === items.length - 1 ? { ...item, cache_control: { type: "ephemeral" } } : item
  );
}

/** Breakpoints at the ends of the last two turns of the person's side: read up to the one, write up to the other. */
function markConversation(messages: readonly WireMessage[]): WireMessage[] {
  const marked = [...messages];
  let left = 2;
  for (let i = marked.length - 1; i >= 0 && left > 0; i--) {
    const message = marked[i];
    if (message?.role !== "user") continue;
    marked[i] = { role: "user", content: markLast(message.content) };
    left--;
  }
  return marked;
}
