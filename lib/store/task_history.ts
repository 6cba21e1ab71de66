import type { TaskRecord, TaskStateRecord } from "../domain/records.ts";
import type { Sql } from "./database.ts";
import { select, type Stretch } from "./table.ts";
import { tasks, taskStates } from "./tables/tasks.ts";

/** A task with its newest state: every task that there ever was, where a view holds those that are open or dead. */
export interface TaskHistory {
  /** The task. */
  readonly record: TaskRecord;
  /** Its newest state; `null` for one that is open and never failed. */
  readonly state: TaskStateRecord | null;
}

/** All tasks of these stretches, in the order in which they were enqueued. */
export function readTaskHistory(sql: Sql, stretches: readonly Stretch[]): TaskHistory[] {
  const states = new Map<string, TaskStateRecord>();
  for (const stretch of stretches) {
    for (const state of select(sql, taskStates, stretch)) states.set(state.taskId, state);
  }
  return stretches.flatMap((stretch) => select(sql, tasks, stretch))
    .map((record) => ({ record, state: states.get(record.id) ?? null }));
}
