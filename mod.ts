/**
 * cosci: a notebook-first AI co-scientist. A researcher states a goal; agents generate hypotheses, review them, rank them
 * in a tournament, evolve the best and write an overview; a `Supervisor` drives it step by step.
 *
 * @module
 */
import { evolution } from "./agents/evolution.ts";
import { generation } from "./agents/generation.ts";
import { metareview } from "./agents/metareview.ts";
import { planning } from "./agents/planning.ts";
import { ranking } from "./agents/ranking.ts";
import { reflection } from "./agents/reflection.ts";
import { type Doors, doorsOf } from "./lib/supervisor/doors.ts";
import type { Supervisor as Handle } from "./lib/supervisor/supervisor.ts";

/** The ways to a session: `Supervisor.create`, `.open`, `.list`. */
export const Supervisor: Doors = doorsOf({
  agents: [planning, generation, reflection, ranking, evolution, metareview],
  prompts: new URL("./prompts/", import.meta.url),
});
/** The handle on a session. */
export type Supervisor = Handle;
