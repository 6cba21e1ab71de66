import { type Html, markup } from "../html.ts";
import { CATEGORIES, INK } from "../plots/palette.ts";
import { inlinePicture } from "./inline_picture.ts";

const WIDTH = 72, HEIGHT = 20, MARGIN = 3;

/** A small line of numbers in order, each to the scale of its own range; nothing where there are fewer than two. */
export function sparkline(values: readonly number[], color: string = CATEGORIES[0]): Html | null {
  const finite = values.filter(Number.isFinite);
  const last = finite.at(-1);
  if (finite.length < 2 || last === undefined) return null;
  const low = Math.min(...finite), high = Math.max(...finite);
  // A range of a few points would make noise look like a trend.
  const span = Math.max(high - low, 20), middle = (low + high) / 2;
  const x = (i: number) => round(MARGIN + i * (WIDTH - 2 * MARGIN) / (finite.length - 1));
  const y = (value: number) => round(HEIGHT / 2 - (value - middle) / span * (HEIGHT - 2 * MARGIN));
  const points = finite.map((value, i) => `${x(i)},${y(value)}`).join(" ");
  const name = `from ${Math.round(finite[0] ?? 0)} to ${Math.round(last)}, ${Math.round(low)} to ${
    Math.round(high)
  } on the way`;
  return inlinePicture(
    { width: WIDTH, height: HEIGHT, alt: name },
    markup`<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${HEIGHT - 1}" y2="${
      HEIGHT - 1
    }" stroke="${INK.grid}"/><polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/><circle cx="${
      x(finite.length - 1)
    }" cy="${y(last)}" r="2.2" fill="${color}"/>`,
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
