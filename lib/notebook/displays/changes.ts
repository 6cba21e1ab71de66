import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { line, short } from "./prose.ts";
import { jsonLine } from "./wording.ts";

/** One setting that was changed. */
export interface ChangeRow {
  /** `group.name`, e.g. `ranking.kFactorNew`. */
  readonly path: string;
  /** The value so far. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
}

/** What a call of `configure` changed. */
export interface ChangeListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The settings that differ now. */
  readonly rows: readonly ChangeRow[];
}

/** How changes of settings are shown. */
export const changesDisplay: Display<ChangeListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: ChangeListData): Listing<ChangeRow> {
  return {
    title: `Settings of ${data.session} that changed`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Setting", cell: (row) => markup`<b>${short(row.path)}</b>` },
      { head: "Before", cell: (row) => line(jsonLine(row.before), 300) },
      { head: "From now on", cell: (row) => markup`<b>${line(jsonLine(row.after), 300)}</b>` },
    ],
    textColumns: [
      { head: "setting", cell: (row) => row.path, max: 44 },
      { head: "before", cell: (row) => jsonLine(row.before) },
      { head: "from now on", cell: (row) => jsonLine(row.after) },
    ],
    empty: "Nothing: they had these values already.",
    end: "first",
    hint: "In force from the next task on; past results stay.",
  };
}
