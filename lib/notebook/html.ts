import { clip } from "../domain/text.ts";

/** Characters of a headline, and of a text in a cell, at most. */
const TITLE = 300, CELL_TEXT = 2000;

/** HTML that is safe to show: made by {@linkcode markup}, {@linkcode table} or {@linkcode card} alone. */
export class Html {
  /** The markup. */
  readonly markup: string;

  /**
   * Takes markup as it is.
   *
   * @param markup must have been escaped: everything that isn't literal text of ours
   */
  constructor(markup: string) {
    this.markup = markup;
    Object.freeze(this);
  }

  /** The markup. */
  toString(): string {
    return this.markup;
  }
}

/** What can stand in HTML: markup of ours as it is, everything else escaped; `null` as nothing. */
export type Content = Html | string | number | null | readonly Content[];

/** Text as HTML or XML text or attribute value. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A template whose values are escaped unless they are {@linkcode Html}. (It isn't called `html`, because formatters would
 * then add white space, which shows.)
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((out, text, i) => out + markupOf(values[i - 1] ?? null) + text));
}

function markupOf(content: Content): string {
  if (content === null) return "";
  if (content instanceof Html) return content.markup;
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return escapeHtml(String(content));
  return content.map(markupOf).join("");
}

/** What may be broken inside: an address or a sequence. Ordinary words are not, so that columns keep room for them. */
const LONG_WORD = /(\S{17,})/;

/**
 * Text of foreign origin: its own direction, which can't reorder what stands around it, and breaks in long words without
 * spaces, so that an address or a sequence doesn't widen the page.
 */
export function foreign(text: string): Html {
  // Split by a pattern in brackets, every other part is a match.
  const parts = text.split(LONG_WORD).map((part, i) =>
    i % 2 === 0 ? part : markup`<span style="overflow-wrap:anywhere">${part}</span>`
  );
  return markup`<span dir="auto" style="unicode-bidi:isolate">${parts}</span>`;
}

/** A tag, or so many characters of a word that goes on; never between a letter and its marks, nor within an emoji. */
const TAG_OR_PIECE = /<[^>]*>|(?:&[#\w]+;|[^\s<&]){48}(?=[^\s<])(?![\p{M}\p{Cf}])(?<!\u200d)/gu;

/**
 * The same with places to break in very long words. Browsers find places by themselves, but in time that grows with the
 * square of the word's length: ten words of 20 kB would freeze a notebook for minutes.
 *
 * @param html markup of ours
 */
export function withBreaks(html: string): string {
  return html.replaceAll(TAG_OR_PIECE, (found) => found.startsWith("<") ? found : `${found}<wbr>`);
}

/** A column of a {@linkcode table}. */
export interface Column<R> {
  /** Its heading. */
  readonly head: Content;
  /** What stands in it. Strings are shown as {@linkcode foreign} text. */
  readonly cell: (row: R) => Content;
  /** `end` for numbers. */
  readonly align?: "start" | "end";
  /** Whether it holds sentences: on a narrow page it keeps some room for them, and the table is rather scrolled. */
  readonly wide?: boolean;
  /** Whether it stands on a line of its own below the row, over the whole width, where there is something in it. */
  readonly below?: boolean;
}

// Notebook front ends style bare tables (stripes, right alignment, theme colours), so each cell says what it wants: as left
// and right, since JupyterLab takes start and end out of what it doesn't trust, such as a notebook that somebody else ran.
const GROUND = "background:#ffffff;color:#1f2328;";
const CELL = `${GROUND}padding:4px 10px 4px 0;border:0;border-bottom:1px solid #e7e9eb;vertical-align:top;` +
  "white-space:normal;max-width:46em;overflow-wrap:break-word;";
const HEAD = `${CELL}font-weight:600;border-bottom:1px solid #a8adb3;vertical-align:bottom;`;
const TABLE = `${GROUND}border-collapse:collapse;margin:4px 0;border:0;font-size:13px`;
const CARD = `${GROUND}color-scheme:light;border:1px solid #d0d7de;border-radius:6px;padding:10px 14px;` +
  "margin:2px 0;max-width:1000px;overflow-x:auto;text-align:left;" +
  "font:13px/1.45 system-ui,'Segoe UI',Roboto,Arial,sans-serif";
const MARK = "display:inline-block;margin-inline-start:8px;padding:0 7px;border:1px solid #8a6100;" +
  "border-radius:4px;background:#fff3cd;color:#5c4100;font-size:11px;font-weight:700;letter-spacing:.05em";

// The colour of the rule under the headings, so that it is seen among the lines between rows.
const PARTED = "border-bottom-color:#a8adb3;";
// A row that goes on below.
const OPEN = "border-bottom:0;padding-bottom:0;", BELOW = "padding:0 10px 6px 12px;max-width:none;";

/**
 * A table, one row a line.
 *
 * @param empty stands instead where there are no rows
 * @param parts whether a rule parts a row from the next one
 */
export function table<R>(
  columns: readonly Column<R>[],
  rows: readonly R[],
  empty = "Nothing yet.",
  parts: (row: R, next: R) => boolean = () => false,
): Html {
  if (rows.length === 0) return markup`<p style="margin:4px 0;color:#52595f">${empty}</p>`;
  const beside = columns.filter((column) => column.below !== true);
  const below = columns.filter((column) => column.below === true);
  const style = (base: string, { align = "start", wide = false }: Column<R>) =>
    `${base}text-align:${align === "end" ? "right;font-variant-numeric:tabular-nums" : "left"}${
      wide ? ";min-width:12em" : ""
    }`;
  const heads = beside.map((column) =>
    markup`<th scope="col" style="${style(HEAD, column)}">${column.head}</th>`
  );
  const lines = rows.map((row, i) => {
    const next = rows[i + 1];
    const base = next !== undefined && parts(row, next) ? CELL + PARTED : CELL;
    const more = below.map((column) => shownIn(column, row)).filter((content) => content !== null);
    const cells = beside.map((column) =>
      markup`<td style="${style(more.length === 0 ? base : CELL + OPEN, column)}">${
        shownIn(column, row)
      }</td>`
    );
    const under = more.length === 0
      ? null
      : markup`<tr style="${GROUND}"><td colspan="${beside.length}" style="${base}${BELOW}text-align:left">${
        more.map((content) => markup`<div>${content}</div>`)
      }</td></tr>`;
    return markup`<tr style="${GROUND}">${cells}</tr>${under}`;
  });
  const head = markup`<thead><tr style="${GROUND}">${heads}</tr></thead>`;
  // On a narrow page the table alone is scrolled, and not all that stands around it.
  return markup`<div style="overflow-x:auto"><table style="${TABLE}">${head}<tbody>${lines}</tbody></table></div>`;
}

/** What stands in a cell; `null` for nothing. */
function shownIn<R>(column: Column<R>, row: R): Content {
  const content = column.cell(row);
  if (typeof content !== "string") return content;
  return content === "" ? null : foreign(clip(content, CELL_TEXT));
}

/** What a {@linkcode card} shows. */
export interface CardContent {
  /** Its headline, if it has one. */
  readonly title?: string;
  /** Whether it shows something simulated: then it says so. */
  readonly simulated?: boolean;
  /** Parts below each other. */
  readonly body: readonly Content[];
}

/** An opaque light card, readable on light and dark pages, with everything inline: no script, no style sheet, no net. */
export function card({ title, simulated = false, body }: CardContent): Html {
  const mark = simulated ? markup` <span style="${MARK}">SIMULATED</span>` : null;
  const head = title === undefined
    ? null
    : markup`<div style="font-weight:600;font-size:15px;margin-bottom:4px">${
      foreign(clip(title, TITLE))
    }${mark}</div>`;
  return markup`<div style="${CARD}">${head}${body}</div>`;
}
