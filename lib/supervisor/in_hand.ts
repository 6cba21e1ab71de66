import type { QueueItem } from "../store/queue.ts";
import type { Queue } from "../store/queue.ts";
import type { TaskRecord } from "../domain/records.ts";
import type { View } from "../store/view.ts";

/** A task that somebody works on, with its place in the queue. */
export interface TaskInHand {
  /** The task. */
  readonly task: TaskRecord;
  /** What was decided when it was claimed, among others. */
  readonly item: QueueItem;
}

/** The tasks that somebody works on, whoever it is. */
export function tasksInHand(view: View, queue: Queue): TaskInHand[] {
  return queue.list().filter(({ status }) => status === "in_progress").flatMap((item) => {
    const task = view.task(item.taskId)?.record;
    return task === undefined ? [] : [{ task, item }];
  });
}

/** `T5 review`. */
export function inHandText({ task }: TaskInHand): string {
  return `${task.label} ${task.action}`;
}

/** What is done, and with whom: `review H3`, `match H3 vs H7`. */
export function workText(view: View, { task, item: { decision } }: TaskInHand): string {
  const labelOf = (id: string) => view.hypothesis(id)?.record.label ?? id;
  const action = task.action.replaceAll("_", " ");
  if (task.targetId !== null) return `${action} ${labelOf(task.targetId)}`;
  switch (decision?.kind) {
    case "match":
      return `${action} ${labelOf(decision.firstId)} vs ${labelOf(decision.secondId)}`;
    case "group":
      return `${action} ${decision.ids.map(labelOf).join(", ")}`;
    case "evolve":
      return `${action} ${decision.parents.map(labelOf).join(", ")}`;
    case "none":
    case "nothing":
    case undefined:
      return action;
  }
}
