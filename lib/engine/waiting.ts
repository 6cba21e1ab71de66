import { setImmediate } from "node:timers";
import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";

/** For how long the loop may keep the event loop to itself, in milliseconds of the machine. */
const KEEP_MS = 50;

/** How a loop waits: for work in hand, for a time, for somebody who wakes it; and how it lets others have their turn. */
export class Waiting {
  readonly #clock: Clock;
  #wake: (() => void) | null = null;
  /** Since when the event loop has not turned; `null` where that is not known to be so. */
  #keptSince: number | null = null;

  /** @param clock the time that is waited for */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends a {@linkcode Waiting.race} that is under way. */
  wake(): void {
    this.#wake?.();
  }

  /**
   * Waits until one of the promises settles, something wakes the loop, `stop` aborts, or a time is reached. What else may
   * abort settles the promises.
   */
  async race(
    active: ReadonlySet<Promise<void>>,
    until: number | null,
    stop: AbortSignal | undefined,
  ): Promise<void> {
    const woken = Promise.withResolvers<void>();
    const wake = () => woken.resolve();
    const nap = until === null ? null : new AbortController();
    this.#wake = wake;
    stop?.addEventListener("abort", wake, { once: true });
    try {
      await Promise.race([
        ...active,
        woken.promise,
        ...(until === null || nap === null ? [] : [this.sleep(until, [nap.signal])]),
      ]);
      await this.giveWay();
    } finally {
      this.#wake = null;
      stop?.removeEventListener("abort", wake);
      nap?.abort();
    }
  }

  /** Waits until a time; ends early, without an error, when one of the signals aborts. */
  async sleep(until: number, signals: readonly AbortSignal[]): Promise<void> {
    try {
      await this.#clock.sleep(Math.max(0, until - this.#clock.now()), AbortSignal.any([...signals]));
    } catch (error) {
      if (!signals.some((signal) => signal.aborted)) throw error;
    }
  }

  /**
   * Lets timers, interrupts and displays have their turn where nothing else did for a while: tasks whose calls answer at
   * once would never let go of the event loop. Not each time: a free worker claims before the answers of others are
   * looked at, so that workers don't fall into step.
   */
  async giveWay(): Promise<void> {
    const now = performance.now();
    if (this.#keptSince === null) {
      this.#keptSince = now;
      setImmediate(() => {
        this.#keptSince = null;
      });
    } else if (now - this.#keptSince > KEEP_MS) await eventLoopTurn();
  }
}
