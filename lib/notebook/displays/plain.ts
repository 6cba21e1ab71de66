import { oneLine } from "../../domain/text.ts";
import { clean } from "./clean.ts";

/** Columns of the terminals that texts are laid out for. */
export const COLUMNS = 100;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE = /\p{scx=Han}|\p{scx=Hira}|\p{scx=Kana}|\p{scx=Hang}|\p{Emoji_Presentation}|[\uFF01-\uFF60]/u;
const ASCII = /^[\x20-\x7e]*$/;

/** How many columns a terminal gives a text: two for East Asian characters and emoji, none for combining marks. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes.segment(text)) sum += graphemeColumns(segment);
  return sum;
}

/** A text on one line and within so many columns, with an ellipsis where something was cut. */
export function fit(text: string, columns: number): string {
  // More characters than this can't fit whatever they are, and a long text costs time.
  const line = oneLine(clean(text.slice(0, columns * 16 + 256)));
  if (line.length <= columns && columnsOf(line) <= columns && text.length <= columns * 16 + 256) return line;
  return cut(line, columns);
}

/** A line's beginning with an ellipsis, so many columns at most; what stands in columns stays in them. */
function cut(line: string, columns: number): string {
  let out = "", used = 0;
  for (const { segment } of graphemes.segment(line)) {
    const own = graphemeColumns(segment);
    if (used + own > columns - 1) break;
    out += segment;
    used += own;
  }
  return `${out}…`;
}

/** Columns of a lead: a longer one, which is foreign text then, is cut. */
const LEAD = 60;

/**
 * A text in lines of at most {@linkcode COLUMNS}; its own line breaks stay. Words that are longer than a line are cut.
 *
 * @param text the text
 * @param lead stands before the first line; the others are indented as far, or a little where it is long
 * @param limit characters at most; a remark says how many were left out
 */
export function wrapped(text: string, lead = "", limit = 4000): string {
  const head = columnsOf(lead) <= LEAD ? lead : `${fit(lead, LEAD - 1)} `;
  const own = columnsOf(head);
  // Under a long lead the text would stand in a narrow column.
  const indent = own <= 12 ? own : columnsOf(/^ */.exec(head)?.[0] ?? "") + 2;
  const rest = text.length - limit;
  const shown = rest > 0 ? `${text.slice(0, limit)}… (${rest} more characters)` : text;
  const lines = clean(shown).split("\n").flatMap((line, i) =>
    wrapLine(line, COLUMNS - (i === 0 ? own : indent), COLUMNS - indent)
  );
  return lines.map((line, i) => `${i === 0 ? head : " ".repeat(indent)}${line}`.trimEnd()).join("\n");
}

/** A column of a {@linkcode textTable}. */
export interface TextColumn<R> {
  /** Its heading. */
  readonly head: string;
  /** What stands in it. */
  readonly cell: (row: R) => string;
  /** `end` for numbers. */
  readonly align?: "start" | "end";
  /** Columns at which it is cut: 28 unless it says otherwise. The last column is cut to what is left. */
  readonly max?: number;
}

/**
 * A table within {@linkcode COLUMNS}. The last column takes what is left and is cut to it.
 *
 * @param parts whether a line parts a row from the next one
 */
export function textTable<R>(
  columns: readonly TextColumn<R>[],
  rows: readonly R[],
  parts: (row: R, next: R) => boolean = () => false,
): string {
  const last = columns.length - 1;
  const cells = rows.map((row) =>
    columns.map((column, i) => fit(column.cell(row), i === last ? COLUMNS : column.max ?? 28))
  );
  const lines = [columns.map((column) => column.head), ...cells];
  const widths = narrowed(
    columns.map((_, i) => lines.reduce((max, line) => Math.max(max, columnsOf(line[i] ?? "")), 0)),
  );
  const texts = lines.map((line) => {
    const row = line.map((cell, i) => {
      const width = widths[i] ?? 0, text = fit(cell, width);
      if (i === last && columns[i]?.align !== "end") return text;
      const padding = " ".repeat(Math.max(0, width - columnsOf(text)));
      return columns[i]?.align === "end" ? padding + text : text + padding;
    }).join("  ").trimEnd();
    // More columns than a terminal has room for end at its edge.
    return columnsOf(row) <= COLUMNS ? row : cut(row, COLUMNS);
  });
  const rule = "╌".repeat(Math.min(COLUMNS, Math.max(...texts.map(columnsOf))));
  return texts.flatMap((text, i) => {
    const row = rows[i - 1], next = rows[i];
    return i > 0 && row !== undefined && next !== undefined && parts(row, next) ? [text, rule] : [text];
  }).join("\n");
}

/** Columns that the last one of a table gets at least, where it is as wide, and the others. */
const LAST = 16, LEAST = 3;

/** Widths of a table's columns so that all fit, with two spaces between: the widest of the first ones give way, and then the last one. */
function narrowed(widths: readonly number[]): number[] {
  const first = widths.slice(0, -1), last = widths.at(-1) ?? 0;
  const between = 2 * first.length;
  let excess = first.reduce((sum, width) => sum + width, between + Math.min(last, LAST)) - COLUMNS;
  for (; excess > 0; excess--) {
    const widest = first.indexOf(Math.max(...first)), width = first[widest] ?? 0;
    if (width <= LEAST) break;
    first[widest] = width - 1;
  }
  const room = COLUMNS - first.reduce((sum, width) => sum + width, between);
  return [...first, Math.min(last, Math.max(Math.min(last, LAST), room))];
}

/** Blocks of lines with a blank line between; empty ones are left out. */
export function blocks(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join("\n\n");
}

/** Lines below each other; empty ones are left out. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join("\n");
}

/** The first line of a text: what it is, whose, and whether it is simulated. */
export function headline(title: string, simulated: boolean): string {
  return `${fit(title, COLUMNS - 12)}${simulated ? " (SIMULATED)" : ""}`;
}

const BARS = "▁▂▃▄▅▆▇█";

/** Numbers as a row of little bars, the last `points` of them. */
export function barline(values: readonly number[], points = 10): string {
  const shown = values.slice(-points);
  const low = Math.min(...shown), span = Math.max(...shown) - low;
  return shown.map((value) => BARS[span === 0 ? 3 : Math.round((value - low) / span * 7)] ?? "").join("");
}

function graphemeColumns(segment: string): number {
  if (WIDE.test(segment)) return 2;
  return /^(?:\p{M}|\p{Cf})+$/u.test(segment) ? 0 : 1;
}

/** A line in lines of at most `room`, the first of `first`. What it is indented by stays; so are those after it. */
function wrapLine(line: string, first: number, room: number): string[] {
  const indent = /^ {1,12}/.exec(line)?.[0] ?? "";
  const out: string[] = [];
  let current = indent, used = indent.length, empty = true;
  for (const word of line.trim().split(/[ \t]+/)) {
    for (const piece of pieces(word, Math.min(first, room) - indent.length)) {
      const own = columnsOf(piece);
      if (!empty && used + 1 + own > (out.length === 0 ? first : room)) {
        out.push(current);
        current = indent + piece;
        used = indent.length + own;
      } else {
        current += empty ? piece : ` ${piece}`;
        used += own + (empty ? 0 : 1);
      }
      empty = false;
    }
  }
  return [...out, current];
}

/** A word, cut into pieces that fit a line if it doesn't. */
function pieces(word: string, room: number): string[] {
  if (columnsOf(word) <= room) return [word];
  const out: string[] = [];
  let current = "", used = 0;
  for (const { segment } of graphemes.segment(word)) {
    const own = graphemeColumns(segment);
    if (used + own > room) {
      out.push(current);
      current = "";
      used = 0;
    }
    current += segment;
    used += own;
  }
  return [...out, current];
}
