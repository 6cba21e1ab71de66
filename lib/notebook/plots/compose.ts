import { escapeHtml } from "../html.ts";
import type { Panel } from "./document.ts";
import { fitLines, fitText, pictureText } from "./lettering.ts";
import { INK } from "./palette.ts";
import { LETTER, READABLE, WIDTH } from "./size.ts";

/** Fonts that are where figures are looked at, and at last the one that PNGs are drawn with. */
const FONTS = "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

const MARGIN = 16;
const LINE = 17;

/** Lines at most of how to read a figure. */
const NOTES = 6;

/**
 * A figure is made smaller to fit its page, but not smaller than this part of it: then it is scrolled, since its letters
 * could not be read, and enlarging the page would not enlarge them.
 */
const SMALLEST = READABLE / LETTER;

/** What makes a whole figure. */
export interface Composition {
  /** What it shows. */
  readonly title: string;
  /** How to read it. */
  readonly subtitle: string;
  /** Whether what it shows was simulated: then it says so. */
  readonly simulated: boolean;
  /** Drawings below each other. */
  readonly panels: readonly Panel[];
}

/** A self-contained SVG document: opaque ground, own colours, no script, no reference to anything outside. */
export function compose({ title, subtitle, simulated, panels }: Composition): string {
  const inner = Math.max(WIDTH, ...panels.map((panel) => panel.width));
  const width = inner + 2 * MARGIN;
  const notes = fitLines(subtitle, inner, 12, NOTES);
  const parts = [
    `<text x="${MARGIN}" y="31" font-size="17" font-weight="600" fill="${INK.text}">${
      escapeHtml(fitText(title, (simulated ? inner - 120 : inner) / 1.13, 17))
    }</text>`,
    ...notes.map((line, i) =>
      `<text x="${MARGIN}" y="${52 + i * LINE}" font-size="12" fill="${INK.faint}">${escapeHtml(line)}</text>`
    ),
  ];
  if (simulated) parts.push(badge(width - MARGIN));
  let y = 52 + notes.length * LINE;
  for (const panel of panels) {
    parts.push(`<g transform="translate(${MARGIN},${y})">${panel.markup}</g>`);
    y += panel.height;
  }
  const height = Math.ceil(y + MARGIN / 2);
  const name = escapeHtml(pictureText(simulated ? `${title} (SIMULATED)` : title));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" font-family="${FONTS}" color="${INK.text}" style="background:${INK.paper};min-width:${
      Math.ceil(width * SMALLEST)
    }px;max-width:100%;height:auto">` +
    `<title>${name}</title><rect width="${width}" height="${height}" fill="${INK.paper}"/>${
      parts.join("")
    }</svg>`;
}

function badge(right: number): string {
  const width = 104;
  return `<g><rect x="${
    right - width
  }" y="14" width="${width}" height="24" rx="4" fill="#fff3cd" stroke="#8a6100"/>` +
    `<text x="${right - width / 2}" y="30.5" font-size="12.5" font-weight="700" text-anchor="middle" ` +
    `letter-spacing="0.6" fill="#5c4100">SIMULATED</text></g>`;
}
