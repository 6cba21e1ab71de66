import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText, twoLines } from "./listing.ts";
import { line, short } from "./prose.ts";

/** A frame that there is. */
export interface FrameListRow {
  /** What to ask for it by. */
  readonly name: string;
  /** What a row is. */
  readonly what: string;
  /** What its columns are called in files. */
  readonly columns: readonly string[];
}

/** The frames that there are. */
export interface FrameListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The frames. */
  readonly rows: readonly FrameListRow[];
}

/** How the list of frames is shown. */
export const frameListDisplay: Display<FrameListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: FrameListData): Listing<FrameListRow> {
  return {
    title: `Frames of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Name", cell: (row) => short(row.name) },
      { head: "A row is", cell: (row) => twoLines(line(row.what, 400), row.columns.join(", ")) },
    ],
    textColumns: [
      { head: "name", cell: (row) => row.name },
      { head: "columns", cell: (row) => String(row.columns.length), align: "end" },
      { head: "a row is", cell: (row) => row.what },
    ],
    empty: "There are none.",
    end: "first",
    hint: 'lab.frame("matches") makes one; .csv(path) and .parquet(path) write it.',
  };
}
