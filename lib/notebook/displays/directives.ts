import type { AgentName, DirectiveUntil } from "../../domain/records.ts";
import { markup } from "../html.ts";
import { recipients, untilText } from "./directive_card.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText, twoLines } from "./listing.ts";
import { alarming, line, short } from "./prose.ts";

/** A directive as a list shows it. */
export interface DirectiveRow {
  /** `D1`. */
  readonly label: string;
  /** Which kind. */
  readonly kind: "directive" | "preference";
  /** What it says. */
  readonly text: string;
  /** The agents it is for; empty means all. */
  readonly to: readonly AgentName[];
  /** Totals at which it ends by itself. */
  readonly until: DirectiveUntil | null;
  /** Whether the next calls of its agents carry it. */
  readonly inForce: boolean;
  /** Why it is not in force; `null` where it is. */
  readonly whyNot: string | null;
  /** How many calls carried it. */
  readonly calls: number;
  /** Who gave it. */
  readonly author: string;
  /** The commit after which it holds. */
  readonly seq: number;
}

/** The directives of a session. */
export interface DirectiveListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The directives, oldest first. */
  readonly rows: readonly DirectiveRow[];
}

/** How directives are listed. */
export const directivesDisplay: Display<DirectiveListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: DirectiveListData): Listing<DirectiveRow> {
  return {
    title: `Directives of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "", cell: (row) => markup`<b>${short(row.label)}</b>` },
      { head: "Says", cell: (row) => twoLines(line(row.text, 300), `${row.kind}, by ${row.author}`) },
      { head: "For", cell: (row) => recipients(row.to) },
      { head: "In force", cell: (row) => row.inForce ? forceText(row) : alarming(line(forceText(row), 200)) },
      { head: "Calls", align: "end", cell: (row) => (row.calls === 0 ? "none yet" : row.calls) },
    ],
    textColumns: [
      { head: "", cell: (row) => row.label },
      { head: "for", cell: (row) => recipients(row.to) },
      { head: "calls", cell: (row) => (row.calls === 0 ? "none yet" : String(row.calls)), align: "end" },
      { head: "in force", cell: forceText },
      { head: "says", cell: (row) => row.text },
    ],
    empty: 'None was given. lab.direct("…") gives one.',
    end: "last",
    hint: 'inspect("D1") lists the calls that carried one; withdraw("D1") ends it.',
  };
}

function forceText({ inForce, whyNot, until }: DirectiveRow): string {
  if (!inForce) return `no: ${whyNot ?? ""}`;
  return until === null ? "yes" : `until ${untilText(until)}`;
}
