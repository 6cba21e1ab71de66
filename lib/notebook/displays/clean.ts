/** Control characters apart from line break and tab: ESC, for one, begins commands to a terminal. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** Marks that reorder what stands after them, or end an isolation (Unicode UAX 9): a text could leave its place. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g;
/** Marks upon marks, which reach over the lines around, and floods of characters without width. No script stacks as many. */
const FLOODS = /(\p{M}{8})\p{M}+|(\p{Cf}{8})\p{Cf}+/gu;

/**
 * A text without what acts instead of being read: control characters, direction overrides and halves of surrogate pairs
 * are replaced by U+FFFD, line ends are `\n`, and of more than eight marks on a letter the first eight stay. Letters of all scripts, emoji and their joiners stay.
 */
export function clean(text: string): string {
  return text.toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(CONTROL, "\uFFFD")
    .replaceAll(REORDERING, "\uFFFD")
    .replaceAll(FLOODS, "$1$2");
}
