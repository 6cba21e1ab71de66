import { z } from "zod";
import { CosciError, inputError, messageOf } from "../../lib/domain/errors.ts";
import { type Output } from "./outputs.ts";

const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const metadata = z.record(z.string(), z.unknown());
const data = z.record(z.string(), z.unknown()).transform((bundle) =>
  Object.fromEntries(
    Object.entries(bundle).map((
      [mime, value],
    ) => [mime, !isJson(mime) && isLines(value) ? value.join("") : value]),
  )
);

const stored = z.discriminatedUnion("output_type", [
  z.object({ output_type: z.literal("stream"), name: z.string(), text }),
  z.object({ output_type: z.literal("display_data"), data, metadata }),
  z.object({
    output_type: z.literal("execute_result"),
    data,
    metadata,
    execution_count: z.number().nullable(),
  }),
  z.object({
    output_type: z.literal("error"),
    ename: z.string(),
    evalue: z.string(),
    traceback: z.array(z.string()),
  }),
]);

// What is not named here, such as attachments, stays as it is.
const cell = z.discriminatedUnion("cell_type", [
  z.looseObject({
    cell_type: z.literal("code"),
    id: z.string().optional(),
    metadata,
    source: text,
    outputs: z.array(stored),
    execution_count: z.number().nullable(),
  }),
  z.looseObject({ cell_type: z.literal("markdown"), id: z.string().optional(), metadata, source: text }),
  z.looseObject({ cell_type: z.literal("raw"), id: z.string().optional(), metadata, source: text }),
]);

const notebook = z.looseObject({
  cells: z.array(cell),
  metadata,
  nbformat: z.literal(4),
  nbformat_minor: z.number(),
});

/** A notebook, by nbformat 4; texts are whole, not cut into lines. */
export type Notebook = z.infer<typeof notebook>;
/** A cell of code. */
export type CodeCell = Extract<Notebook["cells"][number], { cell_type: "code" }>;

/**
 * Reads a notebook.
 *
 * @throws CosciError `input` where there is none, or where it is none
 */
export async function readNotebook(path: string): Promise<Notebook> {
  let content: string;
  try {
    content = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw inputError("notebook", path, "There is no such file.");
    throw inputError("notebook", path, `It can't be read (${messageOf(error)}).`);
  }
  return parseNotebook(content, path);
}

/** A notebook from its text. @param name what to call it in errors */
export function parseNotebook(content: string, name: string): Notebook {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    throw inputError("notebook", name, `It is no notebook: ${messageOf(error)}.`);
  }
  const parsed = notebook.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CosciError(
    "input",
    `notebook: "${name}" is no notebook of format 4.\n${z.prettifyError(parsed.error)}`,
  );
}

/**
 * A notebook as text, as Jupyter's own programs write it: keys sorted, texts as lists of lines. So saving it in JupyterLab
 * changes nothing.
 */
export function notebookText(book: Notebook): string {
  const cells = book.cells.map((cell) => ({
    ...cell,
    source: asLines(cell.source),
    ...(cell.cell_type === "code" ? { outputs: cell.outputs.map(asStored) } : {}),
  }));
  return `${JSON.stringify(sorted({ ...book, cells }), null, 1)}\n`;
}

/** Writes a notebook, all of it or nothing. */
export async function writeNotebook(path: string, book: Notebook): Promise<void> {
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await Deno.writeTextFile(draft, notebookText(book));
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    if (error instanceof Deno.errors.NotFound) {
      throw inputError("out", path, "Its folder doesn't exist: make it first.");
    }
    throw inputError("out", path, `It can't be written (${messageOf(error)}).`);
  }
}

function asStored(output: Output): Record<string, unknown> {
  switch (output.output_type) {
    case "stream":
      return { ...output, text: asLines(output.text) };
    case "display_data":
    case "execute_result":
      return {
        ...output,
        data: Object.fromEntries(
          Object.entries(output.data).map(([mime, value]) => [mime, cutIntoLines(mime, value) ?? value]),
        ),
      };
    case "error":
      return output;
  }
}

/** By nbformat: everything that is text but JSON and what is encoded. */
function cutIntoLines(mime: string, value: unknown): string[] | null {
  if (typeof value !== "string" || isJson(mime)) return null;
  return mime.startsWith("text/") || mime.endsWith("xml") || mime.endsWith("javascript")
    ? asLines(value)
    : null;
}

/** JSON stands in the file as it is: a list of texts in it is a list. */
function isJson(mime: string): boolean {
  return mime.endsWith("json");
}

function asLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map((
      [key, inner],
    ) => [key, sorted(inner)]),
  );
}

function isLines(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((line) => typeof line === "string");
}
