import { setImmediate as eventLoopTurn } from "node:timers/promises";

/** For how long a computation may keep the event loop to itself, in milliseconds of the machine. */
const KEEP_MS = 10;

/**
 * Runs a computation to its end, letting others have their turn between its steps, which take some milliseconds each.
 *
 * @param signal ends it between two steps @throws the signal's reason
 */
export async function inSlices<T>(steps: Iterator<void, T>, signal?: AbortSignal): Promise<T> {
  for (let since = performance.now();;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    if (performance.now() - since < KEEP_MS) continue;
    await eventLoopTurn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
