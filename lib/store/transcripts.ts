import { z } from "zod";
import type { Cost } from "../domain/records.ts";
import type { TranscriptDraft } from "./calls.ts";
import { json, number, numberOrNull, type Row, type Sql, type SqlValue, text, word } from "./database.ts";
import { decodeCost } from "./records.ts";
import { AGENT_NAMES } from "./tables/session.ts";

/** One model call as it was. */
export interface TranscriptRecord extends TranscriptDraft {
  /** Running number in the store. */
  readonly n: number;
  /** The commit that ended its task's attempt; `null` while that goes on. */
  readonly seq: number | null;
  /** The task. */
  readonly taskId: string;
  /** Its cost. */
  readonly cost: Cost;
  /** When: milliseconds since 1970. */
  readonly at: number;
}

/** Which calls are meant; all conditions must hold. */
export interface TranscriptFilter {
  /** Only the newest so many. */
  readonly last?: number | undefined;
  /** Of this prompt. */
  readonly prompt?: string | undefined;
  /** Of this task. */
  readonly taskId?: string | undefined;
  /** Of these tasks. */
  readonly taskIds?: readonly string[] | undefined;
  /** Only those that failed (`true`) or didn't (`false`). */
  readonly failed?: boolean | undefined;
}

/** What calls cost, summed over one property. */
export interface CostLine {
  /** The agent, model or prompt. */
  readonly name: string;
  /** The sum. */
  readonly cost: Cost;
}

const texts = z.array(z.string());

const SUMS =
  "sum(micro_usd) AS micro_usd, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, " +
  "count(*) AS calls, sum(CASE WHEN unconfirmed = 1 THEN micro_usd ELSE 0 END) AS unconfirmed_micro_usd";

/** The calls of a session, oldest first. */
export function readTranscripts(
  sql: Sql,
  session: string,
  filter: TranscriptFilter = {},
): TranscriptRecord[] {
  const conditions = ["session = ?"];
  const params: SqlValue[] = [session];
  const ask = (condition: string, value: SqlValue) => {
    conditions.push(condition);
    params.push(value);
  };
  if (filter.prompt !== undefined) ask("prompt = ?", filter.prompt);
  if (filter.taskId !== undefined) ask("task_id = ?", filter.taskId);
  if (filter.taskIds !== undefined) {
    ask("task_id IN (SELECT value FROM json_each(?))", JSON.stringify(filter.taskIds));
  }
  if (filter.failed !== undefined) conditions.push(filter.failed ? "error <> ''" : "error = ''");
  const limit = filter.last === undefined ? "" : " LIMIT ?";
  if (filter.last !== undefined) params.push(filter.last);
  return sql.all(
    `SELECT * FROM transcripts WHERE ${conditions.join(" AND ")} ORDER BY n DESC${limit}`,
    ...params,
  )
    .map(decode).reverse();
}

/** A call that carried a directive. */
export interface CarryingCall extends Pick<TranscriptRecord, "n" | "seq" | "taskId" | "agent" | "prompt"> {
  /** Whether it failed. */
  readonly failed: boolean;
}

/** The calls of a session that carried a directive, oldest first; without their texts, which are long. */
export function callsCarrying(sql: Sql, session: string, directiveId: string): CarryingCall[] {
  return sql.all(
    "SELECT n, seq, task_id, agent, prompt, error <> '' AS failed FROM transcripts WHERE session = ? " +
      "AND EXISTS (SELECT 1 FROM json_each(directives) WHERE value = ?) ORDER BY n",
    session,
    directiveId,
  ).map((row) => ({
    n: number(row, "n"),
    seq: numberOrNull(row, "seq"),
    taskId: text(row, "task_id"),
    agent: word(row, "agent", AGENT_NAMES),
    prompt: text(row, "prompt"),
    failed: number(row, "failed") === 1,
  }));
}

/** Costs of a session's calls by agent, model or prompt, dearest first. */
export function costsBy(sql: Sql, session: string, property: "agent" | "model" | "prompt"): CostLine[] {
  return sql.all(
    `SELECT ${property} AS name, ${SUMS} FROM transcripts WHERE session = ? GROUP BY ${property} ORDER BY micro_usd DESC, name`,
    session,
  ).map((row) => ({ name: text(row, "name"), cost: decodeCost(row) }));
}

/** Who was asked for a verdict, by task: the last such call of each of these tasks. */
export function verdictCalls(
  sql: Sql,
  session: string,
  taskIds: readonly string[],
): Map<string, { readonly model: string; readonly promptVersion: string }> {
  if (taskIds.length === 0) return new Map();
  const rows = sql.all(
    "SELECT task_id, model, prompt_version FROM transcripts WHERE session = ? AND prompt LIKE 'ranking.%' " +
      "AND prompt NOT LIKE '%.turn' AND task_id IN (SELECT value FROM json_each(?)) ORDER BY n",
    session,
    JSON.stringify(taskIds),
  );
  return new Map(rows.map((row) => [
    text(row, "task_id"),
    { model: text(row, "model"), promptVersion: text(row, "prompt_version") },
  ]));
}

function decode(row: Row): TranscriptRecord {
  const microUsd = number(row, "micro_usd");
  return {
    n: number(row, "n"),
    seq: numberOrNull(row, "seq"),
    taskId: text(row, "task_id"),
    agent: word(row, "agent", AGENT_NAMES),
    route: text(row, "route"),
    model: text(row, "model"),
    prompt: text(row, "prompt"),
    promptVersion: text(row, "prompt_version"),
    revision: number(row, "revision"),
    directives: texts.parse(json(row, "directives")),
    request: text(row, "request"),
    response: text(row, "response"),
    stopReason: text(row, "stop_reason"),
    error: text(row, "error"),
    cost: {
      microUsd,
      inputTokens: number(row, "input_tokens"),
      outputTokens: number(row, "output_tokens"),
      calls: 1,
      unconfirmedMicroUsd: number(row, "unconfirmed") === 1 ? microUsd : 0,
    },
    durationMs: number(row, "duration_ms"),
    concessions: texts.parse(json(row, "concessions")),
    at: number(row, "at"),
  };
}
