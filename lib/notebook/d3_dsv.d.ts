/** What cosci uses of `d3-dsv`, which ships without types. */

/** Rows as CSV by RFC 4180, without a line break at the end: a line of the columns' names first. */
export function csvFormat<C extends string>(
  rows: readonly Readonly<Record<C, string | number>>[],
  columns: readonly C[],
): string;

/** Texts with another sign between the cells. */
export function dsvFormat(delimiter: string): {
  /** All rows, each as a list of its cells; the first line's, too. */
  parseRows(text: string): string[][];
};

/** The rows of a CSV text by its first line's names, which are also listed; a short row lacks its last ones. */
export function csvParse(
  text: string,
): (Record<string, string | undefined>[]) & { readonly columns: readonly string[] };
