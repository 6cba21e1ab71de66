import * as Plot from "@observablehq/plot";
import type { View } from "../../store/view.ts";
import { counted } from "../displays/wording.ts";
import { proximityFrame, type ProximityRow, type ProximityView } from "../frames/proximity.ts";
import { drawPanel, type Panel, pixels } from "./document.ts";
import { Figure } from "./figure.ts";
import { type LabelPlace, placeLabels } from "./label_places.ts";
import { type Key, legend } from "./legend.ts";
import { fitText, pictureText } from "./lettering.ts";
import { CATEGORIES, INK } from "./palette.ts";
import { WIDTH } from "./size.ts";

const LOWEST = 320;
const HIGHEST = 540;
/** Room around the outermost points, for their labels. */
const EDGE = { side: 84, end: 36 };
const SIZE = 11.5;
/** Leaders that are labelled. */
const LEADERS = 10;
/** How long a leader's label may be, in pixels. */
const LABEL = 196;
/** Clusters that have a colour. */
const COLOURED = 6;
/** What the other clusters have. */
const DIM = CATEGORIES[6];

/** What the map reads. */
export type ProximityPlotView = ProximityView & Pick<View, "session">;

/** A hypothesis with its place in pixels. */
interface Spot {
  readonly row: ProximityRow;
  readonly x: number;
  readonly y: number;
}

/** The hypotheses on a map by the likeness of their texts: near is alike, clusters of near-duplicates in colour. */
export function proximityPlot(view: ProximityPlotView): Figure<ProximityRow> {
  // The map takes its time: it is made when the figure is shown or its rows are asked for.
  let known: readonly ProximityRow[] | null = null;
  const rows = () => known ??= proximityFrame(view);
  const embedded = view.hypotheses.filter(({ record }) => view.vector(record.id) !== undefined).length;
  const count = { hypotheses: view.hypotheses.length, embedded };
  return new Figure({
    title: "Proximity: which hypotheses are alike",
    simulated: view.session.mode === "simulator",
    text: describe(view, count),
    rows,
    draw: () =>
      embedded === 0 ? { subtitle: emptyText(count), panels: [] } : {
        subtitle: caption(rows(), count),
        panels: [...keys(rows()), draw(rows())],
      },
  });
}

interface Count {
  readonly hypotheses: number;
  readonly embedded: number;
}

function emptyText({ hypotheses }: Count): string {
  return hypotheses === 0
    ? "There is no hypothesis yet. await lab.tick() makes the next step, await lab.generate(3) three of them."
    : `None of the ${
      counted(hypotheses, "hypothesis", "hypotheses")
    } has an embedding yet: they get it when they are committed.`;
}

function caption(rows: readonly ProximityRow[], { hypotheses }: Count): string {
  const clusters = clusterSizes(rows);
  const left = hypotheses - rows.length;
  return [
    rows.length === 1 ? "One hypothesis alone has no neighbours." : howMade(rows),
    "Near is alike; axes have no unit.",
    rows.some(({ rank }) => rank !== null)
      ? `Dark rings: the first ${Math.min(LEADERS, rows.length)} of the leaderboard.`
      : "",
    clusters.length === 0
      ? "No near-duplicates."
      : clusters.length > COLOURED
      ? `The ${COLOURED} largest of ${clusters.length} clusters of near-duplicates are coloured, the others dark.`
      : "",
    rows.some(isOut) ? "Crosses: out of play." : "",
    left > 0 ? `${left} without an embedding of the same model are left out.` : "",
  ].filter(Boolean).join(" ");
}

function howMade(rows: readonly ProximityRow[]): string {
  return rows[0]?.method === "umap"
    ? `UMAP of ${rows.length} embeddings by cosine distance.`
    : `Principal coordinates of the cosine distances of ${rows.length} embeddings: too few for UMAP, which takes nine.`;
}

/** What can be said without the map, which takes its time. */
function describe({ hypotheses, proximity, leaderboard }: ProximityPlotView, count: Count): string {
  if (count.embedded === 0) return emptyText(count);
  const labels = new Map(hypotheses.map(({ record }) => [record.id, record.label]));
  const clusters = (proximity?.clusters ?? []).filter((ids) => ids.length > 1).toSorted((a, b) =>
    b.length - a.length
  );
  const leaders = leaderboard.filter(({ foldedUnder }) => foldedUnder === null).slice(0, 5);
  return [
    `${counted(count.embedded, "hypothesis", "hypotheses")} with an embedding, ${
      clusters.length === 0
        ? "no near-duplicates"
        : counted(clusters.length, "cluster") + " of near-duplicates"
    }`,
    ...clusters.slice(0, 8).map((ids) =>
      fitLine(`  alike: ${ids.map((id) => labels.get(id) ?? id).join(" ")}`)
    ),
    ...(clusters.length > 8 ? [`  and ${clusters.length - 8} more`] : []),
    ...leaders.map(({ record }, i) => `  ${i + 1}. ${record.label}  ${pictureText(record.title, 80)}`),
  ].join("\n");
}

function fitLine(text: string): string {
  return text.length <= 98 ? text : `${text.slice(0, 97)}…`;
}

/** Sizes of clusters on the map, by number from 1. */
function clusterSizes(
  rows: readonly ProximityRow[],
): { readonly number: number; readonly members: ProximityRow[] }[] {
  const groups = Map.groupBy(rows.filter(({ cluster }) => cluster !== null), ({ cluster }) => cluster ?? 0);
  return [...groups].sort(([a], [b]) => a - b).map(([number, members]) => ({ number, members }));
}

function keys(rows: readonly ProximityRow[]): Panel[] {
  const clusters = clusterSizes(rows).slice(0, COLOURED);
  if (clusters.length === 0) return [];
  return [legend([{
    head: "Near-duplicates",
    keys: clusters.map(({ number, members }): Key => ({
      symbol: "circle",
      fill: colorOf(number),
      stroke: colorOf(number),
      text: `cluster ${number}: ${members.length}${bestOf(members)}`,
    })),
  }], WIDTH)];
}

function bestOf(members: readonly ProximityRow[]): string {
  const [best] = members.filter(({ rank }) => rank !== null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return best === undefined ? "" : `, best ${best.hypothesis}`;
}

function colorOf(cluster: number | null): string {
  if (cluster === null) return INK.grey;
  return cluster <= COLOURED ? CATEGORIES[cluster - 1] ?? DIM : DIM;
}

function isOut({ state }: ProximityRow): boolean {
  return state !== "in_tournament" && state !== "draft" && state !== "reviewed";
}

function draw(rows: readonly ProximityRow[]): Panel {
  const { spots, height } = layout(rows);
  const radius = rows.length > 150 ? 3 : rows.length > 40 ? 4 : 5;
  const isLeader = ({ row }: Spot) => row.rank !== null && row.rank <= LEADERS;
  const leaders = spots.filter(isLeader).sort((a, b) => (a.row.rank ?? 0) - (b.row.rank ?? 0));
  const named = rows.length <= 16 ? [...leaders, ...spots.filter((spot) => !isLeader(spot))] : leaders;
  const labels = placeLabels(
    named.map(({ row, x, y }) => ({
      x,
      y,
      text: fitText(
        `${row.rank === null ? "" : `${row.rank}. `}${row.hypothesis} · ${row.title}`,
        LABEL,
        SIZE,
      ),
    })),
    { width: WIDTH, height, fontSize: SIZE, points: spots, radius: radius + 2 },
  );
  const clustered = spots.filter(({ row }) => row.cluster !== null && row.cluster <= COLOURED);
  return drawPanel({
    ...pixels(WIDTH, height),
    marks: [
      Plot.rect([0], {
        x1: () => 0.5,
        x2: () => WIDTH - 0.5,
        y1: () => 0.5,
        y2: () => height - 0.5,
        fill: "none",
        stroke: INK.grid,
      }),
      Plot.hull(clustered, {
        x: "x",
        y: "y",
        z: ({ row }: Spot) => row.cluster,
        fill: ({ row }: Spot) => colorOf(row.cluster),
        fillOpacity: 0.12,
        stroke: ({ row }: Spot) => colorOf(row.cluster),
        strokeWidth: 8,
        strokeOpacity: 0.22,
        strokeLinejoin: "round",
      }),
      Plot.link(labels.filter(isFar), {
        x1: "x",
        y1: "y",
        x2: ({ x, left, width }: LabelPlace) => Math.min(left + width, Math.max(left, x)),
        y2: "middle",
        stroke: INK.faint,
        strokeWidth: 0.7,
      }),
      Plot.dot(spots.filter(({ row }) => !isOut(row)), {
        x: "x",
        y: "y",
        r: radius,
        fill: ({ row }: Spot) => colorOf(row.cluster),
        stroke: INK.paper,
        strokeWidth: 0.7,
      }),
      Plot.dot(spots.filter(({ row }) => isOut(row)), {
        x: "x",
        y: "y",
        r: radius,
        symbol: () => "times",
        stroke: ({ row }: Spot) => colorOf(row.cluster),
        strokeWidth: 1.5,
      }),
      Plot.dot(leaders, {
        x: "x",
        y: "y",
        r: radius + 1.5,
        fill: "none",
        stroke: INK.text,
        strokeWidth: 1.6,
      }),
      Plot.text(labels, {
        x: "left",
        y: "middle",
        text: "text",
        textAnchor: "start",
        fill: INK.text,
        stroke: INK.paper,
        strokeWidth: 3,
        fontSize: SIZE,
      }),
    ],
  });
}

/** Whether a label stands so far from its point that a line must join them. */
function isFar({ x, y, left, width, middle }: LabelPlace): boolean {
  const dx = Math.max(0, left - x, x - left - width);
  return Math.hypot(dx, middle - y) > 18;
}

/** In pixels, both directions on one scale; as high as the map needs, within limits. */
function layout(rows: readonly ProximityRow[]): { readonly spots: readonly Spot[]; readonly height: number } {
  const [left, right] = extent(rows.map(({ x }) => x)), [low, high] = extent(rows.map(({ y }) => y));
  const inner = { width: WIDTH - 2 * EDGE.side, height: HIGHEST - 2 * EDGE.end };
  const scale = Math.min(
    right > left ? inner.width / (right - left) : Infinity,
    high > low ? inner.height / (high - low) : Infinity,
  );
  const unit = Number.isFinite(scale) ? scale : 0;
  const height = Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(unit * (high - low)) + 2 * EDGE.end));
  return {
    height,
    spots: rows.map((row) => ({
      row,
      x: WIDTH / 2 + (row.x - (left + right) / 2) * unit,
      y: height / 2 - (row.y - (low + high) / 2) * unit,
    })),
  };
}

function extent(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
