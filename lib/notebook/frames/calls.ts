import { usd } from "../../domain/money.ts";
import type { AgentName } from "../../domain/records.ts";
import { resentCall } from "../../store/resent_call.ts";
import { iso } from "../displays/wording.ts";
import { boolean, type ColumnsOf, double, integer, list, text, time } from "./columns.ts";
import { type FrameSource, taskLabels } from "./source.ts";

/** A model call, without its texts. */
export interface CallRow {
  /** Its number: `lab.transcript(n)` shows it whole. */
  readonly n: number;
  /** When it was settled. */
  readonly at: string;
  /** The commit that ended its task's attempt. */
  readonly seq: number | null;
  /** Label of its task. */
  readonly task: string | null;
  /** Whose. */
  readonly agent: AgentName;
  /** Route. */
  readonly route: string;
  /** The model that was asked. */
  readonly model: string;
  /** Name of the prompt. */
  readonly prompt: string;
  /** Its version. */
  readonly promptVersion: string;
  /** The revision under which it ran. */
  readonly revision: number;
  /** Whether an answer came. */
  readonly status: "answered" | "failed";
  /** The answer's stop reason. */
  readonly stopReason: string;
  /** What failed. */
  readonly error: string;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Of them: from the cache. */
  readonly cachedTokens: number;
  /** Of them: written to the cache. */
  readonly cacheWriteTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Its cost. */
  readonly usd: number;
  /** Whether that is what was reserved, since no answer came. */
  readonly unconfirmed: boolean;
  /** How long it took. */
  readonly durationMs: number;
  /** Whether an ancestor made it. */
  readonly inherited: boolean;
  /** The number of the call that it asks again. */
  readonly resendOf: number | null;
  /** Labels of the directives that it carried. */
  readonly directives: readonly string[];
  /** What money forced. */
  readonly concessions: readonly string[];
}

/** The columns of {@linkcode callFrame}. */
export const CALL_COLUMNS: ColumnsOf<CallRow> = {
  n: integer("the call's number in the store: lab.transcript(n) shows it whole"),
  task: text("label of its task; empty for a call that a person had resent"),
  agent: text("whose"),
  prompt: text("name of the prompt; empty for embeddings"),
  model: text("the model that was asked"),
  status: text("answered or failed"),
  inputTokens: integer("tokens read, cached ones included", "tokens"),
  outputTokens: integer("tokens written, thinking included", "tokens"),
  usd: double("its cost", "USD"),
  durationMs: integer("how long it took", "ms"),
  cachedTokens: integer("of these, read from the server's cache", "tokens"),
  cacheWriteTokens: integer("of these, written to the server's cache", "tokens"),
  route: text("the route, such as ranking.pairwise"),
  promptVersion: text("version of the prompt"),
  revision: integer("number of the revision under which it ran"),
  stopReason: text("the answer's stop reason; empty where none came"),
  error: text("what failed; empty where nothing did"),
  unconfirmed: boolean("whether no answer came, so that the money is what was reserved"),
  seq: integer("the commit that ended its task's attempt; empty while that goes on"),
  at: time("when it was settled"),
  inherited: boolean("whether an ancestor made it, before the session was forked off: no cost of its own"),
  resendOf: integer("number of the call that it asks again"),
  directives: list("labels of the directives that it carried"),
  concessions: list("what money forced: cheaper model, less effort, shorter answer"),
};

/** All model calls, oldest first; those that a fork inherited are marked so. */
export function callFrame(source: Pick<FrameSource, "view" | "calls" | "tasks">): CallRow[] {
  const taskOf = taskLabels(source);
  const given = new Map(
    [...source.view.directives, ...source.view.gates].map(({ id, label }) => [id, label]),
  );
  return source.calls.map((call): CallRow => ({
    n: call.n,
    at: iso(call.at),
    seq: call.seq,
    task: taskOf(call.taskId),
    agent: call.agent,
    route: call.route,
    model: call.model,
    prompt: call.prompt,
    promptVersion: call.promptVersion,
    revision: call.revision,
    status: call.error === "" ? "answered" : "failed",
    stopReason: call.stopReason,
    error: call.error,
    inputTokens: call.cost.inputTokens,
    cachedTokens: call.cacheReadTokens,
    cacheWriteTokens: call.cacheWriteTokens,
    outputTokens: call.cost.outputTokens,
    usd: usd(call.cost.microUsd),
    unconfirmed: call.cost.unconfirmedMicroUsd > 0,
    durationMs: call.durationMs,
    inherited: call.inherited,
    resendOf: resentCall(call.taskId),
    directives: call.directives.map((id) => given.get(id) ?? id),
    concessions: call.concessions,
  }));
}
