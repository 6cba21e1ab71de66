import * as Plot from "@observablehq/plot";
import type { View } from "../../store/view.ts";
import { counted } from "../displays/wording.ts";
import { type PairRow, pairsFrame, type PairsView } from "../frames/pairs.ts";
import { drawPanel, type Panel, pixels } from "./document.ts";
import { Figure } from "./figure.ts";
import { type Key, legend } from "./legend.ts";
import { fitText } from "./lettering.ts";
import { INK } from "./palette.ts";
import { CELL_LETTER, WIDTH } from "./size.ts";
import { textWidth } from "./text_width.ts";

/** Pixels for the names of rows at least and at most. */
const LEFT = 190;
const WIDEST_LEFT = 330;
/** Pixels above the first row: for names of columns side by side; on end they take what they need. */
const TOP = 30;
const SIZE = 11;
/** Up to how many hypotheses have a row each; of more, so many leaders have, and the others share rows. */
const SINGLE = 24;
const LEADERS = 16;
const GROUPS = 8;
/** Pixels of a cell at most. */
const CELL = 46;

/** Lost to won in seven steps, told apart also by colour-blind readers (ColorBrewer's PuOr, its middle lighter). */
const SHARES = ["#b35806", "#f1a340", "#fee0b6", "#f2f2f2", "#d8daeb", "#998ec3", "#542788"] as const;
const DARK: ReadonlySet<string> = new Set([SHARES[0], SHARES[6]]);

/** What the figure of matches reads. */
export type MatchesPlotView = PairsView & Pick<View, "session">;

/** A row and column of the matrix: one hypothesis, or some places of the leaderboard together. */
export interface MatrixGroup {
  /** The first place in it, from 1. */
  readonly from: number;
  /** The last. */
  readonly to: number;
  /** `H7`, or `21–60`. */
  readonly name: string;
  /** The title of a single one; else an empty text. */
  readonly title: string;
}

/** A cell of the matrix, told from the side of its row. */
export interface MatrixCell {
  /** Which group is told of: from 0. */
  readonly row: number;
  /** Which group it met. */
  readonly column: number;
  /** Matches. */
  readonly matches: number;
  /** Won by the row. */
  readonly won: number;
  /** Lost by it. */
  readonly lost: number;
  /** The share that the row won, a tie as half; `null` within a group, where it says nothing. */
  readonly share: number | null;
  /** How often the row was shown first. */
  readonly shownFirst: number;
}

/** The matches among those who compete, as a matrix. */
export interface MatchMatrix {
  /** Rows, and in the same order columns: the best first. */
  readonly groups: readonly MatrixGroup[];
  /** Cells in which there was a match. */
  readonly cells: readonly MatrixCell[];
  /** Matches in the matrix. */
  readonly matches: number;
  /** Matches that are not: with one that is folded or out of the tournament. */
  readonly elsewhere: number;
}

/** The matrix: of many hypotheses the leaders alone have rows of their own, and the others share rows by place. */
export function matchMatrix(view: PairsView, rows: readonly PairRow[] = pairsFrame(view)): MatchMatrix {
  const names = view.leaderboard.filter(({ foldedUnder }) => foldedUnder === null).map(({ record }) =>
    record
  );
  const groups = groupsOf(names);
  const groupAt = new Map(
    groups.flatMap(({ from, to }, i) =>
      Array.from({ length: to - from + 1 }, (_, n) => [from + n, i] as const)
    ),
  );
  const cells = new Map<
    string,
    { row: number; column: number; matches: number; won: number; lost: number; tied: number; first: number }
  >();
  let matches = 0, elsewhere = 0;
  for (const { rank, opponentRank, matches: met, won, lost, tied, shownFirst } of rows) {
    const row = groupAt.get(rank ?? 0), column = groupAt.get(opponentRank ?? 0);
    // Each match is in two rows, one from each side.
    if (row === undefined || column === undefined) {
      elsewhere += met / 2;
      continue;
    }
    matches += met / 2;
    const cell = cells.get(`${row} ${column}`) ??
      { row, column, matches: 0, won: 0, lost: 0, tied: 0, first: 0 };
    cells.set(`${row} ${column}`, cell);
    const part = row === column ? 0.5 : 1;
    cell.matches += met * part;
    cell.won += won * part;
    cell.lost += lost * part;
    cell.tied += tied * part;
    cell.first += shownFirst * part;
  }
  return {
    groups,
    matches,
    elsewhere,
    cells: [...cells.values()].map(({ tied, first, ...cell }): MatrixCell => ({
      ...cell,
      share: cell.row === cell.column ? null : (cell.won + tied / 2) / cell.matches,
      shownFirst: first,
    })),
  };
}

function groupsOf(names: readonly { readonly label: string; readonly title: string }[]): MatrixGroup[] {
  const single = names.length <= SINGLE ? names.length : LEADERS;
  const singles = names.slice(0, single).map(({ label, title }, i) => ({
    from: i + 1,
    to: i + 1,
    name: label,
    title,
  }));
  const rest = names.length - single;
  // Of at least two places each: a row that names one place would better name the hypothesis.
  const groups = Math.min(GROUPS, Math.floor(rest / 2));
  return [
    ...singles,
    ...Array.from({ length: groups }, (_, i): MatrixGroup => {
      const from = single + Math.floor(i * rest / groups) + 1,
        to = single + Math.floor((i + 1) * rest / groups);
      return { from, to, name: `places ${from}–${to}`, title: "" };
    }),
  ];
}

/** Who met whom, how often and with what result, in the order of the leaderboard. */
export function matchesPlot(view: MatchesPlotView): Figure<PairRow> {
  const rows = pairsFrame(view);
  const matrix = matchMatrix(view, rows);
  return new Figure({
    title: "Who met whom, and who won",
    simulated: view.session.mode === "simulator",
    text: describe(matrix),
    rows: () => rows,
    draw: () =>
      matrix.matches === 0
        ? { subtitle: emptyText(matrix), panels: [] }
        : { subtitle: caption(matrix), panels: [keys(), draw(matrix)] },
  });
}

function emptyText({ elsewhere }: MatchMatrix): string {
  return elsewhere > 0
    ? `No match is between two that compete; ${elsewhere} are with others.`
    : "No match with a verdict was played yet. await lab.rank(5) plays five.";
}

function caption({ groups, matches, elsewhere }: MatchMatrix): string {
  const shared = groups.some(({ from, to }) => to > from);
  const last = groups.at(-1)?.to ?? 0;
  return [
    `${counted(matches, "match", "matches")} among ${
      counted(last, "hypothesis", "hypotheses")
    }, the leader first.`,
    "A row tells of its hypothesis: violet where it beat the one in the column, orange where it lost.",
    cellSize(groups.length) >= 40
      ? "Won–lost(–tied), and below how often the row was shown first of all times that they met."
      : "The number: how often they met.",
    shared ? `From place ${LEADERS + 1} on several share a row; grey: matches among these.` : "",
    elsewhere > 0
      ? `${counted(elsewhere, "match", "matches")} with others (folded, out of play) not shown.`
      : "",
  ].filter(Boolean).join(" ");
}

function describe(matrix: MatchMatrix): string {
  const { cells, groups, matches, elsewhere } = matrix;
  if (matches === 0) return emptyText(matrix);
  const most = cells.filter(({ row, column }) => row < column).sort((a, b) => b.matches - a.matches).slice(
    0,
    10,
  );
  const name = (i: number) => groups[i]?.name ?? "";
  return [
    `${counted(matches, "match", "matches")} among ${
      counted(groups.at(-1)?.to ?? 0, "hypothesis", "hypotheses")
    }${elsewhere > 0 ? `; ${elsewhere} more with others` : ""}. They met most:`,
    ...most.map(({ row, column, matches: met, won, lost, shownFirst }) =>
      `  ${name(row)} – ${
        name(column)
      }: ${met} times, ${won} won, ${lost} lost, shown first ${shownFirst} times`
    ),
  ].join("\n");
}

function keys(): Panel {
  const words = ["lost all", "", "", "even", "", "", "won all"];
  return legend([{
    head: "The row",
    keys: SHARES.map((fill, i): Key => ({ symbol: "square", fill, stroke: INK.grey, text: words[i] ?? "" })),
  }], WIDTH);
}

function cellSize(groups: number): number {
  return Math.min(CELL, Math.floor((WIDTH - LEFT - 8) / Math.max(1, groups)));
}

function colorOf(share: number | null): string {
  if (share === null) return INK.grid;
  return SHARES[Math.min(SHARES.length - 1, Math.floor(share * SHARES.length))] ?? INK.grid;
}

/** `3–1`, and with ties `3–1–1`. */
function scoreText(won: number, lost: number, matches: number): string {
  const tied = matches - won - lost;
  return `${won}–${lost}${tied > 0 ? `–${tied}` : ""}`;
}

/** At most four characters, which a small cell holds: `950`, `1.3k`, `12k`. */
function short(n: number): string {
  return n < 1000 ? String(n) : `${(n / 1000).toFixed(n < 9_950 ? 1 : 0)}k`;
}

function draw({ groups, cells }: MatchMatrix): Panel {
  const size = cellSize(groups.length);
  const side = size * groups.length;
  const left = Math.min(WIDEST_LEFT, WIDTH - side - 8);
  const large = size >= 40;
  const at = (i: number) => (i + 0.5) * size;
  const ink = ({ share }: MatrixCell) => (DARK.has(colorOf(share)) ? INK.paper : INK.text);
  const places = groups.map((group, i) => ({ ...group, i }));
  // Names of columns are short only where each is one hypothesis.
  const heads = places.map(({ from, to, name, i }) => ({
    i,
    text: from === to ? name : `${from}–${to}`,
  }));
  const upright = heads.every(({ text }) => textWidth(text, SIZE) < size - 4);
  const top = upright ? TOP : 14 + Math.ceil(Math.max(...heads.map(({ text }) => textWidth(text, SIZE))));
  const inside = {
    x: ({ column }: MatrixCell) => left + at(column),
    y: ({ row }: MatrixCell) => top + at(row),
  };
  return drawPanel({
    ...pixels(WIDTH, top + side + 12),
    marks: [
      Plot.rect([0], {
        x1: () => left,
        x2: () => left + side,
        y1: () => top,
        y2: () => top + side,
        fill: INK.paper,
        stroke: INK.grid,
      }),
      Plot.link(places, {
        x1: ({ i }: { i: number }) => left + i * size,
        x2: ({ i }: { i: number }) => left + (i + 1) * size,
        y1: ({ i }: { i: number }) => top + i * size,
        y2: ({ i }: { i: number }) => top + (i + 1) * size,
        stroke: INK.grey,
        strokeWidth: 0.8,
      }),
      Plot.rect(cells, {
        x1: ({ column }: MatrixCell) => left + column * size,
        x2: ({ column }: MatrixCell) => left + (column + 1) * size,
        y1: ({ row }: MatrixCell) => top + row * size,
        y2: ({ row }: MatrixCell) => top + (row + 1) * size,
        fill: ({ share }: MatrixCell) => colorOf(share),
        inset: 0.5,
      }),
      Plot.text(cells, {
        ...inside,
        text: ({ matches, won, lost, share }: MatrixCell) =>
          large && share !== null ? scoreText(won, lost, matches) : short(matches),
        dy: large ? -6 : 0,
        fill: ink,
        fontSize: large ? SIZE : Math.max(CELL_LETTER, Math.min(SIZE, size * 0.44)),
      }),
      ...(large
        ? [Plot.text(cells.filter(({ share }) => share !== null), {
          ...inside,
          dy: 8,
          text: ({ matches, shownFirst }: MatrixCell) => `${shownFirst}/${matches} 1st`,
          fill: ink,
          fontSize: CELL_LETTER,
        })]
        : []),
      Plot.text(places, {
        x: () => left - 8,
        y: ({ i }: { i: number }) => top + at(i),
        textAnchor: "end",
        text: ({ name, title }: MatrixGroup) =>
          fitText(title === "" ? name : `${name} · ${title}`, left - 12, SIZE),
        fill: INK.text,
        fontSize: SIZE,
      }),
      Plot.text(heads, {
        x: ({ i }: { i: number }) => left + at(i),
        y: () => top - 6,
        text: "text",
        fill: INK.text,
        fontSize: SIZE,
        ...(upright ? { lineAnchor: "bottom" as const } : { rotate: -90, textAnchor: "start" as const }),
      }),
    ],
  });
}
