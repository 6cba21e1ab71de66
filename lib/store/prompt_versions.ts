import { z } from "zod";
import type { OfferedTool, PromptVersion } from "./calls.ts";
import { json, number, type Row, type Sql, text } from "./database.ts";

const offered: z.ZodType<readonly OfferedTool[]> = z.array(
  z.object({ name: z.string(), description: z.string(), input_schema: z.unknown() }),
);

/** What tells versions apart. */
export function versionKey({ name, version }: Pick<PromptVersion, "name" | "version">): string {
  return `${name} ${version}`;
}

/** Puts a version on record, unless it is there. */
export function writePromptVersion(sql: Sql, { name, version, source, tools }: PromptVersion): void {
  sql.run(
    "INSERT INTO prompt_versions (name, version, source, tools) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    name,
    version,
    source,
    JSON.stringify(tools),
  );
}

/** A version on record, and the newest call of a session that was made from it. */
export interface UsedVersion extends PromptVersion {
  /** The number of that call; `null` where only other sessions of the store used it. */
  readonly lastCall: number | null;
}

/** The versions of a prompt that calls of this store were made from: those used last in the session come first. */
export function versionsOf(sql: Sql, session: string, name: string): UsedVersion[] {
  return sql.all(
    "SELECT v.name, v.version, v.source, v.tools, (" +
      "SELECT max(t.n) FROM transcripts t WHERE t.session = ? AND t.prompt = v.name AND t.prompt_version = v.version" +
      ") AS last_call FROM prompt_versions v WHERE v.name = ? ORDER BY last_call DESC NULLS LAST, v.version",
    session,
    name,
  ).map((row) => ({
    ...decode(row),
    lastCall: row["last_call"] === null ? null : number(row, "last_call"),
  }));
}

/** How many calls were made of one prompt, in one version, under one revision. */
export interface CallCount {
  /** The prompt. */
  readonly prompt: string;
  /** Its version. */
  readonly version: string;
  /** The text of that version; `null` for calls made before versions were kept. */
  readonly source: string | null;
  /** The revision. */
  readonly revision: number;
  /** How many. */
  readonly calls: number;
  /** The number of the newest. */
  readonly lastCall: number;
}

/** A session's own calls by prompt, version and revision, oldest first; without those that a person had resent. */
export function callCounts(sql: Sql, session: string): CallCount[] {
  return sql.all(
    "SELECT t.prompt, t.prompt_version, v.source, t.revision, count(*) AS calls, max(t.n) AS last_call " +
      "FROM transcripts t LEFT JOIN prompt_versions v ON v.name = t.prompt AND v.version = t.prompt_version " +
      "WHERE t.session = ? AND t.prompt <> '' AND t.task_id NOT LIKE 'resend/%' " +
      "GROUP BY t.prompt, t.prompt_version, t.revision ORDER BY last_call",
    session,
  ).map((row) => ({
    prompt: text(row, "prompt"),
    version: text(row, "prompt_version"),
    source: row["source"] === null ? null : text(row, "source"),
    revision: number(row, "revision"),
    calls: number(row, "calls"),
    lastCall: number(row, "last_call"),
  }));
}

function decode(row: Row): PromptVersion {
  return {
    name: text(row, "name"),
    version: text(row, "version"),
    source: text(row, "source"),
    tools: offered.parse(json(row, "tools")),
  };
}
