import * as Plot from "@observablehq/plot";
import type { RatingSweepTable, SweptSetting } from "../../engine/rating_sweep.ts";
import { ratingSweepFrame, type RatingSweepRow } from "../frames/rating_sweep.ts";
import { beside, drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { fitText, pictureText, spread } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";

const HEIGHT = 360;
const MARGIN = { top: 40, bottom: 46, left: 40, right: 14 };
/** Pixels between two values, and for the labels at the right. */
const STEP = 92;
const NAMES = 230;
const LABEL_GAP = 15;
/** Small pictures side by side at most; with more, the table tells the rest. */
const MOST_PANELS = 6;

/** What the figure reads. */
export interface SweepPlotData extends RatingSweepTable {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
}

/** A leading hypothesis under one combination of values. */
export interface SweepPoint {
  /** Which picture: from 0. */
  readonly panel: number;
  /** Which value of the setting along the axis: from 0. */
  readonly x: number;
  /** `H7`. */
  readonly label: string;
  /** Its place. */
  readonly place: number;
  /** Its rating. */
  readonly rating: number | null;
}

/** How the combinations are spread over pictures. */
export interface SweepLayout {
  /** The setting along the axis: the one with most values. */
  readonly along: SweptSetting | null;
  /** What the other settings are in each picture, in words; one empty text without others. */
  readonly panels: readonly string[];
  /** Pictures that are left out. */
  readonly omitted: number;
  /** The points, those of left-out pictures not among them. */
  readonly points: readonly SweepPoint[];
}

/** The setting with most values goes along the axis; each combination of the others is a picture of its own. */
export function sweepLayout({ settings, rows, lines }: RatingSweepTable): SweepLayout {
  const along = settings.reduce<SweptSetting | null>(
    (most, each) => (each.values.length > (most?.values.length ?? 0) ? each : most),
    null,
  );
  const axis = along === null ? -1 : settings.indexOf(along);
  const names: string[] = [];
  const points = rows.flatMap(({ values }, i) => {
    const name = settings.flatMap(({ name }, j) => (j === axis ? [] : [`${name}: ${values[j]}`])).join(", ");
    if (!names.includes(name)) names.push(name);
    const panel = names.indexOf(name);
    const x = along?.values.findIndex((value) => value === values[axis]) ?? 0;
    return lines.flatMap(({ label, places, ratings }): SweepPoint[] => {
      const place = places[i] ?? null;
      return place === null ? [] : [{ panel, x, label, place, rating: ratings[i] ?? null }];
    });
  });
  return {
    along,
    panels: names.slice(0, MOST_PANELS),
    omitted: Math.max(0, names.length - MOST_PANELS),
    points: points.filter(({ panel }) => panel < MOST_PANELS),
  };
}

/** The places of the leading hypotheses against a setting's values. */
export function sweepPlot(data: SweepPlotData): Figure<RatingSweepRow> {
  const layout = sweepLayout(data);
  const named = data.settings.map(({ name }) => name).join(", ");
  return new Figure({
    title: `Places of the leaders under ${named}`,
    simulated: data.simulated,
    text: describe(data),
    rows: () => ratingSweepFrame(data),
    draw: () =>
      layout.points.length === 0 ? { subtitle: EMPTY, panels: [] } : {
        subtitle: caption(data, layout),
        panels: [beside(...layout.panels.map((name, i) => drawPlaces(data, layout, name, i)))],
      },
  });
}

const EMPTY =
  "Nothing is in the tournament yet. Reviewed hypotheses enter it: await lab.runFor({ matches: 5 }).";

function caption({ by, lines, topK }: SweepPlotData, { omitted, along }: SweepLayout): string {
  return [
    `Those who are among the first ${topK} under any of the values${
      lines.length > CATEGORIES.length ? `; the ${CATEGORIES.length} leaders are coloured` : ""
    }.`,
    by === null ? "" : `Ranked by ${by === "elo" ? "Elo" : "Bradley-Terry"}.`,
    along === null ? "" : `Dashed: ${along.name} as in force.`,
    `Below the line: beyond the first ${topK}.`,
    omitted === 0 ? "" : `${omitted} more pictures are left out; the table has all.`,
  ].filter(Boolean).join(" ");
}

function describe({ settings, rows, lines }: SweepPlotData): string {
  if (lines.length === 0) return EMPTY;
  const head = settings.map(({ name }) => name).join(", ");
  return [
    ...rows.map(({ values, top, tau }) =>
      `  ${head} = ${values.join(", ")}: ${top.join(" ")}${tau === null ? "" : `, tau ${tau.toFixed(2)}`}`
    ),
    ...lines.map(({ label, title, places }) =>
      `  ${label} at ${places.map((place) => place ?? "–").join(", ")}: ${pictureText(title, 60)}`
    ),
  ].join("\n");
}

function drawPlaces(
  { lines, topK }: SweepPlotData,
  { along, points, panels }: SweepLayout,
  name: string,
  panel: number,
): Panel {
  const values = along?.values ?? [], last = Math.max(1, values.length - 1);
  const rightmost = panel === panels.length - 1;
  const own = points.filter((point) => point.panel === panel);
  const lowest = Math.max(topK + 1, ...points.map(({ place }) => place));
  const color = new Map(lines.map(({ label }, i) => [label, CATEGORIES[i] ?? INK.grey]));
  const colorOf = ({ label }: SweepPoint) => color.get(label) ?? INK.grey;
  const pixelY = lowest / (HEIGHT - MARGIN.top - MARGIN.bottom);
  const ends = own.filter(({ x }) => x === values.length - 1).sort((a, b) => a.place - b.place);
  const places = spread(ends.map(({ place }) => place), LABEL_GAP * pixelY, 0.5, lowest + 0.5);
  const inForce = along === null ? -1 : along.values.indexOf(along.inForce);
  const right = MARGIN.right + (rightmost ? NAMES : 20);
  const titles = new Map(lines.map(({ label, title }) => [label, title]));
  return drawPanel({
    width: MARGIN.left + STEP * last + right,
    height: HEIGHT,
    marginTop: MARGIN.top,
    marginBottom: MARGIN.bottom,
    marginLeft: MARGIN.left,
    marginRight: right,
    x: { domain: [0, last], label: null },
    y: { domain: [lowest + 0.5, 0.5], label: null },
    marks: [
      Plot.ruleY([topK + 0.5], { stroke: INK.faint }),
      Plot.ruleX(inForce < 0 ? [] : [inForce], { stroke: INK.faint, strokeDasharray: "4,3" }),
      Plot.axisX(values.map((_, i) => i), {
        label: along?.name ?? null,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 38,
        tickFormat: (i: number) => pictureText(String(values[i] ?? ""), 14),
        color: INK.faint,
        fontSize: 11,
      }),
      Plot.axisY({
        label: panel === 0 ? "place" : null,
        labelArrow: "none",
        color: INK.faint,
        fontSize: 11,
        tickFormat: "d",
        ticks: Math.min(8, lowest),
      }),
      Plot.text([name], {
        frameAnchor: "top",
        dy: -22,
        text: (text: string) => pictureText(text, 40),
        fill: INK.text,
        fontSize: 12,
        fontWeight: 600,
      }),
      Plot.line(own, { x: "x", y: "place", z: "label", stroke: colorOf, strokeWidth: 2 }),
      Plot.dot(own, { x: "x", y: "place", r: 3.5, fill: colorOf }),
      ...(rightmost
        ? [Plot.text(ends.map((end, i) => ({ ...end, at: places[i] ?? end.place })), {
          x: "x",
          y: "at",
          dx: 10,
          text: ({ label }: SweepPoint) => fitText(`${label} · ${titles.get(label) ?? ""}`, NAMES - 12, 11.5),
          textAnchor: "start",
          fill: INK.text,
          fontSize: 11.5,
        })]
        : []),
    ],
  });
}
