import type { EstimateData, EstimateRow } from "../../engine/estimate.ts";
import { card, type Column, table } from "../html.ts";
import type { Display } from "./display.ts";
import { blocks, headline, textTable, wrapped } from "./plain.ts";
import { line, paragraph, short } from "./prose.ts";
import { dollars, words } from "./wording.ts";

/** How an estimate is shown. */
export const estimateDisplay: Display<EstimateData> = {
  html: (estimate) =>
    card({
      title: title(estimate),
      simulated: estimate.simulated,
      body: [
        paragraph(sum(estimate)),
        table(COLUMNS, estimate.rows, "Nothing is to be done."),
        estimate.notes.map((note) => paragraph(line(note, 400))),
      ],
    }),
  text: (estimate) =>
    blocks(
      headline(title(estimate), estimate.simulated),
      wrapped(sum(estimate)),
      estimate.rows.length === 0 ? "Nothing is to be done." : textTable([
        { head: "work", cell: (row) => words(row.action) },
        { head: "tasks", cell: (row) => String(row.tasks), align: "end" },
        { head: "expected", cell: (row) => dollars(row.usd), align: "end" },
        { head: "at most", cell: (row) => dollars(row.maxUsd), align: "end" },
        { head: "from", cell: basis },
      ], estimate.rows),
      ...estimate.notes.map((note) => wrapped(note, "", 400)),
    ),
};

const COLUMNS: readonly Column<EstimateRow>[] = [
  { head: "Work", cell: (row) => short(words(row.action)) },
  { head: "Tasks", align: "end", cell: (row) => short(row.tasks) },
  { head: "Expected", align: "end", cell: (row) => short(dollars(row.usd)) },
  { head: "At most", align: "end", cell: (row) => short(dollars(row.maxUsd)) },
  { head: "From", cell: basis },
];

function title(estimate: EstimateData): string {
  return `Estimate for ${estimate.session}: ${estimate.until}`;
}

function basis(row: EstimateRow): string {
  return row.basis === "measured" ? "this session's calls" : "prices and limits";
}

function sum({ usd, maxUsd, leftUsd }: EstimateData): string {
  const verdict = usd > leftUsd
    ? "the budget won't do"
    : maxUsd > leftUsd
    ? "the budget will probably do"
    : "the budget will do in any case";
  return `About ${dollars(usd)} is expected; ${dollars(leftUsd)} is left, and never passed: ${verdict}. ` +
    `Without that limit it would cost ${dollars(maxUsd)} at worst.`;
}
