import type { SessionStatus } from "../../domain/records.ts";
import type { CostRow } from "../../engine/snapshot.ts";
import type { Share } from "../../tournament/share.ts";
import { card, type Column, type Content, type Html, markup, table } from "../html.ts";
import type { CoursePoint } from "../frames/course.ts";
import type { ChangeRow } from "./changes.ts";
import type { Display } from "./display.ts";
import { twoLines } from "./listing.ts";
import { percent } from "./meter.ts";
import { blocks, fit, headline, lines, type TextColumn, textTable, wrapped } from "./plain.ts";
import { faint, line, paragraph, section, short } from "./prose.ts";
import { costLine, counted, dollars, jsonLine, rating, words } from "./wording.ts";

/** One of the sessions that are compared. */
export interface ComparedSession {
  /** Its name. */
  readonly name: string;
  /** Its store. */
  readonly store: string;
  /** Whether its models are simulated. */
  readonly simulated: boolean;
  /** Name of the session that it was forked from, if it was. */
  readonly parent: string | null;
  /** At which commit. */
  readonly forkedAt: number | null;
  /** Its status. */
  readonly status: SessionStatus;
  /** Its newest commit. */
  readonly seq: number;
  /** Hypotheses. */
  readonly hypotheses: number;
  /** Labels of those that none of the others has. */
  readonly own: readonly string[];
  /** Valid matches. */
  readonly matches: number;
  /** What it cost itself. */
  readonly cost: CostRow;
  /** What it inherited: paid before it was forked off. */
  readonly inherited: CostRow;
  /** Its leaderboard, best first, without folded near-duplicates. */
  readonly leaderboard: readonly ComparedRow[];
  /** How good its best was after so many matches. */
  readonly course: readonly CoursePoint[];
  /** People's changes that not all of the sessions share. */
  readonly revisions: readonly ChangeRow[];
}

/** A place on a leaderboard that is compared. */
export interface ComparedRow {
  /** From 1. */
  readonly rank: number;
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Bradley-Terry on the Elo scale; `null` where there is none. */
  readonly rating: number | null;
  /** Elo. */
  readonly elo: number;
  /** Whether another session has it too. */
  readonly shared: boolean;
}

/** A hypothesis that several sessions have; lists are in the order of the sessions. */
export interface SharedHypothesis {
  /** Its title, as the first that has it says it. */
  readonly title: string;
  /** Its labels; `null` where a session doesn't have it. */
  readonly labels: readonly (string | null)[];
  /** Its ranks; `null` where it has none. */
  readonly ranks: readonly (number | null)[];
  /** Its Bradley-Terry ratings on the Elo scale; `null` where it has none. */
  readonly ratings: readonly (number | null)[];
  /** Its Elo; `null` where a session doesn't have it. */
  readonly elos: readonly (number | null)[];
  /** Whether its text differs by now. */
  readonly edited: boolean;
  /** Places from the first session to the last that it stands better; below 0: worse; `null` where it has no rank in one. */
  readonly moved: number | null;
}

/** How alike two sessions rank what they share. */
export interface OrderAgreement {
  /** One session. */
  readonly first: string;
  /** The other. */
  readonly second: string;
  /** Hypotheses in both tournaments. */
  readonly shared: number;
  /** Kendall's tau of their places: 1 for the same order, -1 for the reverse; `null` for fewer than two. */
  readonly tau: number | null;
}

/** Something that is not the same in all sessions; values in their order. */
export interface Difference {
  /** A setting's path, or a prompt's name. */
  readonly name: string;
  /** Its value in each. */
  readonly values: readonly unknown[];
}

/** Matches between the best of two sessions. */
export interface CrossMatches {
  /** The session in which they were played: a fork of the first. */
  readonly session: string;
  /** The first session. */
  readonly first: string;
  /** The second. */
  readonly second: string;
  /** Those that played for the first: labels there. */
  readonly firstSide: readonly string[];
  /** Those that played for the second: labels there. */
  readonly secondSide: readonly string[];
  /** Matches that the first's won, of those that somebody won, with Wilson's 95 % interval. */
  readonly wins: Share;
  /** Ties. */
  readonly ties: number;
  /** Matches without a verdict. */
  readonly invalid: number;
  /** Matches that were asked for and not played. */
  readonly unplayed: number;
  /** What they cost. */
  readonly cost: CostRow;
  /** What is to be said of it, such as why not all were played; one line each. */
  readonly notes: readonly string[];
}

/** Sessions of one goal side by side. */
export interface ComparisonData {
  /** The goal of all. */
  readonly goal: string;
  /** Whether one of them is simulated. */
  readonly simulated: boolean;
  /** The last commit that all of them share; 0 where they have no history in common. */
  readonly sharedSeq: number;
  /** The sessions. */
  readonly sessions: readonly ComparedSession[];
  /** Hypotheses that at least two of them have, by their rank in the first. */
  readonly shared: readonly SharedHypothesis[];
  /** How alike each two rank what they share. */
  readonly agreement: readonly OrderAgreement[];
  /** Settings that differ. */
  readonly settings: readonly Difference[];
  /** Prompts that differ, with their texts. */
  readonly prompts: readonly Difference[];
  /** Matches between the best of each two, where they were asked for. */
  readonly cross: readonly CrossMatches[];
}

/** Ranks that are shown side by side. */
const RANKS = 12;
/** Shared hypotheses that are shown. */
const SHARED = 20;

/** How a comparison is shown. */
export const comparisonDisplay: Display<ComparisonData> = {
  html: (data) =>
    card({
      title: title(data),
      simulated: data.simulated,
      body: [
        paragraph(faint(line(data.goal, 280))),
        table(sessionColumns(), data.sessions),
        paragraph(faint(summary(data))),
        crossHtml(data),
        section(
          "Leaderboards",
          table([
            { head: "Rank", align: "end", cell: (rank: number) => short(rank) },
            ...data.sessions.map((session): Column<number> => ({
              head: fit(session.name, 60),
              cell: (rank) => placeHtml(session, rank),
            })),
          ], ranks(data)),
          paragraph(faint("● is shared with another session.")),
        ),
        sharedHtml(data),
        differencesHtml("Settings that differ", data, data.settings, jsonLine),
        differencesHtml("Prompts that differ", data, data.prompts, promptText),
        revisionsHtml(data),
      ],
    }),
  text: (data) =>
    blocks(
      lines(headline(title(data), data.simulated), wrapped(data.goal, "Goal: ", 280)),
      textTable([
        { head: "session", cell: (row) => row.name },
        { head: "forked", cell: (row) => origin(row) ?? "", max: 20 },
        { head: "H", align: "end", cell: (row) => String(row.hypotheses) },
        { head: "own", align: "end", cell: (row) => String(row.own.length) },
        { head: "M", align: "end", cell: (row) => String(row.matches) },
        { head: "usd", align: "end", cell: (row) => dollars(row.cost.usd) },
        { head: "inherited", align: "end", cell: (row) => dollars(row.inherited.usd) },
      ], data.sessions),
      lines(...data.cross.flatMap(crossLines).map((each) => wrapped(each))),
      wrapped(summary(data)),
      textTable([
        { head: "", align: "end", cell: (rank: number) => String(rank) },
        ...data.sessions.map((session): TextColumn<number> => ({
          head: fit(session.name, room(data)),
          max: room(data),
          cell: (rank) => placeText(session, rank),
        })),
      ], ranks(data)),
      data.shared.length === 0 ? null : textTable([
        { head: "shared", cell: (row: SharedHypothesis) => row.labels.map((each) => each ?? "–").join(" ") },
        ...data.sessions.map((session, i): TextColumn<SharedHypothesis> => ({
          head: fit(`in ${session.name}`, Math.min(20, room(data))),
          cell: (row) => standText(row, i),
        })),
        { head: "moved", align: "end", cell: (row) => movedText(row) },
        { head: "title", cell: (row) => row.title },
      ], data.shared.slice(0, SHARED)),
      differencesText("setting", data, data.settings, jsonLine),
      differencesText("prompt", data, data.prompts, promptText),
      lines(...data.sessions.flatMap(revisionLines).map((each) => wrapped(each, "", 300))),
    ),
};

/** Columns of a terminal for each session's own column. */
function room({ sessions }: ComparisonData): number {
  return Math.max(12, Math.floor(90 / sessions.length) - 2);
}

function title({ sessions }: ComparisonData): string {
  return `Compared: ${sessions.map(({ name }) => name).join(" · ")}`;
}

function origin({ parent, forkedAt }: ComparedSession): string | null {
  return parent === null ? null : `${parent} at ${forkedAt ?? 0}`;
}

function sessionColumns(): Column<ComparedSession>[] {
  return [
    {
      head: "Session",
      cell: (row) =>
        twoLines(
          markup`<b>${line(row.name, 80)}</b>`,
          origin(row) === null ? short(words(row.status)) : line(`forked from ${origin(row)}`, 120),
        ),
    },
    { head: "Commits", align: "end", cell: (row) => short(row.seq) },
    { head: "Hypotheses", align: "end", cell: (row) => short(`${row.hypotheses}, ${row.own.length} own`) },
    { head: "Matches", align: "end", cell: (row) => short(row.matches) },
    { head: "Own cost", cell: (row) => line(costLine(row.cost)) },
    { head: "Inherited", cell: (row) => line(costLine(row.inherited)) },
  ];
}

function summary({ sharedSeq, shared, agreement }: ComparisonData): string {
  const common = sharedSeq === 0
    ? "They have no commit in common."
    : `They share their commits up to ${sharedSeq}.`;
  const rank = agreement.filter(({ tau }) => tau !== null).map(({ first, second, tau, shared }) =>
    `${first} and ${second} order the ${shared} hypotheses in both tournaments with a Kendall's tau of ${
      (tau ?? 0).toFixed(2)
    }`
  );
  return [
    common,
    `${counted(shared.length, "hypothesis is", "hypotheses are")} shared.`,
    ...(rank.length === 0 ? [] : [`${rank.join("; ")} (1: alike, −1: reversed).`]),
  ].join(" ");
}

function ranks({ sessions }: ComparisonData): number[] {
  const longest = Math.max(0, ...sessions.map(({ leaderboard }) => leaderboard.length));
  return Array.from({ length: Math.min(RANKS, longest) }, (_, i) => i + 1);
}

function placeHtml({ leaderboard }: ComparedSession, rank: number): Content {
  const row = leaderboard[rank - 1];
  if (row === undefined) return faint("–");
  const mark = row.shared ? " ●" : "";
  return twoLines(
    markup`<b>${short(row.label)}</b>${mark} ${short(rating(row.rating ?? row.elo))}`,
    line(row.title, 90),
  );
}

function placeText({ leaderboard }: ComparedSession, rank: number): string {
  const row = leaderboard[rank - 1];
  return row === undefined
    ? "–"
    : `${row.label}${row.shared ? "●" : " "} ${rating(row.rating ?? row.elo)} ${row.title}`;
}

function standText({ labels, ranks, ratings, elos }: SharedHypothesis, i: number): string {
  const value = ratings[i] ?? elos[i] ?? null;
  if ((labels[i] ?? null) === null || value === null) return "–";
  const rank = ranks[i] ?? null;
  return `${rank === null ? "out" : `#${rank}`} ${rating(value)}`;
}

function movedText({ moved, edited }: SharedHypothesis): string {
  const way = moved === null ? "" : moved === 0 ? "=" : moved > 0 ? `▲${moved}` : `▼${-moved}`;
  return `${way}${edited ? " edited" : ""}`.trim();
}

function sharedHtml(data: ComparisonData): Html | null {
  if (data.shared.length === 0) return null;
  const more = data.shared.length - SHARED;
  return section(
    "Shared hypotheses",
    table<SharedHypothesis>([
      {
        head: "Hypothesis",
        wide: true,
        cell: (row) =>
          twoLines(
            markup`<b>${short(row.labels.map((label) => label ?? "–").join(" · "))}</b>`,
            line(row.title, 120),
          ),
      },
      ...data.sessions.map((session, i): Column<SharedHypothesis> => ({
        head: fit(session.name, 60),
        align: "end",
        cell: (row) => short(standText(row, i)),
      })),
      { head: "Moved", align: "end", cell: (row) => short(movedText(row)) },
    ], data.shared.slice(0, SHARED)),
    more > 0 ? paragraph(faint(`${more} more: .shared`)) : null,
  );
}

function crossLines(cross: CrossMatches): string[] {
  const { wins, ties, invalid, unplayed } = cross;
  const interval = wins.share === null || wins.low === null || wins.high === null
    ? ""
    : ` (${percent(wins.share)}, 95 % interval ${percent(wins.low)} to ${percent(wins.high)})`;
  const rest = [
    ties === 0 ? null : counted(ties, "tie"),
    invalid === 0 ? null : `${invalid} without a verdict`,
    unplayed === 0 ? null : `${unplayed} not played`,
  ].filter((text) => text !== null);
  return [
    `${cross.first} against ${cross.second}: ${cross.first} won ${wins.count} of ${wins.of} decided matches${interval}${
      rest.length === 0 ? "" : `; ${rest.join(", ")}`
    }. Played in "${cross.session}" for ${costLine(cross.cost)}.`,
    ...cross.notes,
  ];
}

function crossHtml({ cross }: ComparisonData): Html | null {
  return cross.length === 0
    ? null
    : section("Best against best", cross.flatMap(crossLines).map((text) => paragraph(line(text, 600))));
}

function promptText(text: unknown): string {
  return typeof text === "string" ? `${text.length} characters` : "–";
}

function differencesHtml(
  heading: string,
  { sessions }: ComparisonData,
  rows: readonly Difference[],
  shown: (value: unknown) => string,
): Html | null {
  if (rows.length === 0) return null;
  return section(
    heading,
    table<Difference>([
      { head: "What", cell: (row) => line(row.name, 100) },
      ...sessions.map(({ name }, i): Column<Difference> => ({
        head: fit(name, 60),
        cell: (row) => line(shown(row.values[i]), 200),
      })),
    ], rows),
  );
}

function differencesText(
  head: string,
  { sessions }: ComparisonData,
  rows: readonly Difference[],
  shown: (value: unknown) => string,
): string | null {
  if (rows.length === 0) return null;
  return textTable<Difference>([
    { head, cell: (row) => row.name, max: 40 },
    ...sessions.map(({ name }, i): TextColumn<Difference> => ({
      head: fit(name, 24),
      cell: (row) => shown(row.values[i]),
      max: 24,
    })),
  ], rows);
}

function revisionLines({ name, revisions }: ComparedSession): string[] {
  return revisions.map(({ revision, path, before, after, by, seq }) =>
    `${name} ${revision}: ${path}, ${clipped(before)} → ${clipped(after)} (commit ${seq}, by ${by})`
  );
}

function clipped(value: unknown): string {
  const text = jsonLine(value);
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}

function revisionsHtml({ sessions }: ComparisonData): Html | null {
  const all = sessions.flatMap(revisionLines);
  return all.length === 0
    ? null
    : section("Changes that not all share", all.map((text) => paragraph(line(text, 300))));
}
