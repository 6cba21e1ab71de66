import type { AgentName } from "../../domain/records.ts";
import { markup } from "../html.ts";
import type { Display } from "./display.ts";
import { type Listing, listingHtml, listingText, twoLines } from "./listing.ts";
import { alarming, line, short } from "./prose.ts";
import { dollars, duration, tokens, words } from "./wording.ts";

/** One model call in short. */
export interface TranscriptRow {
  /** Its number in the store. */
  readonly n: number;
  /** When it was settled: milliseconds since 1970. */
  readonly at: number;
  /** Label of the task it was made for; for a call that a person had resent, which call it asks again. */
  readonly task: string;
  /** The number of the call that it asks again; `null` for a task's own call. */
  readonly resendOf: number | null;
  /** The commit that ended the attempt, if it has ended. */
  readonly seq: number | null;
  /** Whose. */
  readonly agent: AgentName;
  /** Route, such as `ranking.pairwise`. */
  readonly route: string;
  /** The model that was asked. */
  readonly model: string;
  /** Name of the prompt. */
  readonly prompt: string;
  /** Version of the prompt. */
  readonly promptVersion: string;
  /** The revision under which it ran. */
  readonly revision: number;
  /** Labels of the directives that it carried. */
  readonly directives: readonly string[];
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Money in dollars. */
  readonly usd: number;
  /** Whether no answer came, so that the money is what was reserved. */
  readonly unconfirmed: boolean;
  /** The answer's stop reason; empty where none came. */
  readonly stopReason: string;
  /** What failed; empty where nothing did. */
  readonly error: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** What money forced: cheaper model, less effort, shorter answer. */
  readonly concessions: readonly string[];
  /** The answer in one line. */
  readonly gist: string;
  /** Whether it was made before the session was forked off: an ancestor paid for it. */
  readonly inherited: boolean;
}

/** Model calls, oldest first. */
export interface TranscriptListData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The calls. */
  readonly rows: readonly TranscriptRow[];
}

/** How a list of model calls is shown. */
export const transcriptsDisplay: Display<TranscriptListData> = {
  html: (data) => listingHtml(listing(data)),
  text: (data) => listingText(listing(data)),
};

function listing(data: TranscriptListData): Listing<TranscriptRow> {
  return {
    title: `Model calls of ${data.session}`,
    simulated: data.simulated,
    rows: data.rows,
    columns: [
      { head: "n", align: "end", cell: (row) => short(row.n) },
      { head: "Task", cell: (row) => short(row.inherited ? `${row.task} ↰` : row.task) },
      {
        head: "Call",
        cell: (row) => twoLines(markup`${short(row.route)}`, short(row.model)),
      },
      { head: "Tokens", align: "end", cell: (row) => short(used(row)) },
      { head: "USD", align: "end", cell: (row) => short(`${dollars(row.usd)}${row.unconfirmed ? "?" : ""}`) },
      { head: "Took", align: "end", cell: (row) => short(duration(row.durationMs)) },
      {
        head: "Answer",
        below: true,
        cell: (row) =>
          twoLines(
            row.error === "" ? line(row.gist, 200) : alarming(line(row.error, 400)),
            line(ending(row), 300),
          ),
      },
    ],
    textColumns: [
      { head: "n", cell: (row) => String(row.n), align: "end" },
      { head: "task", cell: (row) => row.inherited ? `${row.task} ↰` : row.task },
      { head: "route", cell: (row) => row.route, max: 23 },
      { head: "model", cell: (row) => row.model, max: 20 },
      { head: "tokens", cell: used, align: "end" },
      { head: "usd", cell: (row) => `${dollars(row.usd)}${row.unconfirmed ? "?" : ""}`, align: "end" },
      { head: "answer", cell: (row) => row.error === "" ? row.gist : `failed: ${row.error}` },
    ],
    empty: "No model call yet.",
    end: "last",
    hint: [
      data.rows.some((row) => row.unconfirmed)
        ? "An amount with ? is what was reserved: no answer came."
        : null,
      data.rows.some((row) => row.inherited) ? "↰ is inherited: made before the fork." : null,
      "Take one by its n to see it whole.",
    ].filter((text) => text !== null).join(" "),
  };
}

/** Tokens read and written. */
function used(row: TranscriptRow): string {
  return `${tokens(row.inputTokens)} → ${tokens(row.outputTokens)}`;
}

function ending(row: TranscriptRow): string {
  return [
    row.stopReason === "" ? "no answer" : words(row.stopReason),
    ...row.concessions,
    row.directives.length === 0 ? null : `carried ${row.directives.join(", ")}`,
    row.inherited ? "inherited" : null,
  ].filter((text) => text !== null).join(" · ");
}
