/** Prompts as files: what is written into them is a revision, committed before the claim that follows it. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { PromptFolder } from "../../lib/llm/prompt_folder.ts";
import { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { GOAL, NAME as SESSION, SEED, small, type Wire, wire } from "../engine/support/session.ts";
import { withFolder } from "./support.ts";

const NAME = "ranking.pairwise";
const SETTINGS: SettingsPatch = small(1, {
  run: { initialIdeas: 4, maxMatchesPerIdea: 20 },
  ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
});

function judging(sentence: string): string {
  return `${sentence}\n\n{{ hypothesis_1 }} {{ evidence_1 }} {{ reviews_1 }}\n\n` +
    "{{ hypothesis_2 }} {{ evidence_2 }} {{ reviews_2 }}\n\nHand over with `record_verdict`.\n";
}

async function open(folder: string, promptsFolder: string | null, over?: Wire): Promise<Supervisor> {
  return await Supervisor.create({
    goal: GOAL,
    name: SESSION,
    seed: SEED,
    store: `${folder}/store.db`,
    environment: {},
    settings: SETTINGS,
    ...(promptsFolder === null ? {} : { promptsFolder }),
    ...(over === undefined ? {} : { fetch: over.fetch }),
  });
}

async function write(folder: string, text: string, name = NAME): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/${name}.md`, text);
}

/** The question of the newest judging call. */
function asked(lab: Supervisor): string {
  const call = lab.transcripts({ prompt: NAME }).at(-1);
  return call === undefined
    ? ""
    : JSON.stringify(Object(JSON.parse(lab.transcript(call.n).request))["messages"]);
}

/** Prompt revisions in short: who, and how the text begins. */
function history(lab: Supervisor): [string, string | null][] {
  return lab.view().revisions.filter(({ kind }) => kind === "prompt").map(({ author, after }) => [
    author,
    typeof after === "string" ? after.split("\n")[0] ?? "" : null,
  ]);
}

function faults(lab: Supervisor): number {
  return lab.events().filter(({ type }) => type === "fault").length;
}

Deno.test("the texts of a folder are revisions by their files at the first claim, and in the requests from then on", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("Judge as my file says."));
    await using lab = await open(folder, `${folder}/p`);
    assert.deepEqual(history(lab), [], "opening changes nothing");
    const tick = await lab.tick();
    assert.deepEqual(tick.changes, [`prompt ${NAME} changed in its file (R1)`]);
    assert.match(String(tick), /changed in its file \(R1\)/);
    assert.deepEqual(history(lab), [["file", "Judge as my file says."]]);
    assert.deepEqual((await lab.tick()).changes, []);
    await lab.runUntil({ matches: 1 });
    assert.ok(asked(lab).includes("Judge as my file says."));
    const row = lab.prompts.list().find(({ name }) => name === NAME);
    assert.deepEqual([row?.by, row?.revision, row?.calls, row?.earlierCalls], ["file", "R1", 1, 0]);
    assertSound(lab);
  }));

Deno.test("a file that is edited counts from the next claimed task on, not for the one in flight", () =>
  withFolder(async (folder) => {
    const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
    let hold = false;
    const over = wire({
      before: async () => {
        if (!hold) return;
        reached.resolve();
        await free.promise;
      },
    });
    await write(`${folder}/p`, judging("The first text."));
    await using lab = await open(folder, `${folder}/p`, over);
    await lab.runUntil({ matches: 1 });
    await lab.runUntil({ reviews: 4 });
    while (!/ranking: match/.test(lab.peek().lines[0] ?? "")) await lab.tick();
    hold = true;
    const step = lab.tick();
    await reached.promise;
    await write(`${folder}/p`, judging("The other text."));
    hold = false;
    free.resolve();
    assert.deepEqual((await step).changes, []);
    assert.ok(asked(lab).includes("The first text."));
    const run = await lab.rank(1);
    assert.deepEqual(run.changes, [`prompt ${NAME} changed in its file (R2)`]);
    assert.match(String(run), /Changed on the way/);
    assert.ok(asked(lab).includes("The other text."));
    const [before, after] = lab.transcripts({ prompt: NAME }).slice(-2);
    assert.deepEqual([before?.revision, after?.revision], [1, 2]);
    assert.notEqual(before?.promptVersion, after?.promptVersion);
    // The revision is committed before the claim: whatever happens to the task, it is not lost.
    const revision = lab.view().revisions.at(-1);
    assert.ok((revision?.seq ?? 0) < (lab.view().matches.at(-1)?.seq ?? 0));
  }));

Deno.test("two edits of the same length within one moment are both seen", () =>
  withFolder(async (folder) => {
    await write(folder, "one");
    const watched = new PromptFolder(folder);
    const text = () => {
      const look = watched.look();
      return look.kind === "read" ? look.texts.get(NAME) : look.problem;
    };
    assert.equal(text(), "one");
    for (const next of ["two", "six", "ten"]) {
      await write(folder, next);
      assert.equal(text(), next);
    }
    const looks = [watched.look(), watched.look()].map((look) => look.kind === "read" ? look.texts : null);
    assert.equal(looks[0], looks[1], "the same map where nothing changed");
  }));

Deno.test("what a person sets stays, until the file is edited again; also after the session was opened anew", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("File one."));
    {
      await using lab = await open(folder, `${folder}/p`);
      await lab.tick();
      lab.prompts.set(NAME, judging("By hand."), { author: "Ada" });
      await lab.tick();
    }
    {
      await using lab = await open(folder, `${folder}/p`);
      assert.deepEqual((await lab.tick()).changes, []);
      assert.deepEqual(history(lab), [["file", "File one."], ["Ada", "By hand."]]);
      await lab.runUntil({ matches: 1 });
      assert.ok(asked(lab).includes("By hand."));
      await write(`${folder}/p`, judging("File two."));
      assert.equal((await lab.tick()).changes.length, 1);
      assert.equal(history(lab).at(-1)?.[1], "File two.");
    }
    // Without the folder, and with another one that has no such file, the text stays too.
    await write(
      `${folder}/other`,
      (await Deno.readTextFile("prompts/system.md")).replace("How to work:", "How one works:"),
      "system",
    );
    for (const promptsFolder of [null, `${folder}/other`]) {
      await using lab = await open(folder, promptsFolder);
      await lab.tick();
      assert.ok(lab.prompts.get(NAME).text.startsWith("File two."));
    }
  }));

Deno.test("a copy of the shipped prompts changes nothing, and takes no text of a person's away", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/p`);
    for await (const { name } of Deno.readDir("prompts")) {
      await Deno.copyFile(`prompts/${name}`, `${folder}/p/${name}`);
    }
    await using lab = await open(folder, `${folder}/p`);
    lab.prompts.set(NAME, judging("By hand."));
    assert.deepEqual((await lab.tick()).changes, []);
    assert.deepEqual(history(lab), [["person", "By hand."]]);
    // And editing one of them is a change of that one alone.
    await write(`${folder}/p`, judging("Edited."));
    assert.equal((await lab.tick()).changes.length, 1);
    await Deno.copyFile(`prompts/${NAME}.md`, `${folder}/p/${NAME}.md`);
    assert.match((await lab.tick()).changes[0] ?? "", /says what is shipped again \(R3\)/);
    assert.deepEqual(history(lab).map(([, text]) => text), ["By hand.", "Edited.", null]);
  }));

Deno.test("a file that goes wrong changes nothing and is told once; set right, it counts", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("Good."));
    await using lab = await open(folder, `${folder}/p`);
    await lab.tick();
    const before = faults(lab);
    await write(`${folder}/p`, judging("Bad {{ hypothesis_3 }}."));
    const [notice, ...others] = (await lab.tick()).changes;
    assert.match(notice ?? "", /The file of prompt ranking\.pairwise can't be used: .*hypothesis_3/);
    assert.match(notice ?? "", /The text so far holds/);
    assert.deepEqual(others, []);
    assert.deepEqual((await lab.tick()).changes, [], "once for each text");
    await write(`${folder}/p`, "{% if");
    assert.equal((await lab.tick()).changes.length, 1);
    await write(`${folder}/p`, "no prompt's", "ranking.pairwse");
    assert.match((await lab.tick()).changes[0] ?? "", /Did you mean "ranking\.pairwise"/);
    assert.equal(faults(lab), before + 3);
    assert.deepEqual(history(lab), [["file", "Good."]]);
    assert.ok(lab.prompts.get(NAME).text.startsWith("Good."));
    await write(`${folder}/p`, judging("Good again."));
    assert.equal((await lab.tick()).changes.length, 1);
    assert.deepEqual(history(lab).at(-1), ["file", "Good again."]);
  }));

Deno.test("a file that is deleted gives the shipped text back, unless a person's is in force", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("Mine."));
    await using lab = await open(folder, `${folder}/p`);
    await lab.tick();
    await Deno.remove(`${folder}/p/${NAME}.md`);
    assert.match(
      (await lab.tick()).changes[0] ?? "",
      /its file was deleted, and what is shipped holds again \(R2\)/,
    );
    assert.deepEqual(history(lab), [["file", "Mine."], ["file", null]]);
    assert.equal(lab.prompts.get(NAME).changed, false);
    await write(`${folder}/p`, judging("Mine again."));
    await lab.tick();
    lab.prompts.set(NAME, judging("By hand."));
    await Deno.remove(`${folder}/p/${NAME}.md`);
    assert.deepEqual((await lab.tick()).changes, []);
    assert.ok(lab.prompts.get(NAME).text.startsWith("By hand."));
    // A folder that is gone is no wish to lose all texts.
    await Deno.remove(`${folder}/p`, { recursive: true });
    assert.match((await lab.tick()).changes[0] ?? "", /folder of prompts .* can't be read/);
    assert.deepEqual((await lab.tick()).changes, []);
    assert.ok(lab.prompts.get(NAME).text.startsWith("By hand."));
  }));

Deno.test("two handles with folders of their own don't take turns", () =>
  withFolder(async (folder) => {
    await write(`${folder}/a`, judging("Folder a."));
    await write(`${folder}/b`, judging("Folder b."));
    await using one = await open(folder, `${folder}/a`);
    await one.tick();
    await using other = await open(folder, `${folder}/b`);
    await other.tick();
    for (let i = 0; i < 2; i++) {
      assert.deepEqual((await one.tick()).changes, []);
      assert.deepEqual((await other.tick()).changes, []);
    }
    assert.deepEqual(history(one), [["file", "Folder a."], ["file", "Folder b."]]);
    await write(`${folder}/a`, judging("Folder a, edited."));
    await one.tick();
    await other.tick();
    assert.deepEqual(history(one).at(-1), ["file", "Folder a, edited."]);
  }));

Deno.test("two handles with one folder make one revision of one edit", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("One."));
    await using one = await open(folder, `${folder}/p`);
    await using other = await open(folder, `${folder}/p`);
    await one.tick();
    await other.tick();
    await write(`${folder}/p`, judging("Two."));
    await one.tick();
    one.prompts.set(NAME, judging("By hand."));
    await other.tick();
    assert.deepEqual(history(one), [["file", "One."], ["file", "Two."], ["person", "By hand."]]);
  }));

Deno.test("an undone edit stays undone while its file is left alone", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("One."));
    await using lab = await open(folder, `${folder}/p`);
    await lab.tick();
    lab.undo("R1");
    assert.deepEqual((await lab.tick()).changes, []);
    assert.equal(lab.prompts.get(NAME).changed, false);
  }));

Deno.test("a preview knows an edit that the next claim will take over; a paused session takes nothing over", () =>
  withFolder(async (folder) => {
    await write(`${folder}/p`, judging("One."));
    await using lab = await open(folder, `${folder}/p`);
    await lab.runUntil({ reviews: 4 });
    await write(`${folder}/p`, judging("Two."));
    const { seq } = lab.view();
    const preview = await lab.prompts.preview(NAME, { on: ["H1", "H2"] });
    assert.match(preview.request, /Two\./);
    assert.match(preview.notes.join(" "), /was edited: the next claim takes it over/);
    assert.equal(lab.view().seq, seq);
    lab.pause();
    assert.deepEqual((await lab.runFor({ matches: 1 })).changes, []);
    lab.resume();
    assert.equal((await lab.tick()).changes.length, 1);
  }));

Deno.test("looking at a folder with a file for every prompt takes less than two milliseconds", () => {
  const watched = new PromptFolder(new URL("../../prompts", import.meta.url).pathname);
  watched.look();
  const times = Array.from({ length: 50 }, () => {
    const started = performance.now();
    watched.look();
    return performance.now() - started;
  }).sort((a, b) => a - b);
  assert.ok((times[25] ?? Infinity) < 2, `${times[25]} ms`);
});
