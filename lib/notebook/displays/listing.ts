import { card, type Column, type Html, markup, table } from "../html.ts";
import { blocks, headline, type TextColumn, textTable, wrapped } from "./plain.ts";
import { faint, fold, line, paragraph } from "./prose.ts";

/** Rows of a list that are shown: with more, reading it is no longer looking. */
const SHOWN = 60;

/** Rows of a card that stand open. */
const OPEN = 30;

/** Characters of a second line at most. */
const SECOND = 600;

/** A list as it is shown. */
export interface Listing<R> {
  /** Its headline. */
  readonly title: string;
  /** Whether its rows come from a simulated session. */
  readonly simulated: boolean;
  /** Its rows, all of them. */
  readonly rows: readonly R[];
  /** The columns of its table. */
  readonly columns: readonly Column<R>[];
  /** The columns of its text. */
  readonly textColumns: readonly TextColumn<R>[];
  /** What stands where there are no rows. */
  readonly empty: string;
  /** Which end is shown of a long list. */
  readonly end: "first" | "last";
  /** How to see more, or one of them. */
  readonly hint: string;
}

/** A list as a card. */
export function listingHtml<R>(listing: Listing<R>): Html {
  return card({
    title: listing.title,
    simulated: listing.simulated,
    body: [
      remark(listing) === "" ? null : paragraph(faint(remark(listing))),
      tables(listing),
    ],
  });
}

/** The rows nearest to the end that is shown; the others of those shown are folded on their side. */
function tables<R>(listing: Listing<R>): Html {
  const { columns, empty, end } = listing, rows = shown(listing);
  const rest = rows.length - OPEN;
  if (rest <= 0) return table(columns, rows, empty);
  return end === "first"
    ? markup`${table(columns, rows.slice(0, OPEN))}${fold(`${rest} more`, table(columns, rows.slice(OPEN)))}`
    : markup`${fold(`${rest} before these`, table(columns, rows.slice(0, rest)))}${
      table(columns, rows.slice(rest))
    }`;
}

/** A list as text. */
export function listingText<R>(listing: Listing<R>): string {
  const rows = shown(listing);
  return blocks(
    headline(listing.title, listing.simulated),
    rows.length === 0 ? listing.empty : textTable(listing.textColumns, rows),
    remark(listing) === "" ? null : wrapped(remark(listing)),
  );
}

/** Two lines in one cell: the second of less weight, and cut where it is a very long text. */
export function twoLines(first: Html, second: Html | string): Html {
  const below = typeof second === "string" ? line(second, SECOND) : second;
  return markup`<div>${first}</div><div style="font-size:12px">${faint(below)}</div>`;
}

function shown<R>({ rows, end }: Listing<R>): readonly R[] {
  return end === "first" ? rows.slice(0, SHOWN) : rows.slice(-SHOWN);
}

function remark<R>({ rows, end, hint }: Listing<R>): string {
  const part = rows.length <= SHOWN ? "" : `The ${end} ${SHOWN} of ${rows.length}. `;
  return rows.length === 0 ? "" : part + hint;
}
