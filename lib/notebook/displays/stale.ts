import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { faint, line, short } from "./prose.ts";
import { counted, dollars } from "./wording.ts";

/** Something that is stale. */
export interface StaleRow {
  /** `V3` for a review, `M12` for a match, `H9` for a child, `O1` for an overview: what `refresh` takes. */
  readonly label: string;
  /** What it is. */
  readonly kind: "review" | "match" | "child" | "overview";
  /** Labels of the hypotheses that it is about, or was made from. */
  readonly of: readonly string[];
  /** What it was judged on, or made from, in words. */
  readonly judgedOn: string;
  /** Label of the revision, or of the task, that made the newer text. */
  readonly since: string;
  /** What doing it again is expected to cost, in dollars; `null` where `refresh` doesn't do it. */
  readonly usd: number | null;
  /** Whether that comes from this session's own calls, or from typical calls and prices. */
  readonly basis: "measured" | "prices";
  /** Why `refresh()` leaves it alone, or how it is done again; empty where `refresh()` does it. */
  readonly remark: string;
}

/** What is stale in a session. */
export interface StaleListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** What is stale. */
  readonly rows: readonly StaleRow[];
}

/** How what is stale is shown. */
export const staleDisplay: Display<StaleListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

/** What doing all of it again is expected to cost, in dollars. */
export function redoUsd(rows: readonly Pick<StaleRow, "usd">[]): number {
  return rows.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

/** How many of each kind: `2 reviews, 1 match`. */
export function staleCounts(rows: readonly Pick<StaleRow, "kind">[]): string {
  const count = (kind: StaleRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  return [
    count("review") === 0 ? null : counted(count("review"), "review"),
    count("match") === 0 ? null : counted(count("match"), "match", "matches"),
    count("child") === 0 ? null : counted(count("child"), "child", "children"),
    count("overview") === 0 ? null : counted(count("overview"), "overview"),
  ].filter((text) => text !== null).join(", ");
}

function listing(data: StaleListData): Listing<StaleRow> {
  return {
    title: `Stale in ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Label", cell: (row) => markup`<b>${short(row.label)}</b>` },
      { head: "What", cell: (row) => short(row.kind) },
      { head: "Of", cell: (row) => line(row.of.join(", "), 120) },
      { head: "Because", wide: true, cell: (row) => line(row.judgedOn, 200) },
      { head: "Since", cell: (row) => short(row.since) },
      { head: "Again", align: "end", cell: (row) => short(price(row)) },
      { head: "Remark", below: true, cell: (row) => row.remark === "" ? null : faint(line(row.remark, 300)) },
    ],
    textColumns: [
      { head: "label", cell: (row) => row.label },
      { head: "what", cell: (row) => row.kind },
      { head: "of", cell: (row) => row.of.join(", "), max: 16 },
      { head: "since", cell: (row) => row.since },
      { head: "again", cell: price, align: "end" },
      { head: "because", cell: (row) => `${row.judgedOn}${row.remark === "" ? "" : `; ${row.remark}`}` },
    ],
    empty: "Nothing is stale.",
    end: "first",
    hint: hint(data.rows),
  };
}

function hint(rows: readonly StaleRow[]): string {
  const measured = rows.every(({ basis, usd }) => usd === null || basis === "measured");
  return `${staleCounts(rows)}. await lab.refresh() does them again for about ${dollars(redoUsd(rows))}, by ${
    measured ? "what this session's calls cost" : "typical calls and prices"
  }; a label does one of them, or all of a hypothesis.`;
}

function price(row: StaleRow): string {
  return row.usd === null ? "–" : dollars(row.usd);
}
