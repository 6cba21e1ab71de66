import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText, twoLines } from "./listing.ts";
import { faint, line, phrase, short } from "./prose.ts";

/** One prompt in short. */
export interface PromptRow {
  /** Its name. */
  readonly name: string;
  /** What it is for. */
  readonly what: string;
  /** The version in force, as transcripts name it; `null` before any call, since the tools offered belong to it. */
  readonly version: string | null;
  /** Whether its text is another than the shipped one. */
  readonly changed: boolean;
  /** Who changed it last; `null` where nobody did. */
  readonly by: string | null;
  /** Label of the revision that did; `null` where none did. */
  readonly revision: string | null;
  /** The commit from which on the text is in force; `null` where it always was. */
  readonly seq: number | null;
  /** Calls of the session that were made from the text in force. */
  readonly calls: number;
  /** Calls that were made from earlier texts. */
  readonly earlierCalls: number;
}

/** All prompts of a session. */
export interface PromptListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The prompts, by name. */
  readonly rows: readonly PromptRow[];
}

/** How the prompts of a session are listed. */
export const promptListDisplay: Display<PromptListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: PromptListData): Listing<PromptRow> {
  return {
    title: `Prompts of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Prompt", cell: (row) => twoLines(markup`<b>${short(row.name)}</b>`, phrase(row.what)) },
      { head: "Version", cell: (row) => row.version === null ? faint("not asked yet") : short(row.version) },
      { head: "Text", cell: (row) => row.changed ? markup`<b>${state(row)}</b>` : state(row) },
      { head: "Since", cell: (row) => line(since(row), 120) },
      { head: "Calls", align: "end", cell: (row) => short(row.calls) },
      { head: "Before", align: "end", cell: (row) => short(row.earlierCalls) },
    ],
    textColumns: [
      { head: "prompt", cell: (row) => row.name, max: 24 },
      { head: "version", cell: (row) => row.version ?? "–" },
      { head: "text", cell: state },
      { head: "calls", cell: (row) => String(row.calls), align: "end" },
      { head: "before", cell: (row) => String(row.earlierCalls), align: "end" },
      { head: "since", cell: since, max: 14 },
      { head: "for", cell: (row) => row.what },
    ],
    empty: "There are no prompts.",
    end: "first",
    hint: "prompts.get(name) shows one, prompts.set(name, text) changes it from the next claimed task on.",
  };
}

function state(row: PromptRow): string {
  return row.changed ? "changed" : "shipped";
}

function since(row: PromptRow): string {
  return row.revision === null ? "" : `${row.revision} by ${row.by ?? "nobody"}`;
}
