import type { Context, PromptCall, Prose, RecordCall, Recorded } from "../domain/agent.ts";
import { CosciError } from "../domain/errors.ts";
import { rng } from "../domain/rng.ts";
import { createCaller } from "../llm/caller.ts";
import type { CallScope } from "../llm/model_call.ts";
import type { IntendedCall } from "../llm/request.ts";
import { screenText } from "../llm/screen.ts";
import type { CallLedger } from "../store/calls.ts";
import { callerDeps, type CallerWork, type Services } from "./work_context.ts";

/** A call as a task would make it, before money or a failure make it give anything up. */
export interface RehearsedCall {
  /** Its prompt, with the version. */
  readonly scope: CallScope;
  /** What would be asked. */
  readonly intended: IntendedCall;
}

/**
 * Who answers the conversations of a task that is only rehearsed: `null` where it is the one that is wanted, at whose first
 * call the rehearsal ends.
 */
export interface Script {
  /** Answers a call for prose. */
  ask(call: PromptCall): Prose | null;
  /** Answers a call for a record. */
  record<T>(call: RecordCall<T>): Recorded<T> | null;
  /** Whether screens are conversations too; otherwise everything passes, without a call. */
  readonly screens: boolean;
  /** A model that is asked instead of the one that the call would go to. */
  readonly model?: string | undefined;
}

/** The end of a rehearsal: no failure, and so no kind of error that agents know how to live with. */
class Reached extends Error {
  readonly call: RehearsedCall;
  constructor(call: RehearsedCall) {
    super("The call that was wanted is reached");
    this.name = "Reached";
    this.call = call;
  }
}

/**
 * Does a task's work up to the call that is wanted, and gives that call instead of making it: no model is asked, nothing
 * is paid and nothing written. The work is the agent's own, and the call is made by the same code that makes the task's.
 * `null` where the work came to an end without it.
 *
 * @throws CosciError `prompt` where a template can't be rendered, and what else the work throws
 */
export async function rehearse(
  work: CallerWork,
  services: Services,
  ledger: CallLedger,
  script: Script,
  run: (context: Context) => Promise<unknown>,
): Promise<RehearsedCall | null> {
  const { task, view: { session, settings } } = work;
  const signal = new AbortController().signal;
  const caller = createCaller(callerDeps(work, services, ledger, signal), {
    call: (scope, intended) => Promise.reject(new Reached({ scope, intended })),
  });
  const asked = <C extends PromptCall>(call: C): C =>
    script.model === undefined ? call : { ...call, model: script.model };
  const record = async <T>(call: RecordCall<T>): Promise<Recorded<T>> =>
    script.record(call) ?? await caller.record(asked(call));
  const { dimensions } = settings.vectors;
  const context: Context = {
    task,
    signal,
    rng: (purpose) => rng(session.seed, task.key, purpose),
    ask: async (call) => script.ask(call) ?? await caller.ask(asked(call)),
    record,
    // What an embedding decides (whether a draft repeats another) comes after the answers, which are none of a rehearsal's.
    embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(dimensions))),
    embedKnown: (ideas) => Promise.resolve(ideas.map(() => new Float32Array(dimensions))),
    nearest: () => Promise.resolve(null),
    screen: async (target, text) =>
      script.screens ? await screenText({ record }, settings.safety, target, text) : {
        target,
        result: "clear",
        categories: [],
        confidence: 1,
        rationale: "",
      },
  };
  try {
    await run(context);
    return null;
  } catch (error) {
    if (error instanceof Reached) return error.call;
    throw error;
  }
}

/** A script that stops at the first conversation, whatever it is; `screens`: whether a screen counts as one. */
export function untilFirst(screens: boolean): Script {
  return { ask: () => null, record: () => null, screens };
}

/** The call, or the error that says that a task makes none. */
export function requireCall(call: RehearsedCall | null, verb: string): RehearsedCall {
  if (call !== null) return call;
  throw new CosciError("state", `${verb}: as the records stand, this work makes no such call.`);
}
