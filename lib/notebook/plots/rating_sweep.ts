import * as Plot from "@observablehq/plot";
import type { RatingSweepTable, SweptSetting } from "../../engine/rating_sweep.ts";
import { ratingSweepFrame, type RatingSweepRow } from "../frames/rating_sweep.ts";
import { beside, drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { fitText, pictureText, spread } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { LETTER, WIDTH } from "./size.ts";

const HEIGHT = 360;
const MARGIN = { top: 40, bottom: 46, left: 40, right: 14 };
/** Pixels between two values, at most and at least, and for the labels at the right at least. */
const STEP = { most: 110, least: 46 };
const NAMES = 196;
const LABEL_GAP = 15;
/** Pixels after the last value of a picture that has none of the labels. */
const END = 20;
/** Pictures beside each other, if there is room; the next ones are below. */
const COLUMNS = 2;
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
        panels: rowsOf(layout).map(({ panels, step, names }) =>
          beside(
            ...panels.map((panel) =>
              drawPlaces(data, layout, { panel, step, names: panel === panels.at(-1) ? names : 0 })
            ),
          )
        ),
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

/** Pictures of one row with the pixels between two values. */
interface PanelRow {
  readonly panels: readonly number[];
  readonly step: number;
  /** Pixels for the labels at the right. */
  readonly names: number;
}

/** Two pictures to a row where both have room for their values; the last one of each row has the labels. */
function rowsOf({ along, panels }: SweepLayout): PanelRow[] {
  const steps = Math.max(1, (along?.values.length ?? 1) - 1);
  const room = (columns: number) => WIDTH - columns * (MARGIN.left + MARGIN.right) - (columns - 1) * END;
  const stepOf = (columns: number) => (room(columns) - NAMES) / (columns * steps);
  const columns = panels.length >= COLUMNS && stepOf(COLUMNS) >= STEP.least ? COLUMNS : 1;
  const step = Math.max(STEP.least, Math.min(STEP.most, stepOf(columns)));
  return Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) => ({
    panels: panels.map((_, i) => i).slice(row * columns, (row + 1) * columns),
    step,
    names: Math.max(NAMES, room(columns) - columns * steps * step),
  }));
}

/** Where a picture stands. */
interface Standing {
  readonly panel: number;
  readonly step: number;
  /** Pixels for labels at its right: none unless it is the last one of its row. */
  readonly names: number;
}

function drawPlaces(
  { lines, topK }: SweepPlotData,
  { along, points, panels }: SweepLayout,
  { panel, step, names }: Standing,
): Panel {
  const values = along?.values ?? [], last = Math.max(1, values.length - 1);
  const name = panels[panel] ?? "";
  const own = points.filter((point) => point.panel === panel);
  const lowest = Math.max(topK + 1, ...points.map(({ place }) => place));
  const color = new Map(lines.map(({ label }, i) => [label, CATEGORIES[i] ?? INK.grey]));
  const colorOf = ({ label }: SweepPoint) => color.get(label) ?? INK.grey;
  const pixelY = lowest / (HEIGHT - MARGIN.top - MARGIN.bottom);
  const ends = own.filter(({ x }) => x === values.length - 1).sort((a, b) => a.place - b.place);
  const places = spread(ends.map(({ place }) => place), LABEL_GAP * pixelY, 0.5, lowest + 0.5);
  const inForce = along === null ? -1 : along.values.indexOf(along.inForce);
  const right = MARGIN.right + (names > 0 ? names : END);
  const titles = new Map(lines.map(({ label, title }) => [label, title]));
  return drawPanel({
    width: MARGIN.left + step * last + right,
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
        tickFormat: (i: number) => fitText(String(values[i] ?? ""), step - 6, LETTER),
        color: INK.faint,
        fontSize: 11,
      }),
      Plot.axisY({
        label: "place",
        labelArrow: "none",
        color: INK.faint,
        fontSize: 11,
        tickFormat: "d",
        ticks: Math.min(8, lowest),
      }),
      Plot.text([name], {
        frameAnchor: "top",
        dy: -22,
        text: (text: string) => fitText(text, (step * last + 2 * END) / 1.13, 12),
        fill: INK.text,
        fontSize: 12,
        fontWeight: 600,
      }),
      Plot.line(own, { x: "x", y: "place", z: "label", stroke: colorOf, strokeWidth: 2 }),
      Plot.dot(own, { x: "x", y: "place", r: 3.5, fill: colorOf }),
      ...(names > 0
        ? [Plot.text(ends.map((end, i) => ({ ...end, at: places[i] ?? end.place })), {
          x: "x",
          y: "at",
          dx: 10,
          text: ({ label }: SweepPoint) => fitText(`${label} · ${titles.get(label) ?? ""}`, names - 12, 11.5),
          textAnchor: "start",
          fill: INK.text,
          fontSize: 11.5,
        })]
        : []),
    ],
  });
}
