import type { MovedRow, Placed, RankingsCompared } from "../../engine/rerating.ts";
import { card, type Column, type Content, type Html, markup, table } from "../html.ts";
import type { CardOrigin } from "./cards.ts";
import type { Display } from "./display.ts";
import { blocks, headline, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { faint, fold, line, paragraph, short } from "./prose.ts";
import { chance, counted, inTop, jsonLine, rating } from "./wording.ts";

/** A setting under which matches were rated anew. */
export interface RatedUnder {
  /** `ranking.kFactorNew`. */
  readonly path: string;
  /** The value in force before. */
  readonly before: unknown;
  /** The value that the second ranking goes by. */
  readonly after: unknown;
}

/** The match log rated anew, beside the ranking as it stood. */
export interface ReratingData extends CardOrigin, RankingsCompared {
  /** The commit whose ranking stands on the left. */
  readonly seq: number;
  /** Settings that differ. */
  readonly settings: readonly RatedUnder[];
  /** Matches that are left out by it. */
  readonly excluded: number;
  /** Matches that count more or less by it. */
  readonly reweighted: number;
  /** The epoch that began with it and the revisions that tell of it; `null` for a look that changed nothing. */
  readonly applied:
    | { readonly epoch: number; readonly revisions: readonly string[]; readonly seq: number }
    | null;
  /** What else there is to know; one line each. */
  readonly notes: readonly string[];
}

/** Rows that are shown before the fold. */
const SHOWN = 15;
/** Rows behind it. */
const LISTED = 600;

/** How two rankings are shown: side by side, in the later order. */
export const reratingDisplay: Display<ReratingData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        paragraph(markup`<b>${verdict(data)}</b>`),
        paragraph(faint(line(basis(data), 600))),
        rankingsHtml(data),
        data.notes.map((note) => paragraph(line(note, 500))),
        paragraph(faint(legend(data))),
      ],
    }),
  text: (data) =>
    blocks(
      headline(title(data), data.simulated),
      lines(wrapped(verdict(data)), wrapped(basis(data), "", 600)),
      rankingsText(data),
      lines(...data.notes.map((note) => wrapped(note, "– ", 500))),
      wrapped(legend(data)),
    ),
};

/** The table of two rankings: the first rows, the others to open. */
export function rankingsHtml(data: RankingsCompared): Html {
  const columns = columnsOf(data);
  const rest = data.rows.slice(SHOWN);
  return markup`${table(columns, data.rows.slice(0, SHOWN), "Nothing is in the tournament yet.")}${
    rest.length === 0 ? null : fold(
      `${counted(rest.length, "more hypothesis", "more hypotheses")}`,
      [
        table(columns, rest.slice(0, LISTED)),
        rest.length > LISTED ? faint(`${rest.length - LISTED} more in .rows`) : null,
      ],
    )
  }`;
}

/** The same for a terminal. */
export function rankingsText(data: RankingsCompared): string {
  if (data.rows.length === 0) return "Nothing is in the tournament yet.";
  const rest = data.rows.length - SHOWN;
  return lines(
    textTable(textColumns(data), data.rows.slice(0, SHOWN)),
    rest > 0 ? `… and ${counted(rest, "more hypothesis", "more hypotheses")}: .rows` : null,
  );
}

/** How much two rankings differ, in words. */
export function difference({ tau, moved, entered, left, topK, rows }: RankingsCompared): string {
  const farthest = rows.reduce<MovedRow | null>(
    (most, row) => (Math.abs(row.up ?? 0) > Math.abs(most?.up ?? 0) ? row : most),
    null,
  );
  return [
    moved === 0
      ? "Nobody moves on the board"
      : `${moved} of ${counted(rows.length, "hypothesis", "hypotheses")} ${
        moved === 1 ? "moves" : "move"
      } on the board` +
        (farthest === null ? "" : `, ${farthest.label} farthest (${arrow(farthest.up)})`),
    `Kendall's tau ${tauText(tau.board)} (by Bradley-Terry ${tauText(tau.bradleyTerry)}, by Elo ${
      tauText(tau.elo)
    })`,
    entered.length + left.length === 0 ? `the first ${topK.after} are the same` : [
      entered.length === 0 ? null : `into the first ${topK.after}: ${entered.join(", ")}`,
      left.length === 0 ? null : `out of them: ${left.join(", ")}`,
    ].filter((text) => text !== null).join("; "),
  ].join("; ") + ".";
}

/** A tau with two digits. */
export function tauText(tau: number | null): string {
  return tau === null ? "–" : tau.toFixed(2).replace("-", "−");
}

function title({ session, applied }: ReratingData): string {
  return applied === null ? `${session} rated anew: a look` : `${session} rated anew: epoch ${applied.epoch}`;
}

function verdict(data: ReratingData): string {
  const { applied } = data;
  const done = applied === null
    ? " Nothing is changed: { apply: true } makes it the ranking."
    : ` It is the ranking from commit ${applied.seq} on (${
      applied.revisions.join(", ")
    }); lab.undo() takes it back.`;
  return difference(data) + done;
}

function basis({ counted: matches, excluded, reweighted, settings, by }: ReratingData): string {
  const order = (rating: ReratingData["by"]["before"]) => rating === "elo" ? "Elo" : "Bradley-Terry";
  return [
    `${counted(matches.after, "match", "matches")} of the log replayed without a model call` +
    (matches.before === matches.after ? "" : ` (${matches.before} counted before)`),
    excluded === 0 ? null : `${excluded} left out`,
    reweighted === 0 ? null : `${reweighted} with another weight`,
    settings.length === 0
      ? "settings as in force"
      : settings.map(({ path, before, after }) => `${path} ${jsonLine(before)} → ${jsonLine(after)}`).join(
        ", ",
      ),
    by.before === by.after
      ? `ordered by ${order(by.after)}`
      : `ordered by ${order(by.after)}, before by ${order(by.before)}`,
  ].filter((text) => text !== null).join("; ") + ".";
}

function legend({ topK }: ReratingData): string {
  return `Before → after. Rating: Bradley-Terry on Elo's scale, ± its 90 % interval. ${
    topK.before === topK.after ? `In top ${topK.after}` : "In top"
  }: the chance to be among the true best. Unrated: no match of its counts, and what is known is only the prior.`;
}

function columnsOf({ topK }: RankingsCompared): Column<MovedRow>[] {
  return [
    { head: "#", align: "end", cell: (row) => short(places(row)) },
    { head: "", cell: (row) => moveHtml(row) },
    {
      head: "Hypothesis",
      wide: true,
      cell: (row) => markup`<b>${short(row.label)}</b> ${line(row.title, 140)}`,
    },
    { head: "Rating", align: "end", cell: (row) => pair(ratingText(row.before), ratingText(row.after)) },
    {
      head: topK.before === topK.after ? `In top ${topK.after}` : "In top",
      align: "end",
      cell: (row) => pair(chanceText(row.before), chanceText(row.after)),
    },
    { head: "Elo", align: "end", cell: (row) => pair(rating(row.before.elo), rating(row.after.elo)) },
    {
      head: "Matches",
      align: "end",
      cell: (row) => pair(String(row.before.matches), String(row.after.matches)),
    },
  ];
}

function textColumns({ topK }: RankingsCompared): TextColumn<MovedRow>[] {
  return [
    { head: "#", cell: places, align: "end" },
    { head: "", cell: (row) => arrow(row.up) },
    { head: "", cell: (row) => row.label },
    { head: "rating", cell: (row) => arrowed(ratingText(row.before), ratingText(row.after)) },
    {
      head: topK.before === topK.after ? inTop(topK.after) : "in top",
      cell: (row) => arrowed(chanceText(row.before), chanceText(row.after)),
    },
    { head: "Elo", cell: (row) => arrowed(rating(row.before.elo), rating(row.after.elo)) },
    { head: "n", cell: (row) => arrowed(String(row.before.matches), String(row.after.matches)) },
    { head: "title", cell: (row) => row.title },
  ];
}

function places({ before, after }: MovedRow): string {
  return arrowed(
    before.place === null ? "–" : String(before.place),
    after.place === null ? "–" : String(after.place),
  );
}

/** A value before and after, once where both are the same. */
function arrowed(before: string, after: string): string {
  return before === after ? after : `${before} → ${after}`;
}

function pair(before: string, after: string): Content {
  return before === after ? short(after) : markup`${faint(short(`${before} →`))} <b>${short(after)}</b>`;
}

function moveHtml({ up }: MovedRow): Content {
  if (up === null || up === 0) return null;
  return markup`<span style="color:${up > 0 ? "#1a6b3c" : "#b3261e"}">${short(arrow(up))}</span>`;
}

/** `▲2`, `▼1`. */
function arrow(up: number | null): string {
  if (up === null || up === 0) return "";
  return `${up > 0 ? "▲" : "▼"}${Math.abs(up)}`;
}

function ratingText({ rating: value, ratingLow, ratingHigh, matches }: Placed): string {
  if (value === null) return "–";
  if (matches === 0) return "unrated";
  const half = ratingLow === null || ratingHigh === null
    ? ""
    : ` ±${Math.round((ratingHigh - ratingLow) / 2)}`;
  return `${rating(value)}${half}`;
}

function chanceText({ topChance }: Placed): string {
  return topChance === null ? "–" : chance(topChance);
}
