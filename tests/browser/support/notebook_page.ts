import { escapeHtml } from "../../../lib/notebook/html.ts";
import type { MimeBundle } from "../../../lib/notebook/kernel.ts";

/** An output under a cell. */
export interface Shown {
  /** What it is: a heading above it. */
  readonly name: string;
  /** Its renderings. */
  readonly bundle: MimeBundle;
}

/** The MIME types in the order in which JupyterLab prefers them in a notebook that is trusted. */
const PREFERRED = ["text/html", "text/markdown", "image/svg+xml", "image/png", "text/plain"] as const;

// What JupyterLab's style does to what stands in an output (its themes, @jupyterlab/rendermime): tables are striped, right
// aligned and of the theme's colours, code and links have colours of their own, outputs of text don't wrap inside words.
const STYLE = `
body { margin: 0; font: 14px/1.4 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
body.light { background: #ffffff; color: rgba(0, 0, 0, 0.87); }
body.dark { background: #111111; color: #ffffff; color-scheme: dark; }
main { padding: 8px 28px; }
h2 { font-size: 12px; font-weight: 600; margin: 18px 0 4px; }
.jp-OutputArea-child { display: flex; flex-direction: row; width: 100%; overflow: hidden; }
.jp-OutputPrompt { flex: 0 0 64px; font-family: monospace; font-size: 13px; text-align: right; padding: 6px; }
.light .jp-OutputPrompt { color: #b0431d; }
.dark .jp-OutputPrompt { color: #ff8a65; }
.jp-OutputArea-output { flex-grow: 1; flex-shrink: 1; width: 100%; overflow: auto; user-select: text; padding: 6px; }
.jp-RenderedHTMLCommon { font-size: 14px; line-height: 1.6; padding-right: 20px; }
.light .jp-RenderedHTMLCommon { color: rgba(0, 0, 0, 0.87); }
.dark .jp-RenderedHTMLCommon { color: #ffffff; }
.jp-RenderedHTMLCommon table { border-collapse: collapse; border-spacing: 0; border: none; font-size: 12px;
  table-layout: fixed; margin-left: auto; margin-bottom: 1em; margin-right: auto; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr { vertical-align: middle;
  padding: 0.5em; line-height: normal; white-space: normal; max-width: none; border: none; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { text-align: right; }
.light .jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #f5f5f5; }
.dark .jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #212121; }
.light .jp-RenderedHTMLCommon tbody tr:hover { background: #e3f2fd; }
.jp-RenderedHTMLCommon :not(pre) > code { padding: 1px 5px; }
.light .jp-RenderedHTMLCommon :not(pre) > code { background: #eeeeee; }
.dark .jp-RenderedHTMLCommon :not(pre) > code { background: #424242; }
.jp-RenderedHTMLCommon pre, .jp-RenderedHTMLCommon code { border: 0; font-size: 13px; color: inherit; }
.jp-RenderedHTMLCommon pre { white-space: pre-wrap; margin: 1em 0; overflow: auto; }
.light .jp-RenderedHTMLCommon a { color: #1565c0; }
.dark .jp-RenderedHTMLCommon a { color: #64b5f6; }
.jp-RenderedHTMLCommon summary { cursor: pointer; }
.jp-RenderedHTMLCommon p { margin: 0 0 1em; }
.jp-RenderedHTMLCommon ul, .jp-RenderedHTMLCommon ol { padding-left: 2em; margin: 0 0 1em; }
.jp-RenderedHTMLCommon > *:last-child { margin-bottom: 0.5em; }
.jp-RenderedHTMLCommon img, .jp-RenderedHTMLCommon svg, .jp-RenderedSVG svg, .jp-RenderedImage img { max-width: 100%; }
.jp-RenderedHTMLCommon svg, .jp-RenderedSVG svg { height: auto; }
.jp-RenderedText pre { font: 13px/1.3 'DejaVu Sans Mono', Menlo, Consolas, monospace; margin: 0;
  white-space: pre-wrap; word-break: break-all; overflow-wrap: break-word; }
`;

/** Elements that end an outputs' page; whoever closes an element too many moves them. */
export const SENTINEL = "after-the-outputs";

/** A page of a notebook whose cells have these outputs, as JupyterLab shows it. */
export function notebookPage(outputs: readonly Shown[], { dark }: { readonly dark: boolean }): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notebook</title><style>${STYLE}</style></head>
<body class="${dark ? "dark" : "light"}"><main>${outputs.map(cell).join("\n")}</main>
<footer id="${SENTINEL}">The page goes on.</footer></body></html>`;
}

function cell({ name, bundle }: Shown, i: number): string {
  return `<section class="cell" id="cell-${i}"><h2>${
    escapeHtml(name)
  }</h2><div class="jp-OutputArea-child">` +
    `<div class="jp-OutputPrompt">[${i + 1}]:</div>${output(bundle)}</div></section>`;
}

function output(bundle: MimeBundle): string {
  const type = PREFERRED.find((each) => bundle[each] !== undefined) ?? "text/plain";
  const content = bundle[type] ?? "";
  switch (type) {
    case "text/html":
      return `<div class="jp-OutputArea-output jp-RenderedHTMLCommon jp-RenderedHTML">${content}</div>`;
    case "image/svg+xml":
      return `<div class="jp-OutputArea-output jp-RenderedSVG">${content}</div>`;
    case "image/png":
      return `<div class="jp-OutputArea-output jp-RenderedImage"><img alt="" src="data:image/png;base64,${content}"></div>`;
    case "text/markdown":
    case "text/plain":
      return `<div class="jp-OutputArea-output jp-RenderedText"><pre>${escapeHtml(content)}</pre></div>`;
  }
}
