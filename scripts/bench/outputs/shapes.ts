import type { CodeCell, Notebook } from "../../notebook/notebook_file.ts";
import type { Output } from "../../notebook/outputs.ts";

/** A shape of cells: what it ends on, and what must arrive of it. */
export interface Shape {
  /** Its name in tables. */
  readonly name: string;
  /** Its code. @param n the how manieth of its shape */
  readonly code: (n: number) => string;
  /** What must stand in the result's text. */
  readonly result: RegExp;
  /** How many lines it logs. */
  readonly lines: number;
}

/** What the cells need before them. Two hypotheses, rated: so that there is something to draw. */
export const SETUP = `import { Supervisor } from "cosci";
const lab = await Supervisor.create({ goal: "What could help honey bees?", store: ":memory:" });
await lab.runUntil({ matches: 2 });`;

const LOG = "for (let i = 0; i < 10; i++) console.log(`line ${i}`);\n";

/** Values of cosci. */
export const OURS: readonly Shape[] = [
  { name: "await lab.tick()", code: () => "await lab.tick()", result: /Tick of/, lines: 0 },
  { name: "lab.tick(), await forgotten", code: () => "lab.tick()", result: /Tick of/, lines: 0 },
  { name: "lab.inspect()", code: () => "lab.inspect()", result: /hypothes/, lines: 0 },
  { name: "lab.plots.elo()", code: () => "lab.plots.elo()", result: /Elo/, lines: 0 },
  { name: "10 log lines, lab.inspect()", code: () => `${LOG}lab.inspect()`, result: /hypothes/, lines: 10 },
];

/** What the kernel shows by itself, for comparison. */
export const PLAIN: readonly Shape[] = [
  {
    name: "await a hook that returns its bundle",
    code: (n) =>
      `await Promise.resolve({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "v${n}" }) })`,
    result: /v\d/,
    lines: 0,
  },
  { name: 'a text, "v"', code: (n) => `"v${n}"`, result: /v\d/, lines: 0 },
  { name: '10 log lines, "v"', code: (n) => `${LOG}"v${n}"`, result: /v\d/, lines: 10 },
];

/** A display hook as cosci's, which waits for so many milliseconds after it has sent. */
export function waiting(ms: number): Shape {
  // Only lib/notebook names the kernel's object as such.
  const code = (n: number) =>
    `${LOG}({ [Symbol.for("Jupyter.display")]: async () => {
  await Deno["jupyter"].display({ "text/plain": "v${n}" }, { raw: true });
  await new Promise((done) => setTimeout(done, ${ms}));
  return {};
} })`;
  return { name: `10 log lines, a hook that waits ${ms} ms`, code, result: /v\d/, lines: 10 };
}

/** A notebook of so many cells of each shape by turns. */
export function benchNotebook(shapes: readonly Shape[], each: number): Notebook {
  const cell = (id: string, source: string): CodeCell => ({
    cell_type: "code",
    id,
    metadata: {},
    source,
    outputs: [],
    execution_count: null,
  });
  const cells = Array.from(
    { length: each },
    (_, n) => shapes.map((shape, s) => cell(`c${n}-${s}`, shape.code(n))),
  ).flat();
  return {
    cells: [cell("setup", SETUP), ...cells],
    metadata: { kernelspec: { display_name: "Deno", language: "typescript", name: "deno" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

/** What was lost of the cells of one shape. */
export interface Losses {
  /** The shape's name. */
  readonly shape: string;
  /** Cells. */
  readonly cells: number;
  /** Cells without their result. */
  readonly lostResults: number;
  /** Cells that miss lines of their log; `null` for shapes that log nothing. */
  readonly cutLogs: number | null;
}

/** Counts what is missing in an executed {@linkcode benchNotebook}. */
export function lossesOf(book: Notebook, shapes: readonly Shape[]): Losses[] {
  const cells = book.cells.slice(1).flatMap((cell) => cell.cell_type === "code" ? [cell] : []);
  return shapes.map((shape, s) => {
    const own = cells.filter((_, index) => index % shapes.length === s);
    return {
      shape: shape.name,
      cells: own.length,
      lostResults: own.filter((cell) =>
        !cell.outputs.some((output) => shape.result.test(resultText(output)))
      ).length,
      cutLogs: shape.lines === 0 ? null : own.filter((cell) => logLines(cell.outputs) < shape.lines).length,
    };
  });
}

function resultText(output: Output): string {
  return "data" in output ? String(output.data["text/plain"] ?? "") : "";
}

function logLines(outputs: readonly Output[]): number {
  return outputs.reduce(
    (sum, output) => sum + (output.output_type === "stream" ? output.text.split("\n").length - 1 : 0),
    0,
  );
}
