import type { SessionStatus } from "../../domain/records.ts";
import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { faint, line, short } from "./prose.ts";
import { dollars, moment, words } from "./wording.ts";

/** A session as the list of a store's sessions shows it. */
export interface SessionRow {
  /** Its name. */
  readonly name: string;
  /** The goal. */
  readonly goal: string;
  /** Status. */
  readonly status: SessionStatus;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** Its last commit. */
  readonly seq: number;
  /** Hypotheses. */
  readonly hypotheses: number;
  /** Valid matches. */
  readonly matches: number;
  /** Money spent, in dollars. */
  readonly usd: number;
  /** When it was created: milliseconds since 1970. */
  readonly createdAt: number;
  /** Name of the session it was forked from, if it was. */
  readonly parent: string | null;
}

/** The sessions of a store. */
export interface SessionListData {
  /** The store's file. */
  readonly store: string;
  /** Its sessions. */
  readonly rows: readonly SessionRow[];
}

/** How a list of sessions is shown. */
export const sessionsDisplay: Display<SessionListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: SessionListData): Listing<SessionRow> {
  return {
    title: `Sessions in ${data.store}`,
    // A store may hold both kinds: each row says which it is.
    simulated: false,
    rows: data.rows,
    columns: [
      {
        head: "Session",
        cell: (row) =>
          markup`<b>${line(row.name, 80)}</b>${
            row.parent === null ? null : faint([" forked from ", line(row.parent, 80)])
          }`,
      },
      { head: "Models", cell: (row) => row.simulated ? markup`<b>${short("SIMULATED")}</b>` : short("live") },
      { head: "Status", cell: (row) => short(words(row.status)) },
      { head: "Hyp.", align: "end", cell: (row) => short(row.hypotheses) },
      { head: "Matches", align: "end", cell: (row) => short(row.matches) },
      { head: "USD", align: "end", cell: (row) => short(dollars(row.usd)) },
      { head: "Created", cell: (row) => short(moment(row.createdAt).slice(0, 10)) },
      { head: "Goal", below: true, cell: (row) => faint(line(row.goal, 240)) },
    ],
    textColumns: [
      {
        head: "session",
        cell: (row) => row.parent === null ? row.name : `${row.name} (from ${row.parent})`,
        max: 34,
      },
      { head: "models", cell: (row) => row.simulated ? "SIMULATED" : "live" },
      { head: "status", cell: (row) => words(row.status) },
      { head: "H", cell: (row) => String(row.hypotheses), align: "end" },
      { head: "M", cell: (row) => String(row.matches), align: "end" },
      { head: "usd", cell: (row) => dollars(row.usd), align: "end" },
      { head: "created", cell: (row) => moment(row.createdAt).slice(0, 10) },
      { head: "goal", cell: (row) => row.goal },
    ],
    empty: "No session yet.",
    end: "last",
    hint: "Supervisor.open({ store, session }) opens one.",
  };
}
