import { z } from "zod";
import { EVENT_TYPES, type EventDraft, type EventType, type SessionEvent } from "../telemetry/events.ts";
import { json, number, numberOrNull, type Row, type Sql, text, textOrNull, word } from "./database.ts";

/** A stretch of time that something took. */
export interface SpanRecord {
  /** The task, if it was one's. */
  readonly taskId: string | null;
  /** What took it. */
  readonly name: string;
  /** When it began: milliseconds since 1970. */
  readonly startedAt: number;
  /** How long, in milliseconds. */
  readonly durationMs: number;
  /** How it ended. */
  readonly status: "ok" | "error";
  /** Details. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

const payload = z.record(z.string(), z.unknown());

/** The stored events and spans of all sessions. */
export class EventLog {
  readonly #sql: Sql;
  readonly #now: () => number;

  /** The log of a store. @param sql the store's database @param now the time */
  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /** Stores events and returns them with their numbers. */
  append(session: string, seq: number | null, drafts: readonly EventDraft[]): SessionEvent[] {
    if (drafts.length === 0) return [];
    const at = this.#now();
    const rows = drafts.map(() => "(?, ?, ?, ?, ?)").join(", ");
    const numbers = this.#sql.all(
      `INSERT INTO events (session, seq, at, type, payload) VALUES ${rows} RETURNING n`,
      ...drafts.flatMap((draft) => [session, seq, at, draft.type, JSON.stringify(draft.payload)]),
    ).map((row) => number(row, "n")).sort((a, b) => a - b);
    return drafts.map((draft, i) => ({
      n: numbers[i] ?? 0,
      session,
      seq,
      at,
      type: draft.type,
      payload: draft.payload,
    }));
  }

  /** Events of a session after a number, oldest first, or its newest ones; of one type, if that is said. */
  read(
    session: string,
    options: { readonly after?: number; readonly last?: number; readonly type?: EventType } = {},
  ): SessionEvent[] {
    if (options.type !== undefined) {
      return this.#sql.all(
        "SELECT * FROM events WHERE session = ? AND n > ? AND type = ? ORDER BY n",
        session,
        options.after ?? 0,
        options.type,
      ).map(decodeEvent);
    }
    if (options.last !== undefined) {
      return this.#sql.all(
        "SELECT * FROM events WHERE session = ? ORDER BY n DESC LIMIT ?",
        session,
        options.last,
      )
        .map(decodeEvent).reverse();
    }
    return this.#sql.all(
      "SELECT * FROM events WHERE session = ? AND n > ? ORDER BY n",
      session,
      options.after ?? 0,
    )
      .map(decodeEvent);
  }

  /** Stores a span. */
  span(session: string, span: SpanRecord): void {
    this.#sql.run(
      "INSERT INTO spans (session, task_id, name, started_at, duration_ms, status, attributes) VALUES (?, ?, ?, ?, ?, ?, ?)",
      session,
      span.taskId,
      span.name,
      span.startedAt,
      span.durationMs,
      span.status,
      JSON.stringify(span.attributes),
    );
  }

  /** Spans of a session, oldest first. */
  spans(session: string): SpanRecord[] {
    return this.#sql.all("SELECT * FROM spans WHERE session = ? ORDER BY n", session).map((row) => ({
      taskId: textOrNull(row, "task_id"),
      name: text(row, "name"),
      startedAt: number(row, "started_at"),
      durationMs: number(row, "duration_ms"),
      status: word(row, "status", ["ok", "error"]),
      attributes: payload.parse(json(row, "attributes")),
    }));
  }
}

function decodeEvent(row: Row): SessionEvent {
  return {
    n: number(row, "n"),
    session: text(row, "session"),
    seq: numberOrNull(row, "seq"),
    at: number(row, "at"),
    type: word(row, "type", EVENT_TYPES),
    payload: payload.parse(json(row, "payload")),
  };
}
