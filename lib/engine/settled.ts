import type { Decision } from "../domain/agent.ts";
import type { TaskRecord, TaskStatus } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import type { Entry } from "../store/records.ts";
import type { EventDraft } from "../telemetry/events.ts";

/** What an outcome becomes: the records of its commit, in full. */
export interface Settled {
  /** Records, the task's end and its follow-ups included. */
  readonly entries: readonly Entry[];
  /** How the task ended. */
  readonly status: TaskStatus;
  /** Whether it added to the session. */
  readonly progress: -1 | 0 | 1;
  /** What to tell the world. */
  readonly events: readonly EventDraft[];
  /** One line on what came of it. */
  readonly gist: string;
}

/** What settling an outcome depends on besides the records. */
export interface Work {
  /** The task. */
  readonly task: TaskRecord;
  /** What its first claim decided. */
  readonly decision: Decision;
  /** Attempts that failed before this one. */
  readonly attempts: number;
  /** The settings that the task works under: those of its first claim. */
  readonly settings: Settings;
  /** The revision that the task works under. */
  readonly revision: number;
  /** The commit that its first claim saw. */
  readonly claimSeq: number;
  /** The hypothesis nearest to the proposal, as of now. */
  readonly nearest: { readonly id: string; readonly cosine: number } | null;
  /** Clusters of near-duplicates, if this commit is to renew them; `vectors`: how many were compared. */
  readonly clusters: { readonly clusters: readonly (readonly string[])[]; readonly vectors: number } | null;
  /** The person who did it, and how much their word counts; absent where an agent did. */
  readonly person?: { readonly author: string; readonly weight: number } | undefined;
  /** The embedder's name. */
  readonly embedder: string;
}

/** A task whose attempt failed: put off for another try, or dead. */
export function failed(work: Pick<Work, "task" | "attempts">, reason: string): Settled {
  const attempts = work.attempts + 1;
  const dead = attempts >= work.task.maxAttempts;
  const status = dead ? "dead" : "deferred";
  return {
    entries: [{ kind: "taskState", record: { taskId: work.task.id, status, attempts, reason } }],
    status,
    progress: dead ? -1 : 0,
    events: [
      {
        type: "task_failed",
        payload: { task: work.task.label, action: work.task.action, attempt: attempts, error: reason },
      },
      ...(dead ? [{ type: "task_dead", payload: { task: work.task.label, error: reason } } as const] : []),
    ],
    gist: reason,
  };
}

/** A task whose result is not used, because what it was about is no longer there. */
export function voided(work: Work, reason: string): Settled {
  return {
    entries: [endOf(work, "void", reason)],
    status: "void",
    progress: 0,
    events: [{ type: "task_void", payload: { task: work.task.label, reason } }],
    gist: reason,
  };
}

/** A task that ended well: its records and events, and its own end. */
export function done(
  work: Work,
  reason: string,
  progress: -1 | 0 | 1,
  entries: readonly Entry[],
  events: readonly EventDraft[],
  gist: string,
): Settled {
  return {
    entries: [...entries, endOf(work, "done", reason)],
    status: "done",
    progress,
    events: [...events, {
      type: "task_completed",
      payload: { task: work.task.label, agent: work.task.agent, action: work.task.action, result: reason },
    }],
    gist,
  };
}

function endOf(work: Work, status: TaskStatus, reason: string): Entry {
  return { kind: "taskState", record: { taskId: work.task.id, status, attempts: work.attempts, reason } };
}
