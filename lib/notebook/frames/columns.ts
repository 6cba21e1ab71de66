/**
 * What stands in a column. `integer` and `double` are numbers, `time` is a moment by ISO 8601 in UTC, `list` a list of
 * texts, `json` any plain value.
 */
export type ColumnType = "integer" | "double" | "boolean" | "text" | "time" | "list" | "json";

/** A column as its frame describes it. */
export interface ColumnSpec<T extends ColumnType = ColumnType> {
  /** What stands in it. */
  readonly type: T;
  /** What it says. */
  readonly what: string;
  /** What its numbers count in, where that isn't a plain count: `USD`, `ms`, `Elo points`. */
  readonly unit?: string;
}

/** A column of a frame. */
export interface FrameColumn extends ColumnSpec {
  /** The field of the rows. */
  readonly name: string;
  /** What it is called in files, and in the store's views for SQL: the field in snake case. */
  readonly column: string;
}

/** The type of column that a field's values fit. */
type Fits<V> = [NonNullable<V>] extends [number] ? "integer" | "double"
  : [NonNullable<V>] extends [boolean] ? "boolean"
  : [NonNullable<V>] extends [string] ? "text" | "time"
  : [NonNullable<V>] extends [readonly string[]] ? "list"
  : "json";

/** The columns of rows: each field in the order of the frame, with a type that its values fit. */
export type ColumnsOf<R> = { readonly [F in keyof R]-?: ColumnSpec<Fits<R[F]>> };

/** The columns of a frame, in their order. */
export function frameColumns(specs: Readonly<Record<string, ColumnSpec>>): FrameColumn[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name,
    column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ...spec,
  }));
}

/** A column of whole numbers. */
export function integer(what: string, unit?: string): ColumnSpec<"integer"> {
  return { type: "integer", what, ...(unit === undefined ? {} : { unit }) };
}

/** A column of numbers. */
export function double(what: string, unit?: string): ColumnSpec<"double"> {
  return { type: "double", what, ...(unit === undefined ? {} : { unit }) };
}

/** A column of yes and no. */
export function boolean(what: string): ColumnSpec<"boolean"> {
  return { type: "boolean", what };
}

/** A column of texts. */
export function text(what: string): ColumnSpec<"text"> {
  return { type: "text", what };
}

/** A column of moments. */
export function time(what: string): ColumnSpec<"time"> {
  return { type: "time", what };
}

/** A column of lists of texts. */
export function list(what: string): ColumnSpec<"list"> {
  return { type: "list", what };
}

/** A column of plain values of any shape. */
export function json(what: string): ColumnSpec<"json"> {
  return { type: "json", what };
}
