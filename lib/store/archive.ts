import type { AgentName, Cost, MatchRecord, TaskStatus } from "../domain/records.ts";
import type { SavedRatings } from "./remembered_ratings.ts";
import type { TaskStanding } from "./view.ts";

/** What a projection leaves in the store until it is asked for. Each answer is as of the projection's seq. */
export interface Archive {
  /** All matches. */
  matches(): MatchRecord[];
  /** The rationale of a match. */
  rationale(matchId: string): string;
  /** The ratings that were kept of the session, or of an ancestor where it stood the same, as of this commit; if any were. */
  ratings(seq: number): SavedRatings | null;
  /** A task that has ended. */
  endedTask(id: string): TaskStanding | undefined;
  /** The id of the task with this label. */
  taskLabelled(label: string): string | undefined;
  /** Whether a task with this key was ever enqueued. */
  hasTask(key: string): boolean;
}

/** Sums over the tasks and commits that a projection starts from instead of reading them one by one. */
export interface Summary {
  /** Tasks that have not ended, and dead ones. */
  readonly tasks: readonly TaskStanding[];
  /** How many ended, by status. */
  readonly ended: Readonly<Record<TaskStatus, number>>;
  /** Tasks that ended for nothing since the last progress. */
  readonly fruitless: number;
  /** Cost by agent, the ancestors' apart; `null` for commits of no agent. */
  readonly costs: readonly {
    readonly agent: AgentName | null;
    readonly cost: Cost;
    readonly inherited: boolean;
  }[];
  /** How many tasks were ever enqueued. */
  readonly enqueued: number;
  /** How many matches were played. */
  readonly matches: number;
  /** How many of them have a verdict. */
  readonly validMatches: number;
}
