import { card, type Html, markup } from "../html.ts";
import type { FeedbackCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { faint, line, paragraph, prose, section } from "./prose.ts";
import { counted } from "./wording.ts";

/** Points of each list that are shown. */
const POINTS = 40;

/** How system feedback is shown. */
export const feedbackDisplay: Display<FeedbackCardData> = {
  html: (feedback) =>
    card({
      title: `${feedback.label} system feedback of ${feedback.session}`,
      simulated: feedback.simulated,
      body: [
        paragraph(faint(origin(feedback))),
        prose(feedback.narrative),
        lists(feedback).map(([name, points]) => section(name, bullets(points))),
      ],
    }),
  text: (feedback) =>
    blocks(
      lines(
        headline(`${feedback.label} system feedback of ${feedback.session}`, feedback.simulated),
        origin(feedback),
      ),
      wrapped(feedback.narrative),
      ...lists(feedback).map(([name, points]) =>
        lines(`${name}:`, ...points.slice(0, POINTS).map((point) => wrapped(point, "  - ", 400)))
      ),
    ),
};

function origin(feedback: FeedbackCardData): string {
  return `after ${
    counted(feedback.matchesSeen, "match", "matches")
  } · commit ${feedback.seq} · later prompts carry it`;
}

function lists(feedback: FeedbackCardData): (readonly [string, readonly string[]])[] {
  const all = [
    ["Recurring criticism", feedback.weaknesses],
    ["What is praised", feedback.strengths],
    ["Where to look next", feedback.focusAreas],
  ] as const;
  return all.filter(([, points]) => points.length > 0);
}

function bullets(points: readonly string[]): Html {
  return markup`${
    points.slice(0, POINTS).map((point) =>
      markup`<div style="padding-inline-start:12px;text-indent:-10px">• ${line(point, 600)}</div>`
    )
  }`;
}
