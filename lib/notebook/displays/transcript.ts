import { card } from "../html.ts";
import { conversation } from "./conversation.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph } from "./prose.ts";
import type { TranscriptRow } from "./transcripts.ts";
import { turnHtml, turnText } from "./turns.ts";
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
