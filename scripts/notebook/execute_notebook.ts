import { ERROR_MIME } from "../../lib/notebook/kernel.ts";
import type { RunningKernel } from "./kernel_driver.ts";
import type { CodeCell, Notebook } from "./notebook_file.ts";
import type { Output } from "./outputs.ts";

/** Why a notebook didn't run through. */
export type Failure =
  /** The cell threw, or its code is no code. */
  | {
    readonly kind: "error";
    readonly cell: number;
    readonly message: string;
    readonly trace: readonly string[];
  }
  /** The kernel says that all is well, and an error stands in the output: a display failed, or a promise nobody awaits. */
  | { readonly kind: "silent"; readonly cell: number; readonly message: string }
  /** It took longer than was allowed. */
  | { readonly kind: "timeout"; readonly cell: number; readonly seconds: number }
  /** The kernel's process ended. */
  | { readonly kind: "died"; readonly cell: number };

/** A notebook with what came of it. */
export interface ExecutedNotebook {
  /** The notebook with its outputs: those of cells that didn't run are empty. */
  readonly notebook: Notebook;
  /** Why it stopped, or `null` where all cells ran. */
  readonly failure: Failure | null;
}

/** How a notebook is executed. */
export interface NotebookRun {
  /** Seconds that a cell may take; without it as long as it takes. */
  readonly timeout?: number;
  /** Told before each cell of code. @param cell its place among all cells, from 0 */
  readonly onCell?: (cell: number) => void;
}

/**
 * Executes the cells of a notebook one after the other, until one fails.
 *
 * What comes late, from timers of a cell that has ended, belongs to its cell as long as the notebook runs. Results that the
 * kernel sends without any content (what a display hook sent itself) are left out, as is the metadata of an earlier
 * execution.
 */
export async function executeNotebook(
  book: Notebook,
  kernel: RunningKernel,
  { timeout, onCell = () => {} }: NotebookRun = {},
): Promise<ExecutedNotebook> {
  const outputs: Output[][] = book.cells.map(() => []);
  const counts: (number | null)[] = book.cells.map(() => null);
  let failure: Failure | null = null;
  for (const [index, cell] of book.cells.entries()) {
    if (cell.cell_type !== "code" || cell.source.trim() === "") continue;
    onCell(index);
    const own = outputs[index] ?? [];
    const { status, error, execution_count } = await kernel.execute(cell.source, {
      ...(timeout === undefined ? {} : { timeout }),
      output: (output, place) => void (own[place] = output),
      clear: () => void (own.length = 0),
    });
    counts[index] = execution_count;
    failure = failureOf(index, status, error, own, timeout) ?? silentError(outputs);
    if (failure !== null) break;
  }
  const cells = book.cells.map((cell, index) =>
    cell.cell_type === "code" ? executed(cell, outputs[index] ?? [], counts[index] ?? null) : cell
  );
  return { notebook: { ...book, cells }, failure };
}

function executed(cell: CodeCell, outputs: readonly Output[], count: number | null): CodeCell {
  const { execution: _, ...metadata } = cell.metadata;
  return { ...cell, metadata, execution_count: count, outputs: outputs.filter((output) => !isEmpty(output)) };
}

function isEmpty(output: Output): boolean {
  return output.output_type === "execute_result" && Object.keys(output.data).length === 0;
}

type Status = Awaited<ReturnType<RunningKernel["execute"]>>;

function failureOf(
  cell: number,
  status: Status["status"],
  error: Status["error"],
  outputs: readonly Output[],
  timeout: number | undefined,
): Failure | null {
  switch (status) {
    case "ok":
      return null;
    case "error":
    case "aborted": {
      const shown = outputs.findLast((output) => output.output_type === "error");
      const name = shown?.ename ?? error?.ename ?? "Error";
      const value = shown?.evalue ?? error?.evalue ?? "";
      return {
        kind: "error",
        cell,
        message: `${name}: ${value}`,
        trace: shown?.traceback ?? error?.traceback ?? [],
      };
    }
    case "timeout":
      return { kind: "timeout", cell, seconds: timeout ?? 0 };
    case "died":
    case "restarted":
      return { kind: "died", cell };
  }
}

/** An error in the output of a cell that the kernel calls successful. */
function silentError(outputs: readonly (readonly Output[])[]): Failure | null {
  for (const [cell, own] of outputs.entries()) {
    for (const output of own) {
      const message = errorIn(output);
      if (message !== null) return { kind: "silent", cell, message };
    }
  }
  return null;
}

/** The message of an output that is an error, or shows one; `null` for any other. */
export function errorIn(output: Output): string | null {
  switch (output.output_type) {
    case "stream":
      return null;
    case "error":
      return `${output.ename}: ${output.evalue}`;
    case "display_data":
    case "execute_result":
      return ERROR_MIME in output.data ? String(output.data[ERROR_MIME]) : null;
  }
}

/** What failed, in words: which cell, what, and what the cell says. */
export function describeFailure(failure: Failure, book: Notebook): string {
  const codeCells = book.cells.map((cell, index) => ({ cell, index })).filter(({ cell }) =>
    cell.cell_type === "code"
  );
  const place = codeCells.findIndex(({ index }) => index === failure.cell) + 1;
  const source = (book.cells[failure.cell]?.source ?? "").split("\n");
  const shown = [...source.slice(0, 12), ...(source.length > 12 ? ["…"] : [])].map((line) => `  | ${line}`);
  return [`Code cell ${place} of ${codeCells.length} ${whatFailed(failure)}`, ...shown, ...traceOf(failure)]
    .join("\n");
}

function whatFailed(failure: Failure): string {
  switch (failure.kind) {
    case "error":
      return `failed: ${failure.message}`;
    case "silent":
      return `shows an error, although the kernel calls it successful: ${failure.message}`;
    case "timeout":
      return `was still running after ${failure.seconds} s.`;
    case "died":
      return "ended the kernel's process.";
  }
}

function traceOf(failure: Failure): string[] {
  if (failure.kind !== "error") return [];
  const trace = failure.trace.flatMap((entry) => entry.split("\n")).slice(0, 12);
  return trace.length === 0 ? [] : ["", ...trace];
}
