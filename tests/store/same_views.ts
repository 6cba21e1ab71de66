import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Supervisor } from "../../mod.ts";
import type { FrameColumn } from "../../lib/notebook/frames/columns.ts";
import type { FrameName } from "../../lib/supervisor/frames.ts";

/** A database as any program reads it: with nothing of ours added. */
export function plain(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  return {
    all: (sql: string, ...params: string[]): Record<string, unknown>[] =>
      db.prepare(sql).all(...params).map((row) => ({ ...row })),
    close: () => db.close(),
  };
}

/** Views of which one row a record is a frame's row, with the columns by which rows are told apart. */
const SAME: readonly {
  readonly view: string;
  readonly frame: FrameName;
  readonly key: readonly string[];
  readonly where?: string;
}[] = [
  { view: "v_leaderboard", frame: "leaderboard", key: ["label"], where: "state = 'in_tournament'" },
  { view: "v_hypotheses", frame: "hypotheses", key: ["label"] },
  { view: "v_leaderboard", frame: "hypotheses", key: ["label"] },
  { view: "v_matches", frame: "matches", key: ["label"] },
  { view: "v_rejudgements", frame: "rejudgements", key: ["match", "batch"] },
  { view: "v_reviews", frame: "reviews", key: ["label"] },
  { view: "v_scores", frame: "scores", key: ["review", "criterion"] },
  { view: "v_evidence", frame: "evidence", key: ["label"] },
  { view: "v_feedback", frame: "feedback", key: ["label"] },
  { view: "v_duplicates", frame: "duplicates", key: ["duplicate_of"] },
  { view: "v_revisions", frame: "revisions", key: ["label"] },
  { view: "v_directives", frame: "directives", key: ["label"] },
  { view: "v_tasks", frame: "tasks", key: ["label"] },
  { view: "v_calls", frame: "calls", key: ["n"] },
  { view: "v_costs", frame: "costs", key: ["agent", "model", "prompt", "prompt_version"] },
  { view: "v_commits", frame: "commits", key: ["seq"] },
  { view: "v_events", frame: "events", key: ["n"] },
];

/** A frame's value as a view has it. */
function asInSql({ type }: FrameColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "boolean":
      return value === true ? 1 : 0;
    case "time":
      return Date.parse(String(value));
    case "list":
    case "json":
      return value;
    case "double":
      return Math.round(Number(value) * 1e9) / 1e9;
    case "integer":
    case "text":
      return value;
  }
}

/** A view's value so that it can be compared. */
function fromSql({ type }: FrameColumn, value: unknown): unknown {
  if (value === null) return null;
  if (type === "list" || type === "json") return JSON.parse(String(value));
  return type === "double" ? Math.round(Number(value) * 1e9) / 1e9 : value;
}

/** Rows in the order of what tells them apart. */
export function byKey(rows: readonly Record<string, unknown>[], key: readonly string[]) {
  const keyOf = (row: Record<string, unknown>) => key.map((name) => String(row[name])).join("\0");
  return rows.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
}

/** Asserts that the views say of a session what its frames say; returns how many rows each view has of it. */
export function assertSame(
  path: string,
  lab: Pick<Supervisor, "name" | "view" | "frame">,
): Map<string, number> {
  const db = plain(path);
  const counts = new Map<string, number>();
  for (const { view, frame: name, key, where = "1" } of SAME) {
    const frame = lab.frame(name);
    const rows = db.all(`SELECT * FROM ${view} WHERE session_name = ? AND ${where}`, lab.name);
    const columns = new Set(db.all(`PRAGMA table_info(${view})`).map((column) => column["name"]));
    const both = frame.columns.filter(({ column }) => columns.has(column));
    assert.ok(both.length >= 5, `${view} and the frame ${name} have little in common`);
    const here = [...frame].map((row) =>
      Object.fromEntries(
        both.map((column) => [column.column, asInSql(column, Reflect.get(row, column.name))]),
      )
    );
    const there = rows.map((row) =>
      Object.fromEntries(both.map((column) => [column.column, fromSql(column, row[column.column])]))
    );
    assert.deepEqual(byKey(there, key), byKey(here, key), `${view} and the frame ${name} of ${lab.name}`);
    assert.ok(
      rows.every((row) =>
        row["simulated"] === (frame.simulated ? 1 : 0) && row["session"] === lab.view().session.id
      ),
    );
    counts.set(`${view}/${name}`, rows.length);
  }
  db.close();
  return counts;
}
