import type { AgentName, TaskAction, TaskStatus } from "../../domain/records.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText } from "./listing.ts";
import { alarming, faint, line, short } from "./prose.ts";
import { moment, words } from "./wording.ts";

/** A task as the queue lists it. */
export interface QueueRow {
  /** `T5`. */
  readonly label: string;
  /** Who does it. */
  readonly agent: AgentName;
  /** Which work. */
  readonly action: TaskAction;
  /** Label of the hypothesis it is about, if one. */
  readonly target: string | null;
  /** Where it stands right now. */
  readonly status: TaskStatus;
  /** Lower goes first. */
  readonly priority: number;
  /** Attempts that failed. */
  readonly attempts: number;
  /** When another try comes: milliseconds since 1970; `null` for at once, or for none. */
  readonly notBeforeAt: number | null;
  /** Why it waits, or what failed last. */
  readonly reason: string;
}

/** The queue: what is in hand, ready, put off or dead, by priority. */
export interface QueueListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The tasks. */
  readonly rows: readonly QueueRow[];
}

/** How the queue is shown. */
export const queueDisplay: Display<QueueListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: QueueListData): Listing<QueueRow> {
  return {
    title: `Queue of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "Task", cell: (row) => short(row.label) },
      { head: "Work", cell: (row) => short(words(row.action)) },
      { head: "Target", cell: (row) => short(row.target ?? "") },
      { head: "Agent", cell: (row) => short(row.agent) },
      {
        head: "Status",
        cell: (row) => row.status === "dead" ? alarming(short(words(row.status))) : short(words(row.status)),
      },
      { head: "Priority", align: "end", cell: (row) => short(row.priority) },
      { head: "Failed", align: "end", cell: (row) => short(row.attempts) },
      { head: "Why", below: true, cell: (row) => why(row) === "" ? null : faint(line(why(row), 400)) },
    ],
    textColumns: [
      { head: "task", cell: (row) => row.label },
      { head: "work", cell: (row) => words(row.action) },
      { head: "target", cell: (row) => row.target ?? "" },
      { head: "agent", cell: (row) => row.agent },
      { head: "status", cell: (row) => words(row.status) },
      { head: "priority", cell: (row) => String(row.priority), align: "end" },
      { head: "failed", cell: (row) => String(row.attempts), align: "end" },
      { head: "why", cell: why },
    ],
    empty: "The queue is empty: the next tick decides what to do.",
    end: "first",
    hint: "queue.promote, .cancel, .revive and .take take a label.",
  };
}

function why(row: QueueRow): string {
  const until = row.notBeforeAt === null ? "" : `not before ${moment(row.notBeforeAt)}`;
  return [until, row.reason].filter((text) => text !== "").join(" · ");
}
