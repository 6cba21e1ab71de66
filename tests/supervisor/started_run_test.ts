/** A run in the background: other cells look and steer meanwhile; what it was to cost, what it did, and notices on the way. */
import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { enter, SMALL, small, wire } from "../engine/support/session.ts";

Deno.test("configure, queue and edit land in a run that goes on, and it goes on", async () => {
  const waiting: (() => void)[] = [];
  let open = true;
  const over = wire({ before: () => open ? undefined : new Promise((resolve) => waiting.push(resolve)) });
  await using lab = await enter(":memory:", {
    settings: small(2, { ranking: { kSwitchMatches: 100 } }),
    over,
  });
  await lab.runUntil({ matches: 2 });
  open = false;
  const run = lab.start({ matches: 6 });
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(run.running);
  assert.equal(run.progress.endedBy, null);
  assert.ok(run.progress.inHand.length > 0);
  assert.match(String(run), /Run of glow in the background[^]*it goes on[^]*\$[\d.]+ was expected in all/);
  const seq = lab.view().seq;
  lab.configure({ ranking: { kFactorNew: 48 } });
  const edit = await lab.edit("H1", { statement: "Cells glow for want of salt, and of nothing else" });
  const dead = lab.queue.list().find(({ status }) => status === "pending");
  if (dead !== undefined) lab.queue.cancel(dead.label);
  assert.ok(lab.view().seq > seq && lab.stale.length > 0);
  open = true;
  for (const go of waiting.splice(0)) go();
  const ended = await run.done;
  assert.equal(ended.endedBy, "until");
  assert.equal(lab.view().validMatches, 6);
  const since = lab.view().matches.filter((match) => match.revision >= lab.view().revision);
  const ks = lab.view().eloJournal.filter(({ matchId }) => since.some(({ id }) => id === matchId));
  assert.ok(ks.length > 0 && ks.every(({ k }) => k === 48), "the new K");
  const said = lab.transcripts().filter(({ revision }) => revision >= lab.view().revision)
    .map(({ n }) => lab.transcript(n).request);
  assert.ok(
    said.some((text) => text.includes("Cells glow for want of salt")),
    "the new text is in a request",
  );
  assert.equal(edit.version, 2);
  // At its end it stays as it was, whatever comes after.
  assert.deepEqual([run.running, run.progress.endedBy, run.progress.matches], [false, "until", 6]);
  await lab.rank(1);
  assert.equal(run.progress.matches, 6);
  assert.deepEqual(run.progress.usd, ended.cost.microUsd / 1e6);
});

Deno.test("a run tells what it was expected to cost, and what it cost; a stage or a function expects nothing", async () => {
  await using lab = await enter(":memory:", { settings: { run: { maxIdeas: 16, concurrency: 1 } } });
  await lab.runUntil({ matches: 12 });
  const before = lab.estimate({ matches: 24 });
  const [last] = before.rows.filter(({ action }) => action === "overview");
  const run = await lab.runUntil({ matches: 24 });
  assert.ok(run.expectedUsd !== null);
  assert.ok(Math.abs(run.expectedUsd - (before.usd - (last?.usd ?? 0))) < 1e-5, "the final overview apart");
  const cost = run.cost.microUsd / 1e6;
  assert.ok(run.expectedUsd > cost / 3 && run.expectedUsd < cost * 3, `${run.expectedUsd} and ${cost}`);
  assert.match(String(run), /Cost: +\$[\d.]+ · .*; \$[\d.]+ was expected/);
  assert.equal((await lab.runUntil(({ counts }) => counts.matches > 24)).expectedUsd, null);
  assert.equal((await lab.rank(1)).expectedUsd, null);
});

Deno.test("at 50 and 80 % of the budget: told by the tick, by the run, by its handle, and where things stand", async () => {
  await using lab = await enter(":memory:", {
    settings: small(1, {
      termination: { ...SMALL.termination, topKPrecision: 0, eloStabilityEps: 0.001 },
      run: { maxMatchesPerIdea: 40 },
      ranking: { maxMatchesPerPair: 20 },
      // Nearly all is for judging, and the overview, which is kept money for, is cheap.
      budgetShares: {
        generation: 0.15,
        reflection: 0.2,
        ranking: 0.5,
        evolution: 0.05,
        metareview: 0.04,
        proximity: 0.01,
        reserve: 0.05,
      },
      maxTokens: { ...DEFAULT_SETTINGS.maxTokens, "metareview.final": 512 },
      thinking: { ...DEFAULT_SETTINGS.thinking, "metareview.final": 0 },
      models: { ...DEFAULT_SETTINGS.models, "metareview.final": "claude-haiku-4-5-20251001" },
    }),
    usd: 1.2,
  });
  for await (const tick of lab.ticks()) {
    if (tick.notices.length === 0) continue;
    assert.deepEqual(tick.notices.length, 1);
    assert.match(String(tick), /! 50 % of the budget is spent: \$[\d.]+ of \$1\.20/);
    break;
  }
  assert.match(String(lab.inspect()), /over 50 % of the budget is spent/);
  const started = lab.start();
  const run = await started.done;
  assert.match(run.notices.join("\n"), /^80 % of the budget is spent/);
  assert.deepEqual(started.notices, run.notices);
  assert.match(String(run), /! 80 % of the budget is spent/);
  assert.match(String(started), /! 80 % of the budget is spent/);
  assert.match(String(lab.inspect()), /over 80 % of the budget is spent/);
});

Deno.test("a run that is shown after its handle was closed says how it ended", async () => {
  const lab = await enter(":memory:", { settings: small(1) });
  const run = lab.start({ matches: 1 });
  await run.done;
  await lab.close();
  assert.deepEqual([run.running, run.progress.matches], [false, 1]);
  assert.match(String(run), /it ended: until/);
});
