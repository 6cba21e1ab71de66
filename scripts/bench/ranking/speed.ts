import { RatingBook } from "../../../lib/tournament/rating_book.ts";
import { mulberry32 } from "./chance.ts";
import { BASE, fixedWorld, HARD } from "./oracle.ts";
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

/** A large pool, and its matches. */
const THOUSANDS = 2_000, MATCHES = 20_000;

/** How long the strengths of 2,000 take after 20,000 matches, from nothing: the median of three, in milliseconds. */
export function meansOfThousandsMs(): number {
  const world = fixedWorld(1, THOUSANDS, BASE);
  const times = [1, 2, 3].map((seed) => {
    const chance = mulberry32(seed);
    const book = new RatingBook({ priorWidth: 0, reviewPrior: 0, parentPrior: 0 });
    for (let i = 0; i < THOUSANDS; i++) book.enter({ id: String(i) });
    for (let n = 0; n < MATCHES; n++) {
      const first = chance.int(THOUSANDS), second = (first + 1 + chance.int(THOUSANDS - 1)) % THOUSANDS;
      const score = world.verdict(first, second, 0);
      book.record({ firstId: String(first), secondId: String(second), score, weight: 1, judge: "judge" });
    }
    const started = performance.now();
    book.posterior();
    return performance.now() - started;
  });
  return times.toSorted((a, b) => a - b)[1] ?? NaN;
}
