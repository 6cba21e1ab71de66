import assert from "node:assert/strict";
import { EVOLUTION_STRATEGIES } from "../../lib/domain/records.ts";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import { assertNothingLost, LONG, type Opened, openSession } from "./support/sim_session.ts";

/** A run with the defaults of everything but its size, by many workers and with answers that take their time. */
async function wholeRun(concurrency: number, seed: string, maxIdeas = 24): Promise<Opened> {
  let worst = 0;
  const session = await openSession({
    seed,
    settings: { run: { maxIdeas, concurrency } },
    simulator: { latencyMs: (call) => 500 + (call * 7919) % 20_000 },
    create: { budget: { usd: 100 } },
  });
  const { lab } = session;
  const run = await lab.runUntil({}, {
    onTask: () => {
      const { hypotheses } = lab.view();
      worst = Math.max(worst, hypotheses.length);
    },
  });
  assert.ok(["elo_stable", "top_k_settled", "idle"].includes(run.stop?.reason ?? ""), run.stop?.note);
  assert.ok(worst <= maxIdeas, `maxIdeas is kept at each moment: ${worst}`);
  assertNothingLost(session);
  return session;
}

for (const concurrency of LONG ? [1, 4, 16] : [16]) {
  Deno.test(`13.B.1 a run with the defaults and ${concurrency} workers really evolves, learns and keeps its limits`, async () => {
    await using session = await wholeRun(concurrency, `whole ${concurrency}`);
    const { lab } = session;
    const view = lab.view();

    assert.ok(view.hypotheses.length > 16, `it grows towards its cap: ${view.hypotheses.length} of 24`);
    const evolved = view.hypotheses.filter(({ record }) => record.parents.length > 0);
    assert.deepEqual(
      [...new Set(evolved.map(({ record }) => record.strategy))].sort(),
      [...EVOLUTION_STRATEGIES].sort(),
      "every strategy has a child",
    );
    assert.ok(view.hypotheses.some(({ record }) => record.strategy === "debate"));
    assert.ok(evolved.some(({ record }) => record.generation >= 2), "children have children");

    // 13.B.7 What the meta-review says reaches the generations and evolutions that are claimed after it.
    assert.ok(view.feedback.length >= 1);
    const calls = readTranscripts(lab.store.sql, view.session.id);
    const writers = calls.filter(({ agent }) => agent === "generation" || agent === "evolution");
    const judges = calls.filter(({ agent }) => agent === "ranking" || agent === "reflection");
    const carry = (narrative: string) => JSON.stringify(narrative.slice(0, 200)).slice(1, -1);
    // Two pieces may come before the next writer does: then it carries the newer one.
    const narratives = view.feedback.map(({ narrative }) => carry(narrative));
    const carries = ({ request }: { readonly request: string }) =>
      narratives.some((text) => request.includes(text));
    assert.ok(writers.some(carries), "later writers carry it");
    assert.ok(!judges.some(carries), "judges don't");

    // 13.B.8 All kinds of reviews are there, and the leaders are verified.
    const kinds = new Set(view.reviews.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ["full", "observation", "verification"]);
    for (const standing of view.leaderboard.slice(0, 1)) {
      assert.ok(view.reviewsOf(standing.record.id).some(({ kind }) => kind === "verification"));
    }

    // No pair meets more often than it may, and nobody plays itself.
    const { maxMatchesPerPair } = view.settings.ranking;
    for (const [i, a] of view.hypotheses.entries()) {
      for (const b of view.hypotheses.slice(i + 1)) {
        assert.ok(view.met(a.record.id, b.record.id).total <= maxMatchesPerPair);
      }
    }
    assert.ok(view.matches.every(({ firstId, secondId }) => firstId !== secondId));
  });
}

Deno.test("near-duplicates are folded under the best of them, who alone is drawn from then on", async () => {
  await using session = await openSession({
    seed: "folding",
    // So wide a threshold folds much; a proposal is a duplicate only if it is the same text.
    settings: {
      run: { maxIdeas: 12, concurrency: 8 },
      vectors: { clusterThreshold: 0.75, dedupCosineThreshold: 1, reclusterEveryMatches: 6 },
    },
  });
  const { lab } = session;
  await lab.runUntil();
  assertNothingLost(session);
  const view = lab.view();
  const folded = view.leaderboard.filter(({ foldedUnder }) => foldedUnder !== null);
  assert.ok(folded.length > 0);
  assert.equal(lab.inspect().counts.folded, folded.length);
  for (const { record, strength, foldedUnder } of folded) {
    const best = view.hypothesis(foldedUnder ?? "");
    assert.ok(
      best !== undefined && (best.strength ?? NaN) >= (strength ?? NaN) && best.foldedUnder === null,
      `${record.label} is under its best`,
    );
    assert.ok(!view.drawable.some((standing) => standing.record.id === record.id));
    assert.equal(lab.inspect().leaderboard.find(({ label }) => label === record.label)?.rank, null);
  }
});

Deno.test("13.B.5 maxIdeas is kept by sixteen workers whatever is in flight", async () => {
  for (const maxIdeas of LONG ? [1, 2, 3, 5, 9] : [3, 7]) {
    await using session = await wholeRun(16, `cap ${maxIdeas}`, maxIdeas);
    assert.ok(session.lab.view().hypotheses.length <= maxIdeas);
  }
});
