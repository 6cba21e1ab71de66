import * as Plot from "@observablehq/plot";
import type { ComparedSession, ComparisonData } from "../displays/comparison.ts";
import { counted, dollars } from "../displays/wording.ts";
import { comparisonFrame, type ComparisonRow } from "../frames/comparison.ts";
import type { CoursePoint } from "../frames/course.ts";
import { beside, drawPanel, type Panel, pixels } from "./document.ts";
import { Figure } from "./figure.ts";
import { legend } from "./legend.ts";
import { fitLines, fitText, pictureText } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { WIDTH } from "./size.ts";

/** Pixels for the names at either side, and with many columns between them; and from place to place, for two lines. */
const SIDE = { few: 262, many: 200 };
const ROW = 34;
const TOP = 44;
const SIZE = 11;
/** Pixels at the left of which places are written. */
const PLACE = 24;
/** Places that are shown, and sessions side by side. */
const PLACES = 12;
const SESSIONS = 6;
/** Height of the small pictures of how the best went. */
const COURSE = 230;

/** Dashes tell lines apart where colour doesn't. */
const DASHES = ["none", "7,3", "2,3", "9,3,2,3", "4,2", "1,2"] as const;

/** Sessions of one goal: places side by side, and how good the best was after so many matches and so much money. */
export function comparisonPlot(data: ComparisonData): Figure<ComparisonRow> {
  const rows = comparisonFrame(data);
  return new Figure({
    title: "Leaderboards side by side",
    simulated: data.simulated,
    text: describe(data),
    rows: () => rows,
    draw: () => {
      const names = namesOf(data.sessions);
      const places = rows.length === 0 ? [] : [drawPlaces(data, rows, names)];
      const courses = data.sessions.slice(0, SESSIONS).some(({ course }) => course.length > 0)
        ? [keys(names), drawCourses(data)]
        : [];
      return rows.length === 0
        ? { subtitle: EMPTY, panels: [] }
        : { subtitle: caption(data, courses.length > 0), panels: [...places, ...courses] };
    },
  });
}

const EMPTY =
  "No hypothesis of these sessions has entered a tournament yet: await lab.runFor({ matches: 5 }).";

/** Names of the sessions as far as they are shown; two of one name with their stores. */
function namesOf(sessions: readonly ComparedSession[]): string[] {
  return sessions.slice(0, SESSIONS).map(({ name, store }) =>
    sessions.filter((other) => other.name === name).length > 1 ? `${name} (${store})` : name
  );
}

function caption({ sessions, shared }: ComparisonData, courses: boolean): string {
  const beyond = sessions.some(({ leaderboard }) => leaderboard.length > PLACES);
  return [
    `${counted(sessions.length, "session")}${
      sessions.length > SESSIONS ? `, of which the first ${SESSIONS} are shown` : ""
    }; lines join the ${
      counted(shared.length, "hypothesis", "hypotheses")
    } that several have; hollow: in one alone.`,
    beyond ? `Below the line: beyond the first ${PLACES}.` : "",
    `Places and ratings are those within each session${
      new Set(sessions.map(({ ratedBy }) => ratedBy)).size > 1 ? ", each by the rating that orders it" : ""
    }.`,
    courses ? "Below: Elo of the best that are still in play, after so many matches and so much money." : "",
  ].filter(Boolean).join(" ");
}

function describe({ sessions, shared, agreement }: ComparisonData): string {
  if (sessions.every(({ leaderboard }) => leaderboard.length === 0)) return EMPTY;
  return [
    ...sessions.map(({ name, leaderboard, matches, cost, ratedBy }) =>
      `  ${pictureText(name, 30)}: ${counted(matches, "match", "matches")}, ${dollars(cost.usd)}; ${
        leaderboard.slice(0, 5).map((row) => `${row.label} ${ratingText({ ...row, ratedBy })}`).join(", ")
      }`
    ),
    `  ${counted(shared.length, "hypothesis", "hypotheses")} in common`,
    ...agreement.map(({ first, second, tau }) =>
      `  ${pictureText(first, 30)} – ${pictureText(second, 30)}: tau ${tau === null ? "–" : tau.toFixed(2)}`
    ),
  ].join("\n");
}

/** A hypothesis's place in one of the columns. */
interface Spot {
  readonly row: ComparisonRow;
  readonly x: number;
  readonly y: number;
  readonly column: number;
}

function drawPlaces(data: ComparisonData, rows: readonly ComparisonRow[], names: readonly string[]): Panel {
  const columns = names.length;
  const side = columns > 3 ? SIDE.many : SIDE.few;
  const gap = (WIDTH - 2 * side) / Math.max(1, columns - 1);
  const xOf = (column: number) => side + column * gap;
  const head = Math.min(gap, 2 * side) - 8;
  const deepest = Math.max(...data.sessions.map(({ leaderboard }) => leaderboard.length));
  const shown = Math.min(PLACES, deepest);
  const bottom = TOP + shown * ROW;
  const yOf = (place: number) => place <= PLACES ? TOP + (place - 0.5) * ROW : bottom + 0.8 * ROW;
  const spots = data.sessions.slice(0, SESSIONS).flatMap(({ leaderboard }, column) => {
    const before = data.sessions.slice(0, column).reduce((sum, each) => sum + each.leaderboard.length, 0);
    return rows.slice(before, before + leaderboard.length).map((row): Spot => ({
      row,
      column,
      x: xOf(column),
      y: yOf(row.place),
    }));
  });
  const color = colorsOf(spots);
  const colorOf = ({ row }: Spot) => color.get(row.same) ?? INK.grey;
  // A line is worth drawing where it comes from or leads to a place that is shown.
  const seen = new Set(spots.filter(({ row }) => row.place <= PLACES).map(({ row }) => row.same));
  const joined = spots.filter(({ row }) => row.shared && seen.has(row.same));
  const placed = spots.filter(({ row }) => row.place <= PLACES);
  const height = bottom + (deepest > PLACES ? 1.6 * ROW : 12);
  return drawPanel({
    ...pixels(WIDTH, height),
    marks: [
      ...(deepest > PLACES
        ? [
          Plot.link([bottom], {
            x1: () => 0,
            x2: () => WIDTH,
            y1: (y: number) => y,
            y2: (y: number) => y,
            stroke: INK.grid,
          }),
          Plot.text([`beyond the first ${PLACES}`], {
            x: () => 0,
            y: () => bottom + 0.8 * ROW,
            text: (words: string) => words,
            textAnchor: "start",
            fill: INK.faint,
            fontSize: SIZE,
          }),
        ]
        : []),
      Plot.line(joined, {
        x: "x",
        y: "y",
        z: ({ row }: Spot) => row.same,
        stroke: colorOf,
        strokeWidth: 2,
        curve: "bump-x",
        strokeOpacity: 0.9,
      }),
      Plot.dot([...placed, ...joined.filter(({ row }) => row.place > PLACES)], {
        x: "x",
        y: "y",
        r: 4,
        fill: (spot: Spot) => (spot.row.shared ? colorOf(spot) : INK.paper),
        stroke: (spot: Spot) => (spot.row.shared ? colorOf(spot) : INK.faint),
        strokeWidth: 1.4,
      }),
      Plot.text(placed.filter(({ column }) => column === 0), {
        x: "x",
        y: "y",
        dx: -10,
        textAnchor: "end",
        text: ({ row }: Spot) => twoLines(row, side - PLACE - 16),
        lineHeight: 1.2,
        fill: INK.text,
        fontSize: SIZE,
      }),
      Plot.text(columns > 1 ? placed.filter(({ column }) => column === columns - 1) : [], {
        x: "x",
        y: "y",
        dx: 10,
        textAnchor: "start",
        text: ({ row }: Spot) => twoLines(row, side - 12),
        lineHeight: 1.2,
        fill: INK.text,
        fontSize: SIZE,
      }),
      Plot.text(gap < 50 ? [] : placed.filter(({ column }) => column > 0 && column < columns - 1), {
        x: "x",
        y: "y",
        dx: 8,
        textAnchor: "start",
        text: ({ row }: Spot) => row.hypothesis,
        fill: INK.text,
        stroke: INK.paper,
        strokeWidth: 3,
        fontSize: SIZE,
      }),
      Plot.text(Array.from({ length: shown }, (_, i) => i + 1), {
        x: () => 18,
        y: (place: number) => yOf(place),
        textAnchor: "end",
        text: (place: number) => String(place),
        fill: INK.faint,
        fontSize: SIZE,
      }),
      Plot.text(names.map((name, column) => ({ name, column })), {
        x: ({ column }: { column: number }) => xOf(column),
        y: () => 24,
        lineAnchor: "bottom",
        textAnchor: "middle",
        text: ({ name }: { name: string }) => fitLines(name, head / 1.13, 12, 2).join("\n"),
        fill: INK.text,
        fontSize: 12,
        fontWeight: 600,
      }),
    ],
  });
}

/** A hypothesis with its rating, and below its title. */
function twoLines(row: ComparisonRow, width: number): string {
  return `${row.hypothesis} · ${ratingText(row)}\n${fitText(row.title, width, SIZE)}`;
}

/** By the rating that orders its session's leaderboard. */
function ratingText({ rating, elo, ratedBy }: Pick<ComparisonRow, "rating" | "elo" | "ratedBy">): string {
  return String(Math.round(ratedBy === "elo" ? elo : rating ?? elo));
}

/** A colour for each of the first shared ones, by their best place in any session. */
function colorsOf(spots: readonly Spot[]): Map<string, string> {
  const shared = spots.filter(({ row }) => row.shared).toSorted((a, b) =>
    a.row.place - b.row.place || a.column - b.column
  );
  const order = [...new Set(shared.map(({ row }) => row.same))];
  return new Map(order.slice(0, CATEGORIES.length).map((same, i) => [same, CATEGORIES[i] ?? INK.grey]));
}

function sessionColor(i: number): string {
  return CATEGORIES[i] ?? INK.grey;
}

function keys(names: readonly string[]): Panel {
  return legend([{
    head: "",
    keys: names.map((name, i) => ({
      symbol: "line",
      fill: sessionColor(i),
      stroke: sessionColor(i),
      text: fitText(name, 260, 11),
      dash: DASHES[i] ?? "none",
    })),
  }], WIDTH);
}

function drawCourses({ sessions }: ComparisonData): Panel {
  const shown = sessions.slice(0, SESSIONS);
  const elos = shown.flatMap(({ course }) => course.map(({ elo }) => elo));
  const [low, high] = [Math.min(...elos), Math.max(...elos)];
  const room = Math.max((40 - (high - low)) / 2, (high - low) * 0.08);
  const domain: [number, number] = [low - room, high + room];
  return beside(
    drawCourse(
      shown,
      domain,
      "rated matches, with those before the fork",
      ({ matches }) => matches,
      (end) => Math.min(5, Math.max(1, end)),
      String,
    ),
    drawCourse(
      shown,
      domain,
      "USD, with what was paid before the fork",
      ({ usd }) => usd,
      () => 5,
      (value) => `$${Number(value.toPrecision(6))}`,
    ),
  );
}

function drawCourse(
  sessions: readonly ComparedSession[],
  domain: [number, number],
  axis: string,
  xOf: (point: CoursePoint) => number,
  ticks: (end: number) => number,
  format: (value: number) => string,
): Panel {
  const lines = sessions.map(({ course }, i) => ({
    color: sessionColor(i),
    dash: DASHES[i] ?? "none",
    course,
  }));
  const far = Math.max(...lines.flatMap(({ course }) => course.map(xOf)));
  const end = far > 0 ? far : 1;
  return drawPanel({
    width: WIDTH / 2,
    height: COURSE,
    marginTop: 26,
    marginRight: 20,
    marginBottom: 46,
    marginLeft: 56,
    x: { domain: [0, end], label: null },
    y: { domain, label: null },
    marks: [
      Plot.gridY({ stroke: INK.grid, strokeOpacity: 1, ticks: 5 }),
      Plot.axisX({
        label: axis,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 38,
        color: INK.faint,
        fontSize: 11,
        ticks: ticks(end),
        tickFormat: format,
      }),
      Plot.axisY({
        label: "best Elo",
        labelArrow: "none",
        color: INK.faint,
        fontSize: 11,
        ticks: 5,
        tickFormat: "d",
      }),
      // The first session last, so that what all share is seen in its colour.
      ...lines.toReversed().flatMap(({ color, dash, course }) => [
        Plot.line(course, {
          x: xOf,
          y: "elo",
          curve: "step-after",
          stroke: color,
          strokeWidth: 2,
          strokeDasharray: dash,
        }),
        Plot.dot(course.slice(-1), { x: xOf, y: "elo", r: 3.5, fill: color }),
      ]),
    ],
  });
}
