import assert from "node:assert/strict";
import { z } from "zod";

const lines = z.array(z.string());
/** What nbformat 4.5 asks of a notebook, as far as this one goes; the real validator is asked in tests/kernel. */
const notebookShape = z.strictObject({
  cells: z.array(z.discriminatedUnion("cell_type", [
    z.strictObject({
      cell_type: z.literal("markdown"),
      id: z.string().regex(/^[a-zA-Z0-9-_]{1,64}$/),
      metadata: z.object({}),
      source: lines,
    }),
    z.strictObject({
      cell_type: z.literal("code"),
      id: z.string().regex(/^[a-zA-Z0-9-_]{1,64}$/),
      metadata: z.object({}),
      source: lines,
      execution_count: z.number().int().nullable(),
      outputs: z.array(z.strictObject({
        output_type: z.literal("display_data"),
        metadata: z.object({}),
        data: z.record(z.string(), z.union([z.string(), lines])),
      })),
    }),
  ])),
  metadata: z.object({
    kernelspec: z.object({ name: z.literal("deno") }),
    cosci: z.object({ session: z.string() }),
  }),
  nbformat: z.literal(4),
  nbformat_minor: z.literal(5),
});

/** A notebook's text as what it says. */
export function readNotebook(text: string) {
  const notebook = notebookShape.parse(JSON.parse(text));
  const ids = notebook.cells.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "ids are unique");
  return notebook.cells.map((cell) => ({
    type: cell.cell_type,
    source: cell.source.join(""),
    count: cell.cell_type === "code" ? cell.execution_count : null,
    outputs: cell.cell_type === "code" ? cell.outputs.map(({ data }) => data) : [],
  }));
}
