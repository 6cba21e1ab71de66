import { type AgentName, type Cost, TASK_STATUSES, type TaskStatus } from "../domain/records.ts";
import { number, type Row, type Sql, type SqlValue, text, textOrNull, word } from "./database.ts";
import { type Archive, noTasks, Projection, type Summary } from "./projection.ts";
import { type Commit, decodeCommit, decodeCost, type RecordKind, type Saved, TABLES } from "./records.ts";
import { select, type Stretch, type Table } from "./table.ts";
import { matchHeads } from "./tables/matches.ts";
import { AGENT_NAMES } from "./tables/session.ts";
import { tasks } from "./tables/tasks.ts";
import type { SessionRecord, TaskStanding } from "./view.ts";

/** Kinds of record whose history a projection starts from as sums. */
const SUMMED: ReadonlySet<RecordKind> = new Set<RecordKind>(["task", "taskState"]);

const KINDS = Object.keys(TABLES) as RecordKind[];

/** Builds the projection of a session up to the end of its last stretch. */
export function loadProjection(sql: Sql, session: SessionRecord, stretches: readonly Stretch[]): Projection {
  const projection: Projection = new Projection(
    session,
    archiveOf(sql, stretches, (): number => projection.seq),
  );
  projection.begin(summarize(sql, stretches));
  for (const stretch of stretches) {
    fold(projection, readKinds(sql, stretch, KINDS.filter((kind) => !SUMMED.has(kind))), new Map());
    projection.reach(stretch.to);
  }
  return projection;
}

/** Catches a projection up with what other handles committed: `(projection.seq, to]` of its own session. */
export function catchUp(sql: Sql, projection: Projection, to: number): void {
  const stretch = { session: projection.session.id, from: projection.seq, to };
  const commits = new Map(readCommits(sql, stretch).map((commit) => [commit.seq, commit]));
  fold(projection, readKinds(sql, stretch, KINDS), commits);
  projection.reach(to);
}

/** The commits of a stretch. */
export function readCommits(sql: Sql, stretch: Stretch): Commit[] {
  return sql.all(
    "SELECT * FROM commits WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq",
    stretch.session,
    stretch.from,
    stretch.to,
  ).map(decodeCommit);
}

/** All records of a stretch, kind by kind. */
export function readKinds(sql: Sql, stretch: Stretch, kinds: readonly RecordKind[]): Saved[] {
  return kinds.flatMap((kind): Saved[] => {
    // Matches without rationales: they are most of a store's text, and views don't hold them.
    if (kind === "match") {
      return select(sql, matchHeads, stretch).map((record) => ({
        kind,
        record: { ...record, rationale: "" },
      }));
    }
    const table: Table<{ readonly seq: number }> = TABLES[kind];
    // The kind names its table and so its record's type; the compiler can't follow that through a union.
    return select(sql, table, stretch).map((record) => ({ kind, record }) as Saved);
  });
}

/** Applies records commit by commit; within a commit in the order of the kinds. */
function fold(projection: Projection, records: readonly Saved[], commits: ReadonlyMap<number, Commit>): void {
  const bySeq = new Map<number, Saved[]>();
  for (const item of records) {
    const list = bySeq.get(item.record.seq);
    if (list === undefined) bySeq.set(item.record.seq, [item]);
    else list.push(item);
  }
  const seqs = new Set([...bySeq.keys(), ...commits.keys()]);
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    projection.apply(seq, bySeq.get(seq) ?? [], commits.get(seq) ?? null);
  }
}

/** The condition for rows of these stretches; the first column names a table with `session` and `seq`. */
function within(stretches: readonly Stretch[], prefix = ""): { where: string; params: SqlValue[] } {
  return {
    where: `(${
      stretches.map(() => `(${prefix}session = ? AND ${prefix}seq > ? AND ${prefix}seq <= ?)`).join(" OR ")
    })`,
    params: stretches.flatMap((stretch) => [stretch.session, stretch.from, stretch.to]),
  };
}

function summarize(sql: Sql, stretches: readonly Stretch[]): Summary {
  const ended = noTasks();
  const states = within(stretches, "s.");
  const later = within(stretches, "o.");
  const latest =
    `SELECT s.* FROM task_states s WHERE ${states.where} AND NOT EXISTS (SELECT 1 FROM task_states o ` +
    `WHERE ${later.where} AND o.task_id = s.task_id AND (o.seq > s.seq OR (o.seq = s.seq AND o.rowid > s.rowid)))`;
  const latestParams = [...states.params, ...later.params];
  for (
    const row of sql.all(`SELECT status, count(*) AS n FROM (${latest}) GROUP BY status`, ...latestParams)
  ) {
    const status = word(row, "status", TASK_STATUSES);
    if (status === "done" || status === "dead" || status === "cancelled" || status === "void") {
      ended[
        status
      ] = number(row, "n");
    }
  }
  const enqueued = within(stretches, "t.");
  const open = sql.all(
    `SELECT t.*, l.status AS latest_status, l.attempts AS latest_attempts, l.reason AS latest_reason FROM tasks t ` +
      `LEFT JOIN (${latest}) l ON l.task_id = t.id WHERE ${enqueued.where} ` +
      `AND (l.status IS NULL OR l.status NOT IN ('done', 'cancelled', 'void')) ORDER BY t.seq, t.rowid`,
    ...latestParams,
    ...enqueued.params,
  ).map((row) => standingOf(row));
  const commits = within(stretches);
  const fruitless = sql.get(
    `SELECT count(*) AS n FROM commits WHERE ${commits.where} AND progress = -1 AND seq > ` +
      `coalesce((SELECT max(seq) FROM commits WHERE ${commits.where} AND progress = 1), 0)`,
    ...commits.params,
    ...commits.params,
  );
  const costs = sql.all(
    `SELECT agent, sum(micro_usd) AS micro_usd, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, ` +
      `sum(calls) AS calls, sum(unconfirmed_micro_usd) AS unconfirmed_micro_usd FROM commits WHERE ${commits.where} GROUP BY agent`,
    ...commits.params,
  ).map((row): [AgentName | null, Cost] => {
    const agent = textOrNull(row, "agent");
    return [AGENT_NAMES.find((name) => name === agent) ?? null, decodeCost(row)];
  });
  const all = sql.get(`SELECT count(*) AS n FROM tasks t WHERE ${enqueued.where}`, ...enqueued.params);
  return {
    tasks: open,
    ended,
    fruitless: number(fruitless ?? { n: 0 }, "n"),
    costs,
    enqueued: number(all ?? { n: 0 }, "n"),
  };
}

function standingOf(row: Row): TaskStanding {
  const status: TaskStatus = row["latest_status"] === null
    ? "pending"
    : word(row, "latest_status", TASK_STATUSES);
  return {
    record: tasks.decode(row),
    status,
    attempts: row["latest_attempts"] === null ? 0 : number(row, "latest_attempts"),
    reason: textOrNull(row, "latest_reason") ?? "",
  };
}

function archiveOf(sql: Sql, stretches: readonly Stretch[], seq: () => number): Archive {
  const last = stretches.at(-1);
  const upTo = (): Stretch[] =>
    stretches.map((
      stretch,
    ) => (stretch === last ? { ...stretch, to: Math.max(stretch.to, seq()) } : stretch));
  return {
    rationale(matchId) {
      const { where, params } = within(upTo());
      const row = sql.get(
        `SELECT rationale FROM tournament_matches WHERE id = ? AND ${where}`,
        matchId,
        ...params,
      );
      return row === undefined ? "" : text(row, "rationale");
    },
    endedTask(id) {
      const task = within(upTo(), "t.");
      const state = within(upTo(), "s.");
      const row = sql.get(
        `SELECT t.*, s.status AS latest_status, s.attempts AS latest_attempts, s.reason AS latest_reason FROM tasks t ` +
          `JOIN task_states s ON s.task_id = t.id AND ${state.where} WHERE t.id = ? AND ${task.where} ORDER BY s.seq DESC LIMIT 1`,
        ...state.params,
        id,
        ...task.params,
      );
      return row === undefined ? undefined : standingOf(row);
    },
    hasTask(key) {
      const { where, params } = within(upTo());
      return sql.get(`SELECT 1 AS found FROM tasks WHERE key = ? AND ${where}`, key, ...params) !== undefined;
    },
  };
}
