import assert from "node:assert/strict";
import { rng } from "../../lib/domain/rng.ts";
import { batchWorth } from "../../lib/tournament/batch_worth.ts";
import { fitBradleyTerry } from "../../lib/tournament/bradley_terry.ts";
import { gapVariance } from "../../lib/tournament/gap_variance.ts";
import { logistic } from "../../lib/tournament/normal.ts";
import { Posterior } from "../../lib/tournament/posterior.ts";
import { topK } from "../../lib/tournament/top_k.ts";

/** A pool after some matches at random. */
function played(n: number, games: number, key: string): Posterior {
  const chance = rng("worth", key, "season");
  const truth = Array.from({ length: n }, () => 1.2 * chance.normal());
  const comparisons = Array.from({ length: games }, () => {
    const first = chance.int(n), second = (first + 1 + chance.int(n - 1)) % n;
    const p = logistic((truth[first] ?? 0) - (truth[second] ?? 0));
    return { first, second, score: chance.next() < p ? 1 as const : 0 as const, weight: 1, term: -1 };
  });
  const unknowns = Array.from({ length: n }, () => ({ mean: 0, sd: 1, from: [] }));
  return Posterior.of(fitBradleyTerry({ unknowns, comparisons }));
}

const places = (n: number) => Array.from({ length: n }, (_, i) => i);

Deno.test("now is what is expected now; more matches are worth more; none are worth nothing", () => {
  const belief = played(30, 60, "some");
  const { expectedPrecision } = topK(belief, places(30), 5);
  const after = belief.copy();
  const none = batchWorth(belief, after, places(30), 5);
  assert.ok(Math.abs(none.now - expectedPrecision) < 0.03);
  assert.ok(Math.abs(none.after - none.now) < 0.01);
  let last = none.after;
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 30; i += 2) after.expect((i + round) % 30, (i + 1 + round) % 30);
    const { after: worth } = batchWorth(belief, after, places(30), 5);
    assert.ok(worth > last);
    last = worth;
  }
});

Deno.test("the promise is kept on average: batches judged by draws of the truth end where it says", () => {
  const belief = played(16, 30, "kept");
  const batch = places(8).map((i) => [2 * i, 2 * i + 1] as const);
  const after = belief.copy();
  for (const [a, b] of batch) after.expect(a, b);
  const promised = batchWorth(belief, after, places(16), 3);
  const chance = rng("worth", "kept", "verdicts");
  let sum = 0;
  const runs = 300;
  for (let run = 0; run < runs; run++) {
    const judged = belief.copy();
    for (const [first, second] of batch) {
      const gap = judged.mean(first) - judged.mean(second) +
        Math.sqrt(gapVariance(judged, first, second)) * chance.normal();
      const score = chance.next() < logistic(gap) ? 1 : 0;
      judged.observe({ first, second, score, weight: 1, term: -1 });
    }
    sum += topK(judged, places(16), 3).expectedPrecision;
  }
  assert.ok(promised.after > promised.now + 0.01);
  assert.ok(Math.abs(sum / runs - promised.after) < 0.025, `${sum / runs} ${promised.after}`);
});

Deno.test("where no more than k compete there is nothing to gain", () => {
  const belief = played(4, 10, "few");
  assert.deepEqual(batchWorth(belief, belief.copy(), places(4), 5), { now: 1, after: 1 });
});
