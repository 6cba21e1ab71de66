import type { EndedBy } from "../../domain/records.ts";
import { card, markup } from "../html.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph } from "./prose.ts";
import { counted, dollars, duration, words } from "./wording.ts";

/** How far a run has come that goes on in the background. */
export interface StartedRunData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** What ended it; `null` while it goes on. */
  readonly endedBy: EndedBy | "error" | null;
  /** What went wrong, if something did. */
  readonly error: string | null;
  /** How long it has run, in milliseconds. */
  readonly durationMs: number;
  /** Tasks at work. */
  readonly inHand: readonly string[];
  /** Hypotheses so far. */
  readonly hypotheses: number;
  /** Reviews so far. */
  readonly reviews: number;
  /** Valid matches so far. */
  readonly matches: number;
  /** What it has cost so far, in dollars. */
  readonly usd: number;
  /** What it was expected to cost when it began; `null` where its end can't be foreseen. */
  readonly expectedUsd: number | null;
  /** Money spent by the session, in dollars. */
  readonly spentUsd: number;
  /** Money at most. */
  readonly budgetUsd: number;
  /** Notices of the budget since it began; one line each. */
  readonly notices: readonly string[];
}

/** How a run in the background is shown. */
export const startedRunDisplay: Display<StartedRunData> = {
  html: (run) =>
    card({
      title: `Run of ${run.session} in the background`,
      simulated: run.simulated,
      body: [
        facts(rows(run).map(([name, text]) => [name, line(text, 400)] as const)),
        run.notices.map((notice) => paragraph(alarming(notice))),
        paragraph(markup`${HINT}`),
      ],
    }),
  text: (run) =>
    blocks(
      headline(`Run of ${run.session} in the background`, run.simulated),
      lines(
        ...rows(run).map(([name, text]) => wrapped(text, `${name}: `.padEnd(9), 400)),
        ...run.notices.map((notice) => wrapped(notice, "! ")),
      ),
      wrapped(HINT),
    ),
};

const HINT = "Other cells look and steer meanwhile. await run.stop() ends it when what is in hand is done; " +
  "await run.watch() shows it until its end; await run.done only waits.";

function rows(run: StartedRunData): [string, string][] {
  const expected = run.expectedUsd === null ? "" : `; ${dollars(run.expectedUsd)} was expected in all`;
  const how = run.endedBy === null
    ? `it goes on, for ${duration(run.durationMs)} so far`
    : run.error === null
    ? `it ended: ${words(run.endedBy)}`
    : `it failed: ${run.error}`;
  return [
    ["State", how],
    ["In hand", run.inHand.length === 0 ? "nothing" : run.inHand.join("; ")],
    [
      "Has",
      `${counted(run.hypotheses, "hypothesis", "hypotheses")}, ${counted(run.reviews, "review")}, ${
        counted(run.matches, "match", "matches")
      }`,
    ],
    [
      "Cost",
      `${dollars(run.usd)}${expected}; the session spent ${dollars(run.spentUsd)} of ${
        dollars(run.budgetUsd)
      }`,
    ],
  ];
}
