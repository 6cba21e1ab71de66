/** A blind sheet shows pairs and nothing of what is known of them; what comes back counts once, by its author. */
import assert from "node:assert/strict";
import { replay } from "../../lib/tournament/elo.ts";
import { Supervisor } from "../../mod.ts";
import { GOAL, NAME, SEED, SMALL, withStore } from "../engine/support/session.ts";
import { assertRefused, filesIn, withFolder, writesOf } from "./support.ts";

/** A session with a few matches in it, and a folder for its sheets. */
async function withSession(
  work: (lab: Supervisor, at: (file: string) => string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await using lab = await Supervisor.create({
      goal: GOAL,
      name: NAME,
      seed: SEED,
      store: `${folder}/store.db`,
      environment: {},
      settings: SMALL,
    });
    await lab.runUntil({ matches: 6 });
    await work(lab, (file) => `${folder}/${file}`);
  });
}

/** Fills in a written sheet's file: what stands in the column `choice` of pair 1, 2, … */
async function fillIn(path: string, choices: readonly string[], comment = ""): Promise<void> {
  const [head, ...rows] = (await Deno.readTextFile(path)).trim().split("\n");
  const filled = rows.map((row, i) => `${row.split(",")[0]},${choices[i] ?? ""},${comment}`);
  await Deno.writeTextFile(path, [head, ...filled].join("\n"));
}

const human = (lab: Supervisor) => lab.view().matches.filter(({ author }) => author !== "model");

Deno.test("page and file hold no label, rating, author or strategy; the same seed draws the same order", async () => {
  await withSession(async (lab, at) => {
    const before = lab.view();
    const sheet = await lab.blindSheet({ pairs: 5, path: at("sheet"), for: "Dr. Grün" });
    assert.equal(sheet.pairs, 5);
    assert.match(sheet.code, /^[B-DF-HJ-NP-TV-XZ]{8}$/);
    const page = await Deno.readTextFile(at("sheet.html")), csv = await Deno.readTextFile(at("sheet.csv"));
    assert.equal(
      csv,
      `pair,choice,comment\n${[1, 2, 3, 4, 5].map((n) => `${sheet.code}-${n},,`).join("\n")}\n`,
    );
    const text = page.replace(/<style>[\s\S]*?<\/style>/, "");
    assert.match(text, new RegExp(sheet.code));
    assert.match(text, /SIMULATED/);
    assert.match(text, /for <span[^>]*>Dr\. Grün/);
    for (const { record, elo } of before.hypotheses) {
      assert.doesNotMatch(text, new RegExp(`\\b${record.label}\\b`));
      assert.ok(!text.includes(Math.round(elo * 100) / 100 + ""), String(elo));
    }
    assert.doesNotMatch(text, /literature<|debate<|claude|simulator-|Elo|rating \d/);
    assert.doesNotMatch(page, /<script|https?:\/\//);
    assert.doesNotMatch(String(sheet), /\bH\d/);
    const view = lab.view();
    assert.equal(view.openTasks.length, before.openTasks.length, "nothing is reserved");
    assert.equal(view.matches.length, before.matches.length);
    const [kept] = view.sheets;
    assert.equal(kept?.pairs.length, 5);
    assert.equal(
      new Set(kept.pairs.map(({ firstId, secondId }) => [firstId, secondId].sort().join())).size,
      5,
    );
    for (const [i, { firstId, secondId }] of kept.pairs.entries()) {
      const section = text.split("<section")[i + 1] ?? "";
      const [one = "", other = ""] = [firstId, secondId].map((id) =>
        view.hypothesis(id)?.record.statement ?? "?"
      );
      assert.ok(section.indexOf(one) >= 0 && section.indexOf(one) < section.indexOf(other), `pair ${i + 1}`);
    }
  });
});

Deno.test("sides are drawn by lot: over many sheets the older one stands first about as often as second", async () => {
  await withSession(async (lab, at) => {
    for (let i = 0; i < 12; i++) await lab.blindSheet({ pairs: 6, path: at(`s${i}`), seed: i });
    const view = lab.view();
    const pairs = view.sheets.flatMap(({ pairs }) => pairs);
    const born = (id: string) => view.hypothesis(id)?.bornSeq ?? 0;
    const older = pairs.filter(({ firstId, secondId }) => born(firstId) < born(secondId)).length;
    assert.ok(older > pairs.length * 0.25 && older < pairs.length * 0.75, `${older} of ${pairs.length}`);
    assert.equal(new Set(view.sheets.map(({ code }) => code)).size, 12);
  });
});

Deno.test("choices become matches of their author in one commit, with ratings and revisions, also in another process", async () => {
  await withStore(async (store, folder) => {
    const options = { goal: GOAL, name: NAME, seed: SEED, store, environment: {}, settings: SMALL };
    {
      await using lab = await Supervisor.create(options);
      await lab.runUntil({ matches: 6 });
      await lab.blindSheet({ pairs: 4, path: `${folder}/sheet` });
    }
    await fillIn(`${folder}/sheet.csv`, ["1", "SECOND", "Tie", ""], "clear enough");
    await using lab = await Supervisor.open({ store, environment: {} });
    const { seq } = lab.view();
    const done = await lab.importVerdicts(`${folder}/sheet.csv`, { author: "Dr. Grün", weight: 2 });
    assert.deepEqual([done.matches.length, done.decided, done.tied, done.skipped], [3, 2, 1, 1]);
    const view = lab.view(), own = human(lab), [sheet] = view.sheets;
    assert.equal(view.seq, seq + 1);
    assert.deepEqual(own.map(({ label }) => label), done.matches);
    assert.deepEqual(
      own.map(({ firstId, secondId, verdict, author, weight, mode, taskId, seq }) => ({
        firstId,
        secondId,
        verdict,
        author,
        weight,
        mode,
        taskId,
        seq,
      })),
      (["first", "second", "tie"] as const).map((verdict, i) => ({
        firstId: sheet?.pairs[i]?.firstId,
        secondId: sheet?.pairs[i]?.secondId,
        verdict,
        author: "Dr. Grün",
        weight: 2,
        mode: "pairwise",
        taskId: null,
        seq: view.seq,
      })),
    );
    assert.equal(view.rationale(own[0]?.id ?? ""), "clear enough");
    assert.deepEqual(
      view.revisions.filter(({ kind }) => kind === "verdict").map((
        { target, before, after, author },
      ) => [target, before, after, author]),
      own.map(({ label, verdict }) => [label, null, { verdict, weight: 2 }, "Dr. Grün"]),
    );
    const ratings = replay(view.eloJournal, view.settings.ranking.eloInitial);
    for (const { record, elo } of view.hypotheses) assert.equal(elo, ratings.get(record.id) ?? 1200);
    const winner = own[0]?.firstId ?? "",
      strength = (of: typeof view) => of.hypothesis(winner)?.strength ?? NaN;
    assert.ok(strength(view) > strength(lab.view(seq)), "the ranking heeds it");
    assert.match(String(lab.inspect(done.matches[0] ?? "")), /Dr\. Grün/);
    // Read anew, the store says the same.
    await using again = await Supervisor.open({ store, environment: {} });
    assert.deepEqual(
      again.view().leaderboard.map(({ record, elo, strength }) => [record.label, elo, strength]),
      view.leaderboard.map(({ record, elo, strength }) => [record.label, elo, strength]),
    );
  });
});

Deno.test("agreement with the machine and between people: told on import and on the card of the judges", async () => {
  await withSession(async (lab, at) => {
    await lab.blindSheet({ pairs: 15, path: at("sheet") });
    const view = lab.view(), pairs = view.sheets[0]?.pairs ?? [];
    // One who says what the machine said, wherever it spoke, and one who says the opposite.
    const said = (firstId: string, secondId: string) =>
      view.matches.reduce((sum, match) => {
        const turned = match.firstId === secondId && match.secondId === firstId;
        if (!turned && !(match.firstId === firstId && match.secondId === secondId)) return sum;
        const score = match.verdict === "first" ? 1 : match.verdict === "second" ? -1 : 0;
        return sum + match.weight * (turned ? -score : score);
      }, 0);
    const machine = pairs.map(({ firstId, secondId }) => said(firstId, secondId));
    const judged = machine.filter((score) => score !== 0).length;
    assert.ok(judged >= 3);
    await fillIn(at("sheet.csv"), machine.map((score) => score > 0 ? "1" : score < 0 ? "2" : ""));
    const same = await lab.importVerdicts(at("sheet.csv"), { author: "Ada" });
    assert.deepEqual([same.agreement?.machine.count, same.agreement?.machine.of], [judged, judged]);
    assert.equal(same.agreement?.between, null);
    await fillIn(at("sheet.csv"), machine.map((score) => score > 0 ? "2" : score < 0 ? "1" : ""));
    const other = await lab.importVerdicts(at("sheet.csv"), { author: "Bob" });
    assert.deepEqual([other.agreement?.machine.count, other.agreement?.machine.of], [0, judged]);
    assert.deepEqual([other.agreement?.between?.count, other.agreement?.between?.of], [0, judged]);
    const { people } = lab.judge;
    assert.deepEqual([people?.people, people?.verdicts, people?.pairs], [2, 2 * judged, judged]);
    assert.deepEqual([people?.machine.count, people?.machine.of], [judged, 2 * judged]);
    assert.match(
      String(lab.judge),
      new RegExp(`People: 2 people judged ${judged} pairs; with the machine: ${judged} of ${2 * judged}`),
    );
    assert.match(String(lab.judge), /agree, 50 % \[\d+–\d+ %\]/);
    assert.match(lab.plots.judge().toString(), /people: 2 people judged/);
  });
});

Deno.test("spreadsheets' ways are understood: BOM, semicolons, tabs, capitals, other columns, UTF-16, a bare number", async () => {
  const ways: ((rows: readonly (readonly string[])[]) => Uint8Array | string)[] = [
    (rows) => `\ufeff${rows.map((row) => row.join(";")).join("\r\n")}\r\n`,
    (rows) => rows.map((row) => row.join("\t")).join("\n"),
    (rows) => `sep=;\n${rows.map((row) => row.toReversed().join(";")).join("\n")}`,
    (rows) => rows.map((row) => row.map((cell) => `"${cell.toUpperCase()}"`).join(",")).join("\n"),
    (rows) => rows.map((row) => row.join(",").replace(/^[A-Z]{8}-/, "")).join("\n"),
    (rows) => {
      const text = `\ufeff${rows.map((row) => row.join(";")).join("\r\n")}`;
      return new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer);
    },
    (rows) => Uint8Array.from(rows.map((row) => row.join(";")).join("\n"), (char) => char.charCodeAt(0)),
  ];
  for (const [i, way] of ways.entries()) {
    await withSession(async (lab, at) => {
      const { code } = await lab.blindSheet({ pairs: 3, path: at("sheet") });
      const made = way([
        ["pair", "choice", "comment"],
        [`${code}-1`, "b", "schön"],
        [`${code}-2`, "1.0", ""],
        [`${code}-3`, "Draw", ""],
      ]);
      if (typeof made === "string") await Deno.writeTextFile(at("back.csv"), made);
      else await Deno.writeFile(at("back.csv"), made);
      await lab.importVerdicts(at("back.csv"), { author: "Ada" });
      assert.deepEqual(human(lab).map(({ verdict }) => verdict), ["second", "first", "tie"], `way ${i}`);
      assert.match(lab.view().rationale(human(lab)[0]?.id ?? ""), /^schön$/i, `way ${i}`);
    });
  }
});

Deno.test("what is wrong with a file is said by line and value, and nothing is written", async () => {
  await withSession(async (lab, at) => {
    const { code } = await lab.blindSheet({ pairs: 3, path: at("sheet") });
    const before = writesOf(lab);
    const refused = async (text: string, ...says: string[]) => {
      await Deno.writeTextFile(at("back.csv"), text);
      await assertRefused(() => lab.importVerdicts(at("back.csv"), { author: "Ada" }), {
        code: "input",
        says,
      });
      assert.deepEqual(writesOf(lab), before, text);
    };
    const rows = (...lines: string[]) => ["pair,choice,comment", ...lines].join("\n");
    await refused(
      rows(`${code}-1,1,`, `${code}-2,frist,`),
      "line 3 (pair 2), choice",
      '"frist"',
      'mean "first"',
      "tie",
    );
    await refused(rows(`${code}-1,1,"two\nlines"`, `${code}-2,3,`), "line 4", '"3"');
    await refused(rows(`${code}-9,1,`), "line 2, pair", "9", "pairs 1 to 3");
    await refused(rows("QQQQQQQQ-1,1,"), "line 2, pair", "QQQQQQQQ", code);
    await refused(rows(`${code}-1,1,`, `${code}-1,2,`), "line 3", "Line 2");
    await refused(rows("first,1,"), "line 2, pair", '"first"', "as it was written");
    await refused("a,b\n1,2", "pair, choice, comment", '"a", "b"');
    await refused("", "pair, choice, comment", "nothing");
    await refused(rows(), "no rows");
    const missing = { code: "input", says: ["importVerdicts: file", "no such file"] } as const;
    await assertRefused(() => lab.importVerdicts(at("nowhere.csv"), { author: "Ada" }), missing);
    await assertRefused(() => lab.importVerdicts(at("sheet.html"), { author: "Ada" }), {
      code: "input",
      says: [".csv"],
    });
    await assertRefused(() => lab.importVerdicts(at("sheet.csv")), {
      code: "input",
      says: ["author", "who filled"],
    });
    await assertRefused(() => lab.importVerdicts(at("sheet.csv"), { author: "model" }), {
      code: "input",
      says: ["author"],
    });
    await assertRefused(() => lab.importVerdicts(at("sheet.csv"), { author: "Ada", weight: 0 }), {
      code: "input",
      says: ["weight"],
    });
    // @ts-expect-error a wrong option
    await assertRefused(() => lab.importVerdicts(at("sheet.csv"), { autor: "Ada" }), {
      code: "input",
      says: ['mean "author"'],
    });
    assert.deepEqual(writesOf(lab), before);
  });
});

Deno.test("the same choices by the same person count once; further ones are added; changed ones are refused", async () => {
  await withSession(async (lab, at) => {
    await lab.blindSheet({ pairs: 3, path: at("sheet"), for: "Ada" });
    await fillIn(at("sheet.csv"), ["1", "", ""]);
    await lab.importVerdicts(at("sheet.csv"));
    assert.deepEqual(human(lab).map(({ author }) => author), ["Ada"]);
    const before = writesOf(lab);
    await assertRefused(() => lab.importVerdicts(at("sheet.csv")), {
      code: "state",
      says: ["all 1 choices of Ada", "already"],
    });
    assert.deepEqual(writesOf(lab), before);
    await fillIn(at("sheet.csv"), ["1", "2", ""]);
    const more = await lab.importVerdicts(at("sheet.csv"));
    assert.deepEqual([more.matches.length, more.repeated], [1, 1]);
    await fillIn(at("sheet.csv"), ["2", "2", "1"]);
    await assertRefused(() => lab.importVerdicts(at("sheet.csv")), {
      code: "input",
      says: ["line 2 (pair 1)", 'said "first"', human(lab)[0]?.label ?? "?"],
    });
    assert.equal(human(lab).length, 2);
    // What was taken back may be said again.
    const [first] = human(lab);
    lab.store.commit(lab.view().session.id, () => ({
      kind: "undo",
      author: "Ada",
      progress: 0,
      entries: [{ kind: "mark", record: { targetId: first?.id ?? "", mark: "void", value: true } }],
    }));
    await lab.importVerdicts(at("sheet.csv"));
    assert.deepEqual(human(lab).map(({ verdict }) => verdict), ["first", "second", "second", "first"]);
  });
});

Deno.test("pairs whose hypothesis was rejected or edited since are told, not counted", async () => {
  await withSession(async (lab, at) => {
    await lab.blindSheet({ pairs: 4, path: at("sheet") });
    const [pair] = lab.view().sheets[0]?.pairs ?? [];
    const id = pair?.firstId ?? "", { session } = lab.view();
    lab.store.commit(session.id, () => ({
      kind: "reject",
      author: "Ada",
      progress: 0,
      entries: [{ kind: "hypothesisState", record: { hypothesisId: id, state: "rejected", reason: "no" } }],
    }));
    await fillIn(at("sheet.csv"), ["1", "1", "1", "1"]);
    const done = await lab.importVerdicts(at("sheet.csv"), { author: "Ada" });
    assert.match(
      done.notes[0] ?? "",
      /^Pair 1 is not counted: H\d+ is out of the tournament now \(rejected\)\.$/,
    );
    assert.equal(done.matches.length + done.notes.length, 4);
    assert.ok(!human(lab).some(({ firstId, secondId }) => firstId === id || secondId === id));
  });
});

Deno.test("hostile texts stay text; a file that is there is not written over; wrong options change nothing", async () => {
  await withFolder(async (folder) => {
    const goal = `<img src=x onerror=alert(1)></span><script>alert(1)</script> & "quotes"`;
    await using lab = await Supervisor.create({
      goal,
      store: ":memory:",
      environment: {},
      settings: SMALL,
      name: "x",
      seed: SEED,
    });
    await assertRefused(() => lab.blindSheet({ path: `${folder}/sheet` }), {
      code: "state",
      says: ["two hypotheses"],
    });
    assert.deepEqual(filesIn(folder), []);
    await lab.runUntil({ matches: 2 });
    await lab.blindSheet({ pairs: 1, path: `${folder}/sheet.html`, for: "<b>Bob</b>" });
    const page = await Deno.readTextFile(`${folder}/sheet.html`);
    assert.doesNotMatch(page, /<script|<img|<b>/);
    assert.match(page, /&lt;img src=x onerror=alert\(1\)&gt;/);
    const before = writesOf(lab);
    await assertRefused(() => lab.blindSheet({ path: `${folder}/sheet` }), {
      code: "input",
      says: ["file already", "sheet.html"],
    });
    await Deno.writeTextFile(`${folder}/two.csv`, "filled in");
    await assertRefused(() => lab.blindSheet({ path: `${folder}/two` }), {
      code: "input",
      says: ["file already", "two.csv"],
    });
    assert.deepEqual(filesIn(folder), ["sheet.csv", "sheet.html", "two.csv"]);
    await assertRefused(() => lab.blindSheet({ path: `${folder}/no/such` }), {
      code: "input",
      says: ["folder", "doesn't exist"],
    });
    await assertRefused(() => lab.blindSheet({ pairs: 0 }), {
      code: "input",
      says: ["blindSheet: pairs", "1 to 200"],
    });
    // @ts-expect-error a wrong option
    await assertRefused(() => lab.blindSheet({ pair: 3 }), { code: "input", says: ['mean "pairs"'] });
    assert.deepEqual(writesOf(lab), before);
    lab.abort();
    await assertRefused(() => lab.blindSheet({ path: `${folder}/three` }), {
      code: "state",
      says: ["aborted", "reopen"],
    });
    await assertRefused(() => lab.importVerdicts(`${folder}/sheet.csv`, {}), {
      code: "state",
      says: ["aborted"],
    });
  });
});
