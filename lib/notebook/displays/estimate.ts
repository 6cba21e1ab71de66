import type { TaskAction } from "../../domain/records.ts";
import { card, type Column, table } from "../html.ts";
import type { Display } from "./display.ts";
import { blocks, headline, textTable, wrapped } from "./plain.ts";
import { line, paragraph, short } from "./prose.ts";
import { dollars, words } from "./wording.ts";

/** What one kind of work is expected to cost. */
export interface EstimateRow {
  /** Which work. */
  readonly action: TaskAction;
  /** How many tasks of it. */
  readonly tasks: number;
  /** What they are expected to cost together, in dollars. */
  readonly usd: number;
  /** What they can cost at most, in dollars. */
  readonly maxUsd: number;
  /** Whether the expectation comes from this session's own calls, or from prices and limits alone. */
  readonly basis: "measured" | "prices";
}

/** What a stretch of work is expected to cost. */
export interface EstimateData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** Up to where, in words: `20 matches in all`. */
  readonly until: string;
  /** By work. */
  readonly rows: readonly EstimateRow[];
  /** What is expected, in dollars. */
  readonly usd: number;
  /** What it can cost at most, in dollars. */
  readonly maxUsd: number;
  /** What is left of the budget, in dollars. */
  readonly leftUsd: number;
  /** What the estimate leaves out or assumes; one line each. */
  readonly notes: readonly string[];
}

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
  return `About ${dollars(usd)}, at most ${dollars(maxUsd)}; ${dollars(leftUsd)} is left: ${verdict}.`;
}
