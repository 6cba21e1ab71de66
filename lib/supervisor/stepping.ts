import { CosciError } from "../domain/errors.ts";
import type { Engine } from "../engine/engine.ts";
import type { Stop } from "../engine/termination.ts";
import { type Interruptible, interruptible } from "../notebook/interrupt.ts";
import type { Store } from "../store/store.ts";
import { beginWork } from "./session_control.ts";

/** What a step does to a session that stopped or is done. */
export interface StepTraits {
  /** Whether it goes on with a session that stopped: then its status is set to running. @default {true} */
  readonly goesOn?: boolean;
  /** Whether it is let through on a finished session, to say so and do nothing. @default {false} */
  readonly alsoDone?: boolean;
  /** Whether an open gate ends it before it begins: then the session stays as it is. @default {false} */
  readonly endsAtGate?: boolean;
}

/** One step at a time on a handle, interruptible, with the session's status set to running. */
export class Stepping {
  readonly #store: Store;
  readonly #session: string;
  readonly #engine: Engine;
  readonly #closing = new AbortController();
  #busy: string | null = null;
  #current: Promise<unknown> = Promise.resolve();
  readonly #beside = new Set<Promise<unknown>>();

  /** @param engine what steps */
  constructor(store: Store, session: string, engine: Engine) {
    this.#store = store;
    this.#session = session;
    this.#engine = engine;
  }

  /** Refuses a second step beside one that is at work. @throws CosciError `busy` */
  requireIdle(verb: string): void {
    if (this.#busy === null) return;
    throw new CosciError(
      "busy",
      `${verb}: ${this.#busy} is still at work on this handle. Await it first (a forgotten "await"?), or stop it.`,
    );
  }

  /** Ends the step that is at work and what goes on beside it, and waits for them. */
  async close(): Promise<void> {
    this.#closing.abort(new DOMException("The handle was closed", "AbortError"));
    await Promise.allSettled([this.#current, ...this.#beside]);
  }

  /** Does something that calls a model but takes no step: it may go on beside one. `signal`: the caller's. */
  async beside<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const interrupt = interruptible(this.#closing.signal, ...(signal === undefined ? [] : [signal]));
    const going = work(interrupt.signal);
    this.#beside.add(going);
    try {
      return await going;
    } finally {
      this.#beside.delete(going);
      interrupt.release();
    }
  }

  /** A signal for what goes on between steps: the notebook's Stop button, or the end of the handle. */
  interruptible(): Interruptible {
    return interruptible(this.#closing.signal);
  }

  /** Does one step. `signal`: the caller's, beside the notebook's Stop button. */
  async step<T>(
    verb: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
    { goesOn = true, alsoDone = false, endsAtGate = false }: StepTraits = {},
  ): Promise<T> {
    this.requireIdle(verb);
    this.#busy = verb;
    const interrupt = interruptible(this.#closing.signal, ...(signal === undefined ? [] : [signal]));
    const running = (async () => {
      const { status, stopReason, openGate } = this.#store.view(this.#session);
      // Writing about a session that stopped is no going on: the reason stays.
      if (status === "stopped" && !goesOn) return await work(interrupt.signal);
      // Cells that step are run again with the whole notebook: on a finished session they say so and do nothing.
      if (status === "done" && alsoDone) return await work(interrupt.signal);
      if (status === "stopped" && endsAtGate && openGate !== null) return await work(interrupt.signal);
      let stop: Stop | null = null;
      if (status === "stopped") {
        // Whoever goes on after a stall or an outage gets new tries, and what a killed process had in hand.
        this.#engine.forgive();
        this.#engine.takeBack();
        stop = this.#engine.peek(true).stop;
      }
      // A session that must stop again for the same reason is left as it is: no record says what is known already.
      if (stop === null || stop.reason !== stopReason) beginWork(this.#store, this.#session, verb);
      return await work(interrupt.signal);
    })();
    this.#current = running;
    try {
      return await running;
    } finally {
      this.#busy = null;
      interrupt.release();
    }
  }
}
