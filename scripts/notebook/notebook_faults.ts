import { errorIn } from "./execute_notebook.ts";
import { isLive } from "./outputs.ts";
import type { CodeCell, Notebook } from "./notebook_file.ts";
import { isQuiet, QUIET_TAG, shouldShow } from "./shows.ts";

/** What is wrong with the outputs of an executed notebook, a line each, by cell; none where all is well. */
export function notebookFaults(book: Notebook): string[] {
  const cells = book.cells.flatMap((cell) => cell.cell_type === "code" ? [cell] : []);
  return cells.flatMap((cell, index) =>
    [...cellFaults(cell)].map((fault) => `code cell ${index + 1} (${firstLine(cell.source)}): ${fault}`)
  );
}

function* cellFaults(cell: CodeCell): Generator<string> {
  for (const output of cell.outputs) {
    const error = errorIn(output);
    if (error !== null) yield `it shows an error: ${error}`;
    const bundle = "data" in output ? output.data : {};
    if ("image/svg+xml" in bundle && !("image/png" in bundle)) {
      yield "a picture is SVG only; readers that don't trust the notebook show none: a PNG must be beside it";
    }
    if ("data" in output && !("text/plain" in bundle)) yield "an output has no text";
  }
  // How far it was while it ran is nothing that a cell is written for.
  const shown = cell.outputs.filter((output) => !isLive(output)).length;
  if (shouldShow(cell) && shown === 0) {
    yield `it shows nothing although it ends on an expression; where that is meant, give the cell the tag "${QUIET_TAG}"`;
  }
  if (isQuiet(cell) && shown > 0) yield `it has the tag "${QUIET_TAG}" and shows something`;
}

function firstLine(source: string): string {
  const line = source.trim().split("\n")[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
