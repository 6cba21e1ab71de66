import { taskId } from "../domain/ids.ts";
import type { AgentName, TaskAction, TaskPayload } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";

/** A task to be enqueued. */
export interface NewTask {
  /** Unique within the session: enqueueing it again does nothing. */
  readonly key: string;
  /** Which work. */
  readonly action: TaskAction;
  /** A hypothesis's id, where it has one. */
  readonly targetId?: string | null;
  /** What else the agent needs to know. */
  readonly payload?: TaskPayload;
  /** Lower goes first; the action's own priority unless said otherwise. */
  readonly priority?: number;
}

/** The seed's priorities. */
export const PRIORITY = {
  overview: 1,
  /** What a person asked for goes ahead of all but the overview. */
  asked: 10,
  plan: 50,
  generation: 100,
  review: 100,
  focusMatch: 120,
  evolution: 140,
  match: 150,
  feedback: 180,
} as const;

/** Which agent does an action. */
export function agentFor(action: TaskAction): AgentName {
  switch (action) {
    case "parse_goal":
      return "planning";
    case "generate":
      return "generation";
    case "review":
      return "reflection";
    case "match":
    case "rejudge":
      return "ranking";
    case "evolve":
      return "evolution";
    case "system_feedback":
    case "overview":
      return "metareview";
  }
}

function priorityOf(action: TaskAction): number {
  switch (action) {
    case "parse_goal":
      return PRIORITY.plan;
    case "generate":
      return PRIORITY.generation;
    case "review":
      return PRIORITY.review;
    case "match":
    case "rejudge":
      return PRIORITY.match;
    case "evolve":
      return PRIORITY.evolution;
    case "system_feedback":
      return PRIORITY.feedback;
    case "overview":
      return PRIORITY.overview;
  }
}

/** The record of a task to be enqueued. Its id is a hash of its key, so that forks and replays make the same. */
export function taskEntry(task: NewTask, maxAttempts: number): Extract<Entry, { kind: "task" }> {
  return {
    kind: "task",
    record: {
      id: taskId(task.key),
      key: task.key,
      agent: agentFor(task.action),
      action: task.action,
      targetId: task.targetId ?? null,
      payload: task.payload ?? {},
      priority: task.priority ?? priorityOf(task.action),
      maxAttempts,
    },
  };
}
