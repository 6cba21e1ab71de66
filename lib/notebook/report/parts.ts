import { clip, oneLine } from "../../domain/text.ts";
import { webAddress } from "../displays/link.ts";
import { type Content, type Html, markup } from "../html.ts";

/** Characters of one text that a report holds at most. */
const HELD = 20_000;

/** A line of foreign text, cut to so many characters. */
export function said(text: string, max = 300): Html {
  return markup`<bdi>${clip(oneLine(text.slice(0, max * 8)), max)}</bdi>`;
}

/** A text of foreign origin with its own line breaks; a remark says what was left out where it is very long. */
export function prose(text: string, kind: "claim" | "" = ""): Html {
  const rest = text.length - HELD;
  return markup`<div class="prose${kind === "" ? "" : ` ${kind}`}" dir="auto">${clip(text.trim(), HELD)}${
    rest > 0 ? markup`<span class="faint"> (${rest} more characters)</span>` : null
  }</div>`;
}

/** Text of less weight. */
export function faint(content: Content): Html {
  return markup`<span class="faint">${content}</span>`;
}

/** Text that says something is wrong. */
export function alarm(content: Content): Html {
  return markup`<span class="alarm">${content}</span>`;
}

/** A short text that is not broken. */
export function unbroken(content: Content): Html {
  return markup`<span class="unbroken">${content}</span>`;
}

/** Names with what they stand for; those that stand for nothing are left out, and the list too where all do. */
export function facts(entries: readonly (readonly [string, Content])[]): Html | null {
  const given = entries.filter(([, content]) => content !== null && content !== "");
  return given.length === 0
    ? null
    : markup`<dl class="facts">${
      given.map(([name, content]) => markup`<dt>${name}</dt><dd>${content}</dd>`)
    }</dl>`;
}

/** Something that is shown when its summary is opened, and always on paper. */
export function fold(summary: Content, body: Content): Html {
  return markup`<details><summary>${summary}</summary><div>${body}</div></details>`;
}

/** An address as a link if it is one of the web; other kinds, and simulated sources, which lead nowhere, as text. */
export function address(url: string, simulated: boolean): Html {
  const href = simulated ? null : webAddress(url);
  const shown = said(url, 160);
  return href === null ? shown : markup`<a href="${href}" rel="noopener noreferrer nofollow">${shown}</a>`;
}

/** The name of the element that tells of a hypothesis. */
export function anchorOf(label: string): string {
  return `h-${label}`;
}

/** A hypothesis's label, as a link to where it is told of. */
export function toHypothesis(label: string): Html {
  return markup`<a href="#${anchorOf(label)}">${unbroken(label)}</a>`;
}

/** A column of a {@linkcode table}. */
export interface Column<R> {
  /** Its heading. */
  readonly head: string;
  /** What stands in it. */
  readonly cell: (row: R) => Content;
  /** `end` for numbers, `wide` for sentences. */
  readonly kind?: "end" | "wide";
}

/**
 * A table that scrolls within itself where the page is too narrow for it.
 *
 * @param name what it is, for those who hear it
 * @param mark a class of a row; nothing by default
 */
export function table<R>(
  name: string,
  columns: readonly Column<R>[],
  rows: readonly R[],
  mark: (row: R, next: R | undefined) => string = () => "",
): Html {
  const kind = ({ kind: own }: Column<R>) => (own === undefined ? null : markup` class="${own}"`);
  const heads = columns.map((column) => markup`<th scope="col"${kind(column)}>${column.head}</th>`);
  const lines = rows.map((row, i) => {
    const own = mark(row, rows[i + 1]);
    return markup`<tr${own === "" ? null : markup` class="${own}"`}>${
      columns.map((column) => markup`<td${kind(column)}>${column.cell(row)}</td>`)
    }</tr>\n`;
  });
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
