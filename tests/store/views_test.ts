/** The views for readers in other languages: what their page says of them, and that they say the same as everything else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { APPLICATION_ID, MIGRATIONS } from "../../lib/store/schema.ts";
import { readCommits } from "../../lib/store/load.ts";
import { recordId } from "../../lib/domain/ids.ts";
import { rng } from "../../lib/domain/rng.ts";
import { rootOf } from "../../lib/store/merged_root.ts";
import type { Entry } from "../../lib/store/records.ts";
import { Store } from "../../lib/store/store.ts";
import { Supervisor } from "../../mod.ts";
import { draft, hypothesis, hypothesisId, newSession } from "./fixture.ts";
import { withFolder } from "../supervisor/support.ts";
import { enter } from "../engine/support/session.ts";
import { assertSame, byKey, plain } from "./same_views.ts";
import { findPython, pythonTest, runPython } from "./python.ts";
import { STEERED, steeredStore } from "./steered.ts";

const PAGE = fileURLToPath(new URL("../../lib/store/VIEWS.md", import.meta.url));

/** A section of the page. */
interface Section {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly python: readonly string[];
  readonly sql: readonly string[];
}

function sections(): Section[] {
  const [, ...parts] = Deno.readTextFileSync(PAGE).split(/^## /m);
  return parts.map((part) => ({
    name: part.slice(0, part.indexOf("\n")).trim(),
    columns: [...part.matchAll(/^\| `(\w+)`\s*\| ([^|]+?)\s*\| \S[^|]*\|$/gm)].map((
      [, name = "", type = ""],
    ) => ({ name, type })),
    python: [...part.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code),
    sql: [...part.matchAll(/^DBI::dbGetQuery\(db, "(.*)"\)$/gm)].map(([, sql = ""]) => sql),
  }));
}

const [EVERY, ...VIEWS] = sections();
const WHOSE = ["session", "session_name", "simulated"];

/** A store with sessions in which everything has happened, and the handles on them. */
async function withSteered(
  work: (found: { path: string; folder: string; labs: readonly Supervisor[] }) => Promise<void> | void,
): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, "aml.db");
    const labs = await steeredStore(path);
    try {
      await work({ path, folder, labs });
    } finally {
      for (const lab of labs) await lab.close();
    }
  });
}

Deno.test("the page tells of every view and of every column, and of nothing else", () => {
  const db = new DatabaseSync(":memory:");
  for (const { sql } of MIGRATIONS) db.exec(sql);
  const views = db.prepare("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name").all()
    .map(({ name }) => String(name));
  assert.deepEqual(VIEWS.map(({ name }) => name).sort(), views);
  assert.equal(EVERY?.name, "Every view");
  assert.deepEqual(EVERY?.columns.map(({ name }) => name), WHOSE);
  for (const { name, columns, python, sql } of VIEWS) {
    const there = db.prepare(`PRAGMA table_info(${name})`).all().map((column) => String(column["name"]));
    assert.deepEqual([...WHOSE, ...columns.map((column) => column.name)], there, name);
    assert.deepEqual([python.length, sql.length], [1, 1], `${name} has an example for pandas and one for R`);
  }
  db.close();
});

/** What a value must be where the page names a type; everything else is a number in a unit. */
function fits(type: string, value: unknown): boolean {
  if (value === null) return true;
  switch (type) {
    case "text":
      return typeof value === "string";
    case "JSON":
      return typeof value === "string" && JSON.parse(value) !== undefined;
    case "0/1":
      return value === 0 || value === 1;
    case "ms":
      return Number.isInteger(value) && Number(value) > Date.UTC(2020);
    case "integer":
    case "tokens":
    case "ms of time":
      return Number.isInteger(value);
    case "real":
    case "USD":
    case "Elo points":
    case "0 to 1":
    case "-1 to 1":
      return typeof value === "number";
    default:
      throw new Error(`The page has a type "${type}" that this test doesn't know`);
  }
}

Deno.test("views of a store in which everything has happened", (t) =>
  withSteered(async ({ path, folder, labs }) => {
    const [lab] = labs;
    assert.ok(lab !== undefined);
    await t.step(
      "views and frames say the same of a steered session, of its forks, and of a fork's fork",
      () => {
        const sums = new Map<string, number>();
        for (const lab of labs) {
          for (const [view, count] of assertSame(path, lab)) sums.set(view, (sums.get(view) ?? 0) + count);
        }
        assert.deepEqual([...sums].filter(([, count]) => count === 0), [], "each was compared by rows");
      },
    );

    await t.step(
      "what views tell beyond frames is what the records say, and of the types that the page names",
      () => {
        const db = plain(path);
        for (const { name, columns } of VIEWS) {
          const rows = db.all(`SELECT * FROM ${name}`);
          assert.ok(rows.length > 0, `${name} has rows`);
          for (const column of columns) {
            const wrong = rows.find((row) => !fits(column.type, row[column.name]));
            assert.equal(wrong, undefined, `${name}.${column.name} is ${column.type}`);
          }
        }
        for (const lab of labs) {
          const view = lab.view(), { store } = lab;
          const rows = (sql: string) =>
            db.all(`${sql.includes("WHERE") ? sql : `${sql} WHERE session_name = ?`}`, lab.name);
          const [session] = rows("SELECT * FROM v_sessions");
          assert.deepEqual(
            [session?.["status"], session?.["stop_reason"], session?.["seq"], session?.["objective"]],
            [view.status, view.stopReason, view.seq, view.plan?.objective],
            lab.name,
          );
          assert.equal(
            session?.["parent"] ?? null,
            view.session.parentId === null
              ? null
              : store.sessions().find(({ id }) => id === view.session.parentId)?.name,
          );
          assert.equal(session?.["usd"], lab.cost().total.usd);

          // Each hypothesis's births aside, the trajectories are those of the frame.
          const points = lab.frame("elo").filter(({ revision }) => revision !== null);
          const sql = rows("SELECT match, hypothesis, elo, seq, revision FROM v_elo");
          assert.deepEqual(
            byKey(sql, ["hypothesis", "match"]),
            byKey(
              points.map(({ match, hypothesis, elo, seq, revision }) => ({
                match,
                hypothesis,
                elo,
                seq,
                revision,
              })),
              ["hypothesis", "match"],
            ),
          );
          assert.ok(sql.length > 0);

          assert.deepEqual(
            rows("SELECT child_id, parent_id FROM v_lineage").map((row) =>
              `${row["child_id"]} ${row["parent_id"]}`
            ).sort(),
            lab.frame("lineage").flatMap(({ id, parents }) => parents.map((parent) => `${id} ${parent}`))
              .sort(),
          );
          assert.deepEqual(
            rows("SELECT hypothesis, merged_into FROM v_merged").map((row) => Object.values(row)),
            lab.frame("hypotheses").filter(({ mergedInto }) => mergedInto !== null).map((
              row,
            ) => [row.label, row.mergedInto]),
          );
          assert.equal(rows("SELECT epoch FROM v_epochs")[0]?.["epoch"] ?? 0, view.epoch);
          const commits = store.stretches(view.session.id).flatMap((stretch) =>
            readCommits(store.sql, stretch)
          );
          assert.equal(rows("SELECT * FROM v_commits").length, commits.length);
        }
        db.close();
      },
    );

    await t.step(
      "what newcomers begin with is what the settings said when the session began, not what it was created with",
      () => {
        const db = plain(path);
        const draft = db.all("SELECT elo FROM v_leaderboard WHERE session_name = ? AND matches = 0", STEERED);
        assert.ok(draft.length > 0);
        assert.ok(draft.every(({ elo }) => elo === 1500));
        assert.equal(lab.view().session.settings.ranking.eloInitial, 1200);
        db.close();
      },
    );

    await t.step("the queries that the page gives for R run", () => {
      const db = plain(path);
      for (const { name, sql } of VIEWS) {
        for (const query of sql) assert.ok(Array.isArray(db.all(query)), name);
      }
      db.close();
    });

    await t.step(
      pythonTest(
        await findPython(),
        "Python's own sqlite3 reads every view, as many rows as here",
        async (python) => {
          const program = `
import json, sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")]
print(json.dumps({name: len(db.execute(f"SELECT * FROM {name}").fetchall()) for name in names}))
`;
          const { ok, text } = await runPython(python, program, path);
          assert.ok(ok, text);
          const db = plain(path);
          const here = VIEWS.map((
            { name },
          ) => [name, Number(db.all(`SELECT count(*) AS n FROM ${name}`)[0]?.["n"])]);
          assert.deepEqual(JSON.parse(text), Object.fromEntries(here));
          db.close();
        },
      ),
    );

    await t.step(
      pythonTest(await findPython("pandas"), "the page's examples for pandas run", async (python) => {
        const [opening = ""] = [...(await Deno.readTextFile(PAGE)).matchAll(/^```python\n([\s\S]*?)^```/gm)]
          .map(([, code = ""]) => code);
        const named = (code: string) => code.replaceAll('params=["aml"]', `params=["${STEERED}"]`);
        const program = [
          "import os, sys",
          "os.chdir(sys.argv[1])",
          named(opening),
          "assert str(matches['at'].dtype).startswith('datetime64') and len(matches) > 5, matches.dtypes",
          ...VIEWS.flatMap(({ python: examples }) => examples.map(named)),
          "assert len(trajectories) > 5 and commits.spent.iloc[-1] > 0",
        ].join("\n");
        const { ok, text } = await runPython(python, program, folder);
        assert.ok(ok, text);
        assert.ok(path.startsWith(folder));
      }),
    );

    await t.step(
      "a store of version 6 gets the views, and they say of its sessions what its records say",
      async () => {
        for (const lab of labs) await lab.close();
        const old = new DatabaseSync(path);
        const views = old.prepare("SELECT name FROM sqlite_master WHERE type = 'view'").all();
        for (const { name } of views) old.exec(`DROP VIEW ${name}`);
        const six = MIGRATIONS[5]?.sql ?? "";
        old.exec(six.slice(six.indexOf("-- Whose commits a session is made of")));
        old.exec("DELETE FROM schema_migrations WHERE version > 6; PRAGMA user_version = 6");
        old.close();
        const again = await Supervisor.open({ store: path, session: STEERED, environment: {} });
        assert.equal(again.store.sql.get("PRAGMA application_id")?.["application_id"], APPLICATION_ID);
        assertSame(path, again);
        await again.close();
      },
    );
  }));

Deno.test("what newcomers begin with is the setting in force, after undoing it and in forks too", () =>
  withFolder(async (folder) => {
    const path = join(folder, "aml.db");
    await using lab = await enter(path);
    const begun = () =>
      Object.fromEntries(
        lab.store.sql.all(
          "SELECT session_name, max(elo) AS elo FROM v_leaderboard WHERE matches = 0 GROUP BY session_name",
        ).map((row) => [String(row["session_name"]), row["elo"]]),
      );
    lab.configure({ ranking: { eloInitial: 1500 } });
    const { seq } = lab.view();
    lab.configure({ ranking: { eloInitial: 1600 } });
    lab.undo();
    lab.undo();
    await using other = await lab.fork({ name: "other", settings: { ranking: { eloInitial: 1350 } } });
    await using early = await lab.fork({ name: "early", at: seq });
    const labs = [lab, other, early];
    for (const [i, each] of labs.entries()) {
      await each.addHypothesis(`Compound ${i} makes cells of tissue ${i} glow in the dark`, {
        author: "Ada",
      });
    }
    assert.deepEqual(begun(), { [STEERED]: 1200, other: 1350, early: 1500 });
    for (const each of labs) {
      assert.deepEqual(each.frame("hypotheses").map(({ elo }) => elo), [begun()[each.name]]);
    }
  }));

Deno.test("v_merged and v_leaderboard know who stands for whom, and what results say, whatever was merged into what", () => {
  const store = new Store({ database: ":memory:" });
  for (let seed = 0; seed < 20; seed++) {
    const session = store.createSession(newSession(`merges ${seed}`)).id;
    const chance = rng("merges", String(seed), "who");
    const names = ["a", "b", "c", "d", "e", "f"];
    const any = () => hypothesisId(names[chance.int(names.length)] ?? "a");
    store.commit(session, () => draft(names.map((name) => hypothesis(name))));
    for (let i = 0; i < 8; i++) {
      const targetId = any(), into = chance.int(5) === 0 ? null : any();
      const entries: Entry[] = [{
        kind: "evidence",
        record: {
          id: recordId("evd", `${seed}/${i}`),
          hypothesisId: any(),
          kind: "experiment",
          claim: "It glowed",
          stance: "supports",
          source: "",
          excerpt: "",
          origin: "Ada",
          outcome: chance.int(2) === 0 ? "confirmed" : "refuted",
          weight: 1 + chance.int(2),
        },
      }];
      if (targetId !== into) {
        entries.push({ kind: "mark", record: { targetId, mark: "merged", value: into } });
      }
      store.commit(session, () => draft(entries));
    }
    const view = store.view(session);
    const merged = new Map(
      names.map(hypothesisId).map((id) => [id, view.marked("merged", id)] as const).filter(([, into]) =>
        into !== null
      ),
    );
    const rows = (sql: string) => store.sql.all(sql, session).map((row) => ({ ...row }));
    assert.deepEqual(
      rows("SELECT hypothesis_id AS id, stands_for_it_id AS root FROM v_merged WHERE session = ? ORDER BY 1"),
      [...merged.keys()].sort().map((id) => ({ id, root: rootOf(id, merged) })),
    );
    assert.deepEqual(
      rows("SELECT id, result FROM v_leaderboard WHERE session = ? ORDER BY id"),
      view.hypotheses.map(({ record, result }) => ({ id: record.id, result })).sort((a, b) =>
        a.id < b.id ? -1 : 1
      ),
    );
  }
  const count = (sql: string) => Number(store.sql.get(sql)?.["n"]);
  assert.ok(count("SELECT count(*) AS n FROM v_merged") > 40);
  assert.ok(
    count("SELECT count(*) AS n FROM v_merged WHERE stands_for_it_id = hypothesis_id") > 3,
    "circles too",
  );
  store.close();
});
