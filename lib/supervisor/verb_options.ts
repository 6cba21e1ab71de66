import { z } from "zod";
import type { TaskReport } from "../engine/report.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** What stepping verbs take. */
export interface StepOptions {
  /** Ends the step at once: calls in flight are cut, their tasks go back into the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each task. */
  readonly onTask?: ((report: TaskReport) => void) | undefined;
}

const stepShape = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  onTask: z.custom((value) => typeof value === "function").optional(),
});
const STEP: OptionsRule = {
  shape: stepShape,
  example: "{ signal }",
  remedies: {
    signal: "Give the signal of an AbortController.",
    onTask: "Give a function; it is told after each task.",
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
