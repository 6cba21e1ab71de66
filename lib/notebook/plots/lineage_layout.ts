import { coordGreedy, coordSimplex, decrossTwoLayer, graphStratify, sugiyama, twolayerAgg } from "d3-dag";
import type { Layering } from "d3-dag";
import type { LineageRow } from "../frames/lineage.ts";
import { spread } from "./lettering.ts";

/** A hypothesis with its place, in pixels from the top left of the band area. */
export interface PlacedNode {
  /** The hypothesis. */
  readonly row: LineageRow;
  /** From the left. */
  readonly x: number;
  /** From the top. */
  readonly y: number;
}

/** The rows of one generation. */
export interface Band {
  /** Which generation. */
  readonly generation: number;
  /** Where it begins. */
  readonly top: number;
  /** Where it ends. */
  readonly bottom: number;
}

/** Where everything goes. */
export interface LineageLayout {
  /** In the order of the frame. */
  readonly nodes: readonly PlacedNode[];
  /** From each parent to each child. */
  readonly links: readonly { readonly from: PlacedNode; readonly to: PlacedNode }[];
  /** Generations from the oldest. */
  readonly bands: readonly Band[];
  /** Height of all bands. */
  readonly height: number;
  /** Whether there is room for titles under the labels. */
  readonly titled: boolean;
}

/** Pixels that a node with its label takes from side to side, without and with a title. */
const SPACING = { bare: 38, titled: 126 };

/** Pixels from row to row inside a generation. */
const ROW = { bare: 36, titled: 84 };

/** Pixels between generations, in which the links run. */
const GAP = 46;

/** Up to how many related hypotheses are placed by the slower method, which draws straighter links and fewer crossings. */
const FINE = 80;

/** Sweeps against crossings: more than four take seconds for hundreds of hypotheses and hardly show. */
const SWEEPS = { fine: 24, coarse: 4 };

/**
 * Places hypotheses in rows by generation, with few crossings: layers after Sugiyama for those that have relatives, and
 * rows above them for those that have none. A generation that is too wide for one row is dealt out to several.
 *
 * @param rows the frame @param width pixels from side to side
 */
export function lineageLayout(rows: readonly LineageRow[], width: number): LineageLayout {
  const generation = generationsOf(rows);
  const parents = new Set(rows.flatMap((row) => row.parents));
  const related = rows.filter((row) => row.parents.length > 0 || parents.has(row.id));
  const x = relatedX(related, generation, width);
  const bands = [...Map.groupBy(rows, (row) => generation.get(row.id) ?? 0)].sort(([a], [b]) => a - b);
  const dealt = (spacing: number) =>
    bands.map(([, members]) => [
      ...grid(members.filter((row) => !x.has(row.id)), width, spacing),
      ...inRows(members.filter((row) => x.has(row.id)), x, width, spacing),
    ]);
  const wide = dealt(SPACING.titled), narrow = dealt(SPACING.bare);
  const titled = wide.flat().length <= narrow.flat().length + 1;
  return place(
    rows,
    bands.map(([g], i) => ({ generation: g, lines: (titled ? wide : narrow)[i] ?? [] })),
    titled,
  );
}

/** A hypothesis's row: below all its parents, and never above what its record says. */
function generationsOf(rows: readonly LineageRow[]): Map<string, number> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const done = new Map<string, number>();
  const visit = (row: LineageRow): number => {
    const known = done.get(row.id);
    if (known !== undefined) return known;
    // Records can't hold a circle; should they, this ends it.
    done.set(row.id, row.generation);
    let generation = row.generation;
    for (const id of row.parents) {
      const parent = byId.get(id);
      if (parent !== undefined) generation = Math.max(generation, visit(parent) + 1);
    }
    done.set(row.id, generation);
    return generation;
  };
  for (const row of rows) visit(row);
  return done;
}

/** Places from left to right for those with relatives, from half a label to the width less half a label. */
function relatedX(
  related: readonly LineageRow[],
  generation: ReadonlyMap<string, number>,
  width: number,
): Map<string, number> {
  if (related.length === 0) return new Map();
  const graph = graphStratify().parentIds((row: LineageRow) => row.parents)([...related]);
  const layering: Layering<LineageRow, unknown> = (dag) => {
    let last = 0;
    for (const node of dag.nodes()) {
      node.y = generation.get(node.data.id) ?? 0;
      last = Math.max(last, node.y);
    }
    return last;
  };
  const fine = related.length <= FINE;
  const layout = sugiyama()
    .layering(layering)
    .decross(decrossTwoLayer().order(twolayerAgg()).passes(fine ? SWEEPS.fine : SWEEPS.coarse))
    .coord(fine ? coordSimplex() : coordGreedy())
    .nodeSize([1, 1])
    .gap([0, 0]);
  const { width: span } = layout(graph);
  const x = new Map<string, number>();
  for (const node of graph.nodes()) x.set(node.data.id, node.x / span * width);
  return x;
}

interface Spot {
  readonly row: LineageRow;
  readonly x: number;
}

/** Rows of equal spacing, for those without relatives. */
function grid(members: readonly LineageRow[], width: number, spacing: number): Spot[][] {
  const perLine = Math.max(1, Math.floor(width / spacing));
  const lines = Math.ceil(members.length / perLine);
  const each = Math.ceil(members.length / Math.max(1, lines));
  return Array.from({ length: lines }, (_, line) => {
    const own = members.slice(line * each, (line + 1) * each);
    const step = width / each;
    return own.map((row, i) => ({ row, x: (i + 0.5) * step }));
  });
}

/**
 * Rows of those with relatives: where the links want them, unless that takes more rows than are needed. Then they move
 * aside, in the same order and as little as they must.
 */
function inRows(
  members: readonly LineageRow[],
  x: ReadonlyMap<string, number>,
  width: number,
  spacing: number,
): Spot[][] {
  const dealt = deal(members, x, spacing);
  const last = Math.max(1, members.length - 1), room = Math.max(1, width - spacing);
  const rows = Math.max(1, Math.ceil(last * spacing / room));
  if (dealt.length <= rows + 1) return dealt;
  const spots = dealt.flat().sort((a, b) => a.x - b.x);
  const places = spread(spots.map((spot) => spot.x), spacing / rows, spacing / 2, width - spacing / 2);
  const moved = spots.map((spot, i): Spot => ({ ...spot, x: places[i] ?? spot.x }));
  return Array.from({ length: rows }, (_, row) => moved.filter((_, i) => i % rows === row));
}

/** As few rows as keep neighbours apart: each node goes into the first row that has room. */
function deal(members: readonly LineageRow[], x: ReadonlyMap<string, number>, spacing: number): Spot[][] {
  const spots = members.map((row) => ({ row, x: x.get(row.id) ?? 0 })).sort((a, b) => a.x - b.x);
  const lines: Spot[][] = [];
  for (const spot of spots) {
    const line = lines.find((own) => spot.x - (own.at(-1)?.x ?? -Infinity) >= spacing);
    if (line === undefined) lines.push([spot]);
    else line.push(spot);
  }
  return lines;
}

function place(
  rows: readonly LineageRow[],
  bands: readonly { readonly generation: number; readonly lines: readonly (readonly Spot[])[] }[],
  titled: boolean,
): LineageLayout {
  const step = titled ? ROW.titled : ROW.bare;
  const placed = new Map<string, PlacedNode>();
  const areas: Band[] = [];
  let y = 0;
  for (const { generation, lines } of bands) {
    const top = y;
    for (const line of lines) {
      for (const { row, x } of line) placed.set(row.id, { row, x, y: y + 12 });
      y += step;
    }
    areas.push({ generation, top, bottom: y });
    y += GAP;
  }
  const nodes = rows.flatMap((row) => placed.get(row.id) ?? []);
  const links = nodes.flatMap((to) =>
    to.row.parents.flatMap((id) => {
      const from = placed.get(id);
      return from === undefined ? [] : [{ from, to }];
    })
  );
  return { nodes, links, bands: areas, height: Math.max(0, y - GAP), titled };
}
