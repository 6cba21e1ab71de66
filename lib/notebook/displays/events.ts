import type { SessionEvent } from "../../telemetry/events.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { alarming, faint, line, phrase, short } from "./prose.ts";
import { jsonLine, moment, words } from "./wording.ts";

/** Events of a session, oldest first. */
export interface EventListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The events. */
  readonly rows: readonly SessionEvent[];
}

/** How a list of events is shown. */
export const eventsDisplay: Display<EventListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

const ALARMING: ReadonlySet<string> = new Set([
  "task_failed",
  "task_dead",
  "call_failed",
  "fault",
  "match_invalid",
]);

function listing(data: EventListData): Listing<SessionEvent> {
  return {
    title: `Events of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "n", align: "end", cell: (row) => short(row.n) },
      { head: "When", cell: (row) => phrase(moment(row.at)) },
      { head: "Commit", align: "end", cell: (row) => row.seq === null ? null : short(row.seq) },
      {
        head: "Event",
        cell: (row) => ALARMING.has(row.type) ? alarming(short(words(row.type))) : short(words(row.type)),
      },
      { head: "Details", wide: true, cell: (row) => faint(line(details(row), 400)) },
    ],
    textColumns: [
      { head: "n", cell: (row) => String(row.n), align: "end" },
      { head: "when", cell: (row) => moment(row.at) },
      { head: "commit", cell: (row) => row.seq === null ? "" : String(row.seq), align: "end" },
      { head: "event", cell: (row) => words(row.type) },
      { head: "details", cell: details },
    ],
    empty: "No event yet.",
    end: "last",
    hint: "",
  };
}

function details(row: SessionEvent): string {
  return Object.entries(row.payload)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : jsonLine(value)}`).join(" · ");
}
