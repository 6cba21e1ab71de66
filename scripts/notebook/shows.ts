import type { CodeCell } from "./notebook_file.ts";

/** The tag of a cell that ends on an expression and shows nothing all the same, such as `await Deno.mkdir(…)`. */
export const QUIET_TAG = "quiet";

/** Verbs that come to nothing: closing a session, saving a picture. */
const NOTHING = /^await\s.*\.(?:close\(\)|save\(.*\));?(?:\s*\/\/.*)?$/;

/** How statements begin that show nothing. */
const SILENT =
  /^(?:import\b(?!\s*\()|export\b|const\b|let\b|var\b|using\b|await\s+using\b|function\b|async\s+function\b|class\b|type\s|interface\b|for\b|while\b|do\b|if\b|else\b|try\b|switch\b|throw\b|return\b|\{|\w[\w.]*\s*(?:[-+*/]|\?\?|\|\||&&)?=(?![=>]))/;

/**
 * Whether a cell should show something: when its last statement is an expression, as a kernel shows the value of that one.
 * Verbs of cosci that come to nothing are known; any other cell that ends so and shows nothing carries the tag `quiet` in its
 * metadata. A cell that logs should show that as well.
 *
 * It goes by lines, which is sound for cells that `deno fmt` has formatted: a statement begins in the first column, and its
 * further lines are indented or begin with a closing bracket.
 */
export function shouldShow(cell: CodeCell): boolean {
  if (isQuiet(cell)) return false;
  const last = lastStatement(cell.source);
  return /\bconsole\.\w+\(/.test(plainCode(cell.source)) || !(SILENT.test(last) || NOTHING.test(last));
}

/** Whether the cell says that it shows nothing. */
export function isQuiet(cell: CodeCell): boolean {
  const tags: unknown = cell.metadata["tags"];
  return Array.isArray(tags) && tags.includes(QUIET_TAG);
}

/** The first line of the last statement. An empty cell is a declaration of nothing. */
function lastStatement(source: string): string {
  const starts = plainCode(source).split("\n").filter((line) => /^[^\s)\]}]/.test(line));
  return starts.at(-1) ?? "const";
}

/** The code without comments, and without the content of templates, whose lines may begin anywhere. */
function plainCode(source: string): string {
  return source.replaceAll(/`(?:\\[^]|[^`\\])*`/g, "``").replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(
    /^\s*\/\/.*$/gm,
    "",
  );
}
