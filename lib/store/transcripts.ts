import { z } from "zod";
import type { MicroUsd } from "../domain/money.ts";
import { addCost, type AgentName, type Cost, NO_COST } from "../domain/records.ts";
import type { Decision } from "../domain/agent.ts";
import type { TranscriptDraft } from "./calls.ts";
import { json, number, numberOrNull, type Row, type Sql, type SqlValue, text, word } from "./database.ts";
import { decisionSchema } from "./queue.ts";
import { decodeCost } from "./records.ts";
import type { Stretch } from "./table.ts";
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
  /** The commit on which its task was first claimed, and what was decided then; `null` where that was not kept. */
  readonly claim: { readonly seq: number; readonly decision: Decision } | null;
  /** Whether an ancestor made it, before the session was forked off: then it is no cost of the session's own. */
  readonly inherited: boolean;
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
  /** Of a version that begins so. */
  readonly version?: string | undefined;
  /** That carried this directive, by id. */
  readonly directive?: string | undefined;
  /** Only the one with this number. */
  readonly n?: number | undefined;
  /** Only those that failed (`true`) or didn't (`false`). */
  readonly failed?: boolean | undefined;
  /** Only those that the session inherited (`true`) or made itself (`false`). */
  readonly inherited?: boolean | undefined;
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

/**
 * Whose calls a session's are: its own, and those that each ancestor's commits took up to where the next one was forked off.
 * One parameter: the session. Calls in flight over there are not inherited.
 */
const LINE = "WITH RECURSIVE line (ancestor, after, upto, parent) AS (" +
  "SELECT id, parent_seq, 9223372036854775807, parent_id FROM sessions WHERE id = ? UNION ALL " +
  "SELECT p.id, p.parent_seq, min(l.after, l.upto), p.parent_id FROM line l JOIN sessions p ON p.id = l.parent)";
const CALLS = "FROM line l CROSS JOIN transcripts t ON t.session = l.ancestor " +
  "AND (l.upto = 9223372036854775807 OR (t.seq > l.after AND t.seq <= l.upto))";

/** The calls of a session, oldest first; those that it inherited as a fork come before its own. */
export function readTranscripts(
  sql: Sql,
  session: string,
  filter: TranscriptFilter = {},
): TranscriptRecord[] {
  const conditions: string[] = [];
  const params: SqlValue[] = [session];
  const ask = (condition: string, value: SqlValue) => {
    conditions.push(condition);
    params.push(value);
  };
  if (filter.prompt !== undefined) ask("t.prompt = ?", filter.prompt);
  if (filter.taskId !== undefined) ask("t.task_id = ?", filter.taskId);
  if (filter.taskIds !== undefined) {
    ask("t.task_id IN (SELECT value FROM json_each(?))", JSON.stringify(filter.taskIds));
  }
  if (filter.version !== undefined) {
    ask("substr(t.prompt_version, 1, ?) = ?", filter.version.length);
    params.push(filter.version);
  }
  if (filter.directive !== undefined) {
    ask("EXISTS (SELECT 1 FROM json_each(t.directives) WHERE value = ?)", filter.directive);
  }
  if (filter.n !== undefined) ask("t.n = ?", filter.n);
  if (filter.failed !== undefined) conditions.push(filter.failed ? "t.error <> ''" : "t.error = ''");
  if (filter.inherited !== undefined) {
    ask(filter.inherited ? "l.ancestor <> ?" : "l.ancestor = ?", session);
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const limit = filter.last === undefined ? "" : " LIMIT ?";
  if (filter.last !== undefined) params.push(filter.last);
  return sql.all(
    `${LINE} SELECT t.* ${CALLS} ${where} ORDER BY t.n DESC${limit}`,
    ...params,
  )
    .map((row) => decode(row, session)).reverse();
}

/** A call without its texts, and what of its tokens came from the cache. */
export interface CallRecord extends Omit<TranscriptRecord, "request" | "response" | "claim"> {
  /** Tokens read from the server's cache: a part of those read. */
  readonly cacheReadTokens: number;
  /** Tokens written to it: a part of those read, too. */
  readonly cacheWriteTokens: number;
}

/** The calls of a session as numbers, oldest first, inherited ones included: their texts, which are long, stay in the store. */
export function readCalls(sql: Sql, session: string): CallRecord[] {
  const cache = (name: string) =>
    `CASE WHEN json_valid(t.response) THEN coalesce(json_extract(t.response, '$.usage.${name}'), 0) ELSE 0 END`;
  return sql.all(
    `${LINE} SELECT t.n, t.session, t.seq, t.task_id, t.agent, t.route, t.model, t.prompt, t.prompt_version, t.revision, ` +
      "t.directives, t.stop_reason, t.error, t.micro_usd, t.input_tokens, t.output_tokens, t.unconfirmed, t.duration_ms, " +
      `t.concessions, t.at, ${cache("cache_read_input_tokens")} AS cache_read, ` +
      `${cache("cache_creation_input_tokens")} AS cache_write ${CALLS} ORDER BY t.n`,
    session,
  ).map((row) => ({
    ...decodeCall(row, session),
    cacheReadTokens: number(row, "cache_read"),
    cacheWriteTokens: number(row, "cache_write"),
  }));
}

/** A call that carried a directive. */
export interface CarryingCall extends Pick<TranscriptRecord, "n" | "seq" | "taskId" | "agent" | "prompt"> {
  /** Whether it failed. */
  readonly failed: boolean;
}

/** The calls of a session that carried a directive, oldest first; without their texts, which are long. */
export function callsCarrying(sql: Sql, session: string, directiveId: string): CarryingCall[] {
  return sql.all(
    `${LINE} SELECT t.n, t.seq, t.task_id, t.agent, t.prompt, t.error <> '' AS failed ${CALLS} ` +
      "WHERE EXISTS (SELECT 1 FROM json_each(t.directives) WHERE value = ?) ORDER BY t.n",
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

/** Costs of a session's own calls by agent, model or prompt, dearest first. */
export function costsBy(sql: Sql, session: string, property: "agent" | "model" | "prompt"): CostLine[] {
  return sql.all(
    `SELECT ${property} AS name, ${SUMS} FROM transcripts WHERE session = ? GROUP BY ${property} ORDER BY micro_usd DESC, name`,
    session,
  ).map((row) => ({ name: text(row, "name"), cost: decodeCost(row) }));
}

/** What the calls of these tasks cost, in a session and its ancestors up to where it left them. */
export function costOfTasks(sql: Sql, stretches: readonly Stretch[], taskIds: readonly string[]): Cost {
  const own = stretches.at(-1)?.session;
  return stretches.map(({ session, from, to }) =>
    decodeCost(sql.get(
      `SELECT ${SUMS} FROM transcripts WHERE session = ? AND task_id IN (SELECT value FROM json_each(?)) ` +
        // Calls of an attempt that has not ended have no commit yet.
        `AND ((seq > ? AND seq <= ?) OR (seq IS NULL AND session = ?))`,
      session,
      JSON.stringify(taskIds),
      from,
      to,
      own ?? null,
    ))
  ).reduce(addCost, NO_COST);
}

/** What the calls of one version of a prompt cost. */
export interface VersionCost {
  /** The prompt; empty for embeddings. */
  readonly prompt: string;
  /** The version. */
  readonly version: string;
  /** The sum. */
  readonly cost: Cost;
}

/** Costs of a session's calls by version of their prompt, dearest first. */
export function costsByVersion(sql: Sql, session: string): VersionCost[] {
  return sql.all(
    `SELECT prompt, prompt_version, ${SUMS} FROM transcripts WHERE session = ? GROUP BY prompt, prompt_version ` +
      "ORDER BY micro_usd DESC, prompt, prompt_version",
    session,
  ).map((row) => ({
    prompt: text(row, "prompt"),
    version: text(row, "prompt_version"),
    cost: decodeCost(row),
  }));
}

/** What the calls of one commit cost. */
export interface CommitCost {
  /** The commit; `null` for calls of attempts that have not ended. */
  readonly seq: number | null;
  /** The tasks that made them. */
  readonly taskIds: readonly string[];
  /** The sum. */
  readonly cost: Cost;
}

/** Costs of a session's calls by the commit that ended their attempt: the newest `last` of them, oldest first. */
export function costsByCommit(sql: Sql, session: string, last: number): CommitCost[] {
  return sql.all(
    `SELECT seq, json_group_array(DISTINCT task_id) AS tasks, ${SUMS} FROM transcripts WHERE session = ? ` +
      "GROUP BY seq ORDER BY seq DESC NULLS FIRST LIMIT ?",
    session,
    last,
  ).map((row) => ({
    seq: numberOrNull(row, "seq"),
    taskIds: texts.parse(json(row, "tasks")),
    cost: decodeCost(row),
  })).reverse();
}

/** What the calls of one agent in one commit cost. */
export interface CommitSpending {
  /** The commit that ended their attempt; `null` for calls of attempts that have not ended. */
  readonly seq: number | null;
  /** When the last of them was made: milliseconds since 1970. */
  readonly at: number;
  /** Whose calls. */
  readonly agent: AgentName;
  /** What they cost. */
  readonly microUsd: MicroUsd;
}

/** How a session's own calls spent money: by commit and agent, in order of commits, that of open attempts last. */
export function spendingByCommit(sql: Sql, session: string): CommitSpending[] {
  return sql.all(
    "SELECT seq, agent, max(at) AS at, sum(micro_usd) AS micro_usd FROM transcripts WHERE session = ? " +
      "GROUP BY seq, agent ORDER BY seq NULLS LAST, min(n)",
    session,
  ).map((row) => ({
    seq: numberOrNull(row, "seq"),
    at: number(row, "at"),
    agent: word(row, "agent", AGENT_NAMES),
    microUsd: number(row, "micro_usd"),
  }));
}

/** How many characters of a request make a token, and how many tokens answers of a prompt have, as a session's calls say. */
export interface CallHabits {
  /** Answered calls of the model. */
  readonly calls: number;
  /** Characters of a request's JSON for one token read; `null` without calls. */
  readonly charsPerToken: number | null;
  /** Answered calls of the prompt. */
  readonly ofPrompt: number;
  /** Tokens of an answer on average; `null` without calls. */
  readonly outputTokens: number | null;
}

/** What a session's answered calls say of calls to come of a model and a prompt. */
export function callHabits(sql: Sql, session: string, model: string, prompt: string): CallHabits {
  const ofModel = sql.get(
    "SELECT count(*) AS calls, coalesce(sum(length(request)), 0) AS chars, coalesce(sum(input_tokens), 0) AS tokens " +
      "FROM (SELECT request, input_tokens FROM transcripts WHERE session = ? AND model = ? AND error = '' ORDER BY n DESC LIMIT 50)",
    session,
    model,
  ) ?? {};
  const ofPrompt = sql.get(
    "SELECT count(*) AS calls, avg(output_tokens) AS written FROM (SELECT output_tokens FROM transcripts " +
      "WHERE session = ? AND prompt = ? AND error = '' ORDER BY n DESC LIMIT 50)",
    session,
    prompt,
  ) ?? {};
  const read = number(ofModel, "tokens");
  return {
    calls: number(ofModel, "calls"),
    charsPerToken: read === 0 ? null : number(ofModel, "chars") / read,
    ofPrompt: number(ofPrompt, "calls"),
    outputTokens: numberOrNull(ofPrompt, "written"),
  };
}

/** Who was asked for a verdict, by task: the last such call of each of these tasks. */
export function verdictCalls(
  sql: Sql,
  session: string,
  taskIds: readonly string[],
): Map<string, { readonly model: string; readonly promptVersion: string }> {
  if (taskIds.length === 0) return new Map();
  const rows = sql.all(
    `${LINE} SELECT t.task_id, t.model, t.prompt_version ${CALLS} WHERE t.prompt LIKE 'ranking.%' ` +
      "AND t.prompt NOT LIKE '%.turn' AND t.task_id IN (SELECT value FROM json_each(?)) ORDER BY t.n",
    session,
    JSON.stringify(taskIds),
  );
  return new Map(rows.map((row) => [
    text(row, "task_id"),
    { model: text(row, "model"), promptVersion: text(row, "prompt_version") },
  ]));
}

function decode(row: Row, session: string): TranscriptRecord {
  return {
    ...decodeCall(row, session),
    request: text(row, "request"),
    response: text(row, "response"),
    claim: row["claim_seq"] === null || row["decision"] === null
      ? null
      : { seq: number(row, "claim_seq"), decision: decisionSchema.parse(json(row, "decision")) },
  };
}

function decodeCall(row: Row, session: string): Omit<TranscriptRecord, "request" | "response" | "claim"> {
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
    inherited: text(row, "session") !== session,
  };
}
