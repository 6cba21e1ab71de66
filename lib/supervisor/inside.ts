import type { NewTask } from "../engine/new_task.ts";
import type { Totals } from "../engine/totals.ts";
import type { Run } from "../notebook/values/run.ts";
import type { LiveLook } from "./live_look.ts";
import type { StepOptions } from "./verb_options.ts";

/** The key of a handle's inside. */
export const INSIDE: unique symbol = Symbol("inside");

/** What comparisons and the command line need of a handle beyond what people do with it. */
export interface Inside {
  /** The text of each prompt in force, by name. */
  promptTexts(): ReadonlyMap<string, string>;
  /** A look at a run until totals that begins now: for whoever shows its progress himself. */
  look(until: Totals): LiveLook;
  /** Does just these tasks, as far as they aren't done. */
  play(verb: string, tasks: readonly NewTask[], options: StepOptions): Promise<Run>;
}
