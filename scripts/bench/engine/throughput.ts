import { join } from "node:path";
import { matchSession } from "./matches.ts";
import { residentMb } from "./memory.ts";

/** Tasks a second, and what memory they leave behind. */
export interface Throughput {
  /** One-call tasks a second: the best of the stretches measured, since others use the machine too. */
  readonly tasksPerSecond: number;
  /** The same in the middle of the stretches. */
  readonly median: number;
  /** Growth of the resident memory between two collections, in megabytes. */
  readonly rssGrowthMb: number;
}

const STRETCH = 1_000;

/**
 * Runs matches whose model answers at once, eight side by side, in a file store: what is left is the project's own work.
 *
 * @param between the tasks between which memory is compared; the last one ends the measurement
 */
export async function measureThroughput(
  folder: string,
  between: readonly [number, number],
): Promise<Throughput> {
  const [from, to] = between;
  const lab = await matchSession(join(folder, "throughput.db"), { concurrency: 8, latencyMs: 0 });
  try {
    const rates: number[] = [];
    let before = NaN;
    for (let done = 0; done < to; done += STRETCH) {
      if (done === from) before = residentMb();
      const begun = performance.now();
      const run = await lab.runFor({ matches: STRETCH });
      if (run.tasks.match !== STRETCH || run.failures > 0) {
        throw new Error(
          `${run.tasks.match} matches, ${run.failures} failures, ${run.stop?.note ?? run.endedBy}`,
        );
      }
      rates.push(1000 * STRETCH / (performance.now() - begun));
    }
    const stretches = rates.toSorted((a, b) => a - b);
    return {
      tasksPerSecond: stretches.at(-1) ?? NaN,
      median: stretches[Math.floor(stretches.length / 2)] ?? NaN,
      rssGrowthMb: residentMb() - before,
    };
  } finally {
    await lab.close();
  }
}
