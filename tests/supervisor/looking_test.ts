/** Looking: inspect, settings, transcripts, cost, events, help, plots; every value displays itself and says what it is. */
import assert from "node:assert/strict";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { createSimulator } from "../../lib/simulator/server.ts";
import { SupervisorHandle } from "../../lib/supervisor/supervisor.ts";
import { Plots } from "../../lib/supervisor/plots.ts";
import { PromptVerbs } from "../../lib/supervisor/prompt_verbs.ts";
import { QueueVerbs } from "../../lib/supervisor/queue_verbs.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import { Supervisor } from "../../mod.ts";
import { enter, GOAL, SEED, SMALL } from "../engine/support/session.ts";
import { writesOf } from "./support.ts";

/** A session with every kind of record in it. */
async function whole(): Promise<Supervisor> {
  const lab = await enter(":memory:");
  await lab.runUntil({ matches: 5 });
  lab.configure({ ranking: { kFactorNew: 40 } });
  await lab.metareview();
  await lab.overview();
  return lab;
}

Deno.test("looking writes nothing", async () => {
  await using lab = await whole();
  const before = writesOf(lab);
  look(lab).forEach(([, value]) => String(value));
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("inspect shows what a label of each kind stands for, by its label in either case or by its id", async () => {
  await using lab = await whole();
  const view = lab.view();
  const labels: readonly [string, string][] = [
    ["H1", view.hypotheses[0]?.record.id ?? ""],
    ["V1", view.reviews[0]?.id ?? ""],
    ["M1", view.matches[0]?.id ?? ""],
    ["F1", view.feedback[0]?.id ?? ""],
    ["O1", view.overviews[0]?.id ?? ""],
    ["R1", view.revisions[0]?.id ?? ""],
    ["T1", view.taskLabelled("T1")?.record.id ?? ""],
  ];
  for (const [label, id] of labels) {
    const card = lab.inspect(label);
    assert.match(String(card), new RegExp(`\\b${label}\\b`));
    assert.deepEqual(lab.inspect(` ${label.toLowerCase()} `), card);
    assert.deepEqual(lab.inspect(id), card);
  }
});

Deno.test("settings tell value, default, by whom, by which revision and since when", async () => {
  await using lab = await enter(":memory:");
  const row = (path: string) => lab.settings.find((each) => each.path === path);
  assert.deepEqual(row("ranking.kFactorNew"), {
    path: "ranking.kFactorNew",
    value: 32,
    default: 32,
    by: null,
    revision: null,
    undoes: null,
    seq: null,
    at: null,
  });
  assert.deepEqual([row("run.maxIdeas")?.value, row("run.maxIdeas")?.default, row("run.maxIdeas")?.by], [
    6,
    60,
    "create",
  ]);
  const changes = lab.configure({ ranking: { kFactorNew: 40, kFactorWarm: 20 } }, { author: "Ada" });
  assert.deepEqual(
    changes.map(({ path, before, after, by, revision }) => ({ path, before, after, by, revision })),
    [
      { path: "ranking.kFactorNew", before: 32, after: 40, by: "Ada", revision: "R1" },
      { path: "ranking.kFactorWarm", before: 16, after: 20, by: "Ada", revision: "R2" },
    ],
  );
  const changed = row("ranking.kFactorNew");
  const { at } = lab.store.sql.get("SELECT at FROM commits WHERE seq = ?", lab.view().seq) ?? {};
  assert.equal(changed?.at, at);
  assert.equal(row("run.maxIdeas")?.at, lab.view().session.createdAt);
  assert.deepEqual([changed?.value, changed?.default, changed?.by, changed?.revision, changed?.seq], [
    40,
    32,
    "Ada",
    "R1",
    lab.view().seq,
  ]);
  assert.match(String(lab.inspect("R1")), /ranking\.kFactorNew.*32.*40.*Ada/);
  lab.configure({ ranking: { kFactorNew: 32 } });
  assert.deepEqual([
    row("ranking.kFactorNew")?.value,
    row("ranking.kFactorNew")?.by,
    row("ranking.kFactorNew")?.revision,
  ], [32, "person", "R3"]);
});

Deno.test("a change of a setting that is taken back shows the old value, who took it back, and what", async () => {
  await using lab = await enter(":memory:");
  lab.configure({ ranking: { kFactorNew: 40 } }, { author: "Ada" });
  lab.undo(undefined, { author: "Ben" });
  const row = lab.settings.find(({ path }) => path === "ranking.kFactorNew");
  assert.deepEqual([row?.value, row?.by, row?.revision, row?.undoes], [32, "Ben", "R2", "R1"]);
  assert.match(
    String(lab.settings),
    /ranking\.kFactorNew +32 +32 +R2, by Ben, undoing R1 \(commit \d+, /,
  );
});

Deno.test("transcripts are found by prompt, task, hypothesis, failure and number", async () => {
  await using lab = await whole();
  const all = lab.transcripts();
  assert.ok(all.length > 10);
  assert.deepEqual(all.map(({ n }) => n), all.map(({ n }) => n).toSorted((a, b) => a - b), "oldest first");
  assert.deepEqual(lab.transcripts({ last: 3 }).map(({ n }) => n), all.slice(-3).map(({ n }) => n));
  const judged = lab.transcripts({ prompt: "ranking.debate" });
  assert.deepEqual(
    judged.map(({ n }) => n),
    all.filter(({ prompt }) => prompt === "ranking.debate").map(({ n }) => n),
  );
  assert.ok(judged.length > 0);
  const ofTask = lab.transcripts({ task: "t1" });
  assert.ok(ofTask.length > 0 && ofTask.every(({ task }) => task === "T1"));
  const about = lab.transcripts({ hypothesis: "H1" });
  const view = lab.view();
  const { record } = view.hypotheses[0] ?? {};
  const tasks = new Set([
    record?.taskId,
    ...view.reviews.filter(({ hypothesisId }) => hypothesisId === record?.id).map(({ taskId }) => taskId),
    ...view.matches.filter(({ firstId, secondId }) => firstId === record?.id || secondId === record?.id).map((
      { taskId },
    ) => taskId),
  ].map((id) => view.task(id ?? "")?.record.label));
  assert.deepEqual(new Set(about.map(({ task }) => task)), tasks);
  assert.deepEqual(lab.transcripts({ failed: true }).length, 0);
  assert.equal(lab.transcripts({ failed: false }).length, all.length);
  assert.equal(lab.transcripts({ last: 1, prompt: "ranking.debate" })[0]?.n, judged.at(-1)?.n);
  const call = lab.transcript(all[2]?.n ?? 0);
  assert.equal(call.n, all[2]?.n);
  assert.ok(call.request.length > 100 && call.response.length > 10);
});

Deno.test("costs add up: by agent, by model, by prompt, by call, and on the server's bill", async () => {
  await using lab = await whole();
  const { total, byAgent, byModel, byPrompt } = lab.cost();
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} and ${b}`);
  for (const lines of [byAgent, byModel, byPrompt]) {
    near(lines.reduce((sum, { usd }) => sum + usd, 0), total.usd);
    assert.equal(lines.reduce((sum, { calls }) => sum + calls, 0), total.calls);
    assert.equal(lines.reduce((sum, { inputTokens }) => sum + inputTokens, 0), total.inputTokens);
  }
  near(lab.transcripts().reduce((sum, { usd }) => sum + usd, 0), total.usd);
  near(lab.view().cost.microUsd / 1e6, total.usd);
  near(lab.inspect().now?.spentUsd ?? 0, total.usd);
  near((lab.simulator?.billed().microUsd ?? 0) / 1e6, total.usd);
  assert.ok(total.usd > 0);
});

Deno.test("events are stored in order, and told as they happen", async () => {
  await using lab = await enter(":memory:");
  const subscription = lab.subscribe();
  const told: number[] = [];
  const listening = (async () => {
    for await (const { n } of subscription) told.push(n);
  })();
  await lab.runUntil({ hypotheses: 1 });
  subscription.close();
  await listening;
  const stored = lab.events();
  assert.equal(stored[0]?.type, "session_created");
  assert.deepEqual(stored.map(({ n }) => n), stored.map(({ n }) => n).toSorted((x, y) => x - y));
  assert.deepEqual(told, stored.map(({ n }) => n).slice(-told.length), "what was told is what is stored");
  assert.ok(told.length > 5);
  assert.deepEqual([...lab.events({ last: 2 })], stored.slice(-2));
  assert.deepEqual([...lab.events({ after: stored[2]?.n ?? 0 })], stored.slice(3));
});

Deno.test("help lists every verb", async () => {
  await using lab = await enter(":memory:");
  const text = lab.help().map(({ verb }) => verb).join(" ");
  // The store is the project's own.
  const unlisted = new Set(["constructor", "store", "help", "toString"]);
  const verbsOf = (prototype: object) =>
    Object.getOwnPropertyNames(prototype).filter((name) => !unlisted.has(name));
  const verbs = [
    ...verbsOf(SupervisorHandle.prototype),
    ...Object.keys(lab).filter((name) => name !== "queue"),
    ...verbsOf(QueueVerbs.prototype),
    ...verbsOf(PromptVerbs.prototype),
    ...verbsOf(Plots.prototype),
  ];
  assert.ok(verbs.length > 30);
  assert.deepEqual(verbs.filter((name) => !new RegExp(`(^|[^a-zA-Z])${name}([^a-zA-Z]|$)`).test(text)), []);
  assert.match(String(lab.help()), /await finish\(\)/);
});

Deno.test("every value displays itself as HTML and as text, marked where it is simulated", async () => {
  await using lab = await whole();
  await assertDisplayed(look(lab), true);
  await assertDisplayed([
    ["tick", await lab.tick()],
    ["runFor", await lab.runFor({ matches: 1 })],
    ["generate", await lab.generate()],
    ["configure", lab.configure({ run: { maxIdeas: 9 } })],
    ["overview", await lab.overview()],
    ["finish", await lab.finish()],
    ["finish again", await lab.finish()],
  ], true);
});

Deno.test("a finished session says that reopen() goes on, not what would stop it", async () => {
  await using lab = await whole();
  await lab.finish();
  assert.equal(lab.peek().stop, null);
  for (const [name, text] of [["peek", String(lab.peek())], ["inspect", String(lab.inspect())]] as const) {
    assert.match(text, /reopen\(\) takes it up again/, name);
    assert.doesNotMatch(text, /would stop|finish\(\) writes/, name);
  }
  lab.reopen();
  assert.doesNotMatch(String(lab.inspect()), /reopen\(\)/);
});

Deno.test("nothing of a live session is marked as simulated", async () => {
  const server = createSimulator({ seed: SEED, clock: systemClock, models: { m: {} } });
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    environment: {},
    settings: SMALL,
    models: { baseUrl: "http://main.test/", model: "m", price: { inputUsd: 1, outputUsd: 2 } },
    budget: { usd: 20 },
    fetch: (input, init) => server.fetch(input, init),
  });
  await lab.runUntil({ matches: 2 });
  lab.configure({ ranking: { kFactorNew: 40 } });
  await assertDisplayed(look(lab), false);
  await assertDisplayed([["tick", await lab.tick()], ["runFor", await lab.runFor({ matches: 1 })]], false);
});

/** Everything that looking gives, by how it was asked for. */
function look(lab: Supervisor): (readonly [string, object])[] {
  const [label] = [lab.queue.list()[0]?.label ?? "T1"];
  const cards = [
    "H1",
    "V1",
    "M1",
    "T1",
    "R1",
    label,
    ...lab.view().feedback.map((each) => each.label),
    ...lab.view().overviews.map((each) => each.label),
  ];
  return [
    ["peek", lab.peek()],
    ["inspect", lab.inspect()],
    ...cards.map((each) => [`inspect ${each}`, lab.inspect(each)] as const),
    ["settings", lab.settings],
    ["cost", lab.cost()],
    ["transcripts", lab.transcripts()],
    ["transcript", lab.transcript(lab.transcripts()[0]?.n ?? 0)],
    ["events", lab.events()],
    ["queue.list", lab.queue.list()],
    ["estimate", lab.estimate({ matches: 50 })],
    ["help", lab.help()],
  ];
}

async function assertDisplayed(
  values: readonly (readonly [string, object])[],
  simulated: boolean,
): Promise<void> {
  for (const [name, value] of values) {
    const show: unknown = Reflect.get(value, JUPYTER_DISPLAY);
    assert.ok(typeof show === "function", `${name} has no display`);
    const bundle: unknown = await Reflect.apply(show, value, []);
    const html = String(Object(bundle)["text/html"]), text = String(Object(bundle)["text/plain"]);
    assert.match(html, /<div/, name);
    assert.ok(text.length > 10 && !text.startsWith("[object"), name);
    assert.ok(!/could not be written/.test(text), `${name}: ${text}`);
    assert.ok(Object.isFrozen(value), `${name} is frozen`);
    assert.notEqual(JSON.stringify(value), undefined);
    // What a verb does is the same for either kind of session.
    const marked = simulated && name !== "help";
    assert.equal(/SIMULATED/.test(html), marked, `${name} as HTML`);
    assert.equal(/SIMULATED/.test(text), marked, `${name}: ${text.slice(0, 300)}`);
  }
}

Deno.test("peek says what the next matches are worth against their price, and nothing while nobody is to be told apart", async () => {
  await using lab = await Supervisor.create({
    name: "worth",
    goal: "How could bleached reefs recover faster?",
    store: ":memory:",
    seed: "worth",
    environment: {},
    settings: {
      run: { concurrency: 1, maxIdeas: 9, initialIdeas: 9, keptForEvolution: 0 },
      ranking: { topK: 3 },
    },
  });
  assert.equal(lab.peek().worth, null, "nothing is in the tournament yet");
  await lab.runUntil({ matches: 12 });
  while (!/ranking: match/.test(lab.peek().lines[0] ?? "")) await lab.tick();
  const { worth } = lab.peek();
  assert.ok(worth !== null && worth.topK === 3 && worth.matches === 4 && worth.usd > 0);
  assert.ok(worth.now > 0.3 && worth.after > worth.now && worth.after < 1);
  assert.deepEqual(lab.peek().worth, worth, "looking again says the same");
  assert.match(
    String(lab.peek()),
    /4 matches are expected to raise the share of true best among the 3 leaders/,
  );
});
