import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText, twoLines } from "./listing.ts";
import { short } from "./prose.ts";

/** A plot that there is. */
export interface PlotListRow {
  /** How it is asked for: `lab.plots.elo()`. */
  readonly call: string;
  /** What it shows. */
  readonly what: string;
  /** The frame with its rows; `null` where it is of several sessions, and its rows are in no frame of one. */
  readonly frame: string | null;
}

/** The plots that there are. */
export interface PlotListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The plots. */
  readonly rows: readonly PlotListRow[];
}

/** How the list of plots is shown. */
export const plotListDisplay: Display<PlotListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: PlotListData): Listing<PlotListRow> {
  return {
    title: `Plots of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Plot", cell: (row) => short(row.call) },
      { head: "It shows", cell: (row) => twoLines(markup`${row.what}`, `rows: ${rowsOf(row)}`) },
    ],
    textColumns: [
      { head: "plot", cell: (row) => row.call },
      { head: "it shows", cell: (row) => row.what },
    ],
    empty: "There are none.",
    end: "first",
    hint: '.save("elo.svg") or .save("elo.png") writes one to a file; .rows are the plain rows behind it.',
  };
}

function rowsOf({ frame }: PlotListRow): string {
  return frame === null ? ".rows of the plot" : `lab.frame("${frame}")`;
}
