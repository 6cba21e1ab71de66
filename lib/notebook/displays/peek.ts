import type { Stop } from "../../engine/termination.ts";
import { card, markup } from "../html.ts";
import type { Display } from "./display.ts";
import { afterStop } from "./going_on.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, line, paragraph } from "./prose.ts";
import { dollars, words } from "./wording.ts";

/** What the next tick would do. Looking changes nothing. */
export interface PeekData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** What would run or be decided, and why; one line each. */
  readonly lines: readonly string[];
  /** What it may cost at most, in dollars; `null` where that can't be told. */
  readonly maxUsd: number | null;
  /** Why the session would stop instead, if it would. */
  readonly stop: Stop | null;
}

/** How a look ahead is shown. */
export const peekDisplay: Display<PeekData> = {
  html: (peek) =>
    card({
      title: `Next tick of ${peek.session}`,
      simulated: peek.simulated,
      body: [
        peek.stop === null ? null : [
          paragraph(alarming(["It would stop (", words(peek.stop.reason), "): "]), line(peek.stop.note, 600)),
          paragraph(markup`<b>To go on:</b> ${afterStop(peek.stop.reason)}`),
        ],
        peek.lines.map((text) => paragraph(line(text, 400))),
        peek.lines.length === 0 && peek.stop === null ? paragraph(NOTHING) : null,
        paragraph(markup`<b>${cost(peek)}</b>`),
      ],
    }),
  text: (peek) =>
    blocks(
      headline(`Next tick of ${peek.session}`, peek.simulated),
      lines(
        peek.stop === null
          ? null
          : wrapped(peek.stop.note, `It would stop (${words(peek.stop.reason)}): `, 600),
        peek.stop === null ? null : wrapped(afterStop(peek.stop.reason), "To go on: "),
        ...peek.lines.map((text) => wrapped(text, "- ", 400)),
        peek.lines.length === 0 && peek.stop === null ? NOTHING : null,
        cost(peek),
      ),
    ),
};

const NOTHING = "Nothing is to be done.";

function cost({ maxUsd, simulated }: PeekData): string {
  if (maxUsd === null) return "What it may cost can't be told yet.";
  if (maxUsd === 0) return "It costs nothing.";
  return `At most ${dollars(maxUsd)}${simulated ? ", by the simulator's prices: nothing is paid" : ""}.`;
}
