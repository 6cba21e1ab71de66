import * as Plot from "@observablehq/plot";
import { type HypothesisState, STRATEGIES, type Strategy } from "../../domain/records.ts";
import type { View } from "../../store/view.ts";
import { lineageFrame, type LineageRow } from "../frames/lineage.ts";
import { drawPanel, type Panel } from "./document.ts";
import { Figure } from "./figure.ts";
import { pictureText, wrapText } from "./lettering.ts";
import { type LineageLayout, lineageLayout, type PlacedNode } from "./lineage_layout.ts";
import { type EloClass, eloClasses, eloColor, INK } from "./palette.ts";

const WIDTH = 960;
const LEFT = 92;

/** What the figure of descent reads. */
export type LineagePlotView = Pick<View, "session" | "hypotheses" | "hypothesis">;

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

/** How hypotheses came from each other: rows by generation, colour by Elo, shape by strategy. */
export function lineagePlot(view: LineagePlotView): Figure {
  const rows = lineageFrame(view);
  return new Figure({
    title: "Lineage of the hypotheses",
    simulated: view.session.mode === "simulator",
    text: describe(rows),
    draw: () => {
      if (rows.length === 0) return { subtitle: "There is no hypothesis yet.", panels: [] };
      const classes = eloClasses(rows.filter(isRated).map((row) => row.elo));
      return { subtitle: caption(rows), panels: [legend(rows, classes), draw(rows, classes)] };
    },
  });
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

function caption(rows: readonly LineageRow[]): string {
  const children = rows.filter((row) => row.parents.length > 0).length;
  return [
    `${rows.length} ${rows.length === 1 ? "hypothesis" : "hypotheses"}, ${
      children || "none"
    } made from others.`,
    children > 0 ? "Lines run down from parents to children." : "",
  ].filter(Boolean).join(" ");
}

function describe(rows: readonly LineageRow[]): string {
  if (rows.length === 0) return "There is no hypothesis yet.";
  const labels = new Map(rows.map((row) => [row.id, row.label]));
  const children = rows.filter((row) => row.parents.length > 0);
  const shown = children.slice(0, 12).map((row) =>
    `  ${row.label} (${STRATEGY_NAMES[row.strategy]}) from ${
      row.parents.map((id) => labels.get(id) ?? id).join(", ")
    }`
  );
  return [
    caption(rows),
    ...shown,
    ...(children.length > shown.length ? [`  and ${children.length - shown.length} more`] : []),
  ].join("\n");
}

/** A panel whose marks are placed in pixels, in colours and symbols of their own. */
function pixels(height: number) {
  return {
    width: WIDTH,
    height,
    margin: 0,
    x: { type: "linear", domain: [0, WIDTH], range: [0, WIDTH], axis: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    color: { type: "identity" },
    symbol: { type: "identity" },
  } as const;
}

function draw(rows: readonly LineageRow[], classes: readonly EloClass[]): Panel {
  const layout = lineageLayout(rows, WIDTH - LEFT - 8);
  const height = Math.ceil(layout.height + 20);
  const radius = layout.titled ? 8 : 6;
  // Links leave below the label, so that it can be read.
  const foot = radius + (layout.titled ? 38 : 12);
  return drawPanel({
    ...pixels(height),
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
      ...nodes(layout.nodes.map((node) => ({ ...node, x: node.x + LEFT })), classes, radius),
      Plot.text(layout.nodes, {
        x: ({ x }: PlacedNode) => x + LEFT,
        y: "y",
        dy: radius + 9,
        text: ({ row }: PlacedNode) => (layout.titled ? titled(row) : row.label),
        lineAnchor: layout.titled ? "top" : "middle",
        fill: INK.text,
        stroke: INK.paper,
        strokeWidth: 3,
        fontSize: layout.titled ? 11 : 10,
      }),
    ],
  });
}

function titled(row: LineageRow): string {
  const rating = isRated(row) ? ` · ${Math.round(row.elo)}` : "";
  return [`${row.label}${rating}`, ...wrapText(pictureText(row.title), 22, 2)].join("\n");
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

function nodes(placed: readonly PlacedNode[], classes: readonly EloClass[], radius: number): Plot.Markish[] {
  return [
    Plot.dot(placed, {
      x: "x",
      y: "y",
      r: radius,
      symbol: ({ row }: PlacedNode) => SHAPES[row.strategy],
      fill: ({ row }: PlacedNode) => (isRated(row) ? eloColor(row.elo, classes) : INK.paper),
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

/** A sign and its meaning. */
interface Key {
  readonly symbol: Plot.SymbolType;
  readonly fill: string;
  readonly stroke: string;
  readonly text: string;
}

/** What shapes and colours mean: only those that occur. */
function legend(rows: readonly LineageRow[], classes: readonly EloClass[]): Panel {
  const key = (text: string, over: Partial<Key> = {}): Key => ({
    symbol: "circle",
    fill: INK.paper,
    stroke: INK.text,
    text,
    ...over,
  });
  const strategies = STRATEGIES.filter((strategy) => rows.some((row) => row.strategy === strategy));
  const lines: { readonly head: string; readonly keys: readonly Key[] }[] = [
    {
      head: "Strategy",
      keys: strategies.map((strategy) => key(STRATEGY_NAMES[strategy], { symbol: SHAPES[strategy] })),
    },
    {
      head: "Elo",
      keys: [
        ...classes.map(({ color, label }) => key(label, { fill: color, symbol: "square" })),
        ...(rows.every(isRated) ? [] : [key("no match yet", { symbol: "square" })]),
        ...(rows.some((row) => isOut(row.state))
          ? [key("out of play (rejected, disproved, quarantined)", { symbol: "times", stroke: INK.alarm })]
          : []),
      ],
    },
  ];
  const heads = lines.map(({ head }, i) => ({ text: head, x: 0, y: 12 + 21 * i }));
  const signs = lines.flatMap(({ keys }, i) => {
    let x = LEFT - 24;
    return keys.map((own) => {
      const place = { ...own, x, y: 12 + 21 * i };
      x += 36 + own.text.length * 6.4;
      return place;
    });
  });
  const height = 21 * lines.length + 22;
  return drawPanel({
    ...pixels(height),
    marks: [
      Plot.text(heads, { x: "x", y: "y", text: "text", textAnchor: "start", fill: INK.faint, fontSize: 11 }),
      Plot.dot(signs, {
        x: "x",
        y: "y",
        r: 5.5,
        symbol: "symbol",
        fill: "fill",
        stroke: "stroke",
        strokeWidth: 1.2,
      }),
      Plot.text(signs, {
        x: "x",
        y: "y",
        dx: 12,
        text: "text",
        textAnchor: "start",
        fill: INK.text,
        fontSize: 11,
      }),
    ],
  });
}
