import { z } from "zod";
import { CosciError, inputError, messageOf } from "../domain/errors.ts";

/** The environment variable that holds a notebook's parameters: a JSON object. `deno task notebook:run` sets it. */
export const PARAMS_VARIABLE = "COSCI_PARAMS";

/** A default value of a parameter; its kind is the parameter's. */
export type ParamDefault = string | number | boolean | readonly string[] | readonly number[];

/** What checks a value: a zod schema is one. */
export interface ParamSchema<T = unknown> {
  /** The value as it is used, or what is wrong with it; asked with `undefined` where nothing is given. */
  safeParse(value: unknown): ParamChecked<T>;
}

/** What a schema says of a value. */
export type ParamChecked<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly ParamIssue[] } };

/** What is wrong with a value, and where in it. */
export interface ParamIssue {
  /** Where in the value. */
  readonly path: readonly PropertyKey[];
  /** What. */
  readonly message: string;
}

/** What a notebook says of its parameters: by name a default, or a zod schema. */
export type ParamSpec = Readonly<Record<string, ParamDefault | ParamSchema>>;

/** The values of parameters. */
export type ParamValues<S extends ParamSpec> = {
  readonly [K in keyof S]: S[K] extends ParamSchema<infer T> ? T
    : S[K] extends string ? string
    : S[K] extends number ? number
    : S[K] extends boolean ? boolean
    : S[K] extends readonly string[] ? string[]
    : S[K] extends readonly number[] ? number[]
    : never;
};

/**
 * The parameters of a notebook: the defaults where it is worked with by hand, and what `deno task notebook:run nb.ipynb -p
 * n=5` says where it is executed. A default tells the kind as well: a text, a number, `true` or `false`, a list of texts or
 * numbers. Where more is to be said of a parameter, such as that it must be given, it is a zod schema.
 *
 * Call it once, with all parameters: one that is given and not named here is an error.
 *
 * Lists are given as JSON (`-p genes='["FLT3", "NPM1"]'`) or with commas (`-p genes=FLT3,NPM1`).
 *
 * @example Defaults
 * ```ts
 * import assert from "node:assert/strict";
 * import { params } from "cosci";
 *
 * const { goal, n } = params({ goal: "What could help honey bees through the winter?", n: 3 });
 * assert.equal(n + 1, 4);
 * assert.match(goal, /bees/);
 * ```
 *
 * @param spec by name a default or a zod schema
 * @param given what is given: the environment's unless said otherwise
 * @throws CosciError `input` for a parameter that is unknown, missing, or not of its kind; it names all of them
 */
export function params<const S extends ParamSpec>(
  spec: S,
  given: unknown = environmentParams(),
): ParamValues<S> {
  const values = parsedGiven(given);
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(spec, name)) throw unknownParam(name, Object.keys(spec));
  }
  const checked = Object.entries(spec).map(([name, kind]) => ({
    name,
    outcome: schemaOf(kind).safeParse(values[name]),
  }));
  const wrong = checked.flatMap(({ name, outcome }) =>
    outcome.success ? [] : outcome.error.issues.map((issue) => complaint(name, issue, values))
  );
  if (wrong.length > 0) throw new CosciError("input", wrong.join("\n"));
  return frozen<S>(
    Object.fromEntries(checked.flatMap(({ name, outcome }) => outcome.success ? [[name, outcome.data]] : [])),
  );
}

/** It was made from `S` entry by entry, which the type of a mapped object can't say. */
function frozen<S extends ParamSpec>(data: unknown): ParamValues<S> {
  const isValues = (value: unknown): value is ParamValues<S> => typeof value === "object" && value !== null;
  if (!isValues(data)) throw new CosciError("internal", "params: the values are no object.");
  return Object.freeze(data);
}

function environmentParams(): unknown {
  let text: string | undefined;
  try {
    text = Deno.env.get(PARAMS_VARIABLE);
  } catch (error) {
    // A program that may not read the environment was given nothing by it.
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
  if (text === undefined || text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw inputError(
      `environment variable ${PARAMS_VARIABLE}`,
      text,
      `It must be a JSON object such as {"n": 3} (${messageOf(error)}).`,
    );
  }
}

function parsedGiven(given: unknown): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(given);
  if (parsed.success) return parsed.data;
  throw inputError("parameters", given, 'They must be an object, by name, such as {"n": 3}.');
}

function unknownParam(name: string, known: readonly string[]): CosciError {
  const list = known.length === 0 ? "This notebook has none." : `This notebook has: ${known.join(", ")}.`;
  return inputError("parameter", name, list, known);
}

function complaint(name: string, issue: ParamIssue, values: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(values, name)) {
    return `parameter ${name}: it must be given, with -p ${name}=… (${issue.message})`;
  }
  const place = issue.path.length > 0 ? ` at ${issue.path.map(String).join(".")}` : "";
  return `parameter ${name}: ${JSON.stringify(values[name])} can't be used${place}: ${issue.message}`;
}

function schemaOf(kind: ParamDefault | ParamSchema): ParamSchema {
  switch (typeof kind) {
    case "string":
      return text.default(kind);
    case "number":
      return number.default(kind);
    case "boolean":
      return boolean.default(kind);
    case "object":
      if ("safeParse" in kind) return asTextOrJson(kind);
      return kind.some((entry) => typeof entry === "number")
        ? list(number).default(kind.map(Number))
        : list(text).default(kind.map(String));
  }
}

const text = z.union([z.string(), z.number().transform(String)], { error: "it must be a text" });
const number = z.union([z.number(), z.string().regex(/\S/).transform(Number).pipe(z.number())], {
  error: "it must be a number, such as 3 or 0.5",
});
const boolean = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")], {
  error: "it must be true or false",
});

/** A list as such, as JSON, or with commas. */
function list<T extends z.ZodType>(entry: T): z.ZodPreprocess<z.ZodArray<T>> {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (value.trim().startsWith("[")) return asJson(value) ?? value;
    return value.trim() === "" ? [] : value.split(",").map((part) => part.trim());
  }, z.array(entry));
}

/** Command lines give texts: what a schema doesn't take as a text it is offered as JSON, so that `3` may be a number. */
function asTextOrJson(schema: ParamSchema): ParamSchema {
  return {
    safeParse: (value) => {
      const asText = schema.safeParse(value);
      const json = asText.success || typeof value !== "string" ? undefined : asJson(value);
      return json === undefined ? asText : schema.safeParse(json);
    },
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
