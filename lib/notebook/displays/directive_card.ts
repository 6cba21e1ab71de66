import type { DirectiveUntil } from "../../domain/records.ts";
import { card, type Column, markup, table } from "../html.ts";
import type { CarryingLine, DirectiveCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, line, paragraph, prose, section, short } from "./prose.ts";
import { counted, words } from "./wording.ts";

/** Calls that a card lists: the newest. */
const SHOWN = 40;

/** How a directive is shown. */
export const directiveDisplay: Display<DirectiveCardData> = {
  html: (d) =>
    card({
      title: `${d.label} ${d.kind} of ${d.session}`,
      simulated: d.simulated,
      body: [
        prose(d.text),
        facts([
          ["For", markup`<span>${recipients(d.to)}</span>`],
          ["Until", d.until === null ? null : markup`<span>${untilText(d.until)}</span>`],
          ["Given", markup`<span>${given(d)}</span>`],
        ]),
        paragraph(
          d.inForce
            ? markup`<b>In force</b>`
            : alarming(markup`<b>Not in force</b>: ${line(d.whyNot ?? "", 600)}`),
        ),
        section(carried(d), d.calls.length === 0 ? null : table(COLUMNS, d.calls.slice(-SHOWN))),
      ],
    }),
  text: (d) =>
    blocks(
      lines(
        headline(`${d.label} ${d.kind} of ${d.session}`, d.simulated),
        wrapped(
          `for ${recipients(d.to)}${d.until === null ? "" : ` · until ${untilText(d.until)}`} · ${given(d)}`,
        ),
        d.inForce ? "in force" : wrapped(`not in force: ${d.whyNot ?? ""}`),
      ),
      wrapped(d.text),
      lines(
        `${carried(d)}${d.calls.length === 0 ? "" : ":"}`,
        d.calls.length === 0 ? null : textTable([
          { head: "call", cell: (call) => String(call.n), align: "end" },
          { head: "agent", cell: (call) => call.agent },
          { head: "prompt", cell: (call) => call.prompt },
          { head: "task", cell: (call) => call.task },
          { head: "commit", cell: commitOf, align: "end" },
          { head: "", cell: (call) => (call.failed ? "failed" : "") },
        ], d.calls.slice(-SHOWN)),
      ),
    ),
};

const COLUMNS: readonly Column<CarryingLine>[] = [
  { head: "Call", align: "end", cell: (call) => call.n },
  { head: "Agent", cell: (call) => short(call.agent) },
  { head: "Prompt", cell: (call) => short(call.prompt) },
  { head: "Task", cell: (call) => short(call.task) },
  { head: "Commit", align: "end", cell: (call) => short(commitOf(call)) },
  { head: "", cell: (call) => (call.failed ? alarming("failed") : null) },
];

/** For whom a directive is. */
export function recipients(to: readonly string[]): string {
  return to.length === 0 ? "all agents" : to.join(", ");
}

/** Until when a directive holds. */
export function untilText(until: DirectiveUntil): string {
  return Object.entries(until).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${value} ${words(name)}`).join(" or ");
}

function given({ author, seq }: DirectiveCardData): string {
  return `by ${author.slice(0, 80)}, for tasks claimed after commit ${seq}`;
}

function carried({ calls }: DirectiveCardData): string {
  if (calls.length === 0) return "Calls that carried it: none yet";
  const part = calls.length > SHOWN ? `, the last ${SHOWN} of them` : "";
  return `${counted(calls.length, "call")} carried it${part}`;
}

function commitOf({ seq }: CarryingLine): string {
  return seq === null ? "in hand" : String(seq);
}
