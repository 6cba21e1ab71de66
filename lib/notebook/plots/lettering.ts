import { clip, oneLine } from "../../domain/text.ts";
import { textWidth } from "./text_width.ts";

/** What XML can't hold: control characters and the two non-characters. */
const UNPRINTABLE = /[\p{Cc}\ufffe\uffff]/gu;

/** Characters that would reorder what stands around them, and were not put there by us. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Text of foreign origin as a picture can hold it: one line, well-formed, at most `max` characters, and where it is
 * written from right to left isolated from what stands beside it.
 */
export function pictureText(text: string, max = 300): string {
  const plain = clip(
    oneLine(text.toWellFormed().replaceAll(UNPRINTABLE, " ").replaceAll(REORDERING, "")),
    max,
  );
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Foreign text as {@linkcode pictureText}, cut with an ellipsis to a width in pixels. */
export function fitText(text: string, width: number, fontSize: number): string {
  const plain = pictureText(text);
  if (textWidth(plain, fontSize) <= width) return plain;
  const room = width - textWidth("…", fontSize);
  let used = 0, kept = "";
  for (const character of pictureText(text).replaceAll(REORDERING, "")) {
    used += textWidth(character, fontSize);
    if (used > room) break;
    kept += character;
  }
  return pictureText(`${kept.trimEnd()}…`);
}

/** Characters that lines are made from at most. */
const LONGEST = 2000;

/**
 * Foreign text in lines of at most a width in pixels, broken at spaces; longer words are cut. At most `lines` of them, the
 * last one with an ellipsis where there is more.
 */
export function fitLines(text: string, width: number, fontSize: number, lines: number): string[] {
  const out: string[] = [];
  const words = pictureText(text, LONGEST).replaceAll(REORDERING, "").split(" ").filter((word) =>
    word !== ""
  );
  let line = "";
  for (const [i, word] of words.entries()) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (textWidth(longer, fontSize) <= width) {
      line = longer;
      continue;
    }
    if (out.length === lines - 1) {
      return [...out, fitText(words.slice(i).reduce(joined, line), width, fontSize)];
    }
    if (line !== "") out.push(pictureText(line));
    line = textWidth(word, fontSize) <= width ? word : fitText(word, width, fontSize);
  }
  return line === "" ? out : [...out, pictureText(line)];
}

function joined(line: string, word: string): string {
  return line === "" ? word : `${line} ${word}`;
}

/**
 * Places for labels at least `gap` apart, each as near to where it wants to be as the others let it; in the order given.
 * Labels in conflict form a block around the middle of their wishes. All stay within `low` and `high` if they fit.
 */
export function spread(wishes: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wishes.map((wish, index) => ({ wish, index })).sort((a, b) =>
    a.wish - b.wish || a.index - b.index
  );
  const blocks: { start: number; wishes: number; members: number[] }[] = [];
  for (const { wish, index } of order) {
    blocks.push({ start: wish, wishes: wish, members: [index] });
    for (let last = blocks.length - 1; last > 0; last--) {
      const upper = blocks[last - 1], lower = blocks[last];
      if (
        upper === undefined || lower === undefined || upper.start + upper.members.length * gap <= lower.start
      ) break;
      // Each member's wish is taken relative to the block's start, so that the mean of wishes places the block.
      upper.wishes += lower.wishes - lower.members.length * upper.members.length * gap;
      upper.members.push(...lower.members);
      upper.start = upper.wishes / upper.members.length;
      blocks.pop();
    }
  }
  const places = wishes.slice();
  for (const block of blocks) {
    const start = Math.max(low, Math.min(block.start, high - (block.members.length - 1) * gap));
    for (const [i, index] of block.members.entries()) places[index] = start + i * gap;
  }
  // Moving a block inside the bounds may have pushed it onto its neighbour.
  let floor = low;
  for (const { index } of order) {
    const place = Math.max(places[index] ?? low, floor);
    places[index] = place;
    floor = place + gap;
  }
  return places;
}
