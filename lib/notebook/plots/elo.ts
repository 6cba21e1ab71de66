import * as Plot from "@observablehq/plot";
import type { RevisionRecord } from "../../domain/records.ts";
import type { View } from "../../store/view.ts";
import { eloFrame, type EloRow } from "../frames/elo.ts";
import { drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { fitText, pictureText, spread } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { LETTER, WIDTH } from "./size.ts";

const HEIGHT = 430;
const MARGIN = { top: 30, right: 226, bottom: 44, left: 56 };
/** Pixels from label to label: each has two lines. */
const LABEL_GAP = 29;
/** Pixels that a label may take: what is left beyond the tail, its link and a gap. */
const LABEL_WIDTH = MARGIN.right - 36;

/** How far lines run on after the last match, so that what it did can be seen. */
const TAIL = 10;

/** With more hypotheses than this, only the leaders are labelled. */
const ALL_LABELLED = 12;

/** With more lines in the background than this, each is fainter, so that they don't become one area. */
const DENSE = 150;

/** What the figure of ratings reads. */
export type EloPlotView = Pick<
  View,
  "session" | "settings" | "hypotheses" | "leaderboard" | "eloJournal" | "matches" | "revisions"
>;

/** A hypothesis's line. */
interface Line {
  readonly label: string;
  readonly title: string;
  readonly points: readonly EloRow[];
  readonly elo: number;
  /** Whether it was taken out of the tournament. */
  readonly out: boolean;
}

/** A vertical mark where a person's changes first showed in a match. */
interface Mark {
  readonly match: number;
  /** The label of the first of them, and of the last: those between showed in no match of their own. */
  readonly first: string;
  readonly last: string;
}

/** How the ratings came about: Elo over matches, the leaders in colour, revisions marked. */
export function eloPlot(view: EloPlotView): Figure<EloRow> {
  const rows = eloFrame(view);
  const lines = linesOf(view, rows);
  const played = view.eloJournal.length;
  const marks = marksOf(lines.flatMap((line) => line.points), view.revisions);
  const initial = view.settings.ranking.eloInitial;
  return new Figure({
    title: "Elo ratings over the matches of the tournament",
    simulated: view.session.mode === "simulator",
    text: describe(lines, played),
    rows: () => rows,
    draw: () =>
      lines.length === 0
        ? { subtitle: EMPTY, panels: [] }
        : { subtitle: caption(lines, played, marks), panels: [draw(lines, played, marks, initial)] },
  });
}

const EMPTY =
  "No hypothesis has entered the tournament yet. Reviewed ones do: await lab.runFor({ matches: 5 }).";

/**
 * Best Elo first, so that leaders and labels follow what the picture shows at its right edge, whatever orders the
 * leaderboard; those that left the tournament last.
 */
function linesOf(view: EloPlotView, rows: readonly EloRow[]): Line[] {
  const competing = new Set(view.leaderboard.map(({ record }) => record.label));
  const byLabel = Map.groupBy(rows, (row) => row.hypothesis);
  const lines = [...byLabel].map(([label, points]): Line => ({
    label,
    title: points[0]?.title ?? "",
    points,
    elo: points.at(-1)?.elo ?? NaN,
    out: !competing.has(label),
  }));
  return lines.sort((a, b) => Number(a.out) - Number(b.out) || (a.out ? 0 : b.elo - a.elo));
}

function marksOf(rows: readonly EloRow[], revisions: readonly RevisionRecord[]): Mark[] {
  const firstMatch = new Map<number, number>();
  for (const { revision, match } of rows) {
    if (revision === null || revision === 0) continue;
    firstMatch.set(revision, Math.min(firstMatch.get(revision) ?? Infinity, match));
  }
  const labels = new Map(revisions.map(({ number, label }) => [number, label]));
  const labelOf = (number: number) => labels.get(number) ?? `R${number}`;
  return [...firstMatch].sort(([a], [b]) => a - b).map(([number, match], i, all) => ({
    match,
    first: labelOf((all[i - 1]?.[0] ?? 0) + 1),
    last: labelOf(number),
  }));
}

function caption(lines: readonly Line[], played: number, marks: readonly Mark[]): string {
  const labelled = Math.min(lines.length, lines.length > ALL_LABELLED ? CATEGORIES.length : lines.length);
  return [
    count(lines.length, "hypothesis", "hypotheses") + `, ${count(played, "rated match", "rated matches")}.`,
    played === 0 ? "Nobody has played yet: all stand at the start." : "",
    labelled < lines.length
      ? `The ${labelled} leaders by Elo are coloured and labelled; grey lines are the others.`
      : lines.length > CATEGORIES.length
      ? `The ${CATEGORIES.length} leaders by Elo are coloured.`
      : "",
    lines.some(({ out }) => out) ? "Lines that end early: taken out of the tournament." : "",
    marks.length > 0 ? "Dashed: revisions." : "",
  ].filter(Boolean).join(" ");
}

function describe(lines: readonly Line[], played: number): string {
  if (lines.length === 0) return EMPTY;
  const leaders = lines.slice(0, CATEGORIES.length)
    .map(({ label, elo, title }) => `  ${label}  ${Math.round(elo)}  ${pictureText(title, 70)}`);
  const more = lines.length - leaders.length;
  return [
    `${count(lines.length, "hypothesis", "hypotheses")}, ${count(played, "rated match", "rated matches")}`,
    ...leaders,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function draw(lines: readonly Line[], played: number, marks: readonly Mark[], initial: number): Panel {
  const end = Math.max(1, played);
  const [low, high] = yDomain(lines, initial);
  const innerWidth = WIDTH - MARGIN.left - MARGIN.right;
  const pixelX = end / innerWidth;
  const pixelY = (high - low) / (HEIGHT - MARGIN.top - MARGIN.bottom);
  const leaders = lines.slice(0, CATEGORIES.length);
  const others = lines.slice(CATEGORIES.length);
  const color = new Map(leaders.map(({ label }, i) => [label, CATEGORIES[i] ?? INK.grey]));
  const path = (line: Line) =>
    line.out
      ? line.points
      : [...line.points, ...line.points.slice(-1).map((p) => ({ ...p, match: end + TAIL * pixelX }))];
  const labelled = lines.length > ALL_LABELLED ? leaders : lines;
  const ends = labelled.map((line) => ({ line, x: path(line).at(-1)?.match ?? end, y: line.elo }));
  const places = spread(
    ends.map(({ y }) => y),
    LABEL_GAP * pixelY,
    low - 8 * pixelY,
    high + 4 * pixelY,
  );
  const labels = ends.map((mark, i) => ({ ...mark, place: places[i] ?? mark.y }));
  const label = {
    x: () => end + (TAIL + 22) * pixelX,
    y: "place",
    textAnchor: "start",
    fill: INK.text,
    fontSize: LETTER,
  } as const;
  const step = { x: "match", y: "elo", z: "hypothesis", curve: "step-after" } as const;
  return drawPanel({
    width: WIDTH,
    height: HEIGHT,
    marginTop: MARGIN.top,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    marginLeft: MARGIN.left,
    x: { domain: [0, end], label: null },
    y: { domain: [low, high], label: null },
    marks: [
      Plot.gridY({ stroke: INK.grid, strokeOpacity: 1, ticks: 7 }),
      Plot.axisX({
        label: "rated matches played",
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 38,
        color: INK.faint,
        fontSize: 11,
        ticks: Math.min(8, end),
        tickFormat: "d",
      }),
      Plot.axisY({
        label: "Elo",
        labelArrow: "none",
        color: INK.faint,
        fontSize: 11,
        tickFormat: "d",
        ticks: 7,
      }),
      Plot.ruleY([initial], { stroke: INK.grey, strokeDasharray: "1,3" }),
      Plot.ruleX(marks, { x: "match", stroke: INK.faint, strokeDasharray: "4,3" }),
      Plot.text(apart(marks, 48 * pixelX), {
        x: "match",
        text: "label",
        frameAnchor: "top",
        dy: -12,
        fill: INK.faint,
        fontSize: LETTER,
      }),
      Plot.line(others.flatMap(path), {
        ...step,
        stroke: INK.grey,
        strokeWidth: 0.9,
        strokeOpacity: others.length > DENSE ? 0.4 : 0.7,
      }),
      Plot.line(leaders.toReversed().flatMap(path), {
        ...step,
        stroke: (row: EloRow) => color.get(row.hypothesis) ?? INK.grey,
        strokeWidth: lines.length > 40 ? 1.6 : 2,
        strokeLinejoin: "round",
      }),
      Plot.dot(lines.filter(({ points }) => points.length === 1), {
        x: (line: Line) => line.points[0]?.match,
        y: "elo",
        r: 3,
        fill: (line: Line) => color.get(line.label) ?? INK.grey,
      }),
      Plot.link(labels, {
        x1: "x",
        x2: () => end + (TAIL + 18) * pixelX,
        y1: "y",
        y2: "place",
        stroke: ({ line }: { line: Line }) => color.get(line.label) ?? INK.grey,
        strokeWidth: 1,
        strokeOpacity: 0.75,
      }),
      Plot.text(labels, {
        ...label,
        dy: -7,
        text: ({ line }: { line: Line }) => `${line.label} · ${Math.round(line.elo)}`,
        fontWeight: 600,
      }),
      Plot.text(labels, {
        ...label,
        dy: 7,
        text: ({ line }: { line: Line }) => fitText(line.title, LABEL_WIDTH, LETTER),
      }),
    ],
  });
}

/** The ratings with room around them; never narrower than 100 points, so that a start isn't blown up. */
function yDomain(lines: readonly Line[], initial: number): [number, number] {
  let low = initial, high = initial;
  for (const { points } of lines) {
    for (const { elo } of points) {
      low = Math.min(low, elo);
      high = Math.max(high, elo);
    }
  }
  const room = Math.max((100 - (high - low)) / 2, (high - low) * 0.05);
  return [low - room, high + room];
}

/** What stands at the marks, those that would overlap joined: `R2–R4`. */
function apart(
  marks: readonly Mark[],
  gap: number,
): { readonly match: number; readonly label: string }[] {
  const groups: { match: number; first: string; last: string }[] = [];
  for (const { match, first, last } of marks) {
    const group = groups.at(-1);
    if (group !== undefined && match - group.match < gap) group.last = last;
    else groups.push({ match, first, last });
  }
  return groups.map(({ match, first, last }) => ({
    match,
    label: first === last ? first : `${first}–${last}`,
  }));
}
