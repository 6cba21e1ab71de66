import type { ReviewScores } from "../../domain/records.ts";
import { type Html, markup } from "../html.ts";
import { meter } from "./meter.ts";
import { faint } from "./prose.ts";

const NAMES = ["novelty", "correctness", "testability", "feasibility"] as const;

/** The scores that a review gave, in one line of text; empty where it gave none. */
export function scoresText(scores: ReviewScores): string {
  return NAMES.flatMap((name) => scores[name] === undefined ? [] : [`${name} ${scores[name].toFixed(2)}`])
    .join(
      ", ",
    );
}

/** The same with bars. */
export function scoresHtml(scores: ReviewScores): Html {
  const given = NAMES.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });
  if (given.length === 0) return faint("none given");
  return markup`${
    given.map(({ name, score }) =>
      markup`<div style="display:inline-block;margin-inline-end:18px;white-space:nowrap">${
        meter(score, 1, 0, "plain")
      } ${name} ${score.toFixed(2)}</div>`
    )
  }`;
}
