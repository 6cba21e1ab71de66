import * as Plot from "@observablehq/plot";
import type { View } from "../../store/view.ts";
import { counted } from "../displays/wording.ts";
import { type RatingRow, ratingsFrame, type RatingsView } from "../frames/ratings.ts";
import { drawPanel, type Panel, pixels } from "./document.ts";
import { Figure } from "./figure.ts";
import { legend } from "./legend.ts";
import { fitText, pictureText } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { WIDTH } from "./size.ts";

/** Pixels for places and titles at the left, and for ratings in figures and tiers at the right. */
const LEFT = 320;
const RIGHT = 118;
/** Pixels above the first row: for what the columns say. */
const TOP = 26;
const ROW = 20;
/** Hypotheses with a line of their own; the others share a band of at most so many pixels. */
const NAMED = 40;
const BAND = 280;
const BAND_ROW = 5;
const AXIS = 44;
const SIZE = 11.5;

const [BLUE, ORANGE] = [CATEGORIES[0], CATEGORIES[1]];

/** What the figure of ratings reads. */
export type RatingsPlotView = RatingsView & Pick<View, "session">;

/** A row with its place in the picture. */
interface Line {
  readonly row: RatingRow;
  readonly y: number;
  readonly height: number;
}

/** Neighbouring rows of one tier. */
interface TierRun {
  readonly tier: number;
  readonly top: number;
  readonly bottom: number;
}

/** What matches say of each hypothesis: Bradley-Terry ratings with 90 % intervals, tiers, and Elo as a second sign. */
export function ratingsPlot(view: RatingsPlotView): Figure<RatingRow> {
  const rows = ratingsFrame(view);
  const { rating, topK } = view.settings.ranking;
  const facts = { by: rating, topK };
  return new Figure({
    title: "Ratings with their 90 % intervals",
    simulated: view.session.mode === "simulator",
    text: describe(rows, facts),
    rows: () => rows,
    draw: () =>
      rows.length === 0
        ? { subtitle: EMPTY, panels: [] }
        : { subtitle: caption(rows, facts), panels: [keys(), draw(rows)] },
  });
}

const EMPTY =
  "No hypothesis has entered the tournament yet. Reviewed ones do: await lab.runFor({ matches: 5 }).";

interface Facts {
  readonly by: "elo" | "bradley_terry";
  readonly topK: number;
}

function caption(rows: readonly RatingRow[], { by }: Facts): string {
  const folded = rows.filter(({ foldedUnder }) => foldedUnder !== null).length;
  return [
    `${counted(rows.length, "hypothesis", "hypotheses")} in the order of the leaderboard, which is by ${
      by === "elo" ? "Elo" : "Bradley-Terry rating"
    }.`,
    rows.length > NAMED ? `The first ${NAMED} are named; the others follow as thin lines.` : "",
    rows.some(({ tier }) => tier !== null)
      ? "Hypotheses of one tier (shaded by turns) can't be told apart."
      : "",
    rows.some(({ matches }) => matches === 0) ? "Wide intervals: few matches or none." : "",
    folded === 0 ? "" : `Grey: ${counted(folded, "near-duplicate")}, folded under a better one.`,
    rows.some(({ result }) => result !== null)
      ? "✓ confirmed and ✗ refuted by results, which outrank ratings."
      : "",
  ].filter(Boolean).join(" ");
}

function describe(rows: readonly RatingRow[], facts: Facts): string {
  if (rows.length === 0) return EMPTY;
  const shown = rows.slice(0, 12).map((row) => {
    const { rank, hypothesis, rating, low, high, elo, title, tier } = row;
    const bt = rating === null || low === null || high === null
      ? "unrated"
      : `${Math.round(rating)} [${Math.round(low)}, ${Math.round(high)}]`;
    return `  ${rank ?? "–"}. ${hypothesis}  ${bt}  Elo ${Math.round(elo)}${
      tier === null ? "" : `  tier ${tier}`
    }  ${pictureText(title, 44)}`;
  });
  return [
    `${counted(rows.length, "hypothesis", "hypotheses")}, ordered by ${
      facts.by === "elo" ? "Elo" : "Bradley-Terry"
    }; [90 % interval]`,
    ...shown,
    ...(rows.length > shown.length ? [`  and ${rows.length - shown.length} more`] : []),
  ].join("\n");
}

function keys(): Panel {
  return legend([{
    head: "",
    keys: [
      { symbol: "circle", fill: BLUE, stroke: BLUE, text: "Bradley-Terry rating, on the Elo scale" },
      { symbol: "line", fill: BLUE, stroke: BLUE, text: "its 90 % interval" },
      { symbol: "diamond", fill: INK.paper, stroke: ORANGE, text: "Elo" },
    ],
  }], WIDTH);
}

function draw(rows: readonly RatingRow[]): Panel {
  const lines = linesOf(rows);
  const end = lines.reduce((most, { y, height }) => Math.max(most, y + height / 2), TOP);
  const named = lines.slice(0, NAMED), rest = lines.slice(NAMED);
  const [low, high] = domainOf(rows);
  const scale = pixels(WIDTH, end + AXIS);
  const color = ({ row }: Line) => (row.foldedUnder === null ? BLUE : INK.grey);
  const runs = tierRuns(lines);
  const text = { textAnchor: "start", fill: INK.text, fontSize: SIZE, frameAnchor: "left" } as const;
  const head = { ...text, y: () => TOP - 12, text: (words: string) => words, fill: INK.faint, fontSize: 11 };
  return drawPanel({
    ...scale,
    x: { type: "linear", domain: [low, high], range: [LEFT, WIDTH - RIGHT], axis: null },
    marks: [
      Plot.rect(runs.filter((_, i) => i % 2 === 0), {
        x1: () => low,
        x2: () => high,
        y1: "top",
        y2: "bottom",
        fill: SHADE,
        insetLeft: -LEFT,
        insetRight: -RIGHT,
      }),
      Plot.ruleX(ticksOf(low, high), { stroke: INK.grid, y1: () => TOP, y2: () => end }),
      Plot.ruleX([1200].filter((x) => x > low && x < high), {
        stroke: INK.grey,
        strokeDasharray: "1,3",
        y1: () => TOP,
        y2: () => end,
      }),
      ...axis(low, high, end),
      ...(rest.length === 0 ? [] : [
        Plot.ruleY([TOP + NAMED * ROW + 5], {
          stroke: INK.grey,
          insetLeft: -LEFT,
          insetRight: -RIGHT,
          x1: () => low,
          x2: () => high,
        }),
        Plot.text([`places below: ${rest.length} more, unnamed`], {
          ...text,
          y: () => TOP + NAMED * ROW + 20,
          text: (words: string) => words,
          fill: INK.faint,
        }),
      ]),
      ...intervals(named, color, 2),
      ...intervals(rest, color, Math.min(1, 0.6 * (rest[0]?.height ?? 1))),
      Plot.dot(rest, {
        x: ({ row }: Line) => row.rating ?? row.elo,
        y: "y",
        r: 1.4,
        fill: color,
      }),
      Plot.dot(named, {
        x: ({ row }: Line) => row.elo,
        y: "y",
        r: 4.2,
        symbol: () => "diamond",
        fill: INK.paper,
        stroke: ORANGE,
        strokeWidth: 1.4,
      }),
      Plot.dot(named.filter(({ row }) => row.rating !== null), {
        x: ({ row }: Line) => row.rating,
        y: "y",
        r: 4,
        fill: color,
      }),
      Plot.text(["place, hypothesis"], { ...head, dx: 2 }),
      Plot.text(["rating"], { ...head, frameAnchor: "right", textAnchor: "end", dx: -64 }),
      Plot.text(named, {
        ...text,
        y: "y",
        text: ({ row }: Line) => String(row.rank ?? "–"),
        textAnchor: "end",
        dx: 22,
        fill: INK.faint,
      }),
      Plot.text(named, {
        ...text,
        y: "y",
        dx: 30,
        text: ({ row }: Line) => fitText(`${row.hypothesis}${signOf(row)} · ${row.title}`, LEFT - 44, SIZE),
        fill: ({ row }: Line) => (row.foldedUnder === null ? INK.text : INK.faint),
      }),
      Plot.text(named, {
        ...text,
        frameAnchor: "right",
        y: "y",
        textAnchor: "end",
        dx: -64,
        text: ({ row }: Line) => (row.rating === null ? "unrated" : String(Math.round(row.rating))),
        fill: INK.text,
      }),
      Plot.text(runs.filter(({ top, bottom }) => bottom - top >= 14), {
        ...text,
        frameAnchor: "right",
        y: ({ top }: TierRun) => top + 10,
        textAnchor: "end",
        dx: -6,
        text: ({ tier }: TierRun) => `tier ${tier}`,
        fill: INK.faint,
      }),
    ],
  });
}

const SHADE = "#f1f4f8";

function signOf({ result }: RatingRow): string {
  switch (result) {
    case "confirmed":
      return " ✓";
    case "refuted":
      return " ✗";
    case null:
      return "";
  }
}

function linesOf(rows: readonly RatingRow[]): Line[] {
  const rest = Math.max(0, rows.length - NAMED);
  const thin = rest === 0 ? 0 : Math.min(BAND_ROW, BAND / rest);
  const below = TOP + NAMED * ROW + 32;
  return rows.map((row, i) =>
    i < NAMED
      ? { row, y: TOP + (i + 0.5) * ROW, height: ROW }
      : { row, y: below + (i - NAMED + 0.5) * thin, height: thin }
  );
}

/** Neighbours of one tier; folded ones between them have none and break nothing. */
function tierRuns(lines: readonly Line[]): TierRun[] {
  const runs: { tier: number; top: number; bottom: number }[] = [];
  for (const { row, y, height } of lines) {
    if (row.tier === null) continue;
    const last = runs.at(-1);
    if (last?.tier === row.tier) last.bottom = y + height / 2;
    else runs.push({ tier: row.tier, top: y - height / 2, bottom: y + height / 2 });
  }
  return runs;
}

function intervals(lines: readonly Line[], color: (line: Line) => string, width: number): Plot.Markish[] {
  return [
    Plot.link(lines.filter(({ row }) => row.low !== null && row.high !== null), {
      x1: ({ row }: Line) => row.low,
      x2: ({ row }: Line) => row.high,
      y1: "y",
      y2: "y",
      stroke: color,
      strokeWidth: width,
      strokeOpacity: width > 1 ? 1 : 0.45,
    }),
  ];
}

function axis(low: number, high: number, end: number): Plot.Markish[] {
  return [
    Plot.text(ticksOf(low, high), {
      x: (x: number) => x,
      y: () => end + 12,
      text: (x: number) => String(x),
      fill: INK.faint,
      fontSize: 11,
    }),
    Plot.text(["rating (points; 400 points are odds of 10 : 1)"], {
      x: () => (low + high) / 2,
      y: () => end + 32,
      text: (words: string) => words,
      fill: INK.faint,
      fontSize: 11,
    }),
  ];
}

/** Round ratings, at most eight. */
function ticksOf(low: number, high: number): number[] {
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((each) => (high - low) / each <= 7) ??
    10_000;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** All that is drawn with room around it, and never narrower than 100 points. */
function domainOf(rows: readonly RatingRow[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    for (const x of [row.low, row.high, row.rating, row.elo]) {
      if (x === null) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  }
  const room = Math.max((100 - (high - low)) / 2, (high - low) * 0.03);
  return [low - room, high + room];
}
