/** The queue by hand: listing, cancelling, promoting, reviving; each a revision. */
import assert from "node:assert/strict";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, small, wire } from "../engine/support/session.ts";
import { openSession } from "../engine/support/sim_session.ts";

Deno.test("queue.list shows open tasks in the order in which they are done", async () => {
  const lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 2 });
  for (let i = 0; i < 3; i++) {
    const [first] = lab.queue.list();
    const { ran: [ran] } = await lab.tick();
    if (first !== undefined) assert.equal(ran?.label, first.label);
  }
  await lab.close();
});

Deno.test("a cancelled task is never done, and the session goes on without it", async () => {
  const lab = await enter(":memory:");
  await lab.tick();
  await lab.tick();
  const [task] = lab.queue.list();
  assert.ok(task !== undefined);
  lab.queue.cancel(task.label.toLowerCase(), "not this one");
  assert.ok(!lab.queue.list().some(({ label }) => label === task.label));
  const [revision] = lab.view().revisions;
  assert.deepEqual([revision?.kind, revision?.target, revision?.after], ["queue", task.label, "cancel"]);
  assert.match(String(lab.inspect("R1")), new RegExp(`${task.label}.*cancel`));
  assert.match(String(lab.inspect(task.label)), /not this one/);
  assert.ok(
    lab.events().some(({ type, payload }) => type === "task_cancelled" && payload.task === task.label),
  );
  const done: string[] = [];
  await lab.runUntil({ matches: 2 }, { onTask: ({ label }) => done.push(label) });
  assert.ok(done.length > 0 && !done.includes(task.label));
  assertSound(lab);
  await lab.close();
});

Deno.test("a task that is cancelled while it is in progress ends without effect; what it cost is kept", async () => {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let hold = false;
  const over = wire({
    before: async () => {
      if (!hold) return;
      reached.resolve();
      await free.promise;
    },
  });
  const lab = await enter(":memory:", { over });
  await lab.tick();
  hold = true;
  const step = lab.tick();
  await reached.promise;
  const [task] = lab.queue.list().filter(({ status }) => status === "in_progress");
  assert.ok(task !== undefined);
  const hypotheses = lab.view().hypotheses.length;
  lab.queue.cancel(task.label);
  hold = false;
  free.resolve();
  const { ran } = await step;
  assert.deepEqual(ran.map(({ label, status }) => [label, status]), [[task.label, "lost"]]);
  assert.equal(lab.view().hypotheses.length, hypotheses);
  assert.match(String(lab.inspect(task.label)), /cancelled/);
  const calls = lab.transcripts({ task: task.label });
  assert.ok(calls.length > 0);
  const { billed } = over.simulator;
  assert.ok(
    Math.abs(lab.cost().total.usd - billed().microUsd / 1e6) < 1e-9,
    "every cent that was billed is shown",
  );
  assert.ok(lab.queue.list().every(({ status }) => status !== "in_progress"));
  await lab.runUntil({ matches: 1 });
  assertSound(lab);
  await lab.close();
});

Deno.test("a promoted task is the next one", async () => {
  const lab = await enter(":memory:", { settings: small(1, { run: { initialIdeas: 4 } }) });
  await lab.tick();
  await lab.tick();
  const last = lab.queue.list().at(-1);
  assert.ok(last !== undefined && last.label !== lab.queue.list()[0]?.label);
  lab.queue.promote(last.label);
  assert.equal(lab.queue.list()[0]?.label, last.label);
  assert.match(lab.peek().lines[0] ?? "", new RegExp(`^${last.label} `));
  assert.deepEqual((await lab.tick()).ran.map(({ label }) => label), [last.label]);
  assert.deepEqual(lab.view().revisions.map(({ target, after }) => [target, after]), [[
    last.label,
    "promote",
  ]]);
  await lab.close();
});

Deno.test("a dead task is listed with why it died; revived, it gets another set of tries", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "parse_goal", times: 3 }],
    settings: { run: { maxIdeas: 4 } },
  });
  const { lab } = session;
  assert.equal((await lab.runUntil()).stop?.reason, "stalled");
  const [dead] = lab.queue.list();
  assert.ok(dead !== undefined);
  assert.deepEqual([dead.status, dead.attempts], ["dead", 3]);
  assert.notEqual(dead.reason, "");
  assert.match(String(lab.queue.list()), /dead/);
  lab.queue.revive(dead.label);
  assert.deepEqual(lab.queue.list().map(({ label, status }) => [label, status]), [[dead.label, "pending"]]);
  await lab.runUntil({ hypotheses: 1 });
  assert.notEqual(lab.view().plan, null);
  assert.equal(lab.view().revisions.at(-1)?.after, "revive");
});

Deno.test("a promoted task that waits for another try is tried at once", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "refusal" }, step: "generation.literature", times: 1 }],
    settings: { run: { maxIdeas: 4, concurrency: 1 }, lease: { backoffSeconds: 1000 } },
  });
  const { lab } = session;
  await lab.tick();
  await lab.tick();
  const [deferred] = lab.queue.list().filter(({ status }) => status === "deferred");
  assert.ok(deferred !== undefined && deferred.notBeforeAt !== null);
  const changes = lab.queue.promote(deferred.label, { author: "Ada" });
  assert.deepEqual(changes.map(({ path, after, by }) => [path, after, by]), [[
    deferred.label,
    "promote",
    "Ada",
  ]]);
  assert.deepEqual((await lab.tick()).ran.map(({ label, status }) => [label, status]), [[
    deferred.label,
    "done",
  ]]);
});

Deno.test("each verb of the queue is a revision by whoever is named", async () => {
  await using lab = await enter(":memory:");
  await lab.tick();
  const [first, second] = lab.queue.list();
  lab.queue.promote(second?.label ?? "", { author: "Ada" });
  lab.queue.cancel(first?.label ?? "", "not this one", { author: "Ben" });
  lab.queue.cancel(second?.label ?? "");
  assert.deepEqual(
    lab.view().revisions.map((
      { kind, target, before, after, author },
    ) => [kind, target, before, after, author]),
    [
      ["queue", second?.label, "pending", "promote", "Ada"],
      ["queue", first?.label, "pending", "cancel", "Ben"],
      ["queue", second?.label, "pending", "cancel", "person"],
    ],
  );
});
