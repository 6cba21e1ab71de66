import { CosciError, messageOf } from "../domain/errors.ts";

/** What SQLite takes and gives. */
export type SqlValue = string | number | null | Uint8Array;

/** One row: plain or with a null prototype, as the driver likes. */
export type Row = Readonly<Record<string, unknown>>;

/** A prepared statement. What `run` returns differs between drivers and is not looked at. */
export interface Statement {
  /** Executes it. */
  run(...params: SqlValue[]): unknown;
  /** The first row, or `undefined`. */
  get(...params: SqlValue[]): unknown;
  /** All rows. */
  all(...params: SqlValue[]): unknown[];
  /** All rows as lists of their columns (`@db/sqlite`): quicker where many are read. */
  values?(...params: SqlValue[]): unknown[][];
  /** The same wish to `node:sqlite`: from now on rows are lists. */
  setReturnArrays?(on: boolean): void;
}

/**
 * All that the store asks of SQLite. `node:sqlite`'s `DatabaseSync` and `@db/sqlite`'s `Database` have this shape; who
 * hands one in has opened it with foreign keys and a busy timeout, or leaves that to the store's pragmas.
 */
export interface Database {
  /** Executes statements without parameters. */
  exec(sql: string): unknown;
  /** Prepares one statement. */
  prepare(sql: string): Statement;
  /** Closes the file. */
  close(): void;
}

/** A database with its statements kept prepared, typed rows, and the one way to write: a transaction that begins as a writer. */
export class Sql {
  readonly #database: Database;
  readonly #name: string;
  readonly #statements = new Map<string, Statement>();
  readonly #tuples = new Map<string, (params: readonly SqlValue[]) => unknown[][]>();
  #depth = 0;

  /** Takes over a database. @param database the driver's handle, owned from now on @param name what messages call the store */
  constructor(database: Database, name = "(a database handed in)") {
    this.#database = database;
    this.#name = name;
  }

  /** Executes statements without parameters. */
  exec(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw explained(error, this.#name);
    }
  }

  /** Executes one statement. */
  run(sql: string, ...params: SqlValue[]): void {
    try {
      this.#statement(sql).run(...params);
    } catch (error) {
      throw explained(error, this.#name);
    }
  }

  /** The first row, or `undefined`. */
  get(sql: string, ...params: SqlValue[]): Row | undefined {
    try {
      const row = this.#statement(sql).get(...params);
      return row === undefined || row === null ? undefined : asRow(row);
    } catch (error) {
      throw explained(error, this.#name);
    }
  }

  /** All rows. */
  all(sql: string, ...params: SqlValue[]): Row[] {
    try {
      return this.#statement(sql).all(...params).map(asRow);
    } catch (error) {
      throw explained(error, this.#name);
    }
  }

  /** All rows as lists of their columns: in half the time of {@linkcode all}, for the tables with most rows. */
  tuples(sql: string, ...params: SqlValue[]): unknown[][] {
    try {
      let read = this.#tuples.get(sql);
      if (read === undefined) {
        read = tupleReader(this.#database.prepare(sql));
        this.#tuples.set(sql, read);
      }
      return read(params);
    } catch (error) {
      throw explained(error, this.#name);
    }
  }

  /** Whether a transaction is open. */
  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  /**
   * Runs `work` in one transaction that holds the write lock from its start (a deferred one that reads first fails at
   * once when another process wrote). Inside another transaction it joins it. A throw rolls everything back.
   */
  write<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.run("BEGIN IMMEDIATE");
    this.#depth++;
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      try {
        this.run("ROLLBACK");
      } catch {
        // The engine may have rolled back by itself (disk full); the first error is the one that tells.
      }
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** Closes the file; statements are gone with it. */
  close(): void {
    this.#statements.clear();
    this.#tuples.clear();
    this.#database.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** What a person can do about a failure of SQLite; other failures are faults of ours and stay as they are. */
function explained(error: unknown, name: string): unknown {
  const message = messageOf(error);
  const say = (what: string) => new CosciError("store", what, { cause: error });
  if (/malformed|not a database/i.test(message)) {
    return say(`The store "${name}" is damaged (${message}). Restore a copy of it.`);
  }
  if (/database is locked/i.test(message)) {
    return say(`The store "${name}" was held by another process for too long (${message}). Try again.`);
  }
  if (/readonly|read-only|disk is full|disk I\/O/i.test(message)) {
    return say(
      `The store "${name}" can't be written (${message}). Check its permissions and the space on its disk.`,
    );
  }
  return error;
}

function tupleReader(statement: Statement): (params: readonly SqlValue[]) => unknown[][] {
  if (statement.values !== undefined) return (params) => statement.values?.(...params) ?? [];
  if (statement.setReturnArrays === undefined) {
    return (params) => statement.all(...params).map((row) => Object.values(asRow(row)));
  }
  statement.setReturnArrays(true);
  return (params) => statement.all(...params).map(asTuple);
}

function asTuple(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError("Cannot read a row: the driver gave no list");
  return value;
}

function asRow(value: unknown): Row {
  if (typeof value !== "object" || value === null) {
    throw new TypeError("Cannot read a row: the driver gave no object");
  }
  return value as Row;
}

/** A text, as a column gave it. Throws `TypeError` where it is none: the file was changed by other hands. */
export function asText(value: unknown, column: string): string {
  if (typeof value !== "string") throw wrong(value, column, "text");
  return value;
}

/** A number, as a column gave it. */
export function asNumber(value: unknown, column: string): number {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "number") throw wrong(value, column, "a number");
  return value;
}

/** One of the given words, as a column gave it. */
export function asWord<T extends string>(value: unknown, column: string, words: readonly T[]): T {
  for (const candidate of words) if (candidate === value) return candidate;
  throw wrong(value, column, words.join(" | "));
}

/** A text column. */
export function text(row: Row, column: string): string {
  return asText(row[column], column);
}

/** A text column that may be NULL. */
export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return value === null ? null : asText(value, column);
}

/** A number column. */
export function number(row: Row, column: string): number {
  return asNumber(row[column], column);
}

/** A number column that may be NULL. */
export function numberOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return value === null ? null : asNumber(value, column);
}

/** A blob column. */
export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrong(value, column, "a blob");
  return value;
}

/** A text column that holds one of the given words. */
export function word<T extends string>(row: Row, column: string, words: readonly T[]): T {
  return asWord(row[column], column, words);
}

/** A text column that holds JSON, unparsed beyond that. */
export function json(row: Row, column: string): unknown {
  return JSON.parse(text(row, column));
}

/** A column that holds a JSON list of texts. Checked by hand: long sessions have thousands of them. */
export function texts(row: Row, column: string): string[] {
  return list(row, column).map((item) => asText(item, column));
}

/** A column that holds a JSON list of numbers. */
export function numbers(row: Row, column: string): number[] {
  return list(row, column).map((item) => asNumber(item, column));
}

function list(row: Row, column: string): unknown[] {
  const value = json(row, column);
  if (!Array.isArray(value)) throw wrong(value, column, "a list");
  return value;
}

function wrong(value: unknown, column: string, expected: string): TypeError {
  return new TypeError(`Cannot read column "${column}": expected ${expected}, found ${typeof value}`);
}
