/** Prompts as a person changes them: from the next claimed task on, each a revision, nothing where something is wrong. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { PromptLibrary } from "../../lib/llm/prompts.ts";
import { PROMPT_PURPOSES } from "../../lib/supervisor/prompt_purposes.ts";
import { enter, small, wire, withStore } from "../engine/support/session.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { assertRefused, withFolder, writesOf } from "./support.ts";
import { Supervisor } from "../../mod.ts";

const NAME = "ranking.pairwise";

/** Every match is judged in one call. */
const PAIRWISE = small(1, { ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 } });

/** With pairs enough for many matches. */
const WIDE: SettingsPatch = { ...PAIRWISE, run: { ...PAIRWISE.run, initialIdeas: 4, maxMatchesPerIdea: 20 } };

/** A text that uses all that a judge is given, with a sentence to be found in requests. */
function judging(sentence: string): string {
  return `${sentence}\n\nFirst: {{ hypothesis_1 }} {{ evidence_1 }} {{ reviews_1 }}\n\n` +
    "Second: {{ hypothesis_2 }} {{ evidence_2 }} {{ reviews_2 }}\n\nHand over with `record_verdict`.\n";
}

/** The questions of a prompt's calls, as the model got them. */
function questions(lab: Supervisor, prompt: string): string[] {
  return lab.transcripts({ prompt }).map(({ n }) => {
    const request: unknown = JSON.parse(lab.transcript(n).request);
    return JSON.stringify(Object(request)["messages"]);
  });
}

async function untilMatch(lab: Supervisor): Promise<void> {
  await lab.runUntil({ reviews: 2 });
  while (!/ranking: match/.test(lab.peek().lines[0] ?? "")) await lab.tick();
}

Deno.test("every shipped prompt says what it is for", async () => {
  const { names } = await PromptLibrary.shipped(new URL("../../prompts/", import.meta.url));
  assert.deepEqual(Object.keys(PROMPT_PURPOSES).sort(), [...names]);
});

Deno.test("a text that is set stands in the request of the next claimed task; transcripts tell its version", async () => {
  await using lab = await enter(":memory:", { settings: PAIRWISE });
  await lab.runUntil({ matches: 1 });
  const [before] = lab.transcripts({ prompt: NAME });
  const changes = lab.prompts.set(NAME, judging("Judge like an old sceptic."), { author: "Ada" });
  assert.deepEqual(changes.map(({ revision, prompt, to, by }) => [revision, prompt, to, by]), [[
    "R1",
    NAME,
    "changed",
    "Ada",
  ]]);
  await lab.runFor({ matches: 1 });
  const asked = questions(lab, NAME);
  assert.ok(!asked[0]?.includes("old sceptic"));
  assert.ok(asked.at(-1)?.includes("Judge like an old sceptic."));
  const after = lab.transcripts({ prompt: NAME }).at(-1);
  assert.notEqual(after?.promptVersion, before?.promptVersion);
  assert.equal(after?.revision, 1);
  const row = lab.prompts.list().find(({ name }) => name === NAME);
  const { version, changed, by, revision, calls, earlierCalls } = row ?? {};
  const [early, late] = [
    asked.filter((text) => !text.includes("sceptic")),
    asked.filter((text) => text.includes("sceptic")),
  ];
  assert.deepEqual(
    { version, changed, by, revision, calls, earlierCalls },
    {
      version: after?.promptVersion,
      changed: true,
      by: "Ada",
      revision: "R1",
      calls: late.length,
      earlierCalls: early.length,
    },
  );
  assert.deepEqual(
    lab.prompts.get(NAME).versions.map(({ version, inForce, calls }) => [version, inForce, calls]),
    [[before?.promptVersion, false, early.length], [after?.promptVersion, true, late.length]],
  );
  const short = after?.promptVersion.slice(0, 8) ?? "";
  assert.deepEqual(
    lab.transcripts({ version: short }).map(({ promptVersion }) => promptVersion),
    late.map(() => after?.promptVersion),
  );
  const cost = lab.cost();
  assert.deepEqual(
    cost.byVersion.filter(({ prompt }) => prompt === NAME).map(({ version, calls }) => [version, calls])
      .sort(),
    [[before?.promptVersion, early.length], [after?.promptVersion, late.length]].sort(),
  );
  assertSound(lab);
});

Deno.test("a task in flight keeps the text of its claim", async () => {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let hold = false;
  const over = wire({
    before: async () => {
      if (!hold) return;
      reached.resolve();
      await free.promise;
    },
  });
  await using lab = await enter(":memory:", { settings: PAIRWISE, over });
  await untilMatch(lab);
  hold = true;
  const step = lab.tick();
  await reached.promise;
  lab.prompts.set(NAME, judging("Judge by the newest text."));
  hold = false;
  free.resolve();
  await step;
  assert.ok(questions(lab, NAME).every((text) => !text.includes("newest text")));
  await lab.rank(1);
  assert.ok(questions(lab, NAME).at(-1)?.includes("newest text"));
});

Deno.test("edit, load and reset land in the next request too", async () => {
  await withFolder(async (folder) => {
    await using lab = await enter(":memory:", { settings: WIDE });
    await lab.runUntil({ reviews: 4, matches: 1 });
    const shipped = lab.prompts.get(NAME).text;
    lab.prompts.edit(NAME, (text) => text.replace("Decide which", "Say after long thought which"));
    await lab.rank(1);
    assert.ok(questions(lab, NAME).at(-1)?.includes("Say after long thought which"));
    await Deno.writeTextFile(`${folder}/${NAME}.md`, judging("Judge as the file says."));
    await Deno.writeTextFile(`${folder}/system.md`, lab.prompts.get("system").text);
    const loaded = await lab.prompts.load(folder);
    assert.deepEqual(
      loaded.map(({ prompt }) => prompt),
      [NAME],
      "what is in force already makes no revision",
    );
    await lab.rank(1);
    assert.ok(questions(lab, NAME).at(-1)?.includes("Judge as the file says."));
    lab.prompts.edit("system", (text) => `${text}\nAlways be kind.\n`);
    await lab.rank(1);
    const last = lab.transcripts({ last: 1 })[0];
    assert.match(lab.transcript(last?.n ?? 0).request, /Always be kind\./);
    const system = lab.prompts.list().find(({ name }) => name === "system");
    assert.ok((system?.calls ?? 0) >= 1 && (system?.earlierCalls ?? 0) > (system?.calls ?? 0));
    assert.deepEqual(lab.prompts.reset().map(({ prompt, to }) => [prompt, to]), [
      [NAME, "shipped"],
      ["system", "shipped"],
    ]);
    assert.equal(lab.prompts.get(NAME).text, shipped);
    assert.equal(lab.prompts.get(NAME).changed, false);
    await lab.rank(1);
    assert.ok(questions(lab, NAME).at(-1)?.includes("Decide which of two hypotheses"));
    assert.equal(lab.prompts.reset(NAME).length, 0);
  });
});

Deno.test("revisions hold the texts before and after, null for the shipped one, so that undo takes them back", async () => {
  await using lab = await enter(":memory:", { settings: PAIRWISE });
  const [one, two] = [judging("One."), judging("Two.")];
  lab.prompts.set(NAME, one);
  lab.prompts.set(NAME, two);
  lab.prompts.set(
    NAME,
    lab.prompts.diff(NAME).text.filter(({ mark }) => mark !== "+").map(({ text }) => text).join("\n") + "\n",
  );
  assert.deepEqual(
    lab.view().revisions.map(({ kind, target, before, after }) => [kind, target, before, after]),
    [["prompt", NAME, null, one], ["prompt", NAME, one, two], ["prompt", NAME, two, null]],
  );
  assert.equal(lab.prompts.get(NAME).changed, false, "the shipped text, set by hand, is the shipped one");
  lab.undo("R3");
  assert.equal(lab.prompts.get(NAME).text, two);
  assert.deepEqual(
    lab.events().filter(({ type }) => type === "prompt_changed").map(({ payload }) => payload["to"]).slice(
      0,
      3,
    ),
    ["changed", "changed", "shipped"],
  );
});

Deno.test("what is wrong is said, and nothing changes", async () => {
  await withFolder(async (folder) => {
    await using lab = await enter(":memory:", { settings: PAIRWISE });
    await lab.runUntil({ matches: 1 });
    await Deno.writeTextFile(`${folder}/ranking.pairwse.md`, judging("Typo."));
    await Deno.mkdir(`${folder}/half`);
    await Deno.writeTextFile(`${folder}/half/${NAME}.md`, judging("Good."));
    await Deno.writeTextFile(`${folder}/half/session.md`, "{{ gaol }}");
    await Deno.mkdir(`${folder}/empty`);
    const before = writesOf(lab);
    const { prompts } = lab;
    const wrong: readonly [() => unknown, "prompt" | "input" | "state", readonly (string | RegExp)[]][] = [
      [() => prompts.set("ranking.pairwse", "x"), "prompt", [
        "ranking.pairwse",
        'Did you mean "ranking.pairwise"?',
      ]],
      [() => prompts.get("rank"), "prompt", ["there is no prompt", "prompts.list()"]],
      [() => prompts.set(NAME, "Judge {{ hypothesis_3 }}"), "prompt", ["hypothesis_3", "Its inputs are"]],
      [() => prompts.set(NAME, "Judge {{ hypothesis_1 }}"), "prompt", ["declared and not used"]],
      [() => prompts.set(NAME, "Judge {% include 'x' %}"), "prompt", ["include"]],
      [() => Reflect.apply(prompts.set, prompts, [NAME, 7]), "input", ["prompts.set: text", "7"]],
      [() => prompts.set(NAME, judging("x"), { author: "model" }), "input", ["author", "model"]],
      [() => Reflect.apply(prompts.set, prompts, [NAME, judging("x"), { weight: 2 }]), "input", ["weight"]],
      [() => Reflect.apply(prompts.edit, prompts, [NAME, "text"]), "input", ["Give a function"]],
      [() => Reflect.apply(prompts.edit, prompts, [NAME, () => undefined]), "input", [
        "what the function returned",
      ]],
      [() => prompts.edit(NAME, () => "{{ nothing }}"), "prompt", ["nothing"]],
      [() => prompts.load(folder), "input", ["ranking.pairwse.md", 'Did you mean "ranking.pairwise"?']],
      [() => prompts.load(`${folder}/half`), "prompt", ["session", "gaol", 'Did you mean "goal"?']],
      [() => prompts.load(`${folder}/empty`), "input", ["no prompts"]],
      [() => prompts.load(`${folder}/none`), "input", ["none", "can't be read"]],
      [() => prompts.reset("sytem"), "prompt", ['Did you mean "system"?']],
      [() => prompts.diff(NAME, { from: "R9" }), "input", ["prompts.diff: from", "R9"]],
      [() => prompts.diff(NAME, { to: "abcd" }), "input", ["prompts.diff: to", "a version: "]],
      [() => lab.transcripts({ version: "no version" }), "input", ["version", "hex"]],
      [() => lab.transcripts({ directive: "D1" }), "input", ["directive", "No directive"]],
    ];
    for (const [act, code, says] of wrong) await assertRefused(act, { code, says });
    assert.deepEqual(writesOf(lab), before);
    await lab.finish();
    const closed = writesOf(lab);
    for (
      const act of [
        () => prompts.set(NAME, judging("x")),
        () => prompts.edit(NAME, (text) => `${text} x`),
        () => prompts.load(`${folder}/half`),
        () => prompts.reset(),
        () => lab.resend(1),
      ]
    ) await assertRefused(act, { code: "state", says: ["the session is done", "reopen()"] });
    assert.deepEqual(writesOf(lab), closed);
  });
});

Deno.test("a change in another process is seen by an edit", () =>
  withStore(async (store) => {
    await using lab = await enter(store, { settings: PAIRWISE });
    await using other = await enter(store, { settings: PAIRWISE });
    await assertRefused(
      () =>
        lab.prompts.edit(NAME, (text) => {
          other.prompts.set(NAME, judging("Theirs."));
          return text.replace("Decide", "Say");
        }),
      { code: "state", says: [NAME, "changed meanwhile"] },
    );
    assert.ok(lab.prompts.get(NAME).text.startsWith("Theirs."));
  }));

Deno.test("diff tells what a model reads otherwise: the text, and the tools as they were offered", async () => {
  await using lab = await enter(":memory:", { settings: PAIRWISE });
  assert.equal(lab.prompts.diff(NAME).same, true);
  assert.match(lab.prompts.diff(NAME).notes.join(" "), /No call of this prompt was made yet/);
  await lab.runUntil({ matches: 1 });
  const [first] = lab.transcripts({ prompt: NAME });
  lab.prompts.edit(NAME, (text) => text.replace("Decide which", "Find out which"));
  await lab.rank(1);
  const diff = lab.prompts.diff(NAME);
  assert.deepEqual([diff.from, diff.to, diff.same], ["shipped", "in force", false]);
  assert.deepEqual(
    diff.text.filter(({ mark }) => mark !== " ").map(({ mark, text }) => [mark, text.slice(0, 14)]),
    [["-", "Decide which o"], ["+", "Find out which"]],
  );
  assert.deepEqual(diff.tools.map(({ name, change }) => [name, change]), [["record_verdict", "same"]]);
  assert.deepEqual(diff.notes, []);
  assert.match(String(diff), /-.*Decide which/);
  // By a version's first digits, and by revisions.
  assert.equal(lab.prompts.diff(NAME, { from: first?.promptVersion.slice(0, 6), to: "shipped" }).same, true);
  assert.equal(lab.prompts.diff(NAME, { from: "r1" }).same, true);
  // Tools of a version on record that differ are told.
  const { sql } = lab.store;
  sql.run(
    "UPDATE prompt_versions SET tools = replace(tools, 'winner', 'victor') WHERE name = ? AND version = ?",
    NAME,
    first?.promptVersion ?? "",
  );
  const changed = lab.prompts.diff(NAME);
  assert.deepEqual(changed.tools.map(({ name, change }) => [name, change]), [["record_verdict", "changed"]]);
  assert.match(String(changed), /Tool record_verdict: changed/);
  assert.match(String(changed), /-.*victor/);
});

Deno.test("prompts are shown: as a list, as Markdown, as what changed", async () => {
  await using lab = await enter(":memory:", { settings: PAIRWISE });
  await lab.runUntil({ matches: 1 });
  const prompt = lab.prompts.get(NAME);
  assert.equal(prompt.text, await Deno.readTextFile(new URL(`../../prompts/${NAME}.md`, import.meta.url)));
  assert.deepEqual(prompt.inputs, [
    "hypothesis_1",
    "evidence_1",
    "reviews_1",
    "hypothesis_2",
    "evidence_2",
    "reviews_2",
  ]);
  assert.match(String(prompt), /Decide which of two hypotheses/);
  assert.match(String(lab.prompts.list()), /ranking\.pairwise +[0-9a-f]{16} +shipped/);
  assert.match(String(lab.prompts.set(NAME, judging("Other."))), /R1 .*changed .*\+\d+ −\d+/);
});
