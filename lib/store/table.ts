import type { Row, Sql, SqlValue } from "./database.ts";

/** A record as it is handed in: the commit gives the seq, and the label where the kind has one. */
export type Unsaved<T> = Omit<T, "seq" | "label">;

/** The repository of one kind of record: append-only rows, each with its session and seq. */
export interface Table<T extends { readonly seq: number }> {
  /** The table's name in SQL. */
  readonly name: string;
  /** Columns behind `session, seq`, in the order of `encode`. */
  readonly columns: readonly string[];
  /** The letter of its labels, if its records have labels. */
  readonly letter?: string;
  /** A record's columns. */
  encode(record: T): readonly SqlValue[];
  /** A record from its row. Throws where the row can't be one. */
  decode(row: Row): T;
  /** The same from `seq` and the columns as a list, for the tables with most rows. */
  decodeTuple?(values: readonly unknown[]): T;
}

/** A stretch of one session's commits: `from` exclusive, `to` inclusive. A fork's view has one for each ancestor. */
export interface Stretch {
  /** Whose commits. */
  readonly session: string;
  /** After this one. */
  readonly from: number;
  /** Up to this one. */
  readonly to: number;
}

/** Writes one record. */
export function insert<T extends { readonly seq: number }>(
  sql: Sql,
  table: Table<T>,
  session: string,
  record: T,
): void {
  sql.run(insertStatement(table), session, record.seq, ...table.encode(record));
}

/** Reads the records of a stretch in the order they were written. */
export function select<T extends { readonly seq: number }>(sql: Sql, table: Table<T>, stretch: Stretch): T[] {
  const columns = table.columns.join(", ");
  const statement =
    `SELECT seq, ${columns} FROM ${table.name} WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq, rowid`;
  const params = [stretch.session, stretch.from, stretch.to] as const;
  if (table.decodeTuple !== undefined) {
    const decode = table.decodeTuple;
    return sql.tuples(statement, ...params).map((values) => decode(values));
  }
  return sql.all(statement, ...params).map((row) => table.decode(row));
}

const inserts = new Map<string, string>();

function insertStatement<T extends { readonly seq: number }>(table: Table<T>): string {
  let statement = inserts.get(table.name);
  if (statement === undefined) {
    const marks = table.columns.map(() => "?").join(", ");
    statement = `INSERT INTO ${table.name} (session, seq, ${
      table.columns.join(", ")
    }) VALUES (?, ?, ${marks})`;
    inserts.set(table.name, statement);
  }
  return statement;
}
