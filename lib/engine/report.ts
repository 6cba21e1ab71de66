import type { AgentName, Cost, EndedBy, GateKind, TaskAction, TaskStatus } from "../domain/records.ts";
import type { Stop } from "./termination.ts";

/** What came of one attempt at a task. */
export interface TaskReport {
  /** `T5`. */
  readonly label: string;
  /** Who did it. */
  readonly agent: AgentName;
  /** Which work. */
  readonly action: TaskAction;
  /** Label of the hypothesis it was about, if one. */
  readonly target: string | null;
  /**
   * Where the task stands now. `deferred`: another try comes later; `lost`: another process had taken it over, and the
   * result was dropped; `interrupted`: it was stopped in the middle and goes back into the queue.
   */
  readonly status: TaskStatus | "lost" | "interrupted";
  /** One line on what came of it, or what failed. */
  readonly gist: string;
  /** What went wrong, if something did. */
  readonly error: string | null;
  /** What its calls cost. */
  readonly cost: Cost;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** The commit that ended it, if one did. */
  readonly seq: number | null;
}

/** A gate that waits for a person's yes. */
export interface OpenGate {
  /** `G1`. */
  readonly label: string;
  /** Which kind of step waits. */
  readonly kind: GateKind;
}

/** What one step did. */
export interface StepReport {
  /** The tasks that ran. */
  readonly ran: readonly TaskReport[];
  /** Why the session stopped, if it did. */
  readonly stop: Stop | null;
  /** The gate that keeps the next step from being taken, if one is open. */
  readonly gate: OpenGate | null;
  /** Why nothing ran, where nothing did and the session has not stopped. */
  readonly waiting: string | null;
  /** What changed on the way without a verb, in words: prompts that were edited in their files. */
  readonly changes: readonly string[];
}

/** What a run did. */
export interface RunReport {
  /** What ended it. */
  readonly endedBy: EndedBy;
  /** Why the session stopped, if it did. */
  readonly stop: Stop | null;
  /** How many tasks ended, by action. */
  readonly tasks: Readonly<Record<TaskAction, number>>;
  /** Attempts that failed. */
  readonly failures: number;
  /** The last few of them. */
  readonly lastFailures: readonly TaskReport[];
  /** What changed on the way without a verb, in words: prompts that were edited in their files. */
  readonly changes: readonly string[];
  /** What all calls cost. */
  readonly cost: Cost;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
}
