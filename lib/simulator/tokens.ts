/**
 * How many tokens a text counts: one for four ASCII characters (rounded up), one for a character of two UTF-8 bytes, two
 * for one of three bytes, three for one of four. Never more than one a byte, so that a length in bytes is an upper bound.
 */
export function countTextTokens(text: string): number {
  let ascii = 0, others = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) ascii++;
    else if (code < 0x800) others++;
    else if (code >= 0xd800 && code <= 0xdbff && i + 1 < text.length) {
      others += 3;
      i++;
    } else others += 2;
  }
  return Math.ceil(ascii / 4) + others;
}

/** The beginning of a text that counts at most `max` tokens. Never cuts a surrogate pair. */
export function clipTokens(text: string, max: number): string {
  if (countTextTokens(text) <= max) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTextTokens(text.slice(0, middle)) <= max) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}

/** What a message counts besides its blocks. */
export const MESSAGE_TOKENS = 3;
/** What a tool counts besides its name, description and schema. */
export const TOOL_TOKENS = 6;
