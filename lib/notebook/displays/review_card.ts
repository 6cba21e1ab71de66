import { card, markup } from "../html.ts";
import type { ReviewCardData } from "./cards.ts";
import type { Display } from "./display.ts";
import { voidText } from "./evidence_card.ts";
import { facts } from "./grid.ts";
import { link } from "./link.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { alarming, faint, fold, line, paragraph, prose, section, short } from "./prose.ts";
import { scoresHtml, scoresText } from "./scores.ts";
import { counted, words } from "./wording.ts";

/** Assumptions, and sources, that a card shows at most. */
const SHOWN = 60;

/** How a review is shown. */
export const reviewDisplay: Display<ReviewCardData> = {
  html: (review) =>
    card({
      title: `${review.label} ${review.kind} review of ${review.hypothesis.label}`,
      simulated: review.simulated,
      body: [
        markup`<div><b>${words(review.verdict)}</b> · ${faint(made(review))}</div>`,
        review.voided === null ? null : paragraph(alarming(line(voidText(review.voided), 500))),
        stale(review) === null
          ? null
          : paragraph(review.stale ? alarming(stale(review)) : faint(stale(review))),
        facts([
          [
            "Hypothesis",
            markup`<b>${short(review.hypothesis.label)}</b> ${line(review.hypothesis.title, 200)}`,
          ],
          ["Scores", scoresHtml(review.scores)],
        ]),
        review.notes === "" ? null : section("Notes", prose(review.notes)),
        review.assumptions.length === 0 ? null : section(
          counted(review.assumptions.length, "assumption"),
          review.assumptions.slice(0, SHOWN).map((entry) => {
            const held = entry.plausibility === "implausible"
              ? alarming(entry.plausibility)
              : markup`<b>${entry.plausibility}</b>`;
            return markup`<div style="margin:3px 0">${held}: ${line(entry.assumption, 500)}<div>${
              faint(line(entry.rationale, 600))
            }</div></div>`;
          }),
        ),
        section(
          `${counted(review.evidence.length, "source")}${dropped(review)}`,
          review.evidence.slice(0, SHOWN).map((entry) =>
            markup`<div style="margin:3px 0">${line(entry.claim, 500)} ${link(entry.url, review.simulated)}${
              entry.excerpt === "" ? null : fold(faint("in its words"), prose(entry.excerpt))
            }</div>`
          ),
        ),
      ],
    }),
  text: (review) =>
    blocks(
      lines(
        headline(`${review.label} ${review.kind} review of ${review.hypothesis.label}`, review.simulated),
        wrapped(`${words(review.verdict)} · ${made(review)}`),
        review.voided === null ? null : wrapped(voidText(review.voided), "! "),
        stale(review) === null ? null : `! ${stale(review)}`,
        wrapped(review.hypothesis.title, `${review.hypothesis.label}: `, 300),
        scoresText(review.scores) === "" ? null : `Scores: ${scoresText(review.scores)}`,
      ),
      wrapped(review.notes),
      review.assumptions.length === 0 ? null : lines(
        `${counted(review.assumptions.length, "assumption")}:`,
        ...review.assumptions.slice(0, SHOWN).map((entry) =>
          lines(
            wrapped(entry.assumption, `  ${entry.plausibility}: `, 500),
            wrapped(entry.rationale, "    ", 500),
          )
        ),
      ),
      lines(
        `${counted(review.evidence.length, "source")}${dropped(review)}:`,
        ...review.evidence.slice(0, SHOWN).map((entry, i) =>
          wrapped(`${entry.claim} <${entry.url}>`, `  [${i + 1}] `, 500)
        ),
      ),
    ),
};

function made(review: ReviewCardData): string {
  const author = review.author === "model" ? "by a model" : `by ${review.author.slice(0, 80)}`;
  const weight = review.weight === 1 ? "" : ` · weight ${review.weight}`;
  const amended = review.amends === null ? "" : " · in the stead of an earlier one";
  return `${author}${weight}${amended} · of version ${review.hypothesisVersion} · commit ${review.seq}`;
}

function stale(review: ReviewCardData): string | null {
  if (review.newestVersion === review.hypothesisVersion) return null;
  return review.stale
    ? `Stale: judged on version ${review.hypothesisVersion}; the newest is ${review.newestVersion}. ` +
      (review.replaced
        ? "A newer one of its kind is of that."
        : `await lab.refresh("${review.label}") makes it again.`)
    : `It is of version ${review.hypothesisVersion}; the newest, ${review.newestVersion}, says the same.`;
}

function dropped(review: ReviewCardData): string {
  return review.droppedEvidence === 0
    ? ""
    : ` (${review.droppedEvidence} more dropped: no tool had returned what they cite)`;
}
