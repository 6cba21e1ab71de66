import { TASK_STATUSES, type TaskRecord } from "../domain/records.ts";
import { number, type Row, type Sql, type SqlValue, text, textOrNull, word } from "./database.ts";
import type { Archive, Summary } from "./archive.ts";
import { noTasks, Projection } from "./projection.ts";
import { type Commit, decodeCommit, decodeCost, type Effect, type RecordKind, TABLES } from "./records.ts";
import { readRatings } from "./remembered_ratings.ts";
import { select, type Stretch, type Table } from "./table.ts";
import { matchHeads } from "./tables/matches.ts";
import { AGENT_NAMES } from "./tables/session.ts";
import { tasks } from "./tables/tasks.ts";
import type { OpenRatings, SessionRecord, TaskStanding } from "./view.ts";

const KINDS = Object.keys(TABLES) as RecordKind[];

/** Kinds that a projection reads from the start; of tasks and matches it begins with sums. */
const READ = KINDS.filter((kind) => kind !== "task" && kind !== "taskState" && kind !== "match");

/** A task with one of these statuses is history; the words stand so in the index `task_ends`. */
const ENDED_FOR_GOOD = "('done', 'cancelled', 'void')";

/** Builds the projection of a session up to the end of its last stretch. */
export function loadProjection(
  sql: Sql,
  session: SessionRecord,
  stretches: readonly Stretch[],
  openRatings: OpenRatings,
): Projection {
  const projection: Projection = new Projection(
    session,
    archiveOf(sql, stretches, (): number => projection.seq),
    openRatings,
  );
  projection.begin(summarize(sql, session.id, stretches));
  for (const [i, stretch] of stretches.entries()) {
    if (i > 0) projection.branch();
    fold(projection, sql, stretch, READ, new Map());
    projection.reach(stretch.to);
  }
  return projection;
}

/** Catches a projection up with what other handles committed: `(projection.seq, to]` of its own session. */
export function catchUp(sql: Sql, projection: Projection, to: number): void {
  const stretch = { session: projection.session.id, from: projection.seq, to };
  const commits = new Map(readCommits(sql, stretch).map((commit) => [commit.seq, commit]));
  fold(projection, sql, stretch, KINDS, commits);
  projection.reach(to);
}

/** The commits of a stretch, in their order. */
export function readCommits(sql: Sql, stretch: Stretch): Commit[] {
  return sql.all(
    "SELECT * FROM commits WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq",
    stretch.session,
    stretch.from,
    stretch.to,
  ).map(decodeCommit);
}

/** Applies the records of a stretch commit by commit; within a commit in the order of the kinds. */
function fold(
  projection: Projection,
  sql: Sql,
  stretch: Stretch,
  kinds: readonly RecordKind[],
  commits: ReadonlyMap<number, Commit>,
): void {
  const columns = kinds.map((kind) => ({ kind, records: readKind(sql, stretch, kind), next: 0 }))
    .filter(({ records }) => records.length > 0);
  const counted = [...commits.keys()];
  const batch: Effect[] = [];
  let nextCounted = 0;
  for (;;) {
    let seq = counted[nextCounted] ?? Infinity;
    for (const { records, next } of columns) seq = Math.min(seq, records[next]?.seq ?? Infinity);
    if (seq === Infinity) return;
    if (counted[nextCounted] === seq) nextCounted++;
    batch.length = 0;
    for (const column of columns) {
      for (
        let record = column.records[column.next];
        record?.seq === seq;
        record = column.records[column.next]
      ) {
        // The kind names its table and so its record's type; the compiler can't follow that through a union.
        batch.push({ kind: column.kind, record } as Effect);
        column.next++;
      }
    }
    projection.apply(seq, batch, commits.get(seq) ?? null);
  }
}

function readKind(sql: Sql, stretch: Stretch, kind: RecordKind): { readonly seq: number }[] {
  const table: Table<{ readonly seq: number }> = kind === "match" ? matchHeads : TABLES[kind];
  return select(sql, table, stretch);
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

/** The tasks that are open at the end of the last stretch, oldest first. */
export function readOpenTasks(sql: Sql, stretches: readonly Stretch[]): TaskStanding[] {
  return readTasks(sql, stretches).standing.filter((task) => task.status !== "dead");
}

/** Tasks that have not ended for good, how many ended, and how many there are. */
function readTasks(sql: Sql, stretches: readonly Stretch[]) {
  const ended = noTasks();
  const states = within(stretches, "s.");
  const enqueued = within(stretches, "t.");
  const all = count(sql, `SELECT count(*) AS n FROM tasks t WHERE ${enqueued.where}`, enqueued.params);
  let open = all;
  for (
    const row of sql.all(
      `SELECT s.status, count(*) AS n FROM task_states s WHERE ${states.where} AND s.status IN ${ENDED_FOR_GOOD} GROUP BY s.status`,
      ...states.params,
    )
  ) {
    ended[word(row, "status", TASK_STATUSES)] = number(row, "n");
    open -= number(row, "n");
  }
  const standing = openTasks(sql, stretches, open);
  ended.dead = standing.filter((task) => task.status === "dead").length;
  return { standing, ended, all };
}

function summarize(sql: Sql, own: string, stretches: readonly Stretch[]): Summary {
  const { standing, ended, all } = readTasks(sql, stretches);
  const commits = within(stretches);
  const fruitless = count(
    sql,
    `SELECT count(*) AS n FROM commits WHERE ${commits.where} AND progress = -1 AND seq > ` +
      `coalesce((SELECT max(seq) FROM commits WHERE ${commits.where} AND progress = 1), 0)`,
    [...commits.params, ...commits.params],
  );
  const costs = sql.all(
    `SELECT agent, session <> ? AS inherited, sum(micro_usd) AS micro_usd, sum(input_tokens) AS input_tokens, ` +
      `sum(output_tokens) AS output_tokens, sum(calls) AS calls, sum(unconfirmed_micro_usd) AS unconfirmed_micro_usd ` +
      `FROM commits WHERE calls > 0 AND ${commits.where} GROUP BY agent, inherited`,
    own,
    ...commits.params,
  ).map((row) => {
    const agent = textOrNull(row, "agent");
    return {
      agent: AGENT_NAMES.find((name) => name === agent) ?? null,
      cost: decodeCost(row),
      inherited: number(row, "inherited") === 1,
    };
  });
  const played = sql.get(
    `SELECT count(*) AS n, coalesce(sum(verdict <> 'invalid'), 0) AS valid FROM tournament_matches WHERE ${commits.where}`,
    ...commits.params,
  ) ?? { n: 0, valid: 0 };
  return {
    tasks: standing,
    ended,
    fruitless,
    costs,
    enqueued: all,
    matches: number(played, "n"),
    validMatches: number(played, "valid"),
  };
}

/**
 * The tasks that have not ended for good, oldest first, with their latest states. There are `open` of them and most are
 * new, so that the search from the newest one backwards ends soon.
 */
function openTasks(sql: Sql, stretches: readonly Stretch[], open: number): TaskStanding[] {
  if (open <= 0) return [];
  const states = within(stretches, "s.");
  const enqueued = within(stretches, "t.");
  const records = sql.all(
    `SELECT t.* FROM tasks t WHERE ${enqueued.where} AND NOT EXISTS (SELECT 1 FROM task_states s WHERE ${states.where} ` +
      `AND s.task_id = t.id AND s.status IN ${ENDED_FOR_GOOD}) ORDER BY t.seq DESC, t.rowid DESC LIMIT ?`,
    ...enqueued.params,
    ...states.params,
    open,
  ).map((row) => tasks.decode(row)).reverse();
  const latest = new Map(
    sql.all(
      `SELECT s.task_id, s.status, s.attempts, s.reason FROM json_each(?) i CROSS JOIN task_states s ON s.task_id = i.value ` +
        `WHERE ${states.where} ORDER BY s.seq, s.rowid`,
      JSON.stringify(records.map((record) => record.id)),
      ...states.params,
    ).map((row) => [text(row, "task_id"), row]),
  );
  return records.map((record) => standingOf(record, latest.get(record.id)));
}

function count(sql: Sql, query: string, params: readonly SqlValue[]): number {
  return number(sql.get(query, ...params) ?? { n: 0 }, "n");
}

function standingOf(record: TaskRecord, state: Row | undefined): TaskStanding {
  if (state === undefined) return { record, status: "pending", attempts: 0, reason: "" };
  return {
    record,
    status: word(state, "status", TASK_STATUSES),
    attempts: number(state, "attempts"),
    reason: text(state, "reason"),
  };
}

function archiveOf(sql: Sql, stretches: readonly Stretch[], seq: () => number): Archive {
  const last = stretches.at(-1);
  const upTo = (): Stretch[] =>
    stretches.map((
      stretch,
    ) => (stretch === last ? { ...stretch, to: Math.max(stretch.to, seq()) } : stretch));
  return {
    matches: () => upTo().flatMap((stretch) => select(sql, matchHeads, stretch)),
    rationale(matchId) {
      const { where, params } = within(upTo());
      const row = sql.get(
        `SELECT rationale FROM tournament_matches WHERE id = ? AND ${where}`,
        matchId,
        ...params,
      );
      return row === undefined ? "" : text(row, "rationale");
    },
    ratings(seq) {
      for (const stretch of upTo().reverse()) {
        const kept = seq > stretch.to ? null : readRatings(sql, stretch.session, seq);
        if (kept !== null) return kept;
      }
      return null;
    },
    endedTask(id) {
      const task = within(upTo(), "t.");
      const state = within(upTo(), "s.");
      const record = sql.get(`SELECT t.* FROM tasks t WHERE t.id = ? AND ${task.where}`, id, ...task.params);
      if (record === undefined) return undefined;
      const latest = sql.get(
        `SELECT s.status, s.attempts, s.reason FROM task_states s WHERE s.task_id = ? AND ${state.where} ` +
          `ORDER BY s.seq DESC, s.rowid DESC LIMIT 1`,
        id,
        ...state.params,
      );
      return standingOf(tasks.decode(record), latest);
    },
    taskLabelled(label) {
      const { where, params } = within(upTo());
      const row = sql.get(`SELECT id FROM tasks WHERE label = ? AND ${where}`, label, ...params);
      return row === undefined ? undefined : text(row, "id");
    },
    hasTask(key) {
      const { where, params } = within(upTo());
      return sql.get(`SELECT 1 AS found FROM tasks WHERE key = ? AND ${where}`, key, ...params) !== undefined;
    },
  };
}
