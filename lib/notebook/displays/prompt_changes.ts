import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { line, short } from "./prose.ts";

/** One prompt that was changed. */
export interface PromptChangeRow {
  /** `R3`. */
  readonly revision: string;
  /** The prompt. */
  readonly prompt: string;
  /** Whether the shipped text holds from now on, or another. */
  readonly to: "shipped" | "changed";
  /** Lines that came. */
  readonly added: number;
  /** Lines that went. */
  readonly removed: number;
  /** Who changed it. */
  readonly by: string;
  /** The commit from which on it is so. */
  readonly seq: number;
}

/** Prompts that were changed. */
export interface PromptChangesData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The changes, in order. */
  readonly rows: readonly PromptChangeRow[];
}

/** How changes of prompts are shown. */
export const promptChangesDisplay: Display<PromptChangesData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: PromptChangesData): Listing<PromptChangeRow> {
  return {
    title: `Changed prompts of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Revision", cell: (row) => short(row.revision) },
      { head: "Prompt", cell: (row) => markup`<b>${short(row.prompt)}</b>` },
      { head: "Text", cell: (row) => row.to },
      { head: "Lines", cell: (row) => short(count(row)) },
      { head: "Since", cell: (row) => line(since(row), 200) },
    ],
    textColumns: [
      { head: "revision", cell: (row) => row.revision },
      { head: "prompt", cell: (row) => row.prompt },
      { head: "text", cell: (row) => row.to },
      { head: "lines", cell: count },
      { head: "since", cell: since },
    ],
    empty: "Nothing changed: it was so already.",
    end: "first",
    hint: "In force for tasks claimed from then on. prompts.diff(name) shows what differs.",
  };
}

function count(row: PromptChangeRow): string {
  return `+${row.added} −${row.removed}`;
}

function since(row: PromptChangeRow): string {
  return `commit ${row.seq}, by ${row.by}`;
}
