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
import { draft, hypothesis, hypothesisId, match, newSession } from "./fixture.ts";

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
  assert.equal(sql.all("SELECT * FROM v_leaderboard").length, 0);
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

Deno.test("a released version of the format is never edited", () => {
  const released = MIGRATIONS.slice(0, 2).map(({ sql }) => hashOf(sql).slice(0, 16));
  assert.deepEqual(released, ["19926ba0c9397677", "d7c84543291b48fd"]);
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
