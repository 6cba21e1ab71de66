import { number, numberOrNull, type Sql } from "./database.ts";

/** A beat further apart than this is a pause: its process was killed, or the machine slept. */
const LONGEST_BEAT_MS = 5_000;

/**
 * The running time of a session: it goes on only while a supervisor works, however many they are, and stands still while
 * the session is paused, stopped, or nobody's process lives.
 */
export class RunningClock {
  readonly #sql: Sql;
  readonly #session: string;
  readonly #now: () => number;

  /** The time of a session. @param sql the store's database @param session whose time @param now the time */
  constructor(sql: Sql, session: string, now: () => number) {
    this.#sql = sql;
    this.#session = session;
    this.#now = now;
  }

  /** Counts the time since the last beat of whoever works on the session. Call it at least once a second while working. */
  beat(): void {
    this.#sql.run(
      "UPDATE session_clocks SET ran_ms = ran_ms + CASE WHEN beat_at IS NULL OR ?1 - beat_at > ?2 THEN 0 ELSE max(0, ?1 - beat_at) END, " +
        "beat_at = max(?1, coalesce(beat_at, 0)) WHERE session = ?3",
      this.#now(),
      LONGEST_BEAT_MS,
      this.#session,
    );
  }

  /** Counts up to now and stands still. */
  rest(): void {
    this.beat();
    this.#sql.run("UPDATE session_clocks SET beat_at = NULL WHERE session = ?", this.#session);
  }

  /** Milliseconds run so far, up to the last beat. */
  ranMs(): number {
    const row = this.#sql.get("SELECT ran_ms FROM session_clocks WHERE session = ?", this.#session);
    return row === undefined ? 0 : number(row, "ran_ms");
  }

  /** Whether somebody is at work right now, as far as beats tell. */
  running(): boolean {
    const row = this.#sql.get("SELECT beat_at FROM session_clocks WHERE session = ?", this.#session);
    const beat = row === undefined ? null : numberOrNull(row, "beat_at");
    return beat !== null && this.#now() - beat <= LONGEST_BEAT_MS;
  }
}
