import { z } from "zod";
import type { Rng } from "../../domain/rng.ts";

const jsonSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  minLength: z.number().optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
});

/**
 * A value of a JSON schema, for tools and structured outputs that the simulated scientist doesn't know. Properties named
 * in `known` get that value; others are drawn; optional ones that are not known are left out.
 */
export function sampleSchema(
  schema: unknown,
  chance: Rng,
  known: Readonly<Record<string, unknown>> = {},
): unknown {
  const root = jsonSchema.safeParse(schema);
  const definitions = root.success ? root.data.$defs ?? {} : {};
  return sample(schema, chance, known, definitions, 0);
}

/** {@linkcode sampleSchema} for a tool's input, which is an object. */
export function sampleInput(
  schema: unknown,
  chance: Rng,
  known: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const value = sampleSchema(schema, chance, known);
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function sample(
  schema: unknown,
  chance: Rng,
  known: Readonly<Record<string, unknown>>,
  definitions: Readonly<Record<string, unknown>>,
  depth: number,
): unknown {
  const parsed = jsonSchema.safeParse(schema);
  if (!parsed.success || depth > 8) return null;
  const s = parsed.data;
  const again = (inner: unknown) => sample(inner, chance, known, definitions, depth + 1);
  if (s.const !== undefined) return s.const;
  if (s.enum !== undefined && s.enum.length > 0) return chance.pick(s.enum);
  if (s.$ref !== undefined) return again(definitions[s.$ref.replace(/^#\/\$defs\//, "")]);
  const options = s.anyOf ?? s.oneOf ?? s.allOf;
  if (options !== undefined && options.length > 0) return again(options[0]);
  switch (Array.isArray(s.type) ? s.type[0] : s.type ?? (s.properties === undefined ? "string" : "object")) {
    case "object": {
      const required = new Set(s.required ?? []);
      const entries = Object.entries(s.properties ?? {})
        .filter(([key]) => required.has(key) || Object.hasOwn(known, key))
        .map(([key, inner]) => [key, Object.hasOwn(known, key) ? known[key] : again(inner)]);
      return Object.fromEntries(entries);
    }
    case "array":
      return Array.from({ length: Math.max(s.minItems ?? 0, 1) }, () => again(s.items ?? {}));
    case "integer":
    case "number": {
      const low = s.minimum ?? 0, high = s.maximum ?? low + 5;
      const value = low + chance.next() * (Math.min(high, low + 5) - low);
      return s.type === "integer" ? Math.floor(value) : Math.round(value * 100) / 100;
    }
    case "boolean":
      return chance.next() < 0.5;
    case "null":
      return null;
    default: {
      const text = chance.pick(["A simulated answer", "An invented remark", "Nothing further (simulated)"]);
      return text.padEnd(s.minLength ?? 0, ".");
    }
  }
}
