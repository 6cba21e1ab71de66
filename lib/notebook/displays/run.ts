import { TASK_ACTIONS } from "../../domain/records.ts";
import type { RunReport } from "../../engine/report.ts";
import type { SnapshotData } from "../../engine/snapshot.ts";
import { card, markup } from "../html.ts";
import type { Display } from "./display.ts";
import { afterRun } from "./going_on.ts";
import { facts } from "./grid.ts";
import { firstLeadersHtml, firstLeadersText } from "./leaders.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph, section } from "./prose.ts";
import { taskHtml, taskText } from "./task_line.ts";
import { costLine, counted, dollars, duration, words } from "./wording.ts";

/** What a run did, and where the session stands after it. */
export interface RunData extends RunReport {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** Where the session stands after it. */
  readonly snapshot: SnapshotData;
  /** What it was expected to cost when it began, in dollars; `null` where its end couldn't be foreseen. */
  readonly expectedUsd: number | null;
  /** Notices of the budget while it ran; one line each. */
  readonly notices: readonly string[];
  /** What else there is to say; one line each. */
  readonly notes: readonly string[];
}

/** Leaders that a run shows. */
const LEADERS = 5;

/** How a run is shown. */
export const runDisplay: Display<RunData> = {
  html: (run) =>
    card({
      title: `Run of ${run.session}`,
      simulated: run.simulated,
      body: [
        facts([
          ["Ended by", markup`<b>${ended(run)}</b>`],
          ["Because", run.stop === null ? null : line(run.stop.note, 600)],
          ["Did", did(run)],
          ["Cost", cost(run)],
          ["Took", duration(run.durationMs)],
          ["To go on", goOn(run)],
        ]),
        run.notices.map((notice) => paragraph(alarming(notice))),
        run.notes.map((note) => paragraph(line(note, 400))),
        run.changes.length === 0 ? null : section(
          "Changed on the way",
          run.changes.map((change) => paragraph(line(change, 600))),
        ),
        run.failures === 0 ? null : section(
          failures(run),
          run.lastFailures.map(taskHtml),
        ),
        section("Leaders", firstLeadersHtml(run.snapshot, LEADERS)),
      ],
    }),
  text: (run) =>
    blocks(
      headline(`Run of ${run.session}`, run.simulated),
      lines(
        `Ended by: ${ended(run)}`,
        run.stop === null ? null : wrapped(run.stop.note, "Because:  ", 600),
        wrapped(did(run), "Did:      "),
        wrapped(cost(run), "Cost:     "),
        `Took:     ${duration(run.durationMs)}`,
        wrapped(goOn(run), "To go on: "),
        ...run.notices.map((notice) => wrapped(notice, "! ")),
        ...run.notes.map((note) => wrapped(note, "", 400)),
      ),
      run.changes.length === 0
        ? null
        : lines("Changed on the way:", ...run.changes.map((change) => wrapped(change, "", 600))),
      run.failures === 0 ? null : lines(`${failures(run)}:`, ...run.lastFailures.map(taskText)),
      firstLeadersText(run.snapshot, LEADERS),
    ),
};

function ended(run: RunData): string {
  return run.stop === null ? words(run.endedBy) : `${words(run.endedBy)} (${words(run.stop.reason)})`;
}

function did(run: RunData): string {
  const done = TASK_ACTIONS.filter((action) => run.tasks[action] > 0);
  return done.length === 0
    ? "no task ended"
    : done.map((action) => `${run.tasks[action]} × ${words(action)}`).join(", ");
}

function cost({ cost, expectedUsd }: RunData): string {
  return expectedUsd === null ? costLine(cost) : `${costLine(cost)}; ${dollars(expectedUsd)} was expected`;
}

function goOn(run: RunData): string {
  return afterRun(run.endedBy, run.stop?.reason ?? null);
}

function failures(run: RunData): string {
  const shown = run.lastFailures.length;
  return shown < run.failures
    ? `${counted(run.failures, "failed attempt")}, the last${shown === 1 ? "" : ` ${shown}`} of them`
    : counted(run.failures, "failed attempt");
}
