import { z } from "zod";
import { CosciError, inputError, nearest } from "../domain/errors.ts";

/** Options that a schema refused. */
export interface RefusedOptions {
  /** The schema. */
  readonly shape: z.ZodType;
  /** What was given. */
  readonly options: unknown;
  /** How messages name the option at a path such as `budget.usd`. */
  readonly key: (path: string) => string;
  /** What to do about the option at a path; where there is nothing to say, what the schema says. */
  readonly remedy: (path: string) => string | undefined;
}

/** What options must be like. */
export interface OptionsRule<T = unknown> {
  /** Their schema. */
  readonly shape: z.ZodType<T>;
  /** Right ones, as they are written. */
  readonly example: string;
  /** What to do about a wrong one, by its name. */
  readonly remedies: Readonly<Record<string, string>>;
}

/** Checks the options of a verb. @throws CosciError `input` */
export function requireOptions(verb: string, options: unknown, rule: OptionsRule): void {
  readOptions(verb, options, rule);
}

/** The options of a verb as their schema reads them. @throws CosciError `input` */
export function readOptions<T>(verb: string, options: unknown, rule: OptionsRule<T>): T {
  const { shape, example, remedies } = rule;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw inputError(verb, options, `Give an object, such as ${example}.`);
  }
  const { error, data } = shape.safeParse(options);
  if (error === undefined) return data;
  throw wrongOption(error, {
    shape,
    options,
    key: (path) => `${verb}: ${path}`,
    remedy: (path) => remedies[path.split(".")[0] ?? ""],
  });
}

/** A person's text. @throws CosciError `input` for none, or one that is too long */
export function readText(key: string, text: unknown, most: number): string {
  const trimmed = typeof text === "string" ? text.trim() : "";
  if (trimmed !== "" && trimmed.length <= most) return trimmed;
  const long = trimmed.length > most ? `It has ${trimmed.length}. ` : "";
  throw inputError(key, text, `${long}Give a text of 1 to ${most} characters.`);
}

/** Options whose values no message may repeat. */
const SECRET: ReadonlySet<string> = new Set(["apiKey", "keys", "environment"]);

/** The error for options that a schema refused: it names the key, the value, the nearest valid key and the remedy. */
export function wrongOption(error: z.ZodError, refused: RefusedOptions): CosciError {
  const { shape, options, key, remedy } = refused;
  const [issue] = error.issues;
  const steps = issue?.path.map(String) ?? [];
  if (issue?.code === "unrecognized_keys") {
    const [name = ""] = issue.keys;
    const known = keysAt(shape, steps);
    const near = nearest(name, known);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    return new CosciError(
      "input",
      `${key([...steps, name].join("."))}: there is no option "${
        [...steps, name].join(".")
      }".${hint} Options are ${known.join(", ")}.`,
    );
  }
  const path = steps.join(".");
  const value = valueAt(options, steps);
  const shown = value !== undefined && steps.some((step) => SECRET.has(step)) ? "(a secret)" : value;
  const words = issue?.code === "invalid_value" ? issue.values.map(String) : [];
  return inputError(key(path), shown, remedy(path) ?? `${issue?.message ?? "It is wrong"}.`, words);
}

/** The keys that an object in a schema may have. */
function keysAt(shape: z.core.$ZodType, path: readonly string[]): string[] {
  if (shape instanceof z.ZodOptional) return keysAt(shape.unwrap(), path);
  const [first, ...rest] = path;
  if (shape instanceof z.ZodRecord) return keysAt(shape.valueType, rest);
  if (!(shape instanceof z.ZodObject)) return [];
  const members: [string, z.core.$ZodType][] = Object.entries(shape.shape);
  if (first === undefined) return members.map(([name]) => name);
  return members.flatMap(([name, member]) => (name === first ? keysAt(member, rest) : []));
}

function valueAt(options: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null
        ? Object.entries(at).find(([name]) => name === key)?.[1]
        : undefined,
    options,
  );
}
