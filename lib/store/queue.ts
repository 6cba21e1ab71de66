import { z } from "zod";
import type { Decision } from "../domain/agent.ts";
import { MATCH_MODES, TASK_STATUSES, type TaskRecord, type TaskStatus } from "../domain/records.ts";
import { json, number, numberOrNull, type Row, type Sql, text, textOrNull, word } from "./database.ts";

/** What a task fixes at its first claim, as the store keeps it. */
export const decisionSchema: z.ZodType<Decision> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("match"),
    firstId: z.string(),
    secondId: z.string(),
    mode: z.enum(MATCH_MODES),
    bucket: z.string(),
    judge: z.string().optional(),
  }),
  z.object({
    kind: z.literal("group"),
    ids: z.array(z.string()).min(3),
    bucket: z.string(),
    judge: z.string().optional(),
  }),
  z.object({ kind: z.literal("evolve"), parents: z.array(z.string()) }),
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("nothing"), reason: z.string() }),
]);

/** The `notBefore` of a task that no time, only money, makes ready. */
export const UNTIL_MONEY = 8_640_000_000_000_000;

/** An open task as the working queue holds it: what changes in place and is no history. */
export interface QueueItem {
  /** Which task. */
  readonly taskId: string;
  /** Where it stands right now. */
  readonly status: TaskStatus;
  /** When it may be claimed: milliseconds since 1970; 0 for now. */
  readonly notBefore: number;
  /** Who holds it. */
  readonly owner: string | null;
  /** Until when. */
  readonly leaseExpiresAt: number | null;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Attempts that ended with their process. */
  readonly crashes: number;
  /** The seq of the view that its first claim was decided on. */
  readonly claimSeq: number | null;
  /** The revision of that view. */
  readonly revision: number | null;
  /** What was decided then. */
  readonly decision: Decision | null;
  /** Calls that failed attempts used up: the next attempt counts on from here. */
  readonly callsBase: number;
}

/** The working queue of one session: every verb is a few statements inside the caller's transaction. */
export class Queue {
  readonly #sql: Sql;
  readonly #session: string;

  /** The queue of a session. @param sql the store's database @param session whose queue */
  constructor(sql: Sql, session: string) {
    this.#sql = sql;
    this.#session = session;
  }

  /** Adds a task that was just recorded; `attempts` and `callsBase` for a revived or inherited one. */
  add(task: TaskRecord, attempts = 0, callsBase = 0): void {
    this.#sql.run(
      "INSERT INTO queue (session, task_id, n, priority, status, attempts, calls_base) " +
        "VALUES (?, ?, (SELECT coalesce(max(n), 0) + 1 FROM queue WHERE session = ?), ?, 'pending', ?, ?)",
      this.#session,
      task.id,
      this.#session,
      task.priority,
      attempts,
      callsBase,
    );
  }

  /** Takes the task that comes first among those that are ready (and in `only`, if given), or `null`. */
  take(owner: string, now: number, only?: readonly string[]): QueueItem | null {
    const among = only === undefined ? "" : " AND task_id IN (SELECT value FROM json_each(?))";
    const row = this.#sql.get(
      "UPDATE queue SET status = 'in_progress', owner = ? WHERE session = ? AND task_id = (" +
        "SELECT task_id FROM queue WHERE session = ? AND ((status = 'pending') OR (status = 'deferred' AND not_before <= ?))" +
        `${among} ORDER BY priority, n LIMIT 1) RETURNING *`,
      owner,
      this.#session,
      this.#session,
      now,
      ...(only === undefined ? [] : [JSON.stringify(only)]),
    );
    return row === undefined ? null : decode(row);
  }

  /** Sets the lease of a task just taken, and pins what its first claim decided. */
  pin(
    taskId: string,
    leaseExpiresAt: number,
    pinned: { claimSeq: number; revision: number; decision: Decision },
  ): void {
    this.#sql.run(
      "UPDATE queue SET lease_expires_at = ?, claim_seq = ?, revision = ?, decision = ? WHERE session = ? AND task_id = ?",
      leaseExpiresAt,
      pinned.claimSeq,
      pinned.revision,
      JSON.stringify(pinned.decision),
      this.#session,
      taskId,
    );
  }

  /** Whether this owner holds the task. */
  holds(taskId: string, owner: string): boolean {
    return this.#sql.get(
      "SELECT 1 AS held FROM queue WHERE session = ? AND task_id = ? AND owner = ? AND status = 'in_progress'",
      this.#session,
      taskId,
      owner,
    ) !== undefined;
  }

  /** Extends the leases of an owner's tasks. */
  renew(taskIds: readonly string[], owner: string, leaseExpiresAt: number): void {
    for (const id of taskIds) {
      this.#sql.run(
        "UPDATE queue SET lease_expires_at = ? WHERE session = ? AND task_id = ? AND owner = ?",
        leaseExpiresAt,
        this.#session,
        id,
        owner,
      );
    }
  }

  /** Puts a task back: `deferred` until a time after a failed attempt, or `pending`. What it pinned stays unless `unpin`. */
  putBack(
    taskId: string,
    change: {
      readonly status: "pending" | "deferred";
      readonly notBefore: number;
      readonly attempts: number;
      readonly callsBase: number;
      readonly unpin?: boolean | undefined;
    },
  ): void {
    const pins = change.unpin === true ? ", decision = NULL, claim_seq = NULL, revision = NULL" : "";
    this.#sql.run(
      "UPDATE queue SET status = ?, not_before = ?, attempts = ?, calls_base = ?, owner = NULL, lease_expires_at = NULL" +
        `${pins} WHERE session = ? AND task_id = ?`,
      change.status,
      change.notBefore,
      change.attempts,
      change.callsBase,
      this.#session,
      taskId,
    );
  }

  /** Leaves a task to a person: nobody claims it. What is pinned is what they see. */
  leaveTo(
    person: string,
    taskId: string,
    pinned: { claimSeq: number; revision: number; decision: Decision },
  ): void {
    this.#sql.run(
      "UPDATE queue SET status = 'waiting', owner = ?, not_before = 0, lease_expires_at = NULL, claim_seq = ?, revision = ?, " +
        "decision = ? WHERE session = ? AND task_id = ?",
      person,
      pinned.claimSeq,
      pinned.revision,
      JSON.stringify(pinned.decision),
      this.#session,
      taskId,
    );
  }

  /** The tasks that persons took upon themselves; their owners are the persons' names. */
  taken(): QueueItem[] {
    return this.#sql.all(
      "SELECT * FROM queue WHERE session = ? AND status = 'waiting' ORDER BY n",
      this.#session,
    ).map(decode);
  }

  /** Takes an ended task out. */
  remove(taskId: string): void {
    this.#sql.run("DELETE FROM queue WHERE session = ? AND task_id = ?", this.#session, taskId);
  }

  /** Makes deferred tasks ready that wait for money rather than for a time. */
  releaseBudgetWaits(): void {
    this.#sql.run(
      "UPDATE queue SET not_before = 0 WHERE session = ? AND status = 'deferred' AND not_before >= ?",
      this.#session,
      UNTIL_MONEY,
    );
  }

  /** Makes deferred tasks ready before their time; those that wait for a higher limit are left alone. */
  hasten(taskIds: readonly string[]): void {
    this.#sql.run(
      "UPDATE queue SET not_before = 0 WHERE session = ? AND status = 'deferred' AND not_before < ? " +
        "AND task_id IN (SELECT value FROM json_each(?))",
      this.#session,
      UNTIL_MONEY,
      JSON.stringify(taskIds),
    );
  }

  /** The tasks that wait for money that only a higher limit can bring. */
  waitingForMoney(): string[] {
    return this.#sql.all(
      "SELECT task_id FROM queue WHERE session = ? AND status = 'deferred' AND not_before >= ?",
      this.#session,
      UNTIL_MONEY,
    ).map((row) => text(row, "task_id"));
  }

  /** Moves a task to the front. */
  promote(taskId: string): void {
    this.#sql.run(
      "UPDATE queue SET priority = (SELECT min(priority) FROM queue WHERE session = ?) - 1 WHERE session = ? AND task_id = ?",
      this.#session,
      this.#session,
      taskId,
    );
  }

  /**
   * Gives back tasks whose holder is gone: leases that ran out, or owners that `alive` denies. Returns them as they were
   * held, for their reservations to be settled.
   */
  reclaim(now: number, alive: (owner: string) => boolean): QueueItem[] {
    const held = this.#sql.all(
      "SELECT * FROM queue WHERE session = ? AND status = 'in_progress'",
      this.#session,
    ).map(decode);
    const lost = held.filter((item) =>
      (item.leaseExpiresAt ?? 0) <= now || (item.owner !== null && !alive(item.owner))
    );
    for (const item of lost) {
      this.#sql.run(
        "UPDATE queue SET status = 'pending', owner = NULL, lease_expires_at = NULL, crashes = crashes + 1 " +
          "WHERE session = ? AND task_id = ?",
        this.#session,
        item.taskId,
      );
    }
    return lost;
  }

  /** All open tasks, in the order in which they would be claimed. */
  list(): QueueItem[] {
    return this.#sql.all("SELECT * FROM queue WHERE session = ? ORDER BY priority, n", this.#session).map(
      decode,
    );
  }

  /** The ids of tasks that somebody works on. */
  inProgress(): string[] {
    return this.#sql.all(
      "SELECT task_id FROM queue WHERE session = ? AND status = 'in_progress'",
      this.#session,
    ).map((row) => text(row, "task_id"));
  }

  /** One open task. */
  item(taskId: string): QueueItem | undefined {
    const row = this.#sql.get("SELECT * FROM queue WHERE session = ? AND task_id = ?", this.#session, taskId);
    return row === undefined ? undefined : decode(row);
  }

  /** What tasks in hand or put back have decided: pairs that are taken, for one. */
  decisions(): Decision[] {
    return this.#sql.all(
      "SELECT decision FROM queue WHERE session = ? AND decision IS NOT NULL",
      this.#session,
    ).map((row) => decisionSchema.parse(json(row, "decision")));
  }

  /** Counts by status, and when the next deferred task is due. */
  counts(now: number): { ready: number; inProgress: number; deferred: number; nextDue: number | null } {
    const row = this.#sql.get(
      "SELECT coalesce(sum(status = 'pending' OR (status = 'deferred' AND not_before <= ?)), 0) AS ready, " +
        "coalesce(sum(status = 'in_progress'), 0) AS in_progress, " +
        "coalesce(sum(status = 'deferred' AND not_before > ?), 0) AS deferred, " +
        "min(CASE WHEN status = 'deferred' AND not_before > ? AND not_before < ? THEN not_before END) AS next_due " +
        "FROM queue WHERE session = ?",
      now,
      now,
      now,
      UNTIL_MONEY,
      this.#session,
    );
    return {
      ready: number(row ?? { n: 0 }, "ready"),
      inProgress: number(row ?? { n: 0 }, "in_progress"),
      deferred: number(row ?? { n: 0 }, "deferred"),
      nextDue: row === undefined ? null : numberOrNull(row, "next_due"),
    };
  }
}

function decode(row: Row): QueueItem {
  const pinned = textOrNull(row, "decision");
  return {
    taskId: text(row, "task_id"),
    status: word(row, "status", TASK_STATUSES),
    notBefore: number(row, "not_before"),
    owner: textOrNull(row, "owner"),
    leaseExpiresAt: numberOrNull(row, "lease_expires_at"),
    attempts: number(row, "attempts"),
    crashes: number(row, "crashes"),
    claimSeq: numberOrNull(row, "claim_seq"),
    revision: numberOrNull(row, "revision"),
    decision: pinned === null ? null : decisionSchema.parse(JSON.parse(pinned)),
    callsBase: number(row, "calls_base"),
  };
}
