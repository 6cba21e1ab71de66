import type { LeaderboardRow } from "../../engine/snapshot.ts";
import { clip } from "../../domain/text.ts";
import { type Column, type Content, foreign, type Html, markup, table } from "../html.ts";
import { CATEGORIES } from "../plots/palette.ts";
import { grid } from "./grid.ts";
import { fit, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { alarming, faint, fold, line, paragraph, short } from "./prose.ts";
import { rangeBar } from "./range_bar.ts";
import { sparkline } from "./sparkline.ts";
import { type LeadersData, legend, sureness } from "./sureness.ts";
import { scoreText } from "./criteria.ts";
import { chance, counted, inTop, rating, record, words } from "./wording.ts";

/** Rows with all columns; near-duplicates that are folded under a shown one come on top, as far as there is room. */
const FULL = 15, FULL_WITH_FOLDED = 22;
/** Rows behind the summary. */
const LISTED = 240;

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

/**
 * The leaderboard with a line on how sure it is: the best with everything that is known of them in short, the others as a
 * plain list to open.
 */
export function leadersHtml(data: LeadersData): Html {
  const ordered = withFolded(data.leaderboard);
  const shown = firstRows(ordered);
  const rest = ordered.slice(shown, shown + LISTED), further = ordered.length - shown - rest.length;
  const byElo = data.ranking.by === "elo";
  return markup`${board(data, ordered.slice(0, shown))}${
    rest.length === 0
      ? null
      : fold(`${counted(rest.length + further, "more hypothesis", "more hypotheses")}`, [
        grid(7, [
          [
            "rank",
            "",
            ...inOrder(byElo, "Elo", ["rating", inTop(data.ranking.topK)]),
            "W–L–T",
            "title",
          ].map((head) => faint(short(head))),
          // A style of its own for each number would be the larger part of a long list.
          ...rest.map((row) => [
            row.rank ?? "",
            short(row.label),
            ...inOrder(byElo, rating(row.elo), [ratingText(row), unbroken(chanceText(row))]),
            short(record(row)),
            markup`<bdi>${shortTitle(row)}</bdi>`,
          ]),
        ]),
        further === 0 ? null : faint(`${further} more: lab.view().leaderboard`),
      ])
  }${legendHtml(data)}`;
}

/** The first `ranks` of the leaderboard, without near-duplicates, and a line on how sure it is. */
export function firstLeadersHtml(data: LeadersData, ranks: number): Html {
  return board(data, firstRanks(data, ranks));
}

/** The leaderboard for a terminal. */
export function leadersText(data: LeadersData): string {
  const ordered = withFolded(data.leaderboard);
  const shown = firstRows(ordered);
  const rest = ordered.length - shown;
  return lines(
    boardText(data, ordered.slice(0, shown)),
    rest === 0
      ? null
      : `… and ${counted(rest, "more hypothesis", "more hypotheses")}: lab.view().leaderboard`,
    legendText(data),
  );
}

/** The first `ranks` for a terminal, without near-duplicates. @param explained whether what the numbers mean is said below */
export function firstLeadersText(data: LeadersData, ranks: number, explained = false): string {
  return lines(boardText(data, firstRanks(data, ranks)), explained ? legendText(data) : null);
}

const EMPTY = "Nothing is in the tournament yet.";

function board(data: LeadersData, rows: readonly LeaderboardRow[]): Html {
  const sure = sureness(data);
  return markup`${sure === null ? null : paragraph(sure)}${
    table(columns(data, rows), rows, EMPTY, tierEnds(data))
  }`;
}

function boardText(data: LeadersData, rows: readonly LeaderboardRow[]): string {
  if (rows.length === 0) return EMPTY;
  const sure = sureness(data);
  return lines(sure === null ? null : wrapped(sure), textTable(textColumns(data), rows, tierEnds(data)));
}

function legendHtml(data: LeadersData): Html | null {
  const text = legend(data, { band: "with its 90 % interval", tiers: true });
  return text === null ? null : paragraph(faint(text));
}

function legendText(data: LeadersData): string | null {
  const text = legend(data, { band: "± its 90 % interval", tiers: true });
  return text === null ? null : wrapped(text);
}

function columns(data: LeadersData, shown: readonly LeaderboardRow[]): Column<LeaderboardRow>[] {
  const byElo = data.ranking.by === "elo";
  const scale = scaleOf(shown);
  const weighty = (row: LeaderboardRow, text: string, first: boolean) =>
    first && row.foldedUnder === null ? markup`<b>${short(text)}</b>` : grey(row, text);
  const ratings: Column<LeaderboardRow> = {
    head: "Rating",
    cell: (row) => markup`${weighty(row, ratingText(row), !byElo)}${bandHtml(row)}${bar(row, scale)}`,
  };
  const elo: Column<LeaderboardRow> = {
    head: "Elo, trend",
    cell: (row) =>
      markup`<div style="display:flex;flex-wrap:wrap;gap:0 8px">${weighty(row, rating(row.elo), byElo)}${
        sparkline(row.trajectory, row.foldedUnder === null ? undefined : FOLDED)
      }</div>`,
  };
  const top: Column<LeaderboardRow> = {
    head: `In top ${data.ranking.topK}`,
    align: "end",
    cell: (row) => short(chanceText(row)),
  };
  return [
    { head: "#", align: "end", cell: (row) => row.rank === null ? null : short(row.rank) },
    { head: "Hypothesis", wide: true, cell: name },
    ...inOrder(byElo, elo, [ratings, top]),
    { head: "W\u2011L\u2011T", align: "end", cell: (row) => grey(row, record(row)) },
    ...criteriaColumns(data),
  ];
}

/** Criteria that get columns of their own; more of them would leave the titles no room. */
const OWN_COLUMNS = 4;

/** The total by the scientist's criteria, and each of them where they are few; nothing without criteria. */
function criteriaColumns({ criteria = [] }: LeadersData): Column<LeaderboardRow>[] {
  if (criteria.length === 0) return [];
  const several = criteria.length > 1;
  return [
    ...(several
      ? [{
        head: "Criteria",
        align: "end" as const,
        cell: (row: LeaderboardRow) => grey(row, scoreText(row.criteria?.total, false)),
      }]
      : []),
    ...(criteria.length > OWN_COLUMNS ? [] : criteria).map(({ name }): Column<LeaderboardRow> => ({
      head: fit(name, 12),
      align: "end",
      cell: (row) => {
        const failed = row.criteria?.unmet.includes(name) === true;
        const text = scoreText(row.criteria?.scores[name], failed);
        return failed ? alarming(short(text)) : grey(row, text);
      },
    })),
  ];
}

function criteriaTextColumns({ criteria = [] }: LeadersData): TextColumn<LeaderboardRow>[] {
  const [only] = criteria;
  if (only === undefined) return [];
  return criteria.length === 1
    ? [{
      head: fit(only.name, 10),
      align: "end",
      cell: (row) =>
        scoreText(row.criteria?.scores[only.name], row.criteria?.unmet.includes(only.name) === true),
    }]
    : [{
      head: "criteria",
      align: "end",
      cell: (row) => scoreText(row.criteria?.total, (row.criteria?.unmet.length ?? 0) > 0),
    }];
}

/** How it came about, when, and the trend of its Elo are left to the card of each: a title says more in the same room. */
function textColumns(data: LeadersData): TextColumn<LeaderboardRow>[] {
  const { ranking: { by, topK } } = data;
  const elo: TextColumn<LeaderboardRow> = { head: "Elo", cell: (row) => rating(row.elo), align: "end" };
  const ratings: TextColumn<LeaderboardRow>[] = [
    { head: "rating", cell: (row) => `${ratingText(row)}${plusMinus(row)}` },
    { head: inTop(topK), cell: chanceText, align: "end" },
  ];
  return [
    { head: "#", cell: (row) => row.rank === null ? "" : String(row.rank), align: "end" },
    {
      head: "",
      cell: (row) => `${row.foldedUnder === null ? "" : "└ "}${row.label}${row.stale > 0 ? "*" : ""}`,
    },
    ...inOrder(by === "elo", elo, ratings),
    { head: "W–L–T", cell: record, align: "end" },
    ...criteriaTextColumns(data),
    { head: "verdict", cell: (row) => row.verdict === null ? "not reviewed" : words(row.verdict) },
    { head: "title", cell: (row) => [...marks(row).map((mark) => `[${mark}]`), row.title].join(" ") },
  ];
}

/** The rating that orders the leaderboard comes first. */
function inOrder<T>(byElo: boolean, elo: T, ratings: readonly T[]): T[] {
  return byElo ? [elo, ...ratings] : [...ratings, elo];
}

/** A text with spaces at which no line is broken. */
function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

/** The colour of what is folded: it is in play by its best alone. */
const FOLDED = "#a8adb3";

/** Label and title, and below them in grey what its review says and how it came about: on a narrow page columns of their own would leave the title none. */
function name(row: LeaderboardRow): Html {
  const title = line(row.title, 140);
  if (row.foldedUnder === null) return markup`<b>${short(row.label)}</b> ${title}<div>${about(row)}</div>`;
  return markup`<div style="padding-inline-start:16px;color:#52595f">└ ${
    short(row.label)
  } ${title} (folded under ${short(row.foldedUnder)})<div>${about(row)}</div></div>`;
}

function about(row: LeaderboardRow): Html {
  return faint([
    row.verdict === null ? "not reviewed" : words(row.verdict),
    " · ",
    words(row.strategy),
    row.parents.length === 0 ? null : ` of ${row.parents.slice(0, 4).join(", ")}`,
    row.generation === 0 ? null : [" · ", short(`gen. ${row.generation}`)],
    [" · ", short(`${counted(row.age, "commit")} old`)],
    marks(row).map((mark) => [" · ", mark.startsWith("by ") ? foreign(mark) : markup`<b>${mark}</b>`]),
    row.stale === 0 ? null : [" · ", short(`${row.stale} stale`)],
  ]);
}

/** What people have to do with it: a result, a pin, their own idea. */
function marks({ result, pinned, author }: LeaderboardRow): string[] {
  return [
    ...(result === null ? [] : [result]),
    ...(pinned ? ["pinned"] : []),
    ...(author === "model" ? [] : [`by ${clip(author, 40)}`]),
  ];
}

function grey(row: LeaderboardRow, text: string): Html {
  return row.foldedUnder === null ? short(text) : faint(short(text));
}

function ratingText(row: LeaderboardRow): string {
  return row.rating === null ? "–" : rating(row.rating);
}

/** Nothing for a folded one: it doesn't compete. */
function chanceText(row: LeaderboardRow): string {
  if (row.topChance !== null) return chance(row.topChance);
  return row.foldedUnder === null ? "–" : "";
}

/** Half of the interval: the way to write it that takes the least room. */
function plusMinus({ ratingLow, ratingHigh }: LeaderboardRow): string {
  if (ratingLow === null || ratingHigh === null) return "";
  return ` ±${Math.round((ratingHigh - ratingLow) / 2)}`;
}

function bandHtml({ ratingLow, ratingHigh }: LeaderboardRow): Content {
  if (ratingLow === null || ratingHigh === null) return null;
  const band = `${rating(ratingLow)}–${rating(ratingHigh)}`;
  return markup`<div style="font-size:11px">${faint(short(band))}</div>`;
}

function bar(row: LeaderboardRow, scale: { from: number; to: number }): Content {
  const { ratingLow: low, rating: middle, ratingHigh: high, foldedUnder } = row;
  if (low === null || middle === null || high === null) return null;
  return rangeBar({ low, middle, high }, scale, foldedUnder === null ? CATEGORIES[0] : FOLDED);
}

/** From the lowest to the highest end of the intervals shown. */
function scaleOf(rows: readonly LeaderboardRow[]): { from: number; to: number } {
  return {
    from: Math.min(...rows.map((row) => row.ratingLow ?? Infinity)),
    to: Math.max(...rows.map((row) => row.ratingHigh ?? -Infinity)),
  };
}

/** Whether a tier ends between two rows. Ordered by Elo the rows of a tier needn't stand together, so there it is never said. */
function tierEnds({ leaderboard, ranking: { by } }: LeadersData) {
  const tiers = new Map(leaderboard.map((row) => [row.label, row.tier]));
  const tierOf = (row: LeaderboardRow) => tiers.get(row.foldedUnder ?? row.label) ?? null;
  return (row: LeaderboardRow, next: LeaderboardRow): boolean => {
    const above = tierOf(row), below = tierOf(next);
    return by === "bradley_terry" && above !== null && below !== null && above !== below;
  };
}

function shortTitle(row: LeaderboardRow): string {
  const whole = [...marks(row).map((mark) => `[${mark}]`), row.title].join(" ");
  const title = whole.length > 86 ? `${whole.slice(0, 85).toWellFormed()}…` : whole;
  return row.foldedUnder === null ? title : `└ ${title} (folded under ${row.foldedUnder})`;
}

/** How many rows hold the first ranks with their folded ones, within the room that there is. */
function firstRows(ordered: readonly LeaderboardRow[]): number {
  const next = ordered.findIndex((row) => row.rank !== null && row.rank > FULL);
  return Math.min(next < 0 ? ordered.length : next, FULL_WITH_FOLDED);
}

function firstRanks({ leaderboard }: LeadersData, ranks: number): LeaderboardRow[] {
  return leaderboard.filter((row) => row.rank !== null && row.rank <= ranks);
}
