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
  /** What the next matches are worth against their price; `null` where that can't be told, or isn't the question. */
  readonly worth: {
    /** How many matches. */
    readonly matches: number;
    /** How many of the best are looked for. */
    readonly topK: number;
    /** The expected precision of the leaders now. */
    readonly now: number;
    /** The same after the matches, before it is known how they end. */
    readonly after: number;
    /** What they are expected to cost, in dollars. */
    readonly usd: number;
  } | null;
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
        peek.worth === null ? null : paragraph(worth(peek.worth)),
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
        peek.worth === null ? null : wrapped(worth(peek.worth)),
      ),
    ),
};

const NOTHING = "Nothing is to be done.";

function worth({ matches, topK, now, after, usd }: NonNullable<PeekData["worth"]>): string {
  const batch = matches === 1 ? "The next match is" : `The next ${matches} matches are`;
  const gain = after - now < 0.001
    ? `not expected to tell more of who the best ${topK} are (${share(now)} of the leaders are right now)`
    : `expected to raise the share of true best among the ${topK} leaders from ${share(now)} to ${
      share(after)
    }`;
  return `${batch} ${gain}, for about ${dollars(usd)}.`;
}

/** A share with one decimal, since a batch adds little. */
function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function cost({ maxUsd, simulated }: PeekData): string {
  if (maxUsd === null) return "What it may cost can't be told yet.";
  if (maxUsd === 0) return "It costs nothing.";
  return `At most ${dollars(maxUsd)}${simulated ? ", by the simulator's prices: nothing is paid" : ""}.`;
}
