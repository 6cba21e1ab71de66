import { card, type Html, markup } from "../html.ts";
import { conversation } from "./conversation.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { type DiffLine, linesHtml, linesText } from "./prompt_diff.ts";
import { alarming, faint, line, paragraph, section } from "./prose.ts";
import { turnHtml, turnText } from "./turns.ts";
import { dollars, tokens, words } from "./wording.ts";

/** One answer to a question that was asked twice. */
export interface ResentAnswer {
  /** The call's number. */
  readonly n: number;
  /** Who answered. */
  readonly model: string;
  /** Version of the prompt. */
  readonly promptVersion: string;
  /** What it cost, in dollars. */
  readonly usd: number;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Why the answer ended; empty where none came. */
  readonly stopReason: string;
  /** What failed; empty where nothing did. */
  readonly error: string;
  /** What money forced. */
  readonly concessions: readonly string[];
  /** The request as JSON. */
  readonly request: string;
  /** The response as JSON; empty where none came. */
  readonly response: string;
}

/** A call that was asked again: both answers. It changed no record. */
export interface ResentData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The prompt. */
  readonly prompt: string;
  /** The call as it was. */
  readonly was: ResentAnswer;
  /** The same, asked again. */
  readonly now: ResentAnswer;
  /** What differs between the two texts of the prompt; empty where nothing does. */
  readonly text: readonly DiffLine[];
  /** Remarks; empty where there is nothing to say. */
  readonly notes: readonly string[];
}

/** How both answers are shown, side by side. */
export const resentDisplay: Display<ResentData> = {
  html: (resent) =>
    card({
      title: title(resent),
      simulated: resent.simulated,
      body: [
        resent.notes.map((note) => paragraph(faint(line(note, 400)))),
        resent.text.length === 0 ? null : section("The prompt", linesHtml(resent.text)),
        markup`<div style="display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:14px">${
          [["Then", resent.was] as const, ["Now", resent.now] as const].map(([head, answer]) =>
            markup`<div>${section(head, answerHtml(answer))}</div>`
          )
        }</div>`,
        paragraph(faint("No record was changed.")),
      ],
    }),
  text: (resent) =>
    blocks(
      headline(title(resent), resent.simulated),
      lines(...resent.notes.map((note) => wrapped(note))),
      resent.text.length === 0 ? null : `The prompt:\n${linesText(resent.text)}`,
      answerText("Then", resent.was),
      answerText("Now", resent.now),
      "No record was changed.",
    ),
};

function title({ prompt, was, now }: ResentData): string {
  return `Call ${was.n} of ${prompt}, asked again as ${now.n}`;
}

function details(answer: ResentAnswer): [string, string][] {
  return [
    ["Model", answer.model],
    ["Version", answer.promptVersion],
    ["Used", `${tokens(answer.inputTokens)} → ${tokens(answer.outputTokens)} tokens, ${dollars(answer.usd)}`],
    ["Ended", answer.stopReason === "" ? "without an answer" : words(answer.stopReason)],
    ["For want of money", answer.concessions.join("; ")],
    ["Error", answer.error],
  ].filter((entry): entry is [string, string] => entry[1] !== "");
}

function said({ request, response }: ResentAnswer) {
  return conversation(request, response).filter(({ who }) => who === "answer");
}

function answerHtml(answer: ResentAnswer): Html {
  return markup`${facts(details(answer).map(([name, text]) => [name, line(text, 300)] as const))}${
    said(answer).map(turnHtml)
  }${answer.response === "" ? paragraph(alarming("No answer came.")) : null}`;
}

function answerText(head: string, answer: ResentAnswer): string {
  return lines(
    `${head}: call ${answer.n}`,
    ...details(answer).map(([name, text]) => wrapped(text, `${name}: `, 300)),
    ...said(answer).map(turnText),
    answer.response === "" ? "No answer came." : null,
  );
}
