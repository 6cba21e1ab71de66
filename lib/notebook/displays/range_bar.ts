import { type Html, markup } from "../html.ts";
import { INK } from "../plots/palette.ts";
import { inlinePicture } from "./inline_picture.ts";

const WIDTH = 76, HEIGHT = 8, MARGIN = 3;

/** Where a value may be. */
export interface Range {
  /** The lower end. */
  readonly low: number;
  /** What is most likely. */
  readonly middle: number;
  /** The upper end. */
  readonly high: number;
}

/**
 * A small bar from the lower to the upper end of a range with a dot in between, on a scale that it shares with others, so
 * that below each other they show which of them overlap.
 */
export function rangeBar(
  { low, middle, high }: Range,
  scale: { readonly from: number; readonly to: number },
  color: string,
): Html | null {
  const span = scale.to - scale.from;
  if (![low, middle, high, span].every(Number.isFinite) || span <= 0) return null;
  const x = (value: number) => {
    const share = Math.min(1, Math.max(0, (value - scale.from) / span));
    return Math.round((MARGIN + share * (WIDTH - 2 * MARGIN)) * 10) / 10;
  };
  const y = HEIGHT / 2;
  return inlinePicture(
    { width: WIDTH, height: HEIGHT, alt: "" },
    markup`<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" stroke="${INK.grid}"/><line x1="${x(low)}" x2="${
      x(high)
    }" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2.5"/><circle cx="${
      x(middle)
    }" cy="${y}" r="3" fill="${color}"/>`,
  );
}
