import { usd } from "../../domain/money.ts";
import type { AgentName, TaskAction, TaskStatus } from "../../domain/records.ts";
import type { CallRecord } from "../../store/transcripts.ts";
import { type ColumnsOf, double, integer, json, text, time } from "./columns.ts";
import { type FrameSource, hypothesisLabel } from "./source.ts";

/** A unit of work. */
export interface TaskFrameRow {
  /** `T5`. */
  readonly label: string;
  /** The commit that enqueued it. */
  readonly seq: number;
  /** When. */
  readonly at: string | null;
  /** Whose. */
  readonly agent: AgentName;
  /** Which work. */
  readonly action: TaskAction;
  /** Label of the hypothesis that it is about. */
  readonly target: string | null;
  /** Lower goes first. */
  readonly priority: number;
  /** `pending` while it is open, whoever holds it. */
  readonly status: TaskStatus;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Why it ended, or what failed last. */
  readonly reason: string;
  /** The commit that ended it. */
  readonly endedSeq: number | null;
  /** Model calls made for it. */
  readonly calls: number;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Their cost. */
  readonly usd: number;
  /** How long its calls took, together. */
  readonly durationMs: number;
  /** What else the agent was told. */
  readonly payload: object;
}

/** The columns of {@linkcode taskFrame}. */
export const TASK_COLUMNS: ColumnsOf<TaskFrameRow> = {
  label: text("the task"),
  agent: text("whose"),
  action: text("which work"),
  target: text("label of the hypothesis that it is about"),
  status: text("pending while it is open, then done, dead, cancelled or void"),
  attempts: integer("attempts that failed"),
  calls: integer("model calls made for it"),
  usd: double("what its calls cost", "USD"),
  inputTokens: integer("tokens read, cached ones included", "tokens"),
  outputTokens: integer("tokens written, thinking included", "tokens"),
  durationMs: integer("how long its calls took, together", "ms"),
  reason: text("why it ended, or what failed last"),
  priority: integer("lower goes first"),
  seq: integer("the commit that enqueued it"),
  at: time("when it was enqueued"),
  endedSeq: integer("the commit that ended it"),
  payload: json("what else the agent was told"),
};

const ENDS: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["done", "dead", "cancelled", "void"]);

/** All tasks, in the order in which they were enqueued. */
export function taskFrame(source: Pick<FrameSource, "view" | "tasks" | "calls" | "at">): TaskFrameRow[] {
  const calls = Map.groupBy(source.calls, ({ taskId }) => taskId);
  return source.tasks.map(({ record, state }): TaskFrameRow => {
    const own = calls.get(record.id) ?? [];
    const sum = (of: (call: CallRecord) => number) => own.reduce((total, call) => total + of(call), 0);
    return {
      label: record.label,
      seq: record.seq,
      at: source.at(record.seq),
      agent: record.agent,
      action: record.action,
      target: record.targetId === null ? null : hypothesisLabel(source, record.targetId),
      priority: record.priority,
      status: state?.status ?? "pending",
      attempts: state?.attempts ?? 0,
      reason: state?.reason ?? "",
      endedSeq: state !== null && ENDS.has(state.status) ? state.seq : null,
      calls: own.length,
      inputTokens: sum(({ cost }) => cost.inputTokens),
      outputTokens: sum(({ cost }) => cost.outputTokens),
      usd: usd(sum(({ cost }) => cost.microUsd)),
      durationMs: sum(({ durationMs }) => durationMs),
      payload: record.payload,
    };
  });
}
