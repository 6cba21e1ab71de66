import { type Html, markup } from "../html.ts";
import { CATEGORIES, INK } from "../plots/palette.ts";

/** The part of a limit from which a meter warns: as the notices on the budget do at the last. */
const WARN = 0.8;

/**
 * A small bar: how much of a limit is used, and behind it what is reserved.
 *
 * @param used what is used
 * @param limit what the whole bar stands for
 * @param reserved what is about to be used
 * @param kind `limit` for something not to be reached: then it warns; `plain` for a score
 * @param pixels how wide the bar is
 */
export function meter(
  used: number,
  limit: number,
  reserved = 0,
  kind: "limit" | "plain" = "limit",
  pixels = 110,
): Html {
  const share = part(used, limit), further = Math.min(1 - share, part(reserved, limit));
  const color = kind === "limit" && share >= WARN ? CATEGORIES[1] : CATEGORIES[0];
  const bar = (width: number, fill: string) =>
    markup`<span style="display:inline-block;height:8px;vertical-align:top;width:${
      percent(width)
    };background:${fill}"></span>`;
  return markup`<span role="img" aria-label="${
    percent(share)
  } used" style="display:inline-block;width:${pixels}px;height:8px;line-height:8px;background:${INK.grid};border-radius:4px;overflow:hidden;white-space:nowrap">${
    bar(share, color)
  }${bar(further, CATEGORIES[5])}</span>`;
}

/** A part of a limit from 0 to 1; 0 where there is no such part. */
export function part(used: number, limit: number): number {
  const share = used / limit;
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/** A part as per cent, to one digit below ten. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value)}%`;
}
