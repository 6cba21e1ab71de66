import type { ReviewScores } from "../../domain/records.ts";
import { type Html, markup } from "../html.ts";
import { meter } from "./meter.ts";
import { faint, line } from "./prose.ts";

const NAMES = ["novelty", "correctness", "testability", "feasibility"] as const;

/** All scores that a review gave: the usual ones, then those by the scientist's criteria. */
function givenScores(scores: ReviewScores): { readonly name: string; readonly score: number }[] {
  return [
    ...NAMES.flatMap((name) => scores[name] === undefined ? [] : [{ name, score: scores[name] }]),
    ...Object.entries(scores.criteria ?? {}).map(([name, score]) => ({ name, score })),
  ];
}

/** The scores that a review gave, in one line of text; empty where it gave none. */
export function scoresText(scores: ReviewScores): string {
  return givenScores(scores).map(({ name, score }) => `${name} ${score.toFixed(2)}`).join(", ");
}

/** The same with bars. */
export function scoresHtml(scores: ReviewScores): Html {
  const given = givenScores(scores);
  if (given.length === 0) return faint("none given");
  return markup`${
    given.map(({ name, score }) =>
      markup`<div style="display:inline-block;margin-inline-end:18px;max-width:100%">${
        meter(score, 1, 0, "plain")
      } ${line(name, 80)} ${score.toFixed(2)}</div>`
    )
  }`;
}
