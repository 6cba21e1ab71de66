/** Forking: a session of its own that goes on from a commit of another one, as that one would have. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { countActions } from "../../lib/domain/count_actions.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { readForkPoint } from "../../lib/store/fork_point.ts";
import { INSIDE } from "../../lib/supervisor/inside.ts";
import { Supervisor } from "../../mod.ts";
import { enter, GOAL, LONG, NAME, nowOf, SEED, SMALL, wire, withStore } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** The canonical export, one line a record. */
function exported(lab: Supervisor): readonly string[] {
  return canonicalExport(lab.store, lab.view().session.id).split("\n");
}

/** Asserts that two exports are the same, and shows the first line that is not. */
function assertEqualLines(found: readonly string[], expected: readonly string[], what: string): void {
  const n = Math.max(found.length, expected.length);
  for (let i = 0; i < n; i++) assert.equal(found[i], expected[i], `${what}, line ${i + 1}`);
}

/** Pages of the database that hold something, in bytes. */
function bytesOf(lab: Supervisor): number {
  const value = (pragma: string) => Number(Object.values(lab.store.sql.get(`PRAGMA ${pragma}`) ?? {})[0]);
  return (value("page_count") - value("freelist_count")) * value("page_size");
}

Deno.test("a fork at any commit, run on under the same seed and settings, equals the original at every later one", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil();
  await lab.finish();
  const whole = exported(lab);
  const last = lab.view().seq;
  const points = LONG
    ? Array.from({ length: last - 1 }, (_, i) => i + 1)
    : [1, 2, 3, 4, Math.floor(last / 4), Math.floor(last / 2), Math.floor(last / 2) + 1, last - 3, last - 1];
  for (const at of points) {
    await using fork = await lab.fork({ name: `fork at ${at}`, at });
    assert.equal(fork.view().seq, at, "it makes no commit of its own");
    await fork.runUntil();
    await fork.finish();
    assertEqualLines(exported(fork), whole, `the fork at ${at}`);
  }
});

Deno.test("a fork in the middle of work takes over what was in hand, and its parent goes on undisturbed", async () => {
  const gate = Promise.withResolvers<void>(), reached = Promise.withResolvers<void>();
  let calls = 0;
  const over = wire({
    before: async () => {
      if (++calls !== 12) return;
      reached.resolve();
      await gate.promise;
    },
  });
  await using lab = await enter(":memory:", { over });
  const run = lab.start();
  await reached.promise;
  const { inHand } = nowOf(lab);
  assert.equal(inHand.length, 1, "a task is in hand");
  await using fork = await lab.fork({ name: "meanwhile" });
  const at = fork.view().seq;
  const queue = fork.store.queue(fork.view().session.id).list();
  assert.deepEqual(
    queue.map(({ taskId }) => taskId).sort(),
    lab.view().openTasks.map(({ record }) => record.id).sort(),
    "all that is open over there is open here",
  );
  for (const item of queue) {
    assert.equal(item.status, "pending");
    assert.equal(item.owner, null);
    assert.equal(item.decision, null);
    assert.equal(item.claimSeq, null);
  }
  // Side by side in one process: the parent's call is answered while the fork runs.
  const forked = fork.runUntil();
  gate.resolve();
  await Promise.all([run.done, forked]);
  assertEqualLines(exported(fork), exported(lab), `forked at ${at}`);
});

Deno.test("forks of forks, and a fork after its parent went on, read each their own history", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 4 });
  const at = lab.view().seq;
  await using child = await lab.fork({ name: "child" });
  await lab.runUntil();
  const whole = exported(lab);
  await child.runUntil({ matches: 8 });
  await using grandchild = await child.fork({ name: "grandchild", at: child.view().seq - 1 });
  await using nephew = await child.fork({ name: "nephew", at: at - 2 });
  await using late = await lab.fork({ name: "late", at });
  await Promise.all([grandchild.runUntil(), nephew.runUntil(), late.runUntil(), child.runUntil()]);
  for (const fork of [grandchild, nephew, late, child]) assertEqualLines(exported(fork), whole, fork.name);
  assert.equal(nephew.view().session.parentSeq, at - 2);
  assert.equal(lab.view().session.parentId, null);
});

Deno.test("a fork's settings and prompts are in the requests that its next tasks make, and in its first commit", async () => {
  await using lab = await Supervisor.create({
    goal: GOAL,
    name: NAME,
    seed: SEED,
    store: ":memory:",
    environment: {},
    settings: { ...SMALL, ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 } },
  });
  await lab.runUntil({ matches: 2 });
  const at = lab.view().seq;
  const shipped = lab[INSIDE].promptTexts().get("ranking.pairwise") ?? "";
  const text = `${shipped}\nBe strict about what can be measured.\n`;
  const strict = await lab.fork({
    name: "strict judge",
    config: { models: { "ranking.pairwise": "claude-haiku-4-5-20251001" } },
    prompts: { "ranking.pairwise": text },
    budget: { usd: 7, tokens: 1_000_000 },
    author: "Ada",
  });
  const view = strict.view();
  assert.equal(view.seq, at + 1);
  assert.deepEqual(
    view.revisions.map(({ label, kind, target, author, seq }) => [label, kind, target, author, seq]),
    [
      ["R1", "configure", "run.budgetUsd", "Ada", at + 1],
      ["R2", "configure", "run.budgetTokens", "Ada", at + 1],
      ["R3", "configure", "models.ranking.pairwise", "Ada", at + 1],
      ["R4", "prompt", "ranking.pairwise", "Ada", at + 1],
    ],
  );
  assert.equal(nowOf(strict).budgetUsd, 7);
  await strict.runUntil({ matches: 4 });
  const [call] = strict.transcripts({ prompt: "ranking.pairwise" }).filter(({ inherited }) => !inherited);
  assert.ok(call !== undefined);
  const { request, model, revision } = strict.transcript(call.n);
  assert.match(request, /Be strict about what can be measured/);
  assert.equal(model, "claude-haiku-4-5-20251001");
  assert.equal(revision, 4);
  // The parent's next match is judged as before.
  await lab.runUntil({ matches: 3 });
  const [newest] = lab.transcripts({ prompt: "ranking.pairwise", last: 1 });
  assert.doesNotMatch(lab.transcript(newest?.n ?? 0).request, /Be strict/);
  assert.deepEqual(lab.view().revisions, []);
  // Undo is the fork's own matter.
  strict.undo("R4");
  assert.equal(strict.view().prompts.size, 0);
  await strict.close();
  assert.equal(lab.inspect().counts.matches, 3, "closing one handle leaves the other working");
});

Deno.test("a fork has a budget, a clock and events of its own; what it inherited is told apart", async () => {
  await using lab = await enter(":memory:", { usd: 20 });
  await lab.runUntil({ matches: 4 });
  const before = lab.view().cost;
  await using fork = await lab.fork({ name: "own purse", budget: { usd: 3 } });
  const { cost, inherited } = fork.view();
  assert.equal(cost.microUsd, 0);
  assert.deepEqual(inherited.cost, before);
  assert.equal(fork.inspect().inherited.usd, before.microUsd / 1e6);
  assert.deepEqual([nowOf(fork).spentUsd, nowOf(fork).budgetUsd, nowOf(fork).ranSeconds], [0, 3, 0]);
  assert.equal(fork.estimate().leftUsd, 3);
  assert.equal(fork.estimate().inheritedUsd, before.microUsd / 1e6);
  assert.ok(
    fork.estimate().rows.some(({ basis }) => basis === "measured"),
    "the shared history tells what work costs",
  );
  const table = fork.cost();
  assert.deepEqual([table.total.usd, table.total.calls, table.byAgent.length], [0, 0, 0]);
  assert.equal(table.inherited.usd, before.microUsd / 1e6);
  assert.match(String(table), /Inherited: \$/);
  assert.match(String(fork.inspect()), /forked from glow at commit \d+/);
  assert.match(String(fork.inspect()), /inherited, which is no part of it/);
  assert.match(fork.notes.join(), /\$3\.00 of its own/);
  assert.deepEqual(fork.events().map(({ type }) => type), ["session_created", "settings_changed"]);

  await fork.runFor({ matches: 2 });
  const own = fork.view().cost;
  assert.ok(own.microUsd > 0);
  assert.equal(nowOf(fork).spentUsd, own.microUsd / 1e6);
  assert.equal(nowOf(lab).spentUsd, before.microUsd / 1e6, "the parent's purse isn't touched");
  assert.deepEqual(lab.view().cost, before);
  // "So much more" and "so much in all" are of its own money.
  const goal = own.microUsd / 1e6 + 1e-6;
  const run = await fork.runUntil({ usd: goal });
  assert.ok(fork.view().cost.microUsd / 1e6 >= goal && run.endedBy === "until");
  await using same = await lab.fork({ name: "as much as the parent" });
  assert.equal(nowOf(same).budgetUsd, 20, "by default it may spend what its parent's settings allow");
});

Deno.test("calls of before the fork are listed as inherited, and cards of inherited tasks find theirs", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 4 });
  await using fork = await lab.fork({ name: "with its past", at: lab.view().seq - 4 });
  const known = lab.transcripts().filter(({ seq }) => seq !== null && seq <= fork.view().seq);
  assert.ok(known.length > 0 && known.length < lab.transcripts().length);
  assert.deepEqual(fork.transcripts().map(({ n }) => n), known.map(({ n }) => n));
  assert.ok(fork.transcripts().every(({ inherited }) => inherited));
  assert.match(String(fork.transcripts()), /inherited/);
  assert.equal(fork.transcript(known[0]?.n ?? 0).request, lab.transcript(known[0]?.n ?? 0).request);
  for (const label of ["T1", "H1", "V1", "M1"]) {
    assert.deepEqual(
      JSON.parse(JSON.stringify(fork.inspect(label))).calls,
      JSON.parse(JSON.stringify(lab.inspect(label))).calls,
      label,
    );
  }
  assert.deepEqual(
    fork.transcripts({ hypothesis: "H1" }).map(({ n }) => n),
    lab.transcripts({ hypothesis: "H1" }).filter(({ n }) => known.some((call) => call.n === n)).map(({ n }) =>
      n
    ),
  );
  await fork.tick();
  const [newest] = fork.transcripts({ last: 1 });
  assert.equal(newest?.inherited, false);
  assert.ok(lab.transcripts().every(({ inherited }) => !inherited));
});

Deno.test("a fork of a finished, stopped, paused or aborted session is ready to run on, and leaves its parent as it was", async () => {
  await using lab = await enter(":memory:");
  await using first = await lab.fork({ name: "of a created one" });
  assert.equal(first.view().status, "created");
  await lab.runUntil({ matches: 2 });
  lab.pause();
  await using paused = await lab.fork({ name: "of a paused one" });
  assert.equal(paused.view().status, "running");
  lab.resume();
  await lab.runUntil();
  assert.equal(lab.view().status, "stopped");
  await using stopped = await lab.fork({ name: "of a stopped one" });
  assert.equal(stopped.view().stopReason, lab.view().stopReason);
  await lab.finish();
  await using done = await lab.fork({
    name: "of a finished one",
    settings: { run: { maxIdeas: 8 } },
  });
  assert.equal(done.view().status, "stopped");
  lab.reopen();
  lab.abort();
  await using aborted = await lab.fork({ name: "of an aborted one" });
  assert.equal(aborted.view().status, "running");
  const before = writesOf(lab).seq;
  for (const fork of [first, paused, done, aborted]) {
    const matches = fork.view().validMatches;
    await fork.runFor({ matches: 2 });
    assert.ok(fork.view().validMatches > matches || fork === aborted, fork.name);
    assert.notEqual(fork.view().status, "done");
  }
  assert.equal((await done.finish()).final, true);
  assert.equal(writesOf(lab).seq, before);
  assert.equal(lab.view().status, "aborted");
});

Deno.test("what is wrong is said, with the key and the remedy, and nothing is written", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 2 });
  await using fork = await lab.fork({ name: "there", settings: { ranking: { topK: 3 } } });
  const { seq } = lab.view();
  const before = writesOf(lab);
  const refusals: [unknown, "input" | "prompt" | "state" | "budget", (string | RegExp)[]][] = [
    [undefined, "input", ["fork", "name"]],
    [{}, "input", ["fork: name", "nothing"]],
    [{ name: "  " }, "input", ["fork: name"]],
    [{ name: "x", att: 3 }, "input", ["att", 'Did you mean "at"']],
    [{ name: "x", at: 0 }, "input", ["fork: at", "0"]],
    [{ name: "x", at: 1.5 }, "input", ["fork: at", "1.5"]],
    [{ name: "x", at: seq + 1 }, "input", ["fork: at", `${seq + 1}`, `1 to ${seq}`]],
    [{ name: NAME }, "input", ["fork: name", NAME, "Supervisor.open"]],
    [{ name: "there" }, "input", ["fork: name", "other settings"]],
    [{ name: "there", at: 1, settings: { ranking: { topK: 3 } } }, "input", ["fork: name", `commit ${seq}`]],
    [{ name: "x", settings: { rankin: {} } }, "input", ["fork: settings.rankin", 'Did you mean "ranking"']],
    [{ name: "x", config: { ranking: { topK: 0 } } }, "input", ["fork: config.ranking.topK", "0"]],
    [{ name: "x", config: {}, settings: {} }, "input", ["config", "settings"]],
    [{ name: "x", settings: { simulator: { judgeNoise: 3 } } }, "state", ["fork: simulator.judgeNoise"]],
    [{ name: "x", settings: { vectors: { dimensions: 64 } } }, "state", ["fork: vectors.dimensions"]],
    [{ name: "x", prompts: { "ranking.pairwize": "x" } }, "prompt", [
      "ranking.pairwize",
      'mean "ranking.pairwise"',
    ]],
    [{ name: "x", prompts: { "ranking.pairwise": "{{ nobody }}" } }, "prompt", ["nobody"]],
    [{ name: "x", prompts: { "ranking.pairwise": 3 } }, "input", ["fork: prompts.ranking.pairwise", "3"]],
    [{ name: "x", budget: { usd: -1 } }, "input", ["fork: budget.usd", "-1"]],
    [{ name: "x", budget: { usd: 1e-9 } }, "budget", ["fork: budget.usd", "smallest overview"]],
    [{ name: "x", author: "model" }, "input", ["fork: author", "model"]],
  ];
  for (const [options, code, says] of refusals) {
    await assertRefused(() => Reflect.apply(lab.fork, lab, [options]), { code, says });
    assert.deepEqual(writesOf(lab), before, JSON.stringify(options));
  }
  // Before the first hypothesis vectors may be others still.
  await using early = await lab.fork({ name: "early", at: 1, settings: { vectors: { dimensions: 64 } } });
  assert.equal(early.view().settings.vectors.dimensions, 64);
  await lab.close();
  await assertRefused(() => lab.fork({ name: "x" }), { code: "state", says: ["closed"] });
  assert.equal(fork.view().settings.ranking.topK, 3);
});

Deno.test("the same call again opens the fork that is there: a notebook that is run again forks nothing twice", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 2 });
  const options = { name: "again", settings: { ranking: { topK: 3 } }, budget: { usd: 4 } };
  const fork = await lab.fork(options);
  await fork.runFor({ matches: 1 });
  await fork.close();
  await lab.runFor({ matches: 1 });
  const before = writesOf(lab);
  await using again = await lab.fork(options);
  assert.deepEqual(writesOf(lab), before);
  assert.equal(again.view().validMatches, 3);
  assert.match(again.notes.join(), /forked before/);
});

Deno.test("a fork is opened by its name later, in another process's store; the list says whose fork it is", async () => {
  await withStore(async (path) => {
    const lab = await enter(path);
    await lab.runUntil({ matches: 2 });
    const fork = await lab.fork({ name: "later", at: 5, settings: { ranking: { topK: 3 } } });
    await lab.close();
    await fork.runUntil({ hypotheses: 3 });
    const lines = exported(fork);
    await fork.close();
    const sessions = Supervisor.list(path);
    assert.deepEqual(sessions.map(({ name, parent }) => [name, parent]), [[NAME, null], ["later", NAME]]);
    assert.match(String(sessions), /later \(from glow\)/);
    await using opened = await Supervisor.open({ store: path, session: "later", environment: {} });
    assertEqualLines(exported(opened), lines, "reopened");
    assert.equal(opened.view().settings.ranking.topK, 3);
    assert.equal(opened.view().session.parentSeq, 5);
    await opened.runFor({ hypotheses: 1 });
  });
});

Deno.test("a database that was handed in is closed with the last handle on it", async () => {
  const database = new DatabaseSync(":memory:");
  const lab = await Supervisor.create({ goal: GOAL, database, settings: SMALL, environment: {} });
  await lab.runUntil({ hypotheses: 2 });
  const fork = await lab.fork({ name: "fork" });
  const events = fork.subscribe();
  await lab.close();
  await fork.tick();
  assert.equal(database.isOpen, true);
  await fork.close();
  assert.equal(database.isOpen, false);
  const seen = [];
  for await (const event of events) seen.push(event.type);
  assert.ok(seen.includes("task_started"), "its subscriptions end with it");
});

Deno.test("a fork adds less than 10 kB, wherever it begins", async () => {
  await using lab = await enter(":memory:", {
    settings: { ...SMALL, run: { ...SMALL.run, maxIdeas: 16, initialIdeas: 8 } },
  });
  await lab.runUntil({ matches: 12 });
  for (const at of [undefined, Math.floor(lab.view().seq / 2)]) {
    const before = bytesOf(lab);
    for (let i = 0; i < 10; i++) {
      await using _ = await lab.fork({ name: `${at} ${i}`, at, settings: { ranking: { topK: 3 } } });
    }
    assert.ok((bytesOf(lab) - before) / 10 < 10_000, `${(bytesOf(lab) - before) / 10} bytes each`);
  }
});

Deno.test("what a fork begins with is the same, read from the records or from a view", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 3 });
  lab.configure({ ranking: { topK: 2 } });
  const { record } = lab.view().openTasks.at(-1) ?? {};
  if (record !== undefined) lab.queue.promote(record.label);
  await lab.runFor({ matches: 1 });
  const { store } = lab;
  const { id, settings } = lab.view().session;
  for (let seq = 1; seq <= lab.view().seq; seq++) {
    const view = store.view(id, seq);
    const read = readForkPoint(store.sql, { settings }, [{ session: id, from: 0, to: seq }]);
    assert.equal(read.seq, seq);
    assert.deepEqual(read.settings, view.settings);
    assert.deepEqual(read.prompts, view.prompts);
    assert.equal(read.revision, view.revision);
    assert.equal(read.begun, view.hypotheses.length > 0);
    assert.deepEqual(
      read.open.map((task) => task.record.id).sort(),
      view.openTasks.map((task) => task.record.id).sort(),
    );
    assert.deepEqual(
      countActions(read.open.map((task) => task.record.action)),
      countActions(view.openTasks.map((task) => task.record.action)),
    );
  }
  const newest = store.forkPoint(id);
  const last = store.view(id).seq;
  assert.deepEqual(newest, readForkPoint(store.sql, { settings }, [{ session: id, from: 0, to: last }]));
});

Deno.test("ratings that the parent kept are the fork's as long as they are of its own past, and no longer", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 6 });
  const id = lab.view().leaderboard[0]?.record.id ?? "";
  const { store } = lab;
  store.keepRatings(lab.view().session.id);
  // Marked, so that it can be told where a strength comes from.
  store.sql.run("UPDATE ratings SET kept = json_set(kept, '$.strengths[0][1]', 42.0)");
  const marked = (fork: Supervisor) => fork.view().hypotheses.some(({ strength }) => strength === 42);
  await using newest = await lab.fork({ name: "newest" });
  assert.ok(marked(newest));
  const last = lab.view().matches.at(-1)?.seq ?? 0;
  await using earlier = await lab.fork({ name: "earlier", at: last - 1 });
  assert.ok(!marked(earlier), "a match less was played there");
  await newest.runFor({ matches: 1 });
  assert.ok(!marked(newest), "it is rated anew after a match of its own");
  assert.ok(newest.view().hypothesis(id) !== undefined);
  await using again = await lab.fork({ name: "again" });
  await lab.runFor({ matches: 1 });
  store.keepRatings(lab.view().session.id);
  assert.ok(!marked(again), "what the parent keeps later is not its");
});
