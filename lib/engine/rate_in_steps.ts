import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { View } from "../store/view.ts";

/** For how long rating may keep the event loop to itself, in milliseconds of the machine. */
const KEEP_MS = 20;

/**
 * Rates anew what new matches made due, so that it need be done neither inside a transaction nor at one go: in a large
 * session it takes longer than the thread may be held.
 */
export async function rateInSteps(view: View): Promise<void> {
  for (let since = performance.now(); view.ratings.step();) {
    if (performance.now() - since < KEEP_MS) continue;
    await eventLoopTurn();
    since = performance.now();
  }
}
