/** Stepping: peek, tick, ticks, runUntil, runFor, start, one stage; what it does exactly, and what it leaves alone. */
import assert from "node:assert/strict";
import { EVOLUTION_STRATEGIES } from "../../lib/domain/records.ts";
import { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, GOAL, SMALL, small, wire } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** A session with a few hypotheses in the tournament. */
async function underWay(settings = SMALL, over = wire()) {
  const lab = await enter(":memory:", { settings, over });
  await lab.runUntil({ matches: 1 });
  return { lab, over };
}

Deno.test("peek says what the next tick does, and moves nothing", async () => {
  const lab = await enter(":memory:");
  for (let i = 0; i < 12; i++) {
    const before = writesOf(lab);
    const first = lab.peek(), second = lab.peek();
    assert.deepEqual(first.toJSON(), second.toJSON());
    assert.deepEqual(writesOf(lab), before);
    assert.ok((first.maxUsd ?? 0) > 0);
    const { ran: [task] } = await lab.tick();
    assert.ok(task !== undefined);
    assert.ok(
      first.lines[0]?.includes(`${task.agent}: ${task.action.replaceAll("_", " ")}`),
      `${first.lines[0]} | ${task.action}`,
    );
    assert.ok(task.cost.microUsd / 1e6 <= (first.maxUsd ?? 0), "a tick costs no more than peek said");
  }
  await lab.close();
});

Deno.test("a tick is one task; tick({ tasks }) is so many side by side", async () => {
  const lab = await enter(":memory:");
  const one = await lab.tick();
  assert.deepEqual(one.ran.map(({ action }) => action), ["parse_goal"]);
  const two = await lab.tick({ tasks: 2 });
  assert.equal(two.ran.length, 2);
  const told: string[] = [];
  const next = await lab.tick({ onTask: ({ label }) => told.push(label) });
  assert.deepEqual(told, next.ran.map(({ label }) => label));
  await lab.close();
});

Deno.test("the tick that adds system feedback shows it", async () => {
  const lab = await enter(":memory:");
  await lab.runUntil({ matches: 5 });
  for await (const tick of lab.ticks({ feedback: 1 })) {
    assert.equal(tick.feedback !== null, tick.ran.some(({ action }) => action === "system_feedback"));
  }
  assert.equal(lab.view().feedback.length, 1);
  await lab.close();
});

Deno.test("ticks are steps one by one, and end when the condition is reached", async () => {
  const lab = await enter(":memory:");
  let steps = 0;
  for await (const tick of lab.ticks({ reviews: 1 })) {
    steps++;
    assert.equal(tick.ran.length, 1);
  }
  assert.ok(steps > 1);
  assert.equal(lab.view().reviews.length, 1);
  for await (const _ of lab.ticks({ reviews: 1 })) assert.fail("it is reached already");
  for await (const _ of lab.ticks({ matches: 1 })) break;
  assert.equal((await lab.tick()).ran.length, 1, "a loop that was left leaves the handle free");
  await lab.close();
});

Deno.test("ticks end by themselves when nothing is left to do", async () => {
  const lab = await enter(":memory:");
  let last: string | undefined;
  for await (const tick of lab.ticks()) last = tick.stop?.reason;
  assert.ok(last !== undefined);
  assert.equal(lab.inspect().status, "stopped");
  assert.equal(lab.inspect().stopReason, last);
  await lab.close();
});

Deno.test("runUntil means in all and runFor means more, exactly, however many work side by side", async () => {
  const over = wire({ latencyMs: (call) => call % 4 });
  const lab = await enter(":memory:", { settings: small(4, { run: { maxIdeas: 12 } }), over });
  const valid = () => lab.view().validMatches;
  assert.equal((await lab.runUntil({ matches: 3 })).endedBy, "until");
  assert.equal(valid(), 3);
  const sent = over.sent.length;
  assert.equal((await lab.runUntil({ matches: 3 })).endedBy, "until");
  assert.deepEqual([valid(), over.sent.length], [3, sent], "three in all are there already: nothing runs");
  assert.equal((await lab.runFor({ matches: 3 })).endedBy, "until");
  assert.equal(valid(), 6);
  const { hypotheses, reviews } = lab.view();
  await lab.runFor({ hypotheses: 1, reviews: 50 });
  assert.equal(
    lab.view().hypotheses.length,
    hypotheses.length + 1,
    "the first total that is reached ends it",
  );
  assert.ok(lab.view().reviews.length < reviews.length + 50);
  assertSound(lab);
  await lab.close();
});

Deno.test("a run ends at the first snapshot for which a function says yes", async () => {
  const lab = await enter(":memory:");
  let asked = 0;
  const run = await lab.runUntil(({ counts }) => {
    asked++;
    return counts.hypotheses >= 2;
  });
  assert.deepEqual([run.endedBy, lab.view().hypotheses.length], ["until", 2]);
  assert.ok(asked > 2);
  await lab.close();
});

Deno.test("start runs while other cells look and steer; stop ends it when what is in hand is done", async () => {
  const over = wire({ latencyMs: 1 });
  const lab = await enter(":memory:", { settings: small(2), over });
  const third = Promise.withResolvers<void>();
  let tasks = 0;
  const run = lab.start({}, {
    onTask: (report) => {
      assert.notEqual(report.status, "interrupted");
      if (++tasks === 3) third.resolve();
    },
  });
  await third.promise;
  assert.equal(lab.inspect().status, "running");
  assert.equal(lab.configure({ ranking: { kFactorNew: 40 } }).length, 1);
  const stopped = await run.stop();
  assert.deepEqual([stopped.endedBy, stopped], ["interrupted", await run.done]);
  assert.equal(lab.view().openTasks.every(({ status }) => status !== "in_progress"), true);
  assertSound(lab);
  assert.equal((await lab.start({ hypotheses: 2 }).done).endedBy, "until");
  await lab.close();
});

Deno.test("a second step on a busy handle is an error that says so, whichever verb it is", async () => {
  const lab = await enter(":memory:", { over: wire({ latencyMs: 5 }) });
  await lab.tick();
  const forgotten = lab.runUntil({ reviews: 1 });
  const busy = { code: "busy", says: ["runUntil is still at work", '"await"'] } as const;
  const before = lab.view().seq;
  for (
    const second of [
      () => lab.tick(),
      () => lab.ticks().next(),
      () => lab.runUntil({ matches: 9 }),
      () => lab.runFor({ matches: 9 }),
      () => lab.generate(),
      () => lab.metareview(),
      () => lab.evolve("simplify"),
      () => lab.overview(),
      () => lab.finish(),
    ]
  ) await assertRefused(second, busy);
  assert.throws(() => lab.start({ matches: 9 }), /start: runUntil is still at work/);
  assert.ok(lab.view().seq >= before);
  assert.equal(lab.inspect().counts.matches, 0, "looking is no step");
  assert.equal((await forgotten).endedBy, "until");
  assert.equal((await lab.tick()).ran.length, 1);
  await lab.close();
});

Deno.test("a step that is cut by its signal puts the task back, and the next one does it", async () => {
  const controller = new AbortController();
  const over = wire({ before: () => controller.abort() });
  const lab = await enter(":memory:", { over });
  const cut = await lab.tick({ signal: controller.signal });
  assert.deepEqual(cut.ran.map(({ status }) => status), ["interrupted"]);
  assert.equal(lab.view().plan, null);
  const { ran } = await lab.tick();
  assert.deepEqual(ran.map(({ action, status }) => [action, status]), [["parse_goal", "done"]]);
  await lab.close();
});

Deno.test("generate makes so many hypotheses, and nothing else", async () => {
  const { lab, over } = await underWay();
  const before = {
    hypotheses: lab.view().hypotheses.length,
    matches: lab.view().validMatches,
    sent: over.sent.length,
  };
  const open = lab.queue.list().map(({ label }) => label);
  const run = await lab.generate(2);
  assert.deepEqual([run.endedBy, run.tasks.generate], ["until", 2]);
  assert.equal(Object.values(run.tasks).reduce((a, b) => a + b), 2, "no other task ran");
  assert.equal(lab.view().hypotheses.length, before.hypotheses + 2);
  assert.equal(lab.view().validMatches, before.matches);
  assert.ok(over.sent.length > before.sent);
  const still = lab.queue.list().map(({ label }) => label);
  assert.ok(open.every((label) => still.includes(label)), "what was open before is open still");
  assertSound(lab);
  await lab.close();
});

Deno.test("reflect reviews the hypotheses that are named, by the kind that is named, each once", async () => {
  const { lab } = await underWay();
  const of = (label: string) =>
    lab.view().reviews.filter(({ hypothesisId }) => hypothesisId === idOf(lab, label));
  const [first, second] = [of("H1").length, of("H2").length];
  const run = await lab.reflect(["H2", "h2", idOf(lab, "H2")], "verification");
  assert.equal(Object.values(run.tasks).reduce((a, b) => a + b), 1);
  assert.deepEqual([of("H1").length, of("H2").length], [first, second + 1]);
  assert.equal(of("H2").at(-1)?.kind, "verification");
  const again = await lab.reflect("H2", "verification");
  assert.equal(again.tasks.review, 1, "who asks again gets another review");
  assertSound(lab);
  await lab.close();
});

Deno.test("rank plays so many matches, and nothing else", async () => {
  const { lab } = await underWay();
  const before = lab.view();
  const [matches, hypotheses] = [before.validMatches, before.hypotheses.length];
  const run = await lab.rank(1);
  assert.deepEqual([run.tasks.match, Object.values(run.tasks).reduce((a, b) => a + b)], [1, 1]);
  assert.deepEqual([lab.view().validMatches, lab.view().hypotheses.length], [matches + 1, hypotheses]);
  assertSound(lab);
  await lab.close();
});

Deno.test("evolve works by each strategy from the parents that are named", async () => {
  const { lab } = await underWay({ ...SMALL, run: { ...SMALL.run, maxIdeas: 20 } });
  for (const strategy of EVOLUTION_STRATEGIES) {
    const parents = strategy === "combine" ? ["H2", "H1"] : ["H2"];
    const before = lab.view().hypotheses.length + lab.view().duplicates.length;
    const run = await lab.evolve(strategy, parents);
    assert.deepEqual([run.tasks.evolve, Object.values(run.tasks).reduce((a, b) => a + b)], [1, 1]);
    assert.equal(lab.view().hypotheses.length + lab.view().duplicates.length, before + 1, strategy);
    const child = lab.view().hypotheses.at(-1)?.record;
    if (child?.strategy === strategy) {
      assert.deepEqual([...child.parents].sort(), parents.map((label) => idOf(lab, label)).sort());
    }
  }
  assert.ok(lab.view().hypotheses.some(({ record }) => record.parents.length > 0));
  const free = await lab.evolve("out_of_box");
  assert.equal(free.tasks.evolve, 1, "without names, the leaders are evolved");
  assertSound(lab);
  await lab.close();
});

Deno.test("metareview synthesises system feedback, and nothing else", async () => {
  const { lab } = await underWay();
  const before = lab.view().feedback.length;
  const run = await lab.metareview();
  assert.deepEqual([run.tasks.system_feedback, Object.values(run.tasks).reduce((a, b) => a + b)], [1, 1]);
  assert.equal(lab.view().feedback.length, before + 1);
  await lab.close();
});

Deno.test("a stage goes through the same queue, journal and budget as any other task", async () => {
  const { lab } = await underWay();
  const [spent, calls] = [lab.cost().total, lab.transcripts().length];
  const events = lab.events().length;
  const run = await lab.generate(1);
  const after = lab.cost().total;
  assert.ok(after.usd > spent.usd && lab.transcripts().length > calls);
  assert.ok(Math.abs(after.usd - spent.usd - run.cost.microUsd / 1e6) < 1e-9);
  const types = lab.events().slice(events).map(({ type }) => type);
  assert.ok(types.includes("hypothesis_created"), types.join());
  const task = lab.inspect(`T${Math.max(...lab.transcripts().map((call) => Number(call.task.slice(1))))}`);
  assert.match(String(task), /generat/);
  await lab.close();
});

Deno.test("a stage that the budget doesn't allow ends by the budget, and leaves its task for later", async () => {
  const over = wire();
  const lab = await enter(":memory:", { over });
  await lab.runUntil({ matches: 1 });
  lab.configure({ run: { budgetUsd: Math.max(0.01, lab.cost().total.usd) } });
  const sent = over.sent.length;
  const run = await lab.metareview();
  assert.equal(run.endedBy, "stopped");
  assert.equal(run.stop?.reason, "budget");
  assert.equal(over.sent.length, sent);
  lab.configure({ run: { budgetUsd: 25 } });
  await lab.runUntil({ feedback: 1 });
  assert.equal(lab.view().feedback.length, 1);
  await lab.close();
});

Deno.test("estimate looks and moves nothing", async () => {
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    settings: SMALL,
    environment: {},
  });
  const before = writesOf(lab);
  const all = lab.estimate(), some = lab.estimate({ matches: 2 });
  assert.deepEqual(writesOf(lab), before);
  assert.match(String(all), /\$/);
  assert.match(String(some), /\$/);
});

function idOf(lab: Supervisor, label: string): string {
  const standing = lab.view().hypotheses.find(({ record }) => record.label === label);
  assert.ok(standing !== undefined);
  return standing.record.id;
}
