import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { CosciError } from "../../domain/errors.ts";

/** A drawing as SVG elements inside one `<g>`, to be put into a figure. */
export interface Panel {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** One `<g>` with everything in it. */
  readonly markup: string;
}

/** What is used of an SVG element. */
interface Svg {
  innerHTML: string;
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
}

/**
 * Draws a plot with a document of its own. Plot would otherwise look for a global `window`, which doesn't exist here and
 * must not: the model client refuses to start where one does.
 *
 * The plot's style sheet is left out, because its `height: auto` distorts a plot inside another SVG and image viewers
 * differ in what CSS they read; what it would do is said in attributes.
 */
export function drawPanel(
  options: Omit<Plot.PlotOptions, "document" | "width" | "height" | "title" | "subtitle" | "caption"> & {
    readonly width: number;
    readonly height: number;
  },
): Panel {
  const drawn: unknown = Plot.plot({ ...options, document: newDocument() });
  if (!isSvg(drawn)) {
    throw new CosciError("internal", "A plot came out as something else than one SVG element");
  }
  for (const style of drawn.querySelectorAll("style")) style.remove();
  return {
    width: options.width,
    height: options.height,
    markup: `<g fill="currentColor" font-size="11" text-anchor="middle">${drawn.innerHTML}</g>`,
  };
}

/** What makes a drawing whose marks are placed in pixels from the top left, in colours and symbols of their own. */
export function pixels(width: number, height: number): {
  readonly width: number;
  readonly height: number;
  readonly margin: 0;
  readonly x: Plot.ScaleOptions;
  readonly y: Plot.ScaleOptions;
  readonly color: Plot.ScaleOptions;
  readonly symbol: Plot.ScaleOptions;
} {
  return {
    width,
    height,
    margin: 0,
    x: { type: "linear", domain: [0, width], range: [0, width], axis: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    color: { type: "identity" },
    symbol: { type: "identity" },
  };
}

/** Drawings beside each other as one. */
export function beside(...panels: readonly Panel[]): Panel {
  let x = 0;
  const parts = panels.map(({ width, markup }) => {
    const part = `<g transform="translate(${x},0)">${markup}</g>`;
    x += width;
    return part;
  });
  return {
    width: x,
    height: Math.max(0, ...panels.map(({ height }) => height)),
    markup: `<g>${parts.join("")}</g>`,
  };
}

/** An empty document. A new one for each plot, so that plots share no ids and keep no memory. */
function newDocument(): object {
  // linkedom's types promise a window of the browser's, which Deno's types don't describe.
  const document: unknown = Reflect.get(parseHTML("<!doctype html><html><body></body></html>"), "document");
  if (typeof document === "object" && document !== null) return document;
  throw new CosciError("internal", "linkedom gave no document to draw in");
}

function isSvg(value: unknown): value is Svg {
  return typeof value === "object" && value !== null && "innerHTML" in value && "querySelectorAll" in value &&
    "tagName" in value && String(value.tagName).toLowerCase() === "svg";
}
