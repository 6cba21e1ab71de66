// @ts-types="../../../lib/notebook/d3_dsv.d.ts"
import { csvParse } from "d3-dsv";

/** A row of a CSV file by column. */
export type TableRow = Readonly<Record<string, string | undefined>>;

/** The rows of a CSV text that must have these columns. */
export function rowsOf(text: string, columns: readonly string[]): readonly TableRow[] {
  const rows: readonly TableRow[] = csvParse(text);
  const missing = columns.filter((column) => rows[0]?.[column] === undefined);
  if (missing.length > 0) throw new Error(`The file has no column ${missing.join(", ")}`);
  return rows;
}

/** The number in a column of a row. */
export function numberIn(row: TableRow, column: string): number {
  const value = Number(row[column]);
  if (row[column] === "" || !Number.isFinite(value)) {
    throw new Error(`${column} is ${JSON.stringify(row[column])}, not a number`);
  }
  return value;
}
