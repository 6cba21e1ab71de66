import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../lib/domain/clock.ts";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Turns of the event loop that work in hand gets before time moves on. */
const TURNS = 4;

/**
 * A clock on which waiting costs nothing: while anybody sleeps and nothing else moves, time jumps to the sleeper that is
 * due first. Sleepers wake one by one and in order, so that work side by side interleaves as it would in real time.
 */
export class VirtualClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #sleepers: Sleeper[] = [];
  #moving = false;

  now(): number {
    return this.#now;
  }

  /** Moves on without anybody asleep. */
  advance(ms: number): void {
    this.#now += ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const sleeper = { until: this.#now + ms, wake: resolve };
    signal?.addEventListener("abort", () => {
      this.#forget(sleeper);
      reject(signal.reason);
    }, { once: true });
    this.#sleepers.push(sleeper);
    void this.#move();
    return promise;
  }

  #forget(sleeper: Sleeper): void {
    const at = this.#sleepers.indexOf(sleeper);
    if (at >= 0) this.#sleepers.splice(at, 1);
  }

  async #move(): Promise<void> {
    if (this.#moving) return;
    this.#moving = true;
    while (this.#sleepers.length > 0) {
      for (let i = 0; i < TURNS; i++) await setImmediate();
      const first = this.#sleepers.reduce<Sleeper | undefined>(
        (soonest, each) => soonest === undefined || each.until < soonest.until ? each : soonest,
        undefined,
      );
      if (first === undefined) break;
      this.#forget(first);
      this.#now = Math.max(this.#now, first.until);
      first.wake();
    }
    this.#moving = false;
  }
}
