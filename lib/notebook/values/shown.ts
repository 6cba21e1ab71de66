import { messageOf } from "../../domain/errors.ts";
import { withBreaks } from "../html.ts";
import { clean } from "../displays/clean.ts";
import type { Display } from "../displays/display.ts";
import type { MimeBundle } from "../kernel.ts";

/** The data as text: what a terminal shows. Never throws. */
export function shownText<D>(display: Display<D>, data: D): string {
  try {
    return clean(display.text(data));
  } catch (error) {
    return `It could not be written as text: ${clean(messageOf(error))}`;
  }
}

/**
 * All renderings of the data. What could act instead of being read is gone from each ({@linkcode clean}); notebooks are
 * told not to take amounts such as `$5 and $6` for TeX.
 */
export function shownBundle<D>(display: Display<D>, data: D): MimeBundle {
  const html = withBreaks(clean(display.html(data).markup));
  return {
    "text/html": `<div class="tex2jax_ignore mathjax_ignore">${html}</div>`,
    ...(display.markdown === undefined ? {} : { "text/markdown": clean(display.markdown(data)) }),
    "text/plain": shownText(display, data),
  };
}
