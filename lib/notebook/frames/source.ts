import type { SessionEvent } from "../../telemetry/events.ts";
import type { Commit } from "../../store/records.ts";
import type { TaskHistory } from "../../store/task_history.ts";
import type { CallRecord } from "../../store/transcripts.ts";
import type { View } from "../../store/view.ts";

/**
 * What frames are made from: the view, and what views leave in the store. Each is read when it is first asked for, and once.
 */
export interface FrameSource {
  /** The records. */
  readonly view: View;
  /** All commits, those that a fork inherited too. */
  readonly commits: readonly Commit[];
  /** All tasks. */
  readonly tasks: readonly TaskHistory[];
  /** All model calls. */
  readonly calls: readonly CallRecord[];
  /** The session's own events. */
  readonly events: readonly SessionEvent[];
  /** Why judges decided as they did, by match. */
  readonly rationales: ReadonlyMap<string, string>;
  /** When a commit was made, by ISO 8601; `null` where that is not on record. */
  at(seq: number): string | null;
}

/** The label of a hypothesis. */
export function hypothesisLabel({ view }: Pick<FrameSource, "view">, id: string): string {
  return view.hypothesis(id)?.record.label ?? id;
}

/** The labels of tasks by their ids. */
export function taskLabels({ tasks }: Pick<FrameSource, "tasks">): (id: string | null) => string | null {
  const labels = new Map(tasks.map(({ record }) => [record.id, record.label]));
  return (id) => id === null ? null : labels.get(id) ?? null;
}
