import { card, type Html, markup } from "../html.ts";
import { conversation, type Part, type Turn } from "./conversation.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, excerpt, faint, line, paragraph } from "./prose.ts";
import type { TranscriptRow } from "./transcripts.ts";
import { dollars, duration, moment, tokens, words } from "./wording.ts";

/** One model call as it went over the wire. */
export interface TranscriptData extends TranscriptRow {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The request as JSON, without keys. */
  readonly request: string;
  /** The response as JSON; empty where none came. */
  readonly response: string;
}

/** Parts of one turn that are shown at most. */
const PARTS = 40;

/** How one model call is shown. */
export const transcriptDisplay: Display<TranscriptData> = {
  html: (call) =>
    card({
      title: title(call),
      simulated: call.simulated,
      body: [
        facts(details(call).map(([name, text]) => [name, line(text, 500)] as const)),
        call.error === "" ? null : paragraph(alarming(["Error: ", line(call.error, 1000)])),
        conversation(call.request, call.response).map(turnHtml),
        call.response === "" ? paragraph(alarming("No answer came.")) : null,
      ],
    }),
  text: (call) =>
    blocks(
      headline(title(call), call.simulated),
      lines(
        ...details(call).map(([name, text]) => wrapped(text, `${name}: `, 500)),
        call.error === "" ? null : wrapped(call.error, "Error: ", 1000),
      ),
      ...conversation(call.request, call.response).map(turnText),
      call.response === "" ? "No answer came." : null,
    ),
};

function title(call: TranscriptData): string {
  return `Call ${call.n} for ${call.task}: ${call.route}`;
}

function details(call: TranscriptData): [string, string][] {
  const cost = `${dollars(call.usd)}${call.unconfirmed ? " reserved, unconfirmed: no answer came" : ""}`;
  return [
    ["Model", call.model],
    ["Prompt", `${call.prompt}, version ${call.promptVersion}, revision ${call.revision}`],
    ["Used", `${tokens(call.inputTokens)} tokens read, ${tokens(call.outputTokens)} written, ${cost}`],
    ["Took", `${duration(call.durationMs)}, settled ${moment(call.at)}`],
    ...(call.inherited
      ? [["Inherited", "made before this session was forked off"] satisfies [string, string]]
      : []),
    ["Ended", call.stopReason === "" ? "without an answer" : words(call.stopReason)],
    ...(call.concessions.length === 0
      ? []
      : [["For want of money", call.concessions.join("; ")] satisfies [string, string]]),
    ...(call.directives.length === 0
      ? []
      : [["Carried", call.directives.join(", ")] satisfies [string, string]]),
  ];
}

const NAMES = { system: "System", user: "User", assistant: "Assistant", answer: "Answer" } as const;
const GROUNDS = { system: "#f4f5f6", user: "#f4f5f6", assistant: "#eef5fb", answer: "#eaf6ee" } as const;

function turnHtml({ who, parts }: Turn): Html {
  // The answer is what one came to see: it is open, as far as it is not very long.
  const shown = who === "answer" ? 2500 : 220;
  return markup`<div style="margin:7px 0;padding:5px 10px;background:${
    GROUNDS[who]
  };border-radius:4px"><div style="font-weight:600">${NAMES[who]}</div>${
    parts.slice(0, PARTS).map((part) => partHtml(part, shown))
  }${parts.length > PARTS ? faint(`${parts.length - PARTS} more parts`) : null}</div>`;
}

function partHtml(part: Part, shown: number): Html {
  const lead = leadOf(part);
  return markup`<div style="margin:2px 0">${lead === "" ? null : faint(line(lead, 120))}${
    part.text === "" ? null : excerpt(part.text, shown)
  }</div>`;
}

function turnText({ who, parts }: Turn): string {
  const limit = who === "answer" ? 6000 : 600;
  return lines(
    `── ${NAMES[who]} ──`,
    ...parts.slice(0, PARTS).map((part) => {
      const lead = leadOf(part);
      return lines(lead === "" ? null : wrapped(lead, "", 120), wrapped(part.text, "", limit));
    }),
    parts.length > PARTS ? `… ${parts.length - PARTS} more parts` : null,
  );
}

function leadOf(part: Part): string {
  switch (part.kind) {
    case "text":
      return "";
    case "thinking":
      return part.text === "" ? "[thinking, not shown by the server]" : "[thinking]";
    case "call":
      return `[calls ${part.name}]`;
    case "result":
      return "[result of a tool]";
    case "other":
      return `[${part.name}]`;
  }
}
