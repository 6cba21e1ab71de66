import type { MicroUsd } from "../domain/money.ts";
import { type Cost, TASK_ACTIONS, type TaskAction } from "../domain/records.ts";
import { number, type Sql, text } from "./database.ts";
import { decodeCost } from "./records.ts";
import type { Stretch } from "./table.ts";

/** What the tasks of one kind of work did cost together. */
export interface WorkCost {
  /** Which work. */
  readonly action: TaskAction;
  /** How many tasks made calls: one that needed none says nothing of what one costs. */
  readonly tasks: number;
  /** Their cost, failed attempts included. */
  readonly cost: Cost;
}

/** What a stretch of commits did cost, by work: read as sums, since it is asked before each run. */
export function workCosts(sql: Sql, stretch: Stretch): WorkCost[] {
  return sql.all(
    "SELECT kind, count(DISTINCT task_id) AS tasks, sum(micro_usd) AS micro_usd, sum(input_tokens) AS input_tokens, " +
      "sum(output_tokens) AS output_tokens, sum(calls) AS calls, sum(unconfirmed_micro_usd) AS unconfirmed_micro_usd " +
      "FROM commits WHERE session = ? AND seq > ? AND seq <= ? AND calls > 0 AND task_id IS NOT NULL GROUP BY kind",
    stretch.session,
    stretch.from,
    stretch.to,
  ).flatMap((row) => {
    const action = TASK_ACTIONS.find((known) => known === text(row, "kind"));
    return action === undefined ? [] : [{ action, tasks: number(row, "tasks"), cost: decodeCost(row) }];
  });
}

/** When the commits that changed something by a person's hand were made: milliseconds since 1970, by their number. */
export function commitTimes(sql: Sql, stretches: readonly Stretch[]): [number, number][] {
  return stretches.flatMap(({ session, from, to }) =>
    sql.all(
      "SELECT seq, at FROM commits WHERE session = ? AND seq > ? AND seq <= ? AND seq IN " +
        "(SELECT seq FROM revisions WHERE session = ?)",
      session,
      from,
      to,
      session,
    ).map((row): [number, number] => [number(row, "seq"), number(row, "at")])
  );
}

/** When a commit was made: milliseconds since 1970; `null` where there is no such commit. */
export function commitTime(sql: Sql, stretches: readonly Stretch[], seq: number): number | null {
  for (const { session, from, to } of stretches) {
    if (seq <= from || seq > to) continue;
    const row = sql.get("SELECT at FROM commits WHERE session = ? AND seq = ?", session, seq);
    if (row !== undefined) return number(row, "at");
  }
  return null;
}

/** What all commits up to one had cost, by commit in ascending order: of those that cost anything. */
export function paidUpTo(
  sql: Sql,
  stretches: readonly Stretch[],
): (readonly [seq: number, microUsd: MicroUsd])[] {
  let paid = 0;
  return stretches.flatMap(({ session, from, to }) =>
    sql.all(
      "SELECT seq, micro_usd FROM commits WHERE session = ? AND seq > ? AND seq <= ? AND micro_usd > 0 ORDER BY seq",
      session,
      from,
      to,
    )
  ).map((row) => {
    paid += number(row, "micro_usd");
    return [number(row, "seq"), paid] as const;
  });
}
