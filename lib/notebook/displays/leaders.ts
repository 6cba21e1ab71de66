import type { LeaderboardRow } from "../../engine/snapshot.ts";
import { type Column, type Html, markup, table } from "../html.ts";
import { grid } from "./grid.ts";
import { barline, lines, textTable } from "./plain.ts";
import { faint, fold, line, phrase, short } from "./prose.ts";
import { sparkline } from "./sparkline.ts";
import { counted, rating, record, words } from "./wording.ts";

/** Rows with all columns; near-duplicates that are folded under a shown one come on top, as far as there is room. */
const FULL = 15, FULL_WITH_FOLDED = 22;
/** Rows behind the summary. */
const LISTED = 600;

/** The leaderboard with each near-duplicate right under the hypothesis that is drawn in its stead. */
export function withFolded(rows: readonly LeaderboardRow[]): LeaderboardRow[] {
  const labels = new Set(rows.filter((row) => row.foldedUnder === null).map((row) => row.label));
  const folded = Map.groupBy(
    rows.filter((row) => row.foldedUnder !== null && labels.has(row.foldedUnder)),
    (row) => row.foldedUnder,
  );
  const heads = rows.filter((row) => row.foldedUnder === null || !labels.has(row.foldedUnder));
  return heads.flatMap((row) => [row, ...(row.foldedUnder === null ? folded.get(row.label) ?? [] : [])]);
}

/** The leaderboard: the best with everything that is known of them in short, the others as a plain list to open. */
export function leadersHtml(all: readonly LeaderboardRow[], full = FULL): Html {
  const ordered = withFolded(all);
  const shown = firstRows(ordered, full);
  const rest = ordered.slice(shown, shown + LISTED), further = ordered.length - shown - rest.length;
  return markup`${table(COLUMNS, ordered.slice(0, shown), "Nothing is in the tournament yet.")}${
    rest.length === 0
      ? null
      : fold(`${counted(rest.length + further, "more hypothesis", "more hypotheses")}`, [
        grid(5, [
          ["rank", "", "Elo", "W–L–T", "title"].map(faint),
          ...rest.map((row) => [
            row.rank ?? "",
            short(row.label),
            rating(row.elo),
            short(record(row)),
            markup`<bdi>${shortTitle(row)}</bdi>`,
          ]),
        ]),
        further === 0 ? null : faint(`${further} more: lab.view().leaderboard`),
      ])
  }`;
}

/** The same for a terminal. */
export function leadersText(all: readonly LeaderboardRow[], full = FULL): string {
  if (all.length === 0) return "Nothing is in the tournament yet.";
  const ordered = withFolded(all);
  const shown = firstRows(ordered, full);
  const rest = ordered.length - shown;
  return lines(
    textTable([
      { head: "#", cell: (row) => row.rank === null ? "" : String(row.rank), align: "end" },
      { head: "", cell: (row) => `${row.foldedUnder === null ? "" : "└ "}${row.label}` },
      { head: "Elo", cell: (row) => rating(row.elo), align: "end" },
      { head: "trend", cell: (row) => barline(row.trajectory, 6) },
      { head: "W–L–T", cell: record, align: "end" },
      { head: "verdict", cell: (row) => row.verdict === null ? "not reviewed" : words(row.verdict) },
      { head: "made by", cell: (row) => words(row.strategy) },
      { head: "title", cell: (row) => row.title },
    ], ordered.slice(0, shown)),
    rest === 0
      ? null
      : `… and ${counted(rest, "more hypothesis", "more hypotheses")}: lab.view().leaderboard`,
  );
}

const COLUMNS: readonly Column<LeaderboardRow>[] = [
  { head: "#", align: "end", cell: (row) => row.rank === null ? null : short(row.rank) },
  { head: "Hypothesis", cell: name },
  { head: "Elo", align: "end", cell: (row) => grey(row, rating(row.elo)) },
  { head: "Trend", cell: (row) => sparkline(row.trajectory, row.foldedUnder === null ? undefined : FOLDED) },
  { head: "W\u2011L\u2011T", align: "end", cell: (row) => grey(row, record(row)) },
  { head: "Verdict", cell: (row) => verdict(row) },
  { head: "Made by", cell: made },
];

/** The colour of what is folded: it is in play by its best alone. */
const FOLDED = "#a8adb3";

function name(row: LeaderboardRow): Html {
  const title = line(row.title, 140);
  if (row.foldedUnder === null) return markup`<b>${short(row.label)}</b> ${title}`;
  return markup`<div style="padding-inline-start:16px;color:#52595f">└ ${
    short(row.label)
  } ${title} (folded under ${short(row.foldedUnder)})</div>`;
}

function grey(row: LeaderboardRow, text: string): Html {
  return row.foldedUnder === null ? short(text) : faint(short(text));
}

function verdict(row: LeaderboardRow): Html {
  if (row.verdict === null) return faint(phrase("not reviewed"));
  return row.foldedUnder === null ? phrase(words(row.verdict)) : faint(phrase(words(row.verdict)));
}

function made(row: LeaderboardRow): Html {
  const parents = row.parents.length === 0 ? null : faint([" of ", row.parents.slice(0, 4).join(", ")]);
  return markup`${grey(row, words(row.strategy))}${parents}${
    row.generation === 0 ? null : faint([" · ", short(`gen. ${row.generation}`)])
  }`;
}

function shortTitle(row: LeaderboardRow): string {
  const title = row.title.length > 90 ? `${row.title.slice(0, 89).toWellFormed()}…` : row.title;
  return row.foldedUnder === null ? title : `└ ${title} (folded under ${row.foldedUnder})`;
}

/** How many rows hold the first `full` ranks with their folded ones, within the room that there is. */
function firstRows(ordered: readonly LeaderboardRow[], full: number): number {
  const next = ordered.findIndex((row) => row.rank !== null && row.rank > full);
  const room = full + FULL_WITH_FOLDED - FULL;
  return Math.min(next < 0 ? ordered.length : next, room);
}
