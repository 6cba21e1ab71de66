import type { SessionStatus } from "../../domain/records.ts";
import type { OpenGate, StepReport } from "../../engine/report.ts";
import { card, type Html, markup } from "../html.ts";
import type { Display } from "./display.ts";
import { afterStop, atGate } from "./going_on.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, excerpt, line, paragraph, section } from "./prose.ts";
import { taskHtml, taskText } from "./task_line.ts";
import { words } from "./wording.ts";

/** What one tick did, and what comes next. */
export interface TickData extends StepReport {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** Status of the session after it. */
  readonly status: SessionStatus;
  /** What comes next, in one line. */
  readonly nextLine: string;
  /** The system feedback, if this tick added one. */
  readonly feedback: { readonly label: string; readonly narrative: string } | null;
  /** Notices of the budget, if this tick passed a part of it; one line each. */
  readonly notices: readonly string[];
}

/** How a tick is shown. */
export const tickDisplay: Display<TickData> = {
  html: (tick) =>
    card({
      title: `Tick of ${tick.session}`,
      simulated: tick.simulated,
      body: [
        tick.changes.map((change) => paragraph(line(change, 600))),
        tick.ran.length === 0 ? paragraph(nothingRan(tick)) : tick.ran.map(taskHtml),
        tick.feedback === null
          ? null
          : section(`New system feedback ${tick.feedback.label}`, excerpt(tick.feedback.narrative, 320)),
        tick.notices.map((notice) => paragraph(alarming(notice))),
        stopHtml(tick),
        tick.gate === null ? null : [
          paragraph(markup`<b>${atItsGate(tick.gate)}</b>`),
          paragraph(markup`<b>To go on:</b> ${atGate()}`),
        ],
        tick.nextLine === "" ? null : paragraph(markup`<b>Next:</b> ${line(tick.nextLine, 400)}`),
      ],
    }),
  text: (tick) =>
    blocks(
      headline(`Tick of ${tick.session}`, tick.simulated),
      lines(...tick.changes.map((change) => wrapped(change, "", 600))),
      tick.ran.length === 0 ? wrapped(nothingRan(tick)) : lines(...tick.ran.map(taskText)),
      tick.feedback === null
        ? null
        : wrapped(tick.feedback.narrative, `New system feedback ${tick.feedback.label}: `, 1200),
      lines(
        ...tick.notices.map((notice) => wrapped(notice, "! ")),
        tick.stop === null ? null : wrapped(tick.stop.note, `Stopped (${words(tick.stop.reason)}): `, 600),
        tick.stop === null ? null : wrapped(afterStop(tick.stop.reason), "To go on: "),
        tick.gate === null ? null : atItsGate(tick.gate),
        tick.gate === null ? null : wrapped(atGate(), "To go on: "),
        tick.nextLine === "" ? null : wrapped(tick.nextLine, "Next: ", 400),
      ),
    ),
};

function atItsGate({ label, kind }: OpenGate): string {
  return `Gate ${label.slice(0, 20)} is open: ${words(kind)} waits for your yes.`;
}

function nothingRan(tick: TickData): string {
  if (tick.gate !== null) return "Nothing ran.";
  if (tick.waiting !== null) return `Nothing ran: ${tick.waiting}`;
  return tick.stop === null ? `Nothing ran; the session is ${words(tick.status)}.` : "Nothing ran.";
}

function stopHtml({ stop }: TickData): Html | null {
  if (stop === null) return null;
  return markup`${paragraph(alarming(["Stopped (", words(stop.reason), "): "]), line(stop.note, 600))}${
    paragraph(markup`<b>To go on:</b> ${afterStop(stop.reason)}`)
  }`;
}
