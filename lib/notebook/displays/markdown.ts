import { type Content, foreign, type Html, markup } from "../html.ts";
import { grid } from "./grid.ts";
import { link, webAddress } from "./link.ts";
import { code as codeSpan } from "./prose.ts";

/** Characters of a document that are shown at most. */
const HELD = 100_000;

/**
 * Markdown of foreign origin as HTML, as far as overviews use it: headings, paragraphs, lists, quotes, fenced code,
 * emphasis, code spans and links of the web. Everything else stays as it was written: HTML and images are text.
 *
 * @param above the level of the heading that the document stands under; 0 for one that stands by itself
 */
export function markdownHtml(source: string, simulated: boolean, above = 0): Html {
  const out: Html[] = [];
  const inline = (text: string) =>
    markup`<bdi style="overflow-wrap:anywhere">${spans(text, simulated)}</bdi>`;
  let paragraph: string[] = [];
  let code: string[] | null = null;
  const flush = () => {
    if (paragraph.length > 0) {
      out.push(markup`<div style="margin:7px 0;max-width:80em">${inline(paragraph.join(" "))}</div>`);
    }
    paragraph = [];
  };
  for (const line of source.slice(0, HELD).split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      flush();
      if (code !== null) out.push(codeBlock(code));
      code = code === null ? [] : null;
      continue;
    }
    if (code !== null) {
      code.push(line);
      continue;
    }
    const block = blockOf(line);
    if (block.kind !== "text" || block.text === "") flush();
    if (block.kind === "text" && block.text !== "") paragraph.push(block.text);
    else if (block.kind === "heading") out.push(heading(block.level, above, inline(block.text)));
    else if (block.kind === "item") out.push(item(block.depth, block.mark, inline(block.text)));
    else if (block.kind === "quote") out.push(quote(inline(block.text)));
  }
  flush();
  if (code !== null) out.push(codeBlock(code));
  const rest = source.length - HELD;
  if (rest > 0) out.push(markup`<div>… (${rest} more characters)</div>`);
  return markup`${out}`;
}

/**
 * Markdown that a reader's program may render: HTML is text, images don't load, links lead only to the web, and TeX makes
 * no links either.
 */
export function safeMarkdown(source: string): string {
  return source.replaceAll(/(?<!\\)<(https?:\/\/[^\s<>()[\]\\"'`]+)>/g, "[$1]($1)")
    .replaceAll(/\\?</g, "&lt;")
    .replaceAll("![", "&#33;[")
    .replaceAll("]:", "&#93;:")
    .replaceAll(/\](?=\((?!https?:\/\/))/gi, "&#93;")
    .replaceAll(/\\(?=href|style|class|cssId|html|require|unicode)/g, "\\ ");
}

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "item"; readonly depth: number; readonly mark: string; readonly text: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

function blockOf(line: string): Block {
  const head = /^(#{1,6}) +(.*)$/.exec(line);
  if (head !== null) return { kind: "heading", level: head[1]?.length ?? 1, text: head[2] ?? "" };
  const listed = /^( {0,12})([-*+]|\d{1,3}[.)]) +(.*)$/.exec(line);
  if (listed !== null) {
    const mark = listed[2] ?? "";
    return {
      kind: "item",
      depth: Math.floor((listed[1] ?? "").length / 2),
      mark: /\d/.test(mark) ? mark : "•",
      text: listed[3] ?? "",
    };
  }
  if (line.startsWith(">")) return { kind: "quote", text: line.slice(1).trim() };
  return { kind: "text", text: line.trim() };
}

function heading(level: number, above: number, text: Html): Html {
  const size = ["17px", "15px", "14px"][level - 1] ?? "13px";
  return markup`<div role="heading" aria-level="${
    Math.min(6, level + above)
  }" style="font-weight:600;font-size:${size};margin:12px 0 3px 0">${text}</div>`;
}

function item(depth: number, mark: string, text: Html): Html {
  return markup`<div style="margin:2px 0 2px ${depth * 16 + 4}px;max-width:80em">${
    grid(2, [[mark, text]])
  }</div>`;
}

function quote(text: Html): Html {
  return markup`<div style="margin:3px 0;padding-inline-start:10px;border-inline-start:3px solid #d0d7de">${text}</div>`;
}

function codeBlock(lines: readonly string[]): Html {
  return markup`<div style="margin:6px 0;padding:6px 9px;background:#f4f5f6;font-family:monospace;font-size:12px;white-space:pre-wrap">${
    foreign(lines.join("\n"))
  }</div>`;
}

const SPAN = new RegExp(
  [
    /\\(?<literal>[\\`*_[\]<>])/,
    /\*\*(?<bold>[^*\n]{1,2000})\*\*/,
    /\*(?<italic>[^*\s][^*\n]{0,1000})\*/,
    /`(?<code>[^`\n]{1,1000})`/,
    /\[(?<label>[^[\]\n]{1,500})\]\((?<url>[^)\s]{1,2000})\)/,
    /<(?<address>https?:\/\/[^\s<>]{1,2000})>/,
  ].map(({ source }) => source).join("|"),
  "g",
);

function spans(text: string, simulated: boolean): Content[] {
  const out: Content[] = [];
  let from = 0;
  for (const match of text.matchAll(SPAN)) {
    out.push(text.slice(from, match.index), span(match, simulated));
    from = match.index + match[0].length;
  }
  return [...out, text.slice(from)];
}

function span({ 0: whole, groups = {} }: RegExpExecArray, simulated: boolean): Content {
  const { literal, bold, italic, code, label, url, address } = groups;
  if (literal !== undefined) return literal;
  if (bold !== undefined) return markup`<b>${spans(bold, simulated)}</b>`;
  if (italic !== undefined) return markup`<i>${spans(italic, simulated)}</i>`;
  if (code !== undefined) return codeSpan(code);
  if (address !== undefined) return link(address, simulated);
  if (label === undefined || url === undefined || webAddress(url) === null) return whole;
  return link(url, simulated, label);
}
