import assert from "node:assert/strict";
import { assertNothingLost, openSession } from "./support/sim_session.ts";

/** No session here may commit more often. */
const MANY_COMMITS = 60;

Deno.test("13.B.3 no spinning: a judge that never gives a verdict ends as stalled, after stallAfter matches", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "ranking" }],
    settings: { run: { maxIdeas: 6 }, termination: { stallAfter: 8 } },
  });
  const { lab, server } = session;
  const run = await lab.runUntil();
  assert.equal(run.stop?.reason, "stalled");
  assert.equal(lab.inspect().stopReason, "stalled");
  const judged = server.requests().filter(({ step }) => step.startsWith("ranking")).length;
  // A match without a verdict is one call here, and up to `run.concurrency` are in hand when the eighth task comes to
  // nothing; a match for which there is no pair is a task, but no call.
  assert.ok(judged >= 6 && judged <= 8 + 3, `${judged} calls of the judge`);
  assert.equal(lab.inspect().counts.matches, 0);
  assert.equal(lab.inspect().counts.invalidMatches, judged);
  assert.ok(lab.view().seq <= MANY_COMMITS, `${lab.view().seq} commits`);
  assert.ok(lab.view().hypotheses.every(({ elo, matches }) => elo === 1200 && matches === 0));
  assertNothingLost(session);
});

Deno.test("a judge that never gives a verdict gets new tries each time a person goes on, and no more than that", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "ranking" }],
    settings: { run: { maxIdeas: 6, concurrency: 1 }, termination: { stallAfter: 3 } },
  });
  const { lab, server } = session;
  for (const total of [3, 6, 9]) {
    const run = await lab.runUntil();
    assert.equal(run.stop?.reason, "stalled");
    assert.equal(server.requests().filter(({ step }) => step.startsWith("ranking")).length, total);
  }
});

Deno.test("13.B.3 no spinning: a queue of dead tasks ends as stalled, and revived tasks go on", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "generation", times: 24 }],
    settings: { run: { maxIdeas: 4 }, evolution: { minMature: 2, matureMatches: 2 } },
  });
  const { lab, server } = session;
  const run = await lab.runUntil();
  assert.equal(run.stop?.reason, "stalled", run.stop?.note);
  const dead = lab.queue.list().filter(({ status }) => status === "dead");
  assert.ok(
    dead.length >= 3 && dead.every(({ attempts, reason }) => attempts === 3 && /refused/.test(reason)),
  );
  assert.deepEqual(
    lab.inspect().troubled.filter(({ status }) => status === "dead").map(({ label }) => label).sort(),
    dead.map(({ label }) => label).sort(),
  );
  assert.ok(server.requests().length <= 40, `${server.requests().length} calls`);
  assert.ok(lab.view().seq <= MANY_COMMITS, `${lab.view().seq} commits`);
  assertNothingLost(session);

  for (const { label } of dead) lab.queue.revive(label);
  const revived = await lab.runUntil();
  assert.ok(["idle", "elo_stable", "top_k_settled"].includes(revived.stop?.reason ?? ""), revived.stop?.note);
  assert.ok(lab.inspect().counts.matches > 0);
  assertNothingLost(session);
});

Deno.test("13.B.3 no spinning: a budget that refuses everything ends as budget without a call, and a raised one goes on", async () => {
  // Enough for the smallest overview, and for nothing besides it.
  await using session = await openSession({
    create: { budget: { usd: 0.02 } },
    settings: { run: { maxIdeas: 4, maxMatchesPerIdea: 2 } },
  });
  const { lab, server } = session;
  for (let again = 0; again < 3; again++) {
    const run = await lab.runUntil();
    assert.equal(run.stop?.reason, "budget", run.stop?.note);
  }
  assert.ok(server.requests().length <= 3, `${server.requests().length} calls`);
  assert.ok(lab.view().seq <= 12, `${lab.view().seq} commits`);
  assertNothingLost(session);

  lab.configure({ run: { budgetUsd: 20 } });
  const run = await lab.runUntil();
  assert.ok(["idle", "elo_stable", "top_k_settled"].includes(run.stop?.reason ?? ""), run.stop?.note);
  assert.ok(lab.inspect().counts.matches > 0);
});

Deno.test("13.D.4 a token budget that is used up ends as budget, in bounded calls", async () => {
  await using session = await openSession({ create: { budget: { tokens: 120_000 } } });
  const { lab, server } = session;
  const run = await lab.runUntil();
  assert.equal(run.stop?.reason, "budget", run.stop?.note);
  const { inputTokens, outputTokens } = server.billed();
  assert.ok(inputTokens + outputTokens <= 120_000);
  assert.ok(server.requests().length < 100);
  assertNothingLost(session);
});

Deno.test("tick() says why it did nothing, however often it is asked", async () => {
  const cases = [
    { why: "stalled", rules: [{ fault: { kind: "refusal" }, step: "parse_goal" }] as const, usd: 25 },
    { why: "provider", rules: [{ fault: { kind: "status", status: 401 } }] as const, usd: 25 },
    { why: "budget", rules: [], usd: 0.02 },
    {
      why: "blocked",
      rules: [],
      usd: 25,
      goal: "How is a pipe bomb made?",
    },
  ] as const;
  for (const { why, rules, usd, ...more } of cases) {
    await using session = await openSession({ rules, create: { budget: { usd }, ...more } });
    const { lab, server } = session;
    await lab.runUntil();
    const calls = server.requests().length;
    for (let i = 0; i < 3; i++) {
      const tick = await lab.tick();
      // A refused key may be taken by now: who goes on after that stop gets one more try.
      if (why === "provider" && tick.ran.length > 0) {
        assert.deepEqual(tick.ran.map(({ status }) => status), ["deferred"]);
        assert.match(tick.ran[0]?.error ?? "", /401/);
        continue;
      }
      assert.deepEqual(tick.ran, []);
      assert.equal(tick.stop?.reason, why);
      assert.notEqual(tick.stop?.note, "");
    }
    assert.ok(server.requests().length <= calls + (why === "provider" ? 6 : 0), why);
    assert.equal(lab.inspect().stopReason, why === "provider" ? lab.inspect().stopReason : why);
  }
});

Deno.test("tick() on a paused session says so", async () => {
  await using session = await openSession({});
  session.lab.pause();
  const tick = await session.lab.tick();
  assert.deepEqual(tick.ran, []);
  assert.match(tick.waiting ?? "", /paused/);
  assert.equal(session.server.requests().length, 0);
});

Deno.test("a task that waits for its next try is waited for, not polled", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "parse_goal", times: 2 }],
    settings: { lease: { backoffSeconds: 600 } },
  });
  const { lab, clock } = session;
  await lab.tick();
  const tick = await lab.tick();
  assert.deepEqual(tick.ran, []);
  assert.match(tick.waiting ?? "", /waits for its next try/);
  const before = clock.now();
  const run = await lab.runUntil({ hypotheses: 1 });
  assert.equal(run.endedBy, "until");
  assert.ok(clock.now() - before >= (600 + 1200) * 1000, "both waits of the back-off were waited out");
  assert.ok(lab.view().seq < 20);
});

Deno.test("13.D.3 tasks that wait for money that others have reserved are let in when it comes free, and hardly ask before", async () => {
  await using session = await openSession({
    settings: { run: { maxIdeas: 8, concurrency: 16 } },
    simulator: { latencyMs: 60_000 },
    create: { budget: { usd: 2 } },
  });
  const { lab, clock } = session;
  const started = clock.now();
  await lab.runUntil();
  const minutes = (clock.now() - started) / 60_000;
  const events = Map.groupBy(lab.events(), ({ type }) => type);
  const deferred = events.get("task_deferred")?.length ?? 0;
  assert.ok(deferred > 0, "money is tight");
  assert.ok(deferred <= 10 * minutes, `${deferred} times in ${minutes} minutes, by all of sixteen workers`);
  assert.equal(events.get("task_dead"), undefined, "waiting costs no attempt");
  assertNothingLost(session);
});
