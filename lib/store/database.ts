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
  readonly #statements = new Map<string, Statement>();
  #depth = 0;

  /** @param database the driver's handle, owned from now on */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Executes statements without parameters. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Executes one statement. */
  run(sql: string, ...params: SqlValue[]): void {
    this.#statement(sql).run(...params);
  }

  /** The first row, or `undefined`. */
  get(sql: string, ...params: SqlValue[]): Row | undefined {
    const row = this.#statement(sql).get(...params);
    return row === undefined || row === null ? undefined : asRow(row);
  }

  /** All rows. */
  all(sql: string, ...params: SqlValue[]): Row[] {
    return this.#statement(sql).all(...params).map(asRow);
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

function asRow(value: unknown): Row {
  if (typeof value !== "object" || value === null) {
    throw new TypeError("Cannot read a row: the driver gave no object");
  }
  return value as Row;
}

/** A text column. Throws `TypeError` where it is none: the file was changed by other hands. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw wrong(row, column, "text");
  return value;
}

/** A text column that may be NULL. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A number column. */
export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "number") throw wrong(row, column, "a number");
  return value;
}

/** A number column that may be NULL. */
export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** A blob column. */
export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrong(row, column, "a blob");
  return value;
}

/** A text column that holds one of the given words. */
export function word<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = row[column];
  const found = words.find((candidate) => candidate === value);
  if (found === undefined) throw wrong(row, column, words.join(" | "));
  return found;
}

/** A text column that holds JSON, unparsed beyond that. */
export function json(row: Row, column: string): unknown {
  return JSON.parse(text(row, column));
}

function wrong(row: Row, column: string, expected: string): TypeError {
  return new TypeError(`Cannot read column "${column}": expected ${expected}, found ${typeof row[column]}`);
}
