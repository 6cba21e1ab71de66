import type { RatingSweepTable, SweepRow } from "../../engine/rating_sweep.ts";
import { card, type Column, Html, markup, table } from "../html.ts";
import { sweepPlot } from "../plots/rating_sweep.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { faint, line, paragraph, short } from "./prose.ts";
import { tauText } from "./rerating.ts";

/** What values of settings make of the ranking. */
export interface RatingSweepData extends CardOrigin, RatingSweepTable {
  /** The commit whose ranking they are compared with. */
  readonly seq: number;
  /** What else there is to know; one line each. */
  readonly notes: readonly string[];
}

/** How a sweep is shown: a row a combination. */
export const ratingSweepDisplay: Display<RatingSweepData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        paragraph(faint(remark(data))),
        table(columns(data), data.rows),
        data.notes.map((note) => paragraph(line(note, 400))),
        new Html(sweepPlot(data).svg()),
        paragraph(faint(HINT)),
      ],
    }),
  text: (data) =>
    blocks(
      headline(title(data), data.simulated),
      wrapped(remark(data)),
      textTable(textColumns(data), data.rows),
      lines(
        ...data.notes.map((note) => wrapped(note, "– ")),
        HINT,
      ),
    ),
};

const HINT = ".plot is the picture alone, to be saved; lab.rerate({ … }) shows one of the rankings in full.";

function title({ session, settings }: RatingSweepData): string {
  return `${session} rated anew under ${settings.map(({ name }) => name).join(" × ")}`;
}

function remark({ by, topK, seq }: RatingSweepData): string {
  const order = by === null ? "each by its own rating" : `by ${by === "elo" ? "Elo" : "Bradley-Terry"}`;
  return `Rankings ${order}, against the present one (commit ${seq}). Tau: Kendall's, 1 for the same order. ` +
    `Nothing is changed. First ${topK}:`;
}

function columns({ settings }: RatingSweepData): Column<SweepRow>[] {
  return [
    ...settings.map(({ name }, i): Column<SweepRow> => ({
      head: name,
      cell: (row) =>
        markup`<b>${short(String(row.values[i]))}</b>${row.inForce && i === 0 ? faint(" in force") : null}`,
    })),
    { head: "Tau", align: "end", cell: (row) => short(tauText(row.tau)) },
    { head: "Moves most", cell: (row) => short(farthest(row)) },
    { head: "The first", cell: (row) => line(row.top.join(" "), 200) },
    { head: "In", cell: (row) => line(row.entered.join(" "), 100) },
    { head: "Out", cell: (row) => line(row.left.join(" "), 100) },
  ];
}

function textColumns({ settings }: RatingSweepData): TextColumn<SweepRow>[] {
  return [
    ...settings.map(({ name }, i): TextColumn<SweepRow> => ({
      head: name,
      cell: (row) => `${row.values[i]}${row.inForce && i === 0 ? " *" : ""}`,
    })),
    { head: "tau", cell: (row) => tauText(row.tau), align: "end" },
    { head: "moves most", cell: farthest },
    { head: "in", cell: (row) => row.entered.join(" ") },
    { head: "out", cell: (row) => row.left.join(" ") },
    { head: "the first (* in force)", cell: (row) => row.top.join(" ") },
  ];
}

function farthest({ farthest: most }: SweepRow): string {
  return most === null ? "nobody" : `${most.label} ${most.up > 0 ? "▲" : "▼"}${Math.abs(most.up)}`;
}
