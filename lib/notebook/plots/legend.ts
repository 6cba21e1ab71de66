import * as Plot from "@observablehq/plot";
import { drawPanel, type Panel, pixels } from "./document.ts";
import { INK } from "./palette.ts";
import { textWidth } from "./text_width.ts";

const SIZE = 11;
const LINE = 21;

/** A sign and its meaning. */
export interface Key {
  /** The sign; `line` for a short line. */
  readonly symbol: Plot.SymbolType | "line";
  /** What it is filled with. */
  readonly fill: string;
  /** Its outline. */
  readonly stroke: string;
  /** What it means. */
  readonly text: string;
  /** Dashes of a line, as SVG tells them. @default a line without */
  readonly dash?: string;
}

/** Keys with what they have in common. */
export interface KeyLine {
  /** What they tell, in a word or two; an empty text for nothing. */
  readonly head: string;
  /** The keys. */
  readonly keys: readonly Key[];
}

/** What signs and colours mean: a line for each kind, more where one doesn't hold its keys. */
export function legend(lines: readonly KeyLine[], width: number): Panel {
  const heads: { text: string; y: number }[] = [];
  const signs: (Key & { x: number; y: number })[] = [];
  const indent = Math.max(0, ...lines.map(({ head }) => (head === "" ? 0 : textWidth(head, SIZE) + 14)));
  let y = 12;
  for (const { head, keys } of lines) {
    if (head !== "") heads.push({ text: head, y });
    let x = indent + 8;
    for (const key of keys) {
      const room = 13 + textWidth(key.text, SIZE);
      if (x > indent + 8 && x + room > width) [x, y] = [indent + 8, y + LINE];
      signs.push({ ...key, x, y });
      x += key.text === "" ? 16 : room + 22;
    }
    y += LINE;
  }
  return drawPanel({
    ...pixels(width, y - 2),
    marks: [
      Plot.text(heads, { x: 0, y: "y", text: "text", textAnchor: "start", fill: INK.faint, fontSize: SIZE }),
      ...signs.filter(({ symbol }) => symbol === "line").map((sign) =>
        Plot.link([sign], {
          x1: () => sign.x - 8,
          x2: () => sign.x + 8,
          y1: "y",
          y2: "y",
          stroke: "stroke",
          strokeWidth: 2.2,
          strokeDasharray: sign.dash ?? "none",
        })
      ),
      Plot.dot(signs.filter(({ symbol }) => symbol !== "line"), {
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
        dx: 13,
        text: "text",
        textAnchor: "start",
        fill: INK.text,
        fontSize: SIZE,
      }),
    ],
  });
}
