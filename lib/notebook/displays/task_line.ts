import type { TaskReport } from "../../engine/report.ts";
import { type Html, markup } from "../html.ts";
import { fit, lines, wrapped } from "./plain.ts";
import { alarming, faint, line, paragraph, short } from "./prose.ts";
import { costLine, duration, words } from "./wording.ts";

/** Whether an attempt came to nothing. */
export function failed(task: TaskReport): boolean {
  return task.error !== null || task.status === "dead" || task.status === "deferred";
}

/** What a person should know of where a task stands after an attempt; `null` for plain success. */
export function standing(task: TaskReport): string | null {
  switch (task.status) {
    case "done":
      return null;
    case "deferred":
      return "put off: another try comes later";
    case "dead":
      return `dead: no further try, unless lab.queue.revive("${task.label}")`;
    case "lost":
      return "another process had taken it over: the result was dropped";
    case "interrupted":
      return "interrupted: it goes back into the queue";
    case "void":
      return "void: its target is out of play, the result is not used";
    case "cancelled":
      return "cancelled";
    case "pending":
    case "leased":
    case "in_progress":
    case "waiting":
      return words(task.status);
  }
}

/** An attempt as a paragraph: what ran, what came of it, what it cost. */
export function taskHtml(task: TaskReport): Html {
  const state = standing(task);
  const head = markup`${failed(task) ? alarming(mark(task)) : mark(task)} <b>${short(task.label)}</b> ${
    work(task)
  }${task.target === null ? null : [" ", short(task.target)]}`;
  const note = state === null ? null : failed(task) ? alarming([" – ", state]) : faint([" – ", state]);
  const error = task.error === null || sameWords(task)
    ? null
    : paragraph(alarming(["Error: ", line(task.error, 600)]));
  const gist = task.error !== null && sameWords(task) ? alarming(line(task.gist, 600)) : line(task.gist, 600);
  return markup`<div style="margin:5px 0 7px 0">${head}${note}<div>${gist}</div>${error}<div>${
    faint(details(task))
  }</div></div>`;
}

/** The same for a terminal. */
export function taskText(task: TaskReport): string {
  const state = standing(task);
  const target = task.target === null ? "" : ` ${fit(task.target, 30)}`;
  return lines(
    `${mark(task)} ${fit(task.label, 20)} ${work(task)}${target}${state === null ? "" : ` – ${state}`}`,
    wrapped(task.gist, "  ", 600),
    task.error === null || sameWords(task) ? null : wrapped(task.error, "  Error: ", 600),
    wrapped(details(task), "  "),
  );
}

function details(task: TaskReport): string {
  const commit = task.seq === null ? "" : ` · commit ${task.seq}`;
  return `${task.agent} · ${costLine(task.cost)} · ${duration(task.durationMs)}${commit}`;
}

function mark(task: TaskReport): string {
  return failed(task) ? "✗" : standing(task) === null ? "✓" : "–";
}

function work(task: TaskReport): string {
  return words(task.action);
}

/** Whether the gist says what the error says: then it isn't said twice. */
function sameWords(task: TaskReport): boolean {
  return task.error !== null && task.gist.includes(task.error);
}
