/** Advance widths of the printable ASCII characters in DejaVu Sans, in hundredths of the font size. */
const ASCII = [
  ...[32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34],
  ...[64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53],
  ...[100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79],
  ...[60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50],
  ...[50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61],
  ...[63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84],
];

/** Characters without a width of their own: marks on others, joiners, isolates. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Scripts whose characters fill a square, and pictures. */
const SQUARE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u;

/** Narrower and wider parts of what is neither: most letters of European scripts, and the rest with room to spare. */
const LETTER = /[\u00a0-\u024f\u0370-\u03ff\u0590-\u05ff]/;
const LETTER_WIDTH = 72;
const OTHER_WIDTH = 95;
const SQUARE_WIDTH = 130;

/** How much wider bold letters are at most: those of text, not the single `i`. */
const BOLD = 1.13;

/**
 * How wide a text is, in pixels, at most: by the widths of DejaVu Sans, which is wider than the fonts that are likely to
 * be there (Segoe UI, Roboto, Helvetica, Arial) and the one that PNGs are drawn with. A picture can't measure its letters,
 * since it doesn't know where it will be looked at.
 */
export function textWidth(text: string, fontSize: number, weight: "normal" | "bold" = "normal"): number {
  let sum = 0;
  for (const character of text) sum += widthOf(character);
  return sum / 100 * fontSize * (weight === "bold" ? BOLD : 1);
}

function widthOf(character: string): number {
  const ascii = ASCII[character.charCodeAt(0) - 32];
  if (ascii !== undefined) return ascii;
  if (NO_WIDTH.test(character)) return 0;
  if (SQUARE.test(character)) return SQUARE_WIDTH;
  return LETTER.test(character) ? LETTER_WIDTH : OTHER_WIDTH;
}
