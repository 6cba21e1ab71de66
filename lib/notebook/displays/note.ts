import { type Html, markup } from "../html.ts";

const NOTE = "background:#fff8e1;color:#1f2328;color-scheme:light;border-inline-start:3px solid #8a6100;" +
  "margin:2px 0;max-width:1000px;padding:5px 12px;text-align:left;" +
  "font:13px/1.45 system-ui,'Segoe UI',Roboto,Arial,sans-serif";

/** A remark of ours beside what a cell shows: an opaque light strip, readable on light and dark pages. */
export function note(text: string): Html {
  return markup`<div style="${NOTE}">${text}</div>`;
}
