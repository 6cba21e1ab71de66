import type { CodeCell, Notebook } from "../../../scripts/notebook/notebook_file.ts";
import type { Output } from "../../../scripts/notebook/outputs.ts";

/** A cell of code with its outputs. */
export function cell(source: string, outputs: readonly Output[] = [], tags?: readonly string[]): CodeCell {
  return {
    cell_type: "code",
    id: "c",
    metadata: tags === undefined ? {} : { tags },
    source,
    outputs: [...outputs],
    execution_count: null,
  };
}

/** A notebook of such cells. */
export function bookOf(...cells: readonly CodeCell[]): Notebook {
  return { cells: [...cells], metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

/** An output of a display. */
export function shown(data: Readonly<Record<string, unknown>>): Output {
  return { output_type: "display_data", data: { ...data }, metadata: {} };
}
