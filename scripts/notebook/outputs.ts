import { z } from "zod";
import { LIVE_CLASS } from "../../lib/notebook/progress/notebook_sink.ts";

/** One output of a cell, as the notebook format has it (nbformat 4); texts are whole, not cut into lines. */
export const output = z.discriminatedUnion("output_type", [
  z.object({ output_type: z.literal("stream"), name: z.string(), text: z.string() }),
  z.object({
    output_type: z.literal("display_data"),
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  }),
  z.object({
    output_type: z.literal("execute_result"),
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
    execution_count: z.number().nullish().transform((count) => count ?? null),
  }),
  z.object({
    output_type: z.literal("error"),
    ename: z.string(),
    evalue: z.string(),
    traceback: z.array(z.string()),
  }),
]);

/** One output of a cell. */
export type Output = z.infer<typeof output>;

/** Whether it shows how far work had come while the cell ran; that comes where work takes long enough, which is chance. */
export function isLive(output: Output): boolean {
  const html = "data" in output ? output.data["text/html"] : undefined;
  return typeof html === "string" && html.startsWith(`<div class="${LIVE_CLASS} `);
}
