import { DatabaseSync } from "node:sqlite";
import type { Database, SqlValue, Statement } from "../../lib/store/database.ts";

/**
 * A database that behaves as `@db/sqlite`'s `Database` does where it differs from `node:sqlite`'s: `run` returns a number,
 * rows are plain objects, rows as lists come from `values`, and what SQLite can't hold is refused. (The real one can't be
 * installed where the tests run.)
 */
export class DbSqliteDouble implements Database {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  exec(sql: string): number {
    this.#database.exec(sql);
    return 0;
  }

  prepare(sql: string): Statement {
    const statement = this.#database.prepare(sql);
    const plain = (row: Record<string, unknown>) => Object.fromEntries(Object.entries(row));
    return {
      run: (...params) => Number(statement.run(...params.map(bindable)).changes),
      get: (...params) => {
        const row = statement.get(...params.map(bindable));
        return row === undefined ? undefined : plain(row);
      },
      all: (...params) => statement.all(...params.map(bindable)).map(plain),
      values: (...params) => statement.all(...params.map(bindable)).map((row) => Object.values(row)),
    };
  }

  close(): void {
    this.#database.close();
  }
}

function bindable(value: SqlValue): SqlValue {
  if (
    value === null || typeof value === "string" || typeof value === "number" || value instanceof Uint8Array
  ) {
    return value;
  }
  throw new TypeError(`Value of unsupported type: ${typeof value}`);
}
