import { z } from "zod";
import type { SeenSource } from "../domain/agent.ts";
import { CosciError } from "../domain/errors.ts";
import type { ToolDefinition } from "./wire.ts";

/** What a tool gives back. The model reads the text, then each source, all clipped and fenced. */
export interface ToolAnswer {
  /** The result, or what there is to say besides the sources; may be empty where sources say it all. */
  readonly text: string;
  /** The sources that it returned or fetched. One that repeats another's text is remembered, but not shown twice. */
  readonly sources: readonly SeenSource[];
}

/** A tool that a model may use on its way to a record. */
export interface Tool {
  /** What the model calls. */
  readonly name: string;
  /** What it reads about it. */
  readonly description: string;
  /** What it must give. */
  readonly input: z.ZodType;
  /**
   * The work. `args` fit {@linkcode Tool.input}; the signal ends it early. Whatever it throws becomes an error that the
   * model reads.
   */
  run(args: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

const schemas = new WeakMap<z.ZodType, ToolDefinition["input_schema"]>();

/**
 * A tool as a request carries it; the JSON schema is what zod makes of the input (defaults are optional).
 *
 * @throws CosciError `internal` where the input is no object
 */
export function toolDefinition(name: string, description: string, input: z.ZodType): ToolDefinition {
  let schema = schemas.get(input);
  if (schema === undefined) {
    const { $schema: _, type, ...rest } = z.toJSONSchema(input, { io: "input" });
    if (type !== "object") {
      throw new CosciError(
        "internal",
        `The input of the tool "${name}" is no object: tools take objects only.`,
      );
    }
    schema = { type, ...rest };
    schemas.set(input, schema);
  }
  return { name, description, input_schema: schema };
}
