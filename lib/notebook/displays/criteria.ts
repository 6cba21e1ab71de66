import type { CriteriaRow, CriteriaTable } from "../../engine/criteria_board.ts";
import { card, type Column, type Html, markup, table } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { meter } from "./meter.ts";
import { blocks, fit, headline, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { alarming, faint, line, paragraph, short } from "./prose.ts";
import { counted, rating, words } from "./wording.ts";

/** How hypotheses do by each of the scientist's criteria. */
export interface CriteriaBoardData extends CardOrigin, CriteriaTable {
  /** What it is sorted by: a criterion's name, `total`, or `place` for the leaderboard's order. */
  readonly sortedBy: string;
}

/** Rows that are shown. */
const SHOWN = 60;
/** Columns of a terminal that a criterion's name gets. */
const NAME = 10;

/** How the board of the criteria is shown. */
export const criteriaDisplay: Display<CriteriaBoardData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        data.criteria.length === 0 ? null : paragraph(line(asked(data), 1200)),
        data.criteria.length === 0 ? null : table(columns(data), data.rows.slice(0, SHOWN), EMPTY),
        more(data) === null ? null : paragraph(faint(more(data))),
        data.notes.map((note) => paragraph(line(note, 800))),
        data.criteria.length === 0 ? null : paragraph(faint(LEGEND)),
      ],
    }),
  text: (data) =>
    blocks(
      headline(title(data), data.simulated),
      data.criteria.length === 0 ? null : wrapped(asked(data), "", 1200),
      data.criteria.length === 0
        ? null
        : data.rows.length === 0
        ? EMPTY
        : textTable(textColumns(data), data.rows.slice(0, SHOWN)),
      lines(more(data), ...data.notes.map((note) => wrapped(note, "– ", 800))),
      data.criteria.length === 0 ? null : wrapped(LEGEND),
    ),
};

const EMPTY = "No hypothesis was reviewed yet.";
const LEGEND =
  "Scores are those of each hypothesis's newest full review, from 0 to 1; a hard constraint is failed below 0.5. " +
  'Total: their mean by weight. lab.criteria.by(name) sorts by one of them, or by "total".';

/** A score by a criterion, as boards write it; a failed hard constraint is marked. */
export function scoreText(score: number | null | undefined, failed: boolean): string {
  if (score === null || score === undefined) return "–";
  return `${failed ? "✗ " : ""}${score.toFixed(2)}`;
}

function title({ session, sortedBy }: CriteriaBoardData): string {
  return `Criteria of ${session}${sortedBy === "place" ? "" : `, by ${sortedBy}`}`;
}

function asked({ criteria }: CriteriaBoardData): string {
  const musts = criteria.filter(({ must }) => must === true).length;
  return `Asked of every hypothesis: ${
    criteria.map(({ name, weight, must }) => `${name} (weight ${weight}${must === true ? ", must" : ""})`)
      .join(", ")
  }.${
    musts === 0 ? "" : ` Who fails a must is unfit: out of the tournament until lab.restore brings it back.`
  }`;
}

function more({ rows }: CriteriaBoardData): string | null {
  return rows.length <= SHOWN
    ? null
    : `The first ${SHOWN} of ${counted(rows.length, "hypothesis", "hypotheses")}.`;
}

function failed(row: CriteriaRow, name: string): boolean {
  return row.unmet.includes(name);
}

function place(row: CriteriaRow): string {
  return row.place === null
    ? (row.state === "in_tournament" ? "folded" : words(row.state))
    : String(row.place);
}

function columns({ criteria }: CriteriaBoardData): Column<CriteriaRow>[] {
  return [
    { head: "Place", align: "end", cell: (row) => short(place(row)) },
    {
      head: "Hypothesis",
      wide: true,
      cell: (row) => markup`<b>${short(row.label)}</b> ${line(row.title, 120)}`,
    },
    { head: "Total", align: "end", cell: (row) => markup`<b>${scoreText(row.total, false)}</b>` },
    ...criteria.map(({ name }): Column<CriteriaRow> => ({
      head: fit(name, 24),
      align: "end",
      cell: (row) => cell(row, name),
    })),
    { head: "Rating", align: "end", cell: (row) => short(row.rating === null ? "–" : rating(row.rating)) },
    { head: "Review", cell: (row) => row.review === null ? faint("none") : short(row.review) },
  ];
}

function cell(row: CriteriaRow, name: string): Html {
  const score = row.scores[name] ?? null;
  if (score === null) return faint("–");
  const text = short(scoreText(score, failed(row, name)));
  return markup`${failed(row, name) ? alarming(text) : text}<div style="line-height:8px">${
    meter(score, 1, 0, "plain", 48)
  }</div>`;
}

function textColumns({ criteria }: CriteriaBoardData): TextColumn<CriteriaRow>[] {
  // A terminal has room for so many; the others stand in the value's rows.
  const shown = criteria.slice(0, 5);
  return [
    { head: "place", align: "end", cell: place },
    { head: "", cell: (row) => row.label },
    { head: "total", align: "end", cell: (row) => scoreText(row.total, false) },
    ...shown.map(({ name }): TextColumn<CriteriaRow> => ({
      head: fit(name, NAME),
      align: "end",
      cell: (row) => scoreText(row.scores[name], failed(row, name)),
    })),
    { head: "title", cell: (row) => row.title },
  ];
}
