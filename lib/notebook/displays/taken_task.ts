import type { TaskAction } from "../../domain/records.ts";
import { card, markup } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, COLUMNS, fit, headline, lines, wrapped } from "./plain.ts";
import { faint, line, paragraph, prose, section } from "./prose.ts";
import { words } from "./wording.ts";

/** One text that is to be judged, or that bears on it: as the model would be shown it. */
export interface ShownText {
  /** What it is: `hypothesis`, `review`, `source`. */
  readonly what: string;
  /** What is said of it besides: which kind, from where. */
  readonly about: string;
  /** The text. */
  readonly text: string;
}

/** One hypothesis that is to be judged, with what is known of it. */
export interface ShownSide {
  /** `H7`. */
  readonly label: string;
  /** Its text first, then reviews and sources. */
  readonly texts: readonly ShownText[];
}

/** A task that a person took upon themselves, with what is to be judged. */
export interface TakenTaskData extends CardOrigin {
  /** `T5`. */
  readonly label: string;
  /** A review or a match. */
  readonly action: TaskAction;
  /** Which kind of review; `null` for a match. */
  readonly kind: string | null;
  /** Who took it. */
  readonly by: string;
  /** The hypothesis to be reviewed; those of a match in the order shown. */
  readonly sides: readonly ShownSide[];
  /** How it is answered. */
  readonly answer: string;
}

/** How a task that a person took is shown. */
export const takenDisplay: Display<TakenTaskData> = {
  html: (task) =>
    card({
      title: title(task),
      simulated: task.simulated,
      body: [
        paragraph(faint(held(task))),
        task.sides.map(({ label, texts }, i) =>
          section(
            head(task, label, i),
            texts.map(({ what, about, text }) =>
              markup`<div style="margin:6px 0">${faint(line(heading(what, about), 300))}${prose(text)}</div>`
            ),
          )
        ),
        paragraph(markup`<b>To answer:</b> ${task.answer}`),
        paragraph(markup`<b>To give it back:</b> ${giveBack(task)}`),
      ],
    }),
  text: (task) =>
    blocks(
      lines(headline(title(task), task.simulated), wrapped(held(task))),
      ...task.sides.flatMap(({ label, texts }, i) => [
        fit(`${head(task, label, i)}:`, COLUMNS),
        ...texts.map(({ what, about, text }) =>
          lines(`  ${fit(heading(what, about), COLUMNS - 2)}`, wrapped(text, "    "))
        ),
      ]),
      lines(wrapped(task.answer, "To answer: "), wrapped(giveBack(task), "To give it back: ")),
    ),
};

function held({ by }: TakenTaskData): string {
  return `with ${by.slice(0, 80)}; runs go on without it`;
}

function title({ label, action, kind, sides }: TakenTaskData): string {
  const names = sides.map((side) => side.label).join(" – ");
  return `${label} ${kind === null ? words(action) : `${words(kind)} ${words(action)}`} of ${names}`;
}

function head({ action }: TakenTaskData, label: string, i: number): string {
  return action === "match" ? `${i + 1}: ${label}` : label;
}

function heading(what: string, about: string): string {
  return about === "" ? words(what) : `${words(what)} (${about})`;
}

function giveBack({ label }: TakenTaskData): string {
  return `lab.queue.giveBack("${label}")`;
}
