import { clip, oneLine } from "../../domain/text.ts";
import { type Content, escapeHtml, foreign, type Html, markup } from "../html.ts";
import { INK } from "../plots/palette.ts";

/** Characters of HTML that a card holds of one text at most. */
const HELD = 20_000;

/** Characters of a sentence at most: names within it may be of any length. */
const SENTENCE = 2000;

const PROSE = "white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;max-width:80em";

/** What is content already, and a sentence that is cut where it is very long. */
function sentence(content: Content): Content {
  return typeof content === "string" ? clip(content, SENTENCE) : content;
}

/** A text of foreign origin with its own line breaks; a remark says what was left out where it is very long. */
export function prose(text: string): Html {
  const shown = clip(text.trim(), held(text));
  const rest = text.trim().length - shown.length;
  const remark = rest > 0 ? faint(` (${rest} more characters)`) : null;
  return markup`<div dir="auto" style="${PROSE}">${shown}${remark}</div>`;
}

/** Characters of a text that a card holds: fewer of one that is made longer by escaping. */
function held(text: string): number {
  const length = escapeHtml(text.slice(0, HELD)).length;
  return length <= HELD ? HELD : Math.floor(HELD * HELD / length);
}

/** A text that is shown in part, and whole when it is opened. */
export function excerpt(text: string, shown: number): Html {
  const whole = text.trim();
  if (whole.length <= shown && !whole.includes("\n")) return prose(whole);
  return fold(foreign(clip(oneLine(whole.slice(0, shown * 8)), shown)), prose(whole));
}

/** Something that is shown when its summary is opened. */
export function fold(summary: Content, body: Content): Html {
  return markup`<details style="margin:3px 0"><summary style="cursor:pointer;overflow-wrap:break-word">${summary}</summary><div style="margin:3px 0 6px 14px">${body}</div></details>`;
}

/** Text of less weight. */
export function faint(content: Content): Html {
  return markup`<span style="color:${INK.faint}">${sentence(content)}</span>`;
}

/** Text that says something is wrong. */
export function alarming(content: Content): Html {
  return markup`<span style="color:${INK.alarm}">${sentence(content)}</span>`;
}

/** A short text that must not be broken: a label, a number with its unit. */
export function short(content: string | number): Html {
  return markup`<span style="white-space:nowrap">${
    typeof content === "string" ? clip(oneLine(content), 60) : content
  }</span>`;
}

/** Words of ours, broken between words only. */
export function phrase(text: string): Html {
  return markup`<span style="overflow-wrap:normal">${text}</span>`;
}

/** A line of foreign text, cut to so many characters. */
export function line(text: string, max = 200): Html {
  return foreign(clip(oneLine(text.slice(0, max * 8)), max));
}

/** Code within a sentence, on a ground of its own: pages give code theirs, which is dark on dark pages. */
export function code(content: Content): Html {
  return markup`<code style="background:#f4f5f6;color:#1f2328;overflow-wrap:anywhere">${content}</code>`;
}

/** A paragraph of a card. */
export function paragraph(...content: readonly Content[]): Html {
  return markup`<div style="margin:3px 0;overflow-wrap:anywhere">${content.map(sentence)}</div>`;
}

/** A part of a card with its own heading. */
export function section(heading: string, ...content: readonly Content[]): Html {
  return markup`<div style="margin:9px 0 2px 0"><div style="font-weight:600;overflow-wrap:anywhere">${
    clip(heading, SENTENCE)
  }</div>${content}</div>`;
}
