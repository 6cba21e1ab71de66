/**
 * A plain value as JSON whose texts are Unicode: half of a surrogate pair is U+FFFD, as UTF-8 has it everywhere else in the
 * file. JavaScript would write it as an escape that other languages read as a text that they can't print.
 */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, each: unknown) => typeof each === "string" ? each.toWellFormed() : each,
  );
}
