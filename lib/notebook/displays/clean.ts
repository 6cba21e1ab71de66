/** Control characters apart from line break and tab: ESC, for one, begins commands to a terminal. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** Marks that reorder what stands after them, or end an isolation (Unicode UAX 9): a text could leave its place. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A text without what acts instead of being read: control characters, direction overrides and halves of surrogate pairs
 * are replaced by U+FFFD, line ends are `\n`. Letters of all scripts, emoji and their joiners stay.
 */
export function clean(text: string): string {
  return text.toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(CONTROL, "\uFFFD")
    .replaceAll(REORDERING, "\uFFFD");
}
