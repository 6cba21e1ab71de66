import { card, type Column, markup, table } from "../html.ts";
import type { CallLine, TaskCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, textTable, wrapped } from "./plain.ts";
import { alarming, line, section, short } from "./prose.ts";
import { costLine, counted, dollars, duration, jsonLine, words } from "./wording.ts";

/** Calls that a card lists. */
const CALLS = 40;

/** How a task is shown. */
export const taskDisplay: Display<TaskCardData> = {
  html: (task) =>
    card({
      title: title(task),
      simulated: task.simulated,
      body: [
        facts([
          ["Status", task.status === "dead" ? alarming(status(task)) : markup`<b>${status(task)}</b>`],
          ["Why", task.reason === "" ? null : line(task.reason, 800)],
          [
            "Target",
            task.target === null
              ? null
              : markup`<b>${short(task.target.label)}</b> ${line(task.target.title, 200)}`,
          ],
          ["Payload", payload(task) === "" ? null : line(payload(task), 300)],
          ["Cost", costLine(task.cost)],
          ["Enqueued", enqueued(task)],
        ]),
        section(heading(task), task.calls.length === 0 ? null : table(COLUMNS, task.calls.slice(-CALLS))),
      ],
    }),
  text: (task) =>
    blocks(
      lines(
        headline(title(task), task.simulated),
        `Status:   ${status(task)}`,
        task.reason === "" ? null : wrapped(task.reason, "Why:      ", 800),
        task.target === null ? null : wrapped(`${task.target.label} ${task.target.title}`, "Target:   ", 300),
        payload(task) === "" ? null : wrapped(payload(task), "Payload:  ", 300),
        `Cost:     ${costLine(task.cost)}`,
        `Enqueued: ${enqueued(task)}`,
      ),
      task.calls.length === 0 ? heading(task) : lines(
        `${heading(task)}:`,
        textTable([
          { head: "n", cell: (call) => String(call.n), align: "end" },
          { head: "route", cell: (call) => call.route },
          { head: "model", cell: (call) => call.model },
          { head: "usd", cell: (call) => dollars(call.usd), align: "end" },
          { head: "took", cell: (call) => duration(call.durationMs), align: "end" },
          { head: "ended", cell: (call) => call.error === "" ? call.stopReason : `failed: ${call.error}` },
        ], task.calls.slice(-CALLS)),
      ),
    ),
};

const COLUMNS: readonly Column<CallLine>[] = [
  { head: "n", align: "end", cell: (call) => short(call.n) },
  { head: "Route", cell: (call) => short(call.route) },
  { head: "Model", cell: (call) => short(call.model) },
  { head: "USD", align: "end", cell: (call) => short(dollars(call.usd)) },
  { head: "Took", align: "end", cell: (call) => short(duration(call.durationMs)) },
  {
    head: "Ended",
    cell: (call) => call.error === "" ? short(words(call.stopReason)) : alarming(line(call.error, 400)),
  },
];

function title(task: TaskCardData): string {
  return `${task.label} ${words(task.action)}${task.target === null ? "" : ` of ${task.target.label}`}`;
}

function status(task: TaskCardData): string {
  const revive = task.status === "dead" ? `; lab.queue.revive("${task.label}") gives it another try` : "";
  return `${words(task.status)}, ${task.attempts} of ${counted(task.maxAttempts, "attempt")} failed${revive}`;
}

function payload(task: TaskCardData): string {
  return Object.entries(task.payload).filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : jsonLine(value)}`).join(", ");
}

function enqueued(task: TaskCardData): string {
  return `for ${task.agent}, at commit ${task.seq}, priority ${task.priority}`;
}

function heading(task: TaskCardData): string {
  const { length } = task.calls;
  return `${length === 0 ? "No model call" : counted(length, "model call")}${
    length > CALLS ? `, the last ${CALLS} of them` : ""
  }`;
}
