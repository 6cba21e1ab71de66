import * as Plot from "@observablehq/plot";
import { type HypothesisState, STRATEGIES, type Strategy } from "../../domain/records.ts";
import type { View } from "../../store/view.ts";
import { lineageFrame, type LineageRow } from "../frames/lineage.ts";
import { drawPanel, type Panel, pixels } from "./document.ts";
import { Figure } from "./figure.ts";
import { type Key, legend } from "./legend.ts";
import { fitLines } from "./lettering.ts";
import { type LineageLayout, lineageLayout, type PlacedNode } from "./lineage_layout.ts";
import { type EloClass, eloClasses, eloColor, INK } from "./palette.ts";
import { LETTER, WIDTH } from "./size.ts";

const LEFT = 90;
/** Pixels of a title's line: less than what lies between two nodes; and lines at most. */
const TITLE_WIDTH = 120;
const TITLE_LINES = 3;

/** What the figure of descent reads. */
export type LineagePlotView = Pick<View, "session" | "settings" | "hypotheses" | "hypothesis">;

/** The rating that orders the leaderboard, and by which hypotheses are coloured. */
type RatedBy = View["settings"]["ranking"]["rating"];

const SHAPES: Readonly<Record<Strategy, Plot.SymbolType>> = {
  literature: "circle",
  debate: "square",
  combine: "diamond",
  simplify: "triangle",
  out_of_box: "star",
  feasibility: "hexagon",
  human: "cross",
};

const STRATEGY_NAMES: Readonly<Record<Strategy, string>> = {
  literature: "literature",
  debate: "debate",
  combine: "combine",
  simplify: "simplify",
  out_of_box: "out of box",
  feasibility: "feasibility",
  human: "a person's",
};

/**
 * How hypotheses came from each other: rows by generation, colour by the rating that orders the leaderboard, shape by
 * strategy.
 */
export function lineagePlot(view: LineagePlotView): Figure<LineageRow> {
  const rows = lineageFrame(view);
  const by = view.settings.ranking.rating;
  return new Figure({
    title: "Lineage of the hypotheses",
    simulated: view.session.mode === "simulator",
    text: describe(rows, by),
    rows: () => rows,
    draw: () => {
      if (rows.length === 0) return { subtitle: EMPTY, panels: [] };
      const classes = eloClasses(rows.filter(isRated).map((row) => ratingBy(row, by)));
      return { subtitle: caption(rows, by), panels: [keys(rows, by, classes), draw(rows, by, classes)] };
    },
  });
}

const EMPTY =
  "There is no hypothesis yet. await lab.tick() makes the next step, await lab.generate(3) three of them.";

function ratingBy({ rating, elo }: LineageRow, by: RatedBy): number {
  return by === "elo" ? elo : rating ?? elo;
}

function isRated(row: LineageRow): boolean {
  return row.matches > 0;
}

function isOut(state: HypothesisState): boolean {
  switch (state) {
    case "draft":
    case "reviewed":
    case "in_tournament":
      return false;
    case "disproved":
    case "unfit":
    case "merged":
    case "rejected":
    case "quarantined":
      return true;
  }
}

function caption(rows: readonly LineageRow[], by: RatedBy): string {
  const children = rows.filter((row) => row.parents.length > 0).length;
  return [
    `${rows.length} ${rows.length === 1 ? "hypothesis" : "hypotheses"}, ${
      children || "none"
    } made from others.`,
    children > 0 ? "Lines run down from parents to children." : "",
    `Colour: ${
      by === "elo" ? "Elo" : "Bradley-Terry rating on the Elo scale"
    }, which orders the leaderboard.`,
  ].filter(Boolean).join(" ");
}

function describe(rows: readonly LineageRow[], by: RatedBy): string {
  if (rows.length === 0) return EMPTY;
  const labels = new Map(rows.map((row) => [row.id, row.label]));
  const children = rows.filter((row) => row.parents.length > 0);
  const shown = children.slice(0, 12).map((row) =>
    `  ${row.label} (${STRATEGY_NAMES[row.strategy]}) from ${
      row.parents.map((id) => labels.get(id) ?? id).join(", ")
    }`
  );
  return [
    caption(rows, by),
    ...shown,
    ...(children.length > shown.length ? [`  and ${children.length - shown.length} more`] : []),
  ].join("\n");
}

function draw(rows: readonly LineageRow[], by: RatedBy, classes: readonly EloClass[]): Panel {
  const layout = lineageLayout(rows, WIDTH - LEFT - 8);
  const height = Math.ceil(layout.height + 20);
  const radius = layout.titled ? 8 : 6;
  // Links leave below the label, so that it can be read.
  const foot = radius + (layout.titled ? 51 : 12);
  return drawPanel({
    ...pixels(WIDTH, height),
    marks: [
      bands(layout),
      Plot.link(layout.links, {
        x1: ({ from }: { from: PlacedNode }) => from.x + LEFT,
        y1: ({ from }: { from: PlacedNode }) => from.y + foot,
        x2: ({ to }: { to: PlacedNode }) => to.x + LEFT,
        y2: ({ to }: { to: PlacedNode }) => to.y,
        curve: "bump-y",
        stroke: INK.grey,
        strokeWidth: rows.length > 80 ? 0.8 : 1.2,
        strokeOpacity: 0.85,
      }),
      ...nodes(layout.nodes.map((node) => ({ ...node, x: node.x + LEFT })), by, classes, radius),
      Plot.text(layout.nodes, {
        x: ({ x }: PlacedNode) => x + LEFT,
        y: "y",
        dy: radius + 9,
        text: ({ row }: PlacedNode) => (layout.titled ? titled(row, by) : row.label),
        lineAnchor: layout.titled ? "top" : "middle",
        fill: INK.text,
        stroke: INK.paper,
        strokeWidth: 3,
        fontSize: LETTER,
      }),
    ],
  });
}

function titled(row: LineageRow, by: RatedBy): string {
  const rating = isRated(row) ? ` · ${Math.round(ratingBy(row, by))}` : "";
  return [`${row.label}${rating}`, ...fitLines(row.title, TITLE_WIDTH, LETTER, TITLE_LINES)].join("\n");
}

function bands(layout: LineageLayout): Plot.Markish[] {
  return [
    Plot.ruleY(layout.bands.slice(1), { y: ({ top }) => top - 16, stroke: INK.grid }),
    Plot.text(layout.bands, {
      x: 0,
      y: ({ top }) => top + 12,
      text: ({ generation }) => `generation ${generation}`,
      textAnchor: "start",
      fill: INK.faint,
      fontSize: 11,
    }),
  ];
}

function nodes(
  placed: readonly PlacedNode[],
  by: RatedBy,
  classes: readonly EloClass[],
  radius: number,
): Plot.Markish[] {
  return [
    Plot.dot(placed, {
      x: "x",
      y: "y",
      r: radius,
      symbol: ({ row }: PlacedNode) => SHAPES[row.strategy],
      fill: ({ row }: PlacedNode) => (isRated(row) ? eloColor(ratingBy(row, by), classes) : INK.paper),
      stroke: INK.text,
      strokeWidth: 1,
    }),
    Plot.dot(placed.filter(({ row }) => isOut(row.state)), {
      x: "x",
      y: "y",
      r: radius + 1,
      symbol: "times",
      stroke: INK.alarm,
      strokeWidth: 2,
    }),
  ];
}

/** What shapes and colours mean: only those that occur. */
function keys(rows: readonly LineageRow[], by: RatedBy, classes: readonly EloClass[]): Panel {
  const key = (text: string, over: Partial<Key> = {}): Key => ({
    symbol: "circle",
    fill: INK.paper,
    stroke: INK.text,
    text,
    ...over,
  });
  const strategies = STRATEGIES.filter((strategy) => rows.some((row) => row.strategy === strategy));
  return legend([
    {
      head: "Strategy",
      keys: strategies.map((strategy) => key(STRATEGY_NAMES[strategy], { symbol: SHAPES[strategy] })),
    },
    {
      head: by === "elo" ? "Elo" : "Rating",
      keys: [
        ...classes.map(({ color, label }) => key(label, { fill: color, symbol: "square" })),
        ...(rows.every(isRated) ? [] : [key("no match yet", { symbol: "square" })]),
        ...(rows.some((row) => isOut(row.state))
          ? [key("out of play (rejected, disproved, quarantined)", { symbol: "times", stroke: INK.alarm })]
          : []),
      ],
    },
  ], WIDTH);
}
