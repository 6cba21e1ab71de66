import type { AgentName } from "../../domain/records.ts";
import { usd } from "../../domain/money.ts";
import { boolean, type ColumnsOf, double, integer, text, time } from "./columns.ts";
import { type FrameSource, taskLabels } from "./source.ts";

/** A commit: one transaction of the session. */
export interface CommitRow {
  /** Its number: what `seq` says throughout. */
  readonly seq: number;
  /** When it was made. */
  readonly at: string | null;
  /** What it was: a task's action, `enqueue`, a person's verb. */
  readonly kind: string;
  /** Label of the task whose end it is. */
  readonly task: string | null;
  /** Whose task. */
  readonly agent: AgentName | null;
  /** `engine`, or a person's name. */
  readonly author: string;
  /** The revision that the work was done under. */
  readonly revision: number;
  /** 1: it added to the session; -1: a task ended for nothing; 0: neither. */
  readonly progress: number;
  /** Model calls that it ends. */
  readonly calls: number;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Their cost. */
  readonly usd: number;
  /** Of it: booked without an answer. */
  readonly unconfirmedUsd: number;
  /** Whether an ancestor made it, before the session was forked off. */
  readonly inherited: boolean;
}

/** The columns of {@linkcode commitFrame}. */
export const COMMIT_COLUMNS: ColumnsOf<CommitRow> = {
  seq: integer("the commit's number: what seq says in every frame"),
  at: time("when it was made"),
  kind: text("what it was: a task's action, enqueue, a person's verb"),
  task: text("label of the task whose end it is"),
  agent: text("whose task"),
  author: text("engine, or a person's name"),
  revision: integer("number of the revision that the work was done under"),
  calls: integer("model calls that it ends"),
  usd: double("what its calls cost", "USD"),
  inputTokens: integer("tokens read, cached ones included", "tokens"),
  outputTokens: integer("tokens written, thinking included", "tokens"),
  unconfirmedUsd: double("of it, booked without an answer", "USD"),
  progress: integer("1: it added to the session; -1: a task ended for nothing; 0: neither"),
  inherited: boolean("whether an ancestor made it, before the session was forked off"),
};

/** All commits, in order. */
export function commitFrame(source: Pick<FrameSource, "view" | "commits" | "tasks" | "at">): CommitRow[] {
  const { view, commits } = source;
  const taskOf = taskLabels(source);
  const before = view.session.parentId === null ? 0 : view.session.parentSeq;
  return commits.map(({ seq, kind, taskId, agent, author, revision, progress, cost }) => ({
    seq,
    at: source.at(seq),
    kind,
    task: taskOf(taskId),
    agent,
    author,
    revision,
    progress,
    calls: cost.calls,
    inputTokens: cost.inputTokens,
    outputTokens: cost.outputTokens,
    usd: usd(cost.microUsd),
    unconfirmedUsd: usd(cost.unconfirmedMicroUsd),
    inherited: seq <= before,
  }));
}
