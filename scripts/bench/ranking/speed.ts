import { fixedWorld, HARD } from "./oracle.ts";
import type { Policy } from "./policy.ts";

/** Hypotheses in the pool whose batch is timed. */
const SIZE = 200;

/** Pairs in the batch. */
const BATCH = 50;

/** Batches before the timed ones: two calls for each hypothesis. */
const WARM_UP = 2 * SIZE / BATCH;

/** Batches timed. */
const TIMED = 9;

/**
 * How long a policy takes for the verdicts of a batch of 50 among 200, whatever it fits again by them, and the choice of the
 * next batch: the median, in milliseconds.
 */
export function batchMilliseconds(policy: Policy, k: number): number {
  const world = fixedWorld(1, SIZE, HARD), player = policy.open({ seed: world.policySeed, k });
  player.arrive(Array.from({ length: SIZE }, (_, i) => i));
  let pairs = player.next(BATCH);
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + TIMED; round++) {
    const verdicts = pairs.map(([first, second]) => world.verdict(first, second, round));
    const started = performance.now();
    for (const [i, [first, second]] of pairs.entries()) player.tell(first, second, verdicts[i] ?? 0.5);
    pairs = player.next(BATCH);
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[TIMED >> 1] ?? NaN;
}
