import { usd } from "../../domain/money.ts";
import type { AgentName } from "../../domain/records.ts";
import type { CallRecord } from "../../store/transcripts.ts";
import { type ColumnsOf, double, integer, text } from "./columns.ts";
import type { FrameSource } from "./source.ts";

/** What the session's own calls of one agent, model and version of a prompt came to. */
export interface CostFrameRow {
  /** Whose. */
  readonly agent: AgentName;
  /** The model. */
  readonly model: string;
  /** Name of the prompt. */
  readonly prompt: string;
  /** Its version. */
  readonly promptVersion: string;
  /** How many. */
  readonly calls: number;
  /** Of them: failed. */
  readonly failed: number;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Their cost. */
  readonly usd: number;
  /** Of it: booked without an answer. */
  readonly unconfirmedUsd: number;
  /** How long they took, together. */
  readonly durationMs: number;
}

/** The columns of {@linkcode costFrame}. */
export const COST_COLUMNS: ColumnsOf<CostFrameRow> = {
  agent: text("whose"),
  model: text("the model that was asked"),
  prompt: text("name of the prompt; empty for embeddings"),
  promptVersion: text("version of the prompt"),
  calls: integer("model calls"),
  usd: double("what they cost", "USD"),
  inputTokens: integer("tokens read, cached ones included", "tokens"),
  outputTokens: integer("tokens written, thinking included", "tokens"),
  failed: integer("of these, failed"),
  unconfirmedUsd: double("of it, booked without an answer", "USD"),
  durationMs: integer("how long they took, together", "ms"),
};

/** The session's own calls summed by agent, model and version of the prompt, dearest first; what a fork inherited is its ancestors' cost. */
export function costFrame({ calls }: Pick<FrameSource, "calls">): CostFrameRow[] {
  const groups = Map.groupBy(
    calls.filter(({ inherited }) => !inherited),
    ({ agent, model, prompt, promptVersion }) => JSON.stringify([agent, model, prompt, promptVersion]),
  );
  return [...groups.values()].flatMap((group): CostFrameRow[] => {
    const [first] = group;
    if (first === undefined) return [];
    const sum = (of: (call: CallRecord) => number) => group.reduce((total, call) => total + of(call), 0);
    return [{
      agent: first.agent,
      model: first.model,
      prompt: first.prompt,
      promptVersion: first.promptVersion,
      calls: group.length,
      failed: group.filter(({ error }) => error !== "").length,
      inputTokens: sum(({ cost }) => cost.inputTokens),
      outputTokens: sum(({ cost }) => cost.outputTokens),
      usd: usd(sum(({ cost }) => cost.microUsd)),
      unconfirmedUsd: usd(sum(({ cost }) => cost.unconfirmedMicroUsd)),
      durationMs: sum(({ durationMs }) => durationMs),
    }];
  }).sort((a, b) => b.usd - a.usd || b.calls - a.calls);
}
