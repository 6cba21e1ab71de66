/** Configuring takes effect from the next claimed task; closing lets go, and says so ever after. */
import assert from "node:assert/strict";
import { SupervisorHandle } from "../../lib/supervisor/supervisor.ts";
import { Supervisor } from "../../mod.ts";
import { enter, SMALL, small, withStore } from "../engine/support/session.ts";
import { assertRefused, held, writesOf } from "./support.ts";

const kOf = (lab: Supervisor) => lab.view().eloJournal.map(({ k }) => k);

Deno.test("configure({}) and values that are in force already change nothing", async () => {
  await using lab = await enter(":memory:");
  const before = writesOf(lab);
  assert.equal(lab.configure({}).length, 0);
  assert.equal(lab.configure({ ranking: {} }).length, 0);
  assert.equal(lab.configure({ ranking: { kFactorNew: 32 } }).length, 0);
  assert.match(String(lab.configure({})), /Nothing changed/);
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("a new K holds for matches claimed from then on; what was rated stays", async () => {
  await using lab = await enter(":memory:", { settings: small(1, { ranking: { kSwitchMatches: 100 } }) });
  await lab.runUntil({ matches: 2 });
  assert.deepEqual(kOf(lab), [32, 32]);
  lab.configure({ ranking: { kFactorNew: 48 } });
  assert.deepEqual(kOf(lab), [32, 32]);
  await lab.runFor({ matches: 1 });
  assert.deepEqual(kOf(lab), [32, 32, 48]);
  assert.deepEqual(lab.view().matches.map(({ revision }) => revision), [0, 0, 1]);
});

Deno.test("a task that is claimed already works under the settings of its claim", async () => {
  const { over, hold, reached, letGo } = held();
  const settings = small(1, { ranking: { kSwitchMatches: 100 }, run: { maxIdeas: 2, initialIdeas: 2 } });
  await using lab = await enter(":memory:", { settings, over });
  await lab.runUntil({ reviews: 2 });
  while (!/ranking: match/.test(lab.peek().lines[0] ?? "")) await lab.tick();
  hold();
  const step = lab.tick();
  await reached;
  lab.configure({ ranking: { kFactorNew: 48 } });
  letGo();
  const { ran } = await step;
  assert.deepEqual(ran.map(({ action, status }) => [action, status]), [["match", "done"]]);
  assert.deepEqual(kOf(lab), [32]);
  assert.deepEqual(lab.view().matches.map(({ revision }) => revision), [0]);
  await lab.rank(1);
  assert.deepEqual(kOf(lab), [32, 48]);
});

Deno.test("a route's new model answers from the next claimed task on", async () => {
  const { over, hold, reached, letGo } = held();
  await using lab = await enter(":memory:", { over });
  await lab.tick();
  const strong = lab.view().settings.models["generation.literature"];
  const small = "claude-haiku-4-5-20251001";
  const models = { "generation.literature": small, "generation.debate": small } as const;
  hold();
  const step = lab.generate(1);
  await reached;
  lab.configure({ models: { ...lab.view().settings.models, ...models } });
  letGo();
  await step;
  const generated = () => lab.transcripts().filter(({ route }) => route.startsWith("generation."));
  const before = generated();
  assert.ok(before.length > 0);
  assert.deepEqual(new Set(before.map(({ model }) => model)), new Set([strong]));
  await lab.generate(1);
  const after = generated().slice(before.length);
  assert.ok(after.length > 0);
  assert.deepEqual(new Set(after.map(({ model }) => model)), new Set([small]));
  assert.deepEqual(new Set(after.map(({ revision }) => revision)), new Set([lab.view().revision]));
});

Deno.test("topK decides from the next evolution on who may be evolved", async () => {
  await using lab = await enter(":memory:", {
    settings: {
      ...SMALL,
      run: { ...SMALL.run, initialIdeas: 3 },
      evolution: { ...SMALL.evolution, topK: 1 },
    },
  });
  await lab.runUntil({ matches: 2 });
  const made = () => lab.view().hypotheses.length + lab.view().duplicates.length;
  const before = made();
  await lab.evolve("combine");
  assert.equal(made(), before, "one leader can't be combined");
  lab.configure({ evolution: { topK: 5 } });
  await lab.evolve("combine");
  assert.equal(made(), before + 1);
});

Deno.test("after close, every verb says that the handle is closed", async () => {
  const lab = await enter(":memory:");
  await lab.runUntil({ matches: 1 });
  const { queue, prompts } = lab;
  await lab.close();
  await lab.close();
  const closed = { code: "state", says: ["This handle is closed", "Supervisor.open"] } as const;
  const given: Readonly<Record<string, readonly unknown[]>> = {
    reflect: ["H1"],
    evolve: ["combine"],
    runFor: [{ matches: 1 }],
    transcript: [1],
    resend: [1],
    configure: [{ run: { maxIdeas: 9 } }],
    export: ["session.json"],
    direct: ["Prefer what is cheap"],
    withdraw: ["D1"],
    addHypothesis: ["Lamps glow."],
    addReview: ["H1", { notes: "Fine." }],
    amendReview: ["V1", { notes: "Fine." }],
    voidReview: ["V1", "wrong"],
    addVerdict: ["H1", "H2", "H1"],
    voidVerdict: ["M1", "wrong"],
    addResult: ["H1", { outcome: "confirmed", claim: "It glows." }],
    voidResult: ["E1", "wrong"],
    pin: ["H1"],
    unpin: ["H1"],
    reject: ["H1"],
    restore: ["H1"],
    merge: ["H1", "H2"],
  };
  // What needs no store goes on.
  const free = new Set(["constructor", "close", "help", "simulator", "store", "toString"]);
  for (
    const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(SupervisorHandle.prototype))
  ) {
    if (free.has(name)) continue;
    await assertRefused(async () => {
      const value: unknown = property.get === undefined
        ? property.value
        : Reflect.apply(property.get, lab, []);
      if (name === "plots") return lab.plots.elo();
      assert.ok(typeof value === "function", name);
      const result: unknown = await Reflect.apply(value, lab, given[name] ?? []);
      // A generator begins when it is asked for its first value.
      return name === "ticks" ? await Reflect.apply(Object(result).next, result, []) : result;
    }, closed);
  }
  for (
    const act of [
      () => queue.list(),
      () => queue.cancel("T1"),
      () => queue.promote("T1"),
      () => queue.revive("T1"),
      () => prompts.list(),
      () => prompts.get("system"),
      () => prompts.set("system", "x"),
      () => prompts.edit("system", (text) => text),
      () => prompts.load("prompts"),
      () => prompts.reset(),
      () => prompts.diff("system"),
      () => prompts.preview("parse_goal"),
      () => lab.plots.lineage(),
    ]
  ) await assertRefused(act, closed);
  assert.ok(lab.help().length > 10);
});

Deno.test("await using closes the handle, and another one goes on", () =>
  withStore(async (store) => {
    let outside: Supervisor;
    {
      await using lab = await enter(store);
      await lab.runUntil({ matches: 1 });
      outside = lab;
    }
    assert.throws(() => outside.inspect(), /closed/);
    await using next = await enter(store);
    assert.equal(next.view().validMatches, 1);
    assert.equal((await next.runFor({ matches: 1 })).endedBy, "until");
  }));

Deno.test("close ends a run in this handle, and leaves nothing in hand", () =>
  withStore(async (store) => {
    const { over, hold, reached } = held();
    const lab = await enter(store, { over });
    await lab.tick();
    hold();
    const run = lab.start();
    await reached;
    await lab.close();
    assert.equal((await run.done).endedBy, "interrupted");
    await using next = await enter(store);
    assert.ok(next.queue.list().every(({ status }) => status !== "in_progress"));
  }));
