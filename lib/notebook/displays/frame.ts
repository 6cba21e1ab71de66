import { clip, oneLine } from "../../domain/text.ts";
import type { FrameColumn } from "../frames/columns.ts";
import type { FrameOrigin } from "../frames/origin.ts";
import { card, type Column, type Content, foreign, type Html, markup, table } from "../html.ts";
import type { Display } from "./display.ts";
import { grid } from "./grid.ts";
import { blocks, COLUMNS, columnsOf, fit, headline, textTable, wrapped } from "./plain.ts";
import { code, faint, fold, line, paragraph, short } from "./prose.ts";
import { counted } from "./wording.ts";

/** A frame: plain rows with what their columns are. */
export interface FrameData<R extends object = object> extends FrameOrigin {
  /** Its name. */
  readonly name: string;
  /** What a row is. */
  readonly what: string;
  /** Its columns, in order. */
  readonly columns: readonly FrameColumn[];
  /** Its rows, in order. */
  readonly rows: readonly R[];
}

/** How a frame is shown: how large it is, its first and last rows, the columns that there is room for, and what each is. */
export const frameDisplay: Display<FrameData> = { html, text };

/** Rows that are shown from either end; with few more than these, all are. */
const HEAD = 6, TAIL = 4, ALL = 12;
/** Characters of a row that a card has room for, and of one of its cells at most. */
const WIDTH = 108, CELL = 34;
/** The same for a cell of text. */
const TEXT_CELL = 24;

/** A row that is shown, or the gap. */
type Shown = object | null;

/** A column as it is shown. */
interface ShownColumn extends FrameColumn {
  /** Digits after the point of all its numbers, so that they can be compared down the column. */
  readonly decimals: number;
}

function html(data: FrameData): Html {
  const { columns, rows } = data;
  const shown = shownRows(rows);
  const fitting = room(columns, shown, WIDTH, CELL);
  const heads = fitting.map((column): Column<Shown> => ({
    head: breakable(column.column),
    align: isNumber(column) ? "end" : "start",
    wide: shown.some((row) => row !== null && hasWords(column, row) && shownCell(column, row).length > 20),
    cell: (row) => row === null ? faint("⋮") : cellHtml(column, row),
  }));
  const hidden = columns.slice(fitting.length);
  return card({
    title: title(data),
    simulated: data.simulated,
    body: [
      paragraph(lead(data)),
      table(heads, shown, "No rows yet."),
      hidden.length === 0
        ? null
        : paragraph(faint(`Not shown here: ${hidden.map(({ column }) => column).join(", ")}.`)),
      fold("What the columns are", described(columns)),
      paragraph(
        faint(`Rows are plain objects (${fieldExample(columns)}); `),
        code(`await ${call(data)}.parquet("${data.name}.parquet")`),
        faint(" or "),
        code(".csv(…)"),
        faint(" for pandas and R."),
      ),
    ],
  });
}

/** What each column is. */
function described(columns: readonly FrameColumn[]): Html {
  return grid(
    3,
    columns.map(({ column, type, unit, what }) => [
      short(column),
      faint(short(unit === undefined ? type : `${type}, ${unit}`)),
      what,
    ]),
  );
}

function text(data: FrameData): string {
  const { columns, rows } = data;
  const shown = shownRows(rows);
  const fitting = rows.length === 0 ? [] : room(columns, shown, COLUMNS, TEXT_CELL);
  const hidden = columns.slice(fitting.length).map(({ column }) => column);
  return blocks(
    headline(title(data), data.simulated),
    wrapped(lead(data)),
    rows.length === 0 ? "No rows yet." : textTable(
      fitting.map((column) => ({
        head: column.column,
        align: isNumber(column) ? "end" : "start",
        max: TEXT_CELL,
        cell: (row: Shown) => row === null ? "⋮" : shownCell(column, row),
      })),
      shown,
    ),
    hidden.length === 0
      ? null
      : wrapped(`${rows.length === 0 ? "Its columns" : "Not shown here"}: ${hidden.join(", ")}.`),
    wrapped(`.csv(path) and .parquet(path) write all of it; .columns says what each column is.`),
  );
}

function title({ name, session }: FrameData): string {
  return `Frame ${name} of ${session}`;
}

function call({ name }: FrameData): string {
  return `lab.frame("${name}")`;
}

/** How large it is, and what a row is. */
function lead(data: FrameData): string {
  return `${size(data)}. A row is ${data.what}.`;
}

function size({ rows, columns }: FrameData): string {
  return `${counted(rows.length, "row")} × ${counted(columns.length, "column")}`;
}

function fieldExample(columns: readonly FrameColumn[]): string {
  const first = columns.find(({ name, column }) => name !== column) ?? columns[0];
  return first === undefined ? "" : `rows[0].${first.name}`;
}

function shownRows(rows: readonly object[]): readonly Shown[] {
  return rows.length <= ALL ? rows : [...rows.slice(0, HEAD), null, ...rows.slice(-TAIL)];
}

/** The first columns, as many as there is room for; at least one. */
function room(
  all: readonly FrameColumn[],
  rows: readonly Shown[],
  width: number,
  most: number,
): readonly ShownColumn[] {
  const columns = all.map((column): ShownColumn => ({ ...column, decimals: decimalsOf(column, rows) }));
  let used = 0;
  const end = columns.findIndex((column, i) => {
    const cells = rows.map((row) => row === null ? 1 : Math.min(most, columnsOf(shownCell(column, row))));
    used += Math.max(columnsOf(column.column), ...cells) + (i === 0 ? 0 : 2);
    return used > width && i > 0;
  });
  return end === -1 ? columns : columns.slice(0, end);
}

function isNumber({ type }: FrameColumn): boolean {
  return type === "integer" || type === "double";
}

/** Three or four digits that say something of the largest number; none after the point where all are whole. */
function decimalsOf({ name, type }: FrameColumn, rows: readonly Shown[]): number {
  if (type !== "double") return 0;
  const numbers = rows.flatMap((row) => row === null ? [] : Number(Reflect.get(row, name) ?? 0));
  const largest = Math.max(0, ...numbers.map(Math.abs));
  if (largest === 0 || numbers.every(Number.isInteger)) return 0;
  const before = Math.floor(Math.log10(largest)) + 1;
  return Math.min(9, Math.max(1, (before > 0 ? 4 : 3) - before));
}

function decimal(value: number, decimals: number): string {
  const shown = value.toFixed(decimals);
  // What would be rounded to nothing is something all the same.
  return value !== 0 && Number(shown) === 0 ? String(Number(value.toPrecision(2))) : shown;
}

function cellHtml(column: ShownColumn, row: object): Content {
  const shown = shownCell(column, row);
  return hasWords(column, row)
    ? line(shown, CELL)
    : markup`<span style="white-space:nowrap">${foreign(shown)}</span>`;
}

/** Whether it is a text that can be broken between words. */
function hasWords({ name, type }: FrameColumn, row: object): boolean {
  const value: unknown = Reflect.get(row, name);
  return type === "json" || type === "list" ||
    type === "text" && /\s/.test(String(value ?? "").slice(0, 200).trim());
}

/** The name of a column, with places to break it. */
function breakable(column: string): Content {
  return column.split("_").map((part, i) => i === 0 ? part : markup`_<wbr>${part}`);
}

/** A value in a few characters; nothing where it isn't known. */
function shownCell({ name, type, decimals }: ShownColumn, row: object): string {
  const value: unknown = Reflect.get(row, name);
  if (value === null || value === undefined) return "–";
  switch (type) {
    case "integer":
    case "boolean":
      return String(value);
    case "double":
      return decimal(Number(value), decimals);
    case "time":
      return String(value).replace("T", " ").replace(/\.\d+Z$/, "Z");
    case "text":
      return fit(String(value), CELL);
    case "list":
      return fit(Array.isArray(value) ? value.join(", ") : String(value), CELL);
    case "json":
      return fit(clip(oneLine(JSON.stringify(value)), 400), CELL);
  }
}
