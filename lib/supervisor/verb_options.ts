import { z } from "zod";
import type { TaskReport } from "../engine/report.ts";
import { PROGRESS_MODES, type ProgressMode } from "../notebook/progress/mode.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What stepping verbs take. */
export interface StepOptions {
  /** Ends the step at once: calls in flight are cut, their tasks go back into the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each task. */
  readonly onTask?: ((report: TaskReport) => void) | undefined;
  /**
   * Where progress is shown while it works. `notebook`: one display under the cell, updated in place; `terminal`: a bar,
   * where standard error is a terminal; `lines`: plain lines, every 5 s; `none`. `auto` takes the first of these that there
   * is; in a program that nobody watches, lines begin after 10 s. Work that is over at once shows its result alone.
   *
   * @default the handle's: `Supervisor.create({ progress })`
   */
  readonly progress?: ProgressMode | undefined;
}

/** What is said about a wrong `progress`. */
export const PROGRESS_REMEDY = `Choose one of ${PROGRESS_MODES.join(", ")}.`;

const stepShape = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  onTask: z.custom((value) => typeof value === "function").optional(),
  progress: z.enum(PROGRESS_MODES).optional(),
});
const STEP: OptionsRule = {
  shape: stepShape,
  example: "{ signal }",
  remedies: {
    signal: "Give the signal of an AbortController.",
    onTask: "Give a function; it is told after each task.",
    progress: PROGRESS_REMEDY,
  },
};
const TICK: OptionsRule = {
  shape: stepShape.extend({ tasks: z.number().int().min(1).max(64).optional() }),
  example: "{ tasks: 4 }",
  remedies: { ...STEP.remedies, tasks: "Give a whole number from 1 to 64." },
};
const EVENTS: OptionsRule = {
  shape: z.strictObject({
    after: z.number().int().nonnegative().optional(),
    last: z.number().int().positive().optional(),
  }),
  example: "{ last: 20 }",
  remedies: { after: "Give the number of an event; 0 for all.", last: "Give a whole number above 0." },
};
const CONFIGURE: OptionsRule = {
  shape: z.strictObject({ author: z.string().trim().min(1).max(200).optional() }),
  example: '{ author: "Ada" }',
  remedies: { author: "Give the name of who changes it." },
};

/** Checks what a person gave to a stepping verb besides its subject. @throws CosciError `input` */
export function requireStepOptions(verb: string, options: unknown): void {
  requireOptions(verb, options, STEP);
}

/** Checks what a person gave to `tick`. @throws CosciError `input` */
export function requireTickOptions(options: unknown): void {
  requireOptions("tick", options, TICK);
}

/** Checks which events are wanted. @throws CosciError `input` */
export function requireEventFilter(filter: unknown): void {
  requireOptions("events", filter, EVENTS);
}

/** Checks what a person gave to a verb of steering that takes an author alone. @throws CosciError `input` */
export function requireSteeringOptions(verb: string, options: unknown): void {
  requireOptions(verb, options, CONFIGURE);
}

/** Checks what a person gave to `configure` besides the settings. @throws CosciError `input` */
export function requireConfigureOptions(options: unknown): void {
  requireOptions("configure", options, CONFIGURE);
}
