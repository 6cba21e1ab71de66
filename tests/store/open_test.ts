import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { hashOf } from "../../lib/domain/ids.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { Sql } from "../../lib/store/database.ts";
import { onNetwork } from "../../lib/store/driver.ts";
import { migrate } from "../../lib/store/migrate.ts";
import { APPLICATION_ID, MIGRATIONS } from "../../lib/store/schema.ts";
import { Store } from "../../lib/store/store.ts";
import {
  draft,
  hypothesis,
  hypothesisId,
  LIMITS,
  match,
  newSession,
  reservation,
  settlement,
  task,
  transcript,
} from "./fixture.ts";

function inFolder(body: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "cosci-open-"));
  try {
    body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opening the file must fail with these words and leave it as it is, with nothing new beside it. */
function refuses(path: string, message: RegExp): void {
  const before = readFileSync(path);
  const beside = [...Deno.readDirSync(join(path, ".."))].map((entry) => entry.name).sort();
  assert.throws(() => new Store({ database: path }), (error: unknown) => {
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, "store");
    assert.match(error.message, message);
    assert.ok(error.message.includes(path), error.message);
    return true;
  });
  assert.ok(readFileSync(path).equals(before), "the file was changed");
  assert.deepEqual([...Deno.readDirSync(join(path, ".."))].map((entry) => entry.name).sort(), beside);
}

function makeStore(path: string): void {
  const store = new Store({ database: path });
  const session = store.createSession(newSession("s")).id;
  for (let i = 0; i < 40; i++) store.commit(session, () => draft([hypothesis(`h${i}`)]));
  store.close();
}

Deno.test("a file that is no SQLite database is refused and left as it is", () =>
  inFolder((folder) => {
    const path = join(folder, "notes.txt");
    writeFileSync(path, "My notes, which are dear to me.\n");
    refuses(path, /not a SQLite database.*untouched/);
    writeFileSync(path, "x");
    refuses(path, /not a SQLite database/);
  }));

Deno.test("another program's database is refused and left as it is", () =>
  inFolder((folder) => {
    const path = join(folder, "other.db");
    const other = new DatabaseSync(path);
    other.exec(
      "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('sim:1'); PRAGMA user_version = 99",
    );
    other.close();
    refuses(path, /another program.*untouched/);
  }));

Deno.test("a store that a newer cosci wrote is refused and left as it is", () =>
  inFolder((folder) => {
    const path = join(folder, "newer.db");
    makeStore(path);
    const newest = MIGRATIONS.at(-1)?.version ?? 0;
    const raw = new DatabaseSync(path);
    raw.exec(`PRAGMA user_version = ${newest + 1}`);
    raw.close();
    refuses(path, new RegExp(`version ${newest + 1}.*knows ${newest}.*update cosci`));
  }));

Deno.test("a folder, and a file in a folder that isn't there, are refused", () =>
  inFolder((folder) => {
    mkdirSync(join(folder, "sub"));
    assert.throws(() => new Store({ database: join(folder, "sub") }), { code: "store", message: /no file/ });
    assert.throws(() => new Store({ database: join(folder, "none", "x.db") }), {
      code: "store",
      message: /folder does not exist/,
    });
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["sub"]);
  }));

Deno.test("a damaged store is refused and left as it is", () =>
  inFolder((folder) => {
    const path = join(folder, "damaged.db");
    makeStore(path);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 4_000);
    writeFileSync(path, bytes);
    refuses(path, /damaged/);
    makeStore(join(folder, "cut.db"));
    truncateSync(join(folder, "cut.db"), 5_000);
    refuses(join(folder, "cut.db"), /damaged/);
  }));

Deno.test("damage that only reading finds is called so", () =>
  inFolder((folder) => {
    const path = join(folder, "deep.db");
    makeStore(path);
    const raw = new DatabaseSync(path);
    const row = raw.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'hypotheses'").get();
    const pageSize = raw.prepare("PRAGMA page_size").get();
    raw.close();
    const size = Number(pageSize?.["page_size"]), page = Number(row?.["rootpage"]);
    const bytes = readFileSync(path);
    bytes.fill(0xff, (page - 1) * size, page * size);
    writeFileSync(path, bytes);
    const store = new Store({ database: path });
    assert.throws(() => store.view(store.sessions()[0]?.id ?? ""), { code: "store", message: /damaged/ });
    store.close();
  }));

Deno.test("an empty file becomes a store", () =>
  inFolder((folder) => {
    const path = join(folder, "empty.db");
    writeFileSync(path, "");
    makeStore(path);
    const store = new Store({ database: path });
    assert.equal(store.sessions().length, 1);
    store.close();
  }));

Deno.test("network file systems are told by their type; what can't be told counts as local", () => {
  assert.equal(onNetwork("/mnt/x.db", () => 0x6969), true);
  assert.equal(onNetwork("/mnt/x.db", () => 0xff534d42 | 0), true, "as a signed number");
  assert.equal(onNetwork("/mnt/x.db", () => 0xef53), false);
  assert.equal(onNetwork(":memory:", () => 0x6969), false);
  assert.equal(
    onNetwork("/mnt/x.db", () => {
      throw new Error("no statfs here");
    }),
    false,
  );
  let asked = "";
  onNetwork("/mnt/a/x.db", (folder) => {
    asked = folder;
    return 0;
  });
  assert.equal(asked, "/mnt/a");
});

Deno.test("a store of version 1 is brought to the newest version and keeps what it holds", () =>
  inFolder((folder) => {
    const path = join(folder, "old.db");
    const sql = new Sql(new DatabaseSync(path));
    migrate(sql, path, 7, MIGRATIONS.slice(0, 1));
    assert.equal(sql.get("PRAGMA user_version")?.["user_version"], 1);
    assert.equal(sql.get("PRAGMA application_id")?.["application_id"], APPLICATION_ID);
    const session = newSession("old");
    sql.run(
      "INSERT INTO sessions (id, name, goal, preferences, seed, mode, provider, settings, created_at) VALUES (?, ?, ?, '', 'x', 'live', ?, ?, 3)",
      "ses_old",
      session.name,
      session.goal,
      JSON.stringify(session.provider),
      JSON.stringify(session.settings),
    );
    sql.run("INSERT INTO session_clocks (session, ran_ms) VALUES ('ses_old', 5)");
    sql.close();

    const store = new Store({ database: path });
    const versions = store.sql.all("SELECT version, applied_at FROM schema_migrations ORDER BY version");
    assert.deepEqual(versions.map((row) => row["version"]), MIGRATIONS.map((m) => m.version));
    assert.equal(versions[0]?.["applied_at"], 7);
    assert.equal(store.findSession("old")?.mode, "live");
    assert.equal(store.runningClock("ses_old").ranMs(), 5);
    store.commit("ses_old", () => draft([hypothesis("a")]));
    assert.equal(store.sql.all("SELECT * FROM v_hypotheses").length, 1);
    store.close();
  }));

Deno.test("hypotheses of before version 4 get the model that wrote them; a person's stay without", () => {
  const sql = new Sql(new DatabaseSync(":memory:"));
  migrate(sql, "x", 1, MIGRATIONS.slice(0, 3));
  const session = newSession("old");
  sql.run(
    "INSERT INTO sessions (id, name, goal, preferences, seed, mode, provider, settings, created_at) VALUES ('s', 'old', 'g', '', 'x', 'live', ?, ?, 3)",
    JSON.stringify(session.provider),
    JSON.stringify(session.settings),
  );
  for (
    const [id, author, task] of [["a", "model", "t1"], ["b", "Ada", null], ["c", "model", "t2"]] as const
  ) {
    sql.run(
      "INSERT INTO hypotheses (session, seq, id, label, version, title, statement, mechanism, entities, " +
        "anticipated_outcomes, novelty_argument, strategy, parents, citations, dropped_citations, author, generation, task_id) " +
        "VALUES ('s', 1, ?, ?, 1, '', '', '', '[]', '', '', 'literature', '[]', '[]', 0, ?, 0, ?)",
      id,
      id.toUpperCase(),
      author,
      task,
    );
  }
  const calls = [["generation.debate", "m1", ""], ["generation.debate", "m2", ""], [
    "generation.debate",
    "m3",
    "529",
  ], ["classifier", "m4", ""]] as const;
  for (const [route, model, error] of calls) {
    sql.run(
      "INSERT INTO transcripts (session, seq, task_id, agent, route, model, prompt, prompt_version, revision, directives, " +
        "request, response, stop_reason, error, micro_usd, input_tokens, output_tokens, unconfirmed, duration_ms, concessions, at) " +
        "VALUES ('s', 1, 't1', 'generation', ?, ?, '', '', 0, '[]', '', '', '', ?, 0, 0, 0, 0, 0, '[]', 0)",
      route,
      model,
      error,
    );
  }
  migrate(sql, "x", 2);
  assert.deepEqual(
    sql.all("SELECT id, model FROM v_hypotheses ORDER BY id").map((row) => ({ ...row })),
    [{ id: "a", model: "m2" }, { id: "b", model: null }, { id: "c", model: null }],
  );
  assert.deepEqual(
    sql.all("SELECT state, elo FROM v_leaderboard").map((row) => Object.values(row)),
    [["draft", 1200], ["draft", 1200], ["draft", 1200]],
    "of which no state is recorded yet",
  );
  sql.close();
});

Deno.test("a store of version 2 keeps its matches in their order, and takes those of a group", () =>
  inFolder((folder) => {
    const path = join(folder, "two.db");
    const sql = new Sql(new DatabaseSync(path));
    migrate(sql, path, 7, MIGRATIONS.slice(0, 2));
    const session = newSession("two");
    const a = hypothesisId("a"), b = hypothesisId("b");
    sql.run(
      "INSERT INTO sessions (id, name, goal, preferences, seed, mode, provider, settings, created_at) VALUES (?, ?, ?, '', 'x', 'live', ?, ?, 3)",
      "ses_two",
      session.name,
      session.goal,
      JSON.stringify(session.provider),
      JSON.stringify(session.settings),
    );
    // Two matches of one commit: their order is that of their rows alone.
    for (const [id, verdict, rowid] of [["mat_2", "second", 5], ["mat_1", "invalid", 9]] as const) {
      sql.run(
        "INSERT INTO tournament_matches (rowid, session, seq, id, label, first_id, second_id, mode, verdict, author, weight, " +
          "judge, prompt_version, revision, task_id, rationale) " +
          "VALUES (?, 'ses_two', 1, ?, ?, ?, ?, 'debate', ?, 'model', 1, 'j', 'p', 0, NULL, 'Because')",
        rowid,
        id,
        rowid === 5 ? "M1" : "M2",
        a,
        b,
        verdict,
      );
    }
    sql.run(
      "INSERT INTO commits (session, seq, at, kind, author, revision, progress, micro_usd, input_tokens, output_tokens, calls, " +
        "unconfirmed_micro_usd) VALUES ('ses_two', 1, 1, 'test', 'engine', 0, 0, 0, 0, 0, 0, 0)",
    );
    sql.run("INSERT INTO session_clocks (session, ran_ms) VALUES ('ses_two', 0)");
    sql.close();

    const store = new Store({ database: path });
    const before = store.view("ses_two").matches;
    assert.deepEqual(
      before.map(({ id, mode, verdict, bothOrders, group, panelist }) => [
        id,
        mode,
        verdict,
        bothOrders,
        group,
        panelist,
      ]),
      [["mat_2", "debate", "second", null, null, null], ["mat_1", "debate", "invalid", null, null, null]],
    );
    assert.equal(store.view("ses_two").rationale("mat_2"), "Because");
    store.commit("ses_two", () =>
      draft([
        hypothesis("a"),
        hypothesis("b"),
        match("k", a, b, { mode: "kwise", group: "grp_1", panelist: "j", weight: 0.5 }),
        match("both", b, a, { verdict: "tie", bothOrders: ["first", "second"] }),
      ]));
    store.close();

    const again = new Store({ database: path });
    assert.deepEqual(
      again.view("ses_two").matches.slice(2).map(({ label, mode, group, bothOrders }) => [
        label,
        mode,
        group,
        bothOrders,
      ]),
      [["M3", "kwise", "grp_1", null], ["M4", "pairwise", null, ["first", "second"]]],
    );
    assert.deepEqual(
      again.sql.all(
        "SELECT label, mode, as_shown, swapped, match_group, panelist FROM v_matches ORDER BY label",
      )
        .slice(-2).map((row) => Object.values(row)),
      [["M3", "kwise", null, null, "grp_1", "j"], ["M4", "pairwise", "first", "second", null, null]],
    );
    assert.match(canonicalExport(again, "ses_two"), /"bothOrders":\["first","second"\].*"group":null/);
    assert.match(canonicalExport(again, "ses_two"), /"group":"grp_1"/);
    assert.equal(
      again.sql.get("SELECT count(*) AS n FROM sqlite_master WHERE name = 'tournament_matches_by_seq'")
        ?.["n"],
      1,
    );
    again.close();
  }));

/** Rows of a version-5 store: two sessions whose records were written in turn. */
function fillVersion5(sql: Sql): void {
  const { provider, settings } = newSession("five");
  for (const id of ["ses_1", "ses_2"]) {
    sql.run(
      "INSERT INTO sessions (id, name, goal, preferences, seed, mode, provider, settings, created_at) " +
        "VALUES (?, ?, 'g', '', 'x', 'live', ?, ?, 3)",
      id,
      id,
      JSON.stringify(provider),
      JSON.stringify(settings),
    );
    sql.run("INSERT INTO session_clocks (session, ran_ms) VALUES (?, 0)", id);
    sql.run(
      "INSERT INTO commits (session, seq, at, kind, author, revision, progress, micro_usd, input_tokens, output_tokens, " +
        "calls, unconfirmed_micro_usd) VALUES (?, 1, 1, 'test', 'engine', 0, 0, 0, 0, 0, 0, 0)",
      id,
    );
    sql.run(
      "INSERT INTO hypotheses (session, seq, id, label, version, title, statement, mechanism, entities, " +
        "anticipated_outcomes, novelty_argument, strategy, parents, citations, dropped_citations, author, generation, task_id) " +
        "VALUES (?, 1, 'hyp_a', 'H1', 1, 'A', '', '', '[]', '', '', 'literature', '[]', '[]', 0, 'model', 0, NULL)",
      id,
    );
    sql.run(
      "INSERT INTO reviews (session, seq, id, label, hypothesis_id, hypothesis_version, kind, verdict, scores, assumptions, " +
        "evidence, dropped_evidence, notes, author, task_id) " +
        "VALUES (?, 1, 'rev_1', 'V1', 'hyp_a', 1, 'full', 'neutral', '{}', '[]', '[]', 0, '', 'model', NULL)",
      id,
    );
    sql.run(
      "INSERT INTO directives (session, seq, id, label, kind, body, recipients, author) " +
        "VALUES (?, 1, 'dir_1', 'D1', 'directive', 'Be brief', '[]', 'Ada')",
      id,
    );
  }
  // Records of one commit: their order is that of their rows alone, which have gaps.
  for (const [rowid, state] of [[4, "draft"], [7, "in_tournament"], [9, "rejected"], [12, "in_tournament"]]) {
    sql.run(
      "INSERT INTO hypothesis_states (rowid, session, seq, hypothesis_id, state, reason) VALUES (?, 'ses_1', 1, 'hyp_a', ?, ?)",
      rowid ?? null,
      state ?? null,
      `row ${rowid}`,
    );
  }
  for (const [rowid, number, after] of [[3, 2, 40], [8, 1, 50]] as const) {
    sql.run(
      "INSERT INTO revisions (rowid, session, seq, id, label, number, kind, target, before, after, author) " +
        "VALUES (?, 'ses_1', 1, ?, ?, ?, 'configure', 'ranking.kFactorNew', '32', ?, 'Ada')",
      rowid,
      `rvn_${number}`,
      `R${number}`,
      number,
      JSON.stringify(after),
    );
  }
  for (const [rowid, key] of [[2, "z"], [6, "a"]] as const) {
    sql.run(
      "INSERT INTO tasks (rowid, session, seq, id, label, key, agent, action, target_id, payload, priority, max_attempts) " +
        "VALUES (?, 'ses_1', 1, ?, ?, ?, 'ranking', 'match', NULL, '{}', 150, 3)",
      rowid,
      `tsk_${key}`,
      rowid === 2 ? "T1" : "T2",
      key,
    );
  }
  for (
    const [session, id] of [["ses_1", "z"], ["ses_2", "y"], ["ses_1", "b"], ["ses_2", "x"], ["ses_1", "a"]]
  ) {
    sql.run(
      "INSERT INTO evidence (session, seq, id, hypothesis_id, kind, claim, stance, source, excerpt, origin) " +
        "VALUES (?, 1, ?, 'hyp_a', 'literature', ?, 'neutral', 'sim:1', '', 'rev_1')",
      session ?? null,
      `evd_${id}`,
      id ?? null,
    );
  }
}

Deno.test("a store of version 5 keeps its rows in their order, and each session's evidence gets labels", () =>
  inFolder((folder) => {
    const path = join(folder, "five.db");
    const sql = new Sql(new DatabaseSync(path));
    migrate(sql, path, 7, MIGRATIONS.slice(0, 5));
    fillVersion5(sql);
    const all = (of: Sql, table: string, columns: string) =>
      of.all(`SELECT rowid, session, seq, ${columns} FROM ${table} ORDER BY rowid`).map((row) => ({
        ...row,
      }));
    const remade = {
      hypothesis_states: "hypothesis_id, state, reason",
      revisions: "id, label, number, kind, target, before, after, author",
      tasks: "id, label, key, agent, action, target_id, payload, priority, max_attempts",
      evidence: "id, hypothesis_id, kind, claim, stance, source, excerpt, origin",
    };
    const before = Object.entries(remade).map(([table, columns]) => all(sql, table, columns));
    sql.close();

    const store = new Store({ database: path });
    assert.deepEqual(
      Object.entries(remade).map(([table, columns]) => all(store.sql, table, columns)),
      before,
    );
    const view = store.view("ses_1"), a = view.hypothesis("hyp_a");
    assert.equal(a?.state, "in_tournament");
    assert.equal(a?.stateReason, "row 12");
    assert.equal(view.settings.ranking.kFactorNew, 50, "the later row holds");
    assert.deepEqual(view.revisions.map(({ label, undoes }) => [label, undoes]), [["R2", null], [
      "R1",
      null,
    ]]);
    assert.deepEqual(view.openTasks.map(({ record }) => record.key), ["z", "a"]);
    assert.deepEqual(
      view.evidence.map(({ label, claim, outcome, weight }) => [label, claim, outcome, weight]),
      [
        ["E1", "z", null, 1],
        ["E2", "b", null, 1],
        ["E3", "a", null, 1],
      ],
    );
    assert.deepEqual(store.view("ses_2").evidence.map(({ label, claim }) => [label, claim]), [
      ["E1", "y"],
      ["E2", "x"],
    ]);
    assert.deepEqual(view.reviews.map(({ weight, amends }) => [weight, amends]), [[1, null]]);
    assert.deepEqual(view.directivesFor("ranking").map(({ text, until }) => [text, until]), [[
      "Be brief",
      null,
    ]]);
    assert.deepEqual([view.gates, view.rejudgements, view.epoch, view.marked("pinned", "hyp_a")], [
      [],
      [],
      0,
      null,
    ]);
    store.close();
  }));

Deno.test("a store of version 5 takes the words that came with version 6, and gives labels on from those there are", () =>
  inFolder((folder) => {
    const path = join(folder, "five.db");
    const sql = new Sql(new DatabaseSync(path));
    migrate(sql, path, 7, MIGRATIONS.slice(0, 5));
    fillVersion5(sql);
    sql.close();
    const store = new Store({ database: path });
    store.commit("ses_1", () =>
      draft([
        { kind: "hypothesisState", record: { hypothesisId: "hyp_a", state: "unfit", reason: "too dear" } },
        task("again", { action: "rejudge" }),
        {
          kind: "revision",
          record: {
            id: "rvn_3",
            number: 3,
            kind: "pin",
            target: "H1",
            before: null,
            after: true,
            author: "Ada",
            undoes: 2,
          },
        },
        {
          kind: "evidence",
          record: {
            id: "evd_new",
            hypothesisId: "hyp_a",
            kind: "experiment",
            claim: "It glowed",
            stance: "supports",
            source: "bench",
            excerpt: "",
            origin: "Ada",
            outcome: "confirmed",
            weight: 2,
          },
        },
        { kind: "mark", record: { targetId: "hyp_a", mark: "pinned", value: true } },
      ]));
    store.close();
    const again = new Store({ database: path });
    const view = again.view("ses_1"), a = view.hypothesis("hyp_a");
    assert.deepEqual([a?.state, a?.pinned, a?.result], ["unfit", true, "confirmed"]);
    assert.equal(view.revisions.at(-1)?.undoes, 2);
    assert.equal(view.taskLabelled("T3")?.record.action, "rejudge");
    assert.deepEqual(view.evidence.map(({ label }) => label), ["E1", "E2", "E3", "E4"]);
    for (const table of ["hypothesis_states", "revisions", "tasks", "marks", "gates", "rejudgements"]) {
      const found = again.sql.get("SELECT 1 AS found FROM sqlite_master WHERE name = ?", `${table}_by_seq`);
      assert.equal(found?.["found"], 1, `${table} has its index`);
    }
    again.close();
  }));

Deno.test("a store of every earlier version gets the newest views, and a program that may only read reads them", () =>
  inFolder((folder) => {
    const viewsOf = (all: (sql: string) => Record<string, unknown>[]) =>
      all("SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY name").map((row) => ({ ...row }));
    const fresh = new Store({ database: ":memory:" });
    const newest = viewsOf((sql) => fresh.sql.all(sql));
    assert.ok(newest.length > 20);
    fresh.close();
    for (const { version } of MIGRATIONS.slice(0, -1)) {
      const path = join(folder, `${version}.db`);
      const old = new Sql(new DatabaseSync(path));
      migrate(old, path, 7, MIGRATIONS.slice(0, version));
      if (version === 5) fillVersion5(old);
      old.close();
      new Store({ database: path }).close();
      const reader = new DatabaseSync(path, { readOnly: true });
      assert.deepEqual(viewsOf((sql) => reader.prepare(sql).all()), newest, `from version ${version}`);
      for (const { name } of newest) {
        const rows = reader.prepare(`SELECT * FROM ${name}`).all();
        if (version === 5 && name === "v_evidence") assert.equal(rows.length, 5);
      }
      assert.throws(() => reader.exec("DELETE FROM sessions"), /readonly/);
      reader.close();
    }
  }));

Deno.test("a released version of the format is never edited", () => {
  const released = MIGRATIONS.slice(0, 6).map(({ sql }) => hashOf(sql).slice(0, 16));
  assert.deepEqual(released, [
    "19926ba0c9397677",
    "d7c84543291b48fd",
    "1cf38f7ee9e06a30",
    "23145a5c5da9a652",
    "e9dde391490133a1",
    "5a17813a01af458d",
  ]);
});

Deno.test("a migration that fails leaves the version before it", () => {
  const sql = new Sql(new DatabaseSync(":memory:"));
  const broken = [
    ...MIGRATIONS.slice(0, 1),
    { version: 2, name: "half", sql: "CREATE TABLE half (x INTEGER); CREATE TABLE half (x INTEGER);" },
  ];
  assert.throws(() => migrate(sql, "x", 0, broken), /half/);
  assert.equal(sql.get("PRAGMA user_version")?.["user_version"], 1);
  assert.equal(sql.get("SELECT count(*) AS n FROM sqlite_master WHERE name = 'half'")?.["n"], 0);
  assert.equal(sql.all("SELECT * FROM schema_migrations").length, 1);
  migrate(sql, "x", 0);
  assert.equal(sql.get("PRAGMA user_version")?.["user_version"], MIGRATIONS.at(-1)?.version);
  sql.close();
});

Deno.test("migrating twice changes nothing, and versions count up from 1", () => {
  const sql = new Sql(new DatabaseSync(":memory:"));
  migrate(sql, "x", 1);
  migrate(sql, "x", 2);
  assert.deepEqual(
    sql.all("SELECT version, applied_at FROM schema_migrations ORDER BY version").map((row) => ({ ...row })),
    MIGRATIONS.map((m) => ({ version: m.version, applied_at: 1 })),
  );
  assert.deepEqual(MIGRATIONS.map((m) => m.version), MIGRATIONS.map((_, i) => i + 1));
  sql.close();
});

/**
 * One name for each session, in a line of forks: `grand` (seq 1 to 4), `middle` forked at 3, `late` forked from that at 5,
 * and `early` forked from it at 2, before its own start. Each session adds one of everything with each of its commits.
 */
function forks(): Store {
  const store = new Store({ database: ":memory:" });
  const add = (session: string, count: number) => {
    for (let i = 0; i < count; i++) {
      const seq = store.view(session).seq + 1, name = `${store.findSession(session)?.name}${seq}`;
      const id = hypothesisId(name), [rival] = store.view(session).hypotheses;
      const played = rival === undefined ? null : match(name, id, rival.record.id);
      store.commit(session, (view) =>
        draft([
          hypothesis(name),
          { kind: "hypothesisState", record: { hypothesisId: id, state: "in_tournament", reason: "" } },
          ...(played === null ? [] : [played, {
            kind: "elo" as const,
            record: {
              epoch: view.epoch,
              matchId: played.record.id,
              firstId: id,
              secondId: played.record.secondId,
              k: 32,
              weight: 1,
              score: 1 as const,
              firstBefore: 1200,
              secondBefore: rival?.elo ?? 0,
              delta: seq,
            },
          }]),
          {
            kind: "revision",
            record: {
              id: `rvn_${name}`,
              number: view.revision + 1,
              kind: "queue",
              target: name,
              before: null,
              after: null,
              author: "Ada",
              undoes: null,
            },
          },
        ]));
      const calls = store.calls(session, "me", () => LIMITS);
      const admission = calls.admit(reservation(100, { taskId: name, overview: true }));
      assert.ok(admission.kind === "admitted");
      calls.settle(admission.id, settlement(100), transcript({ prompt: name }), null);
      store.sql.run("UPDATE transcripts SET seq = ? WHERE session = ? AND seq IS NULL", seq, session);
    }
  };
  const fork = (name: string, parentId: string | null, parentSeq: number) =>
    store.createSession(newSession(name, { parentId, parentSeq })).id;
  const grand = fork("g", null, 0);
  add(grand, 3);
  const middle = fork("m", grand, 3);
  add(grand, 1);
  add(middle, 2);
  const late = fork("l", middle, 5), early = fork("e", middle, 2);
  add(middle, 1);
  add(late, 1);
  add(early, 1);
  return store;
}

/** What each of the sessions holds: the records of its ancestors up to the fork, and its own. */
const HELD = {
  g: ["g1", "g2", "g3", "g4"],
  m: ["g1", "g2", "g3", "m4", "m5", "m6"],
  l: ["g1", "g2", "g3", "m4", "m5", "l6"],
  e: ["g1", "g2", "e3"],
};

Deno.test("views for readers show a fork with its ancestors' records up to the fork, and none of what they did later", () => {
  const store = forks();
  for (const [name, held] of Object.entries(HELD)) {
    const id = store.findSession(name)?.id ?? "", view = store.view(id);
    const read = (sql: string) => store.sql.all(sql, id).map((row) => Object.values(row));
    assert.deepEqual(
      read("SELECT title FROM v_hypotheses WHERE session = ? ORDER BY seq"),
      held.map((h) => [`On ${h}`]),
    );
    assert.deepEqual(view.hypotheses.map(({ record }) => record.title), held.map((h) => `On ${h}`));
    assert.deepEqual(
      read("SELECT label, first, second, delta FROM v_matches WHERE session = ? ORDER BY seq"),
      held.slice(1).map((_, i) => [`M${i + 1}`, `H${i + 2}`, "H1", i + 2]),
    );
    assert.deepEqual(
      read(
        "SELECT label, elo, matches, won, lost FROM v_leaderboard WHERE session = ? ORDER BY elo DESC, label",
      ),
      view.leaderboard.map(({ record, elo, matches, won, lost }) => [record.label, elo, matches, won, lost]),
    );
    assert.deepEqual(
      read("SELECT target, number FROM v_revisions WHERE session = ? ORDER BY seq"),
      held.map((h, i) => [h, i + 1]),
    );
    assert.deepEqual(
      read("SELECT prompt, inherited FROM v_calls WHERE session = ? ORDER BY seq"),
      held.map((h) => [h, h.startsWith(name) ? 0 : 1]),
    );
  }
  store.close();
});

Deno.test("v_stretches says whose commits a session is made of, as the views of the store have it", () => {
  const store = forks();
  const rows = store.sql.all(
    "SELECT x.name AS session, y.name AS ancestor, after, min(upto, 99) AS upto FROM v_stretches v " +
      "JOIN sessions x ON x.id = v.session JOIN sessions y ON y.id = v.ancestor ORDER BY x.rowid, after",
  );
  assert.deepEqual(rows.map((row) => Object.values(row)), [
    ["g", "g", 0, 99],
    ["m", "g", 0, 3],
    ["m", "m", 3, 99],
    ["l", "g", 0, 3],
    ["l", "m", 3, 5],
    ["l", "l", 5, 99],
    // The middle one had no commit of its own yet where it was forked off.
    ["e", "g", 0, 2],
    ["e", "e", 2, 99],
  ]);
  for (const { id, name } of store.sessions()) {
    const own = rows.filter((row) => row["session"] === name);
    assert.deepEqual(store.stretches(id).map(({ from }) => from), own.map((row) => row["after"]));
  }
  store.close();
});

Deno.test("views for readers tell of the newest version, state and epoch, a fork's own and its ancestors'", () => {
  const store = forks();
  const late = store.findSession("l")?.id ?? "";
  const a = hypothesisId("g2"), b = hypothesisId("m4");
  const elo = match("l6", a, b).record;
  store.commit(late, () =>
    draft([
      hypothesis("g2", { version: 2, title: "Edited" }),
      { kind: "hypothesisState", record: { hypothesisId: b, state: "rejected", reason: "" } },
      { kind: "mark", record: { targetId: "elo", mark: "epoch", value: 1 } },
      {
        kind: "elo",
        record: {
          epoch: 1,
          matchId: elo.id,
          firstId: a,
          secondId: b,
          k: 32,
          weight: 2,
          score: 1,
          firstBefore: 1200,
          secondBefore: 1200,
          delta: 7,
        },
      },
    ]));
  const read = (session: string, sql: string) =>
    store.sql.all(sql, store.findSession(session)?.id ?? "").map((row) => Object.values(row));
  const board =
    "SELECT title, state, elo FROM v_leaderboard WHERE session = ? AND label IN ('H2', 'H4') ORDER BY label";
  assert.deepEqual(read("l", board), [["Edited", "in_tournament", 1207], ["On m4", "rejected", 1193]]);
  assert.deepEqual(read("m", board), [["On g2", "in_tournament", 1202], ["On m4", "in_tournament", 1204]]);
  const lines =
    "SELECT label, weight, delta FROM v_matches WHERE session = ? AND delta IS NOT NULL ORDER BY seq";
  assert.deepEqual(read("l", lines), [["M5", 2, 7]]);
  assert.equal(read("m", lines).length, 5);
  store.close();
});

Deno.test("readers in other languages find leaderboard, matches and calls as views", () => {
  const store = new Store({ database: ":memory:" });
  const session = store.createSession(newSession("s")).id;
  const a = hypothesisId("a"), b = hypothesisId("b");
  store.commit(session, () =>
    draft([
      hypothesis("a"),
      hypothesis("b"),
      { kind: "hypothesisState", record: { hypothesisId: a, state: "draft", reason: "" } },
      { kind: "hypothesisState", record: { hypothesisId: a, state: "in_tournament", reason: "" } },
      { kind: "hypothesisState", record: { hypothesisId: b, state: "in_tournament", reason: "" } },
      match("ab", a, b, { verdict: "second" }),
      match("ba", b, a, { verdict: "tie" }),
      {
        kind: "elo",
        record: {
          epoch: 0,
          matchId: match("ab", a, b).record.id,
          firstId: a,
          secondId: b,
          k: 32,
          weight: 1,
          score: 0,
          firstBefore: 1200,
          secondBefore: 1200,
          delta: -16,
        },
      },
      {
        kind: "elo",
        record: {
          epoch: 0,
          matchId: match("ba", b, a).record.id,
          firstId: b,
          secondId: a,
          k: 32,
          weight: 1,
          score: 0.5,
          firstBefore: 1216,
          secondBefore: 1184,
          delta: -1.5,
        },
      },
    ]));
  const rows = store.sql.all(
    "SELECT label, state, elo, matches, won, lost, tied FROM v_leaderboard ORDER BY elo DESC",
  );
  assert.deepEqual(rows.map((row) => Object.values(row)), [
    ["H2", "in_tournament", 1214.5, 2, 1, 0, 1],
    ["H1", "in_tournament", 1185.5, 2, 0, 1, 1],
  ]);
  assert.deepEqual(
    store.view(session).leaderboard.map((h) => [h.record.label, h.elo, h.matches, h.won, h.lost, h.tied]),
    [["H2", 1214.5, 2, 1, 0, 1], ["H1", 1185.5, 2, 0, 1, 1]],
  );
  assert.deepEqual(
    store.sql.all("SELECT label, first, second, verdict, delta, rationale FROM v_matches ORDER BY seq, label")
      .map((row) => Object.values(row)),
    [["M1", "H1", "H2", "second", -16, "Because of ab"], ["M2", "H2", "H1", "tie", -1.5, "Because of ba"]],
  );
  assert.deepEqual(store.sql.all("SELECT * FROM v_calls"), []);
  store.close();
});
