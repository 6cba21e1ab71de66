import type { NewTask } from "../engine/new_task.ts";
import type { Run } from "../notebook/values/run.ts";

/** The key of a handle's inside. */
export const INSIDE: unique symbol = Symbol("inside");

/** What a comparison needs of a handle beyond what people do with it. */
export interface Inside {
  /** The text of each prompt in force, by name. */
  promptTexts(): ReadonlyMap<string, string>;
  /** Does just these tasks, as far as they aren't done. */
  play(verb: string, tasks: readonly NewTask[], signal: AbortSignal | undefined): Promise<Run>;
}
