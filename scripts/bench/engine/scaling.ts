import { join } from "node:path";
import { matchSession } from "./matches.ts";

/** How long the model takes, in milliseconds. */
const LATENCY_MS = 50;

/** What sixteen workers do, as a multiple of what one does in the same time. */
export interface Scaling {
  /** 16 would be perfect. */
  readonly scaling16: number;
  /** Tasks a second of one worker. */
  readonly one: number;
  /** Tasks a second of sixteen. */
  readonly sixteen: number;
}

/** Lets one worker and then sixteen work with a model that takes 50 ms, for the same time. */
export async function measureScaling(folder: string, tasks: number): Promise<Scaling> {
  const one = await rate(join(folder, "one.db"), 1, tasks);
  const sixteen = await rate(join(folder, "sixteen.db"), 16, 16 * tasks);
  return { scaling16: sixteen / one, one, sixteen };
}

async function rate(store: string, concurrency: number, tasks: number): Promise<number> {
  const lab = await matchSession(store, { concurrency, latencyMs: LATENCY_MS });
  try {
    await lab.runFor({ matches: 4 * concurrency });
    const begun = performance.now();
    const run = await lab.runFor({ matches: tasks });
    return 1000 * run.tasks.match / (performance.now() - begun);
  } finally {
    await lab.close();
  }
}
