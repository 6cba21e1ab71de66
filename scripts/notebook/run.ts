/**
 * Executes a notebook in the real kernel, with parameters: `deno task notebook:run nb.ipynb -p goal="…" -p n=3`.
 *
 * Exit codes: 0 all cells ran; 1 a cell failed, showed an error, took too long or ended the kernel; 2 something that was
 * given is wrong; 130 Ctrl+C.
 */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { dirname } from "node:path";
import { CosciError, inputError, messageOf } from "../../lib/domain/errors.ts";
import { PARAMS_VARIABLE } from "../../lib/supervisor/params.ts";
import { fromCaller } from "../cli/paths.ts";
import { say, tell } from "../cli/streams.ts";
import { describeFailure, executeNotebook } from "./execute_notebook.ts";
import { ensureJupyter } from "./jupyter_python.ts";
import { startDriver } from "./kernel_driver.ts";
import { type Notebook, readNotebook, writeNotebook } from "./notebook_file.ts";

const EXIT = { done: 0, failed: 1, input: 2, interrupted: 130 } as const;

interface RunOptions {
  readonly param: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly timeout?: number;
  readonly python?: string;
}

async function runNotebook(given: string, options: RunOptions): Promise<number> {
  const path = fromCaller(given);
  const out = options.out === undefined ? path : fromCaller(options.out);
  const book = await readNotebook(path);
  requireParamsCell(book, options.param, given);
  const python = options.python ?? (await ensureJupyter("jupyter_client", tell)).path;
  await using driver = await startDriver({ python });
  await using kernel = await driver.startKernel({
    cwd: dirname(path),
    env: { [PARAMS_VARIABLE]: JSON.stringify(options.param) },
  });

  let stops = 0;
  const stop = () => {
    stops++;
    tell(stops === 1 ? "Interrupts the cell; again: ends the kernel." : "Ends the kernel.");
    (stops === 1 ? kernel.interrupt() : kernel.shutdown()).catch(() => {});
  };
  Deno.addSignalListener("SIGINT", stop);
  try {
    const code = book.cells.flatMap((cell, index) => cell.cell_type === "code" ? [index] : []);
    const { notebook, failure } = await executeNotebook(book, kernel, {
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      onCell: (index) => tell(`cell ${code.indexOf(index) + 1} of ${code.length}`),
    });
    await writeNotebook(out, notebook);
    if (failure !== null) tell(describeFailure(failure, book));
    say(out);
    if (stops > 0) return EXIT.interrupted;
    return failure === null ? EXIT.done : EXIT.failed;
  } finally {
    Deno.removeSignalListener("SIGINT", stop);
  }
}

/** Parameters that no cell reads would be lost without a word. */
function requireParamsCell(book: Notebook, given: Readonly<Record<string, string>>, name: string): void {
  const names = Object.keys(given);
  const reads = book.cells.some((cell) => cell.cell_type === "code" && /\bparams\s*\(/.test(cell.source));
  if (names.length === 0 || reads) return;
  throw inputError(
    "parameter",
    names[0],
    `${name} reads none. Let its first cell say: const { ${names.join(", ")} } = params({ ${
      names.map((n) => `${n}: …`).join(", ")
    } }), with defaults.`,
  );
}

function parameter(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const cut = text.indexOf("=");
  if (cut < 1) throw new InvalidArgumentError("Give it as name=value.");
  const name = text.slice(0, cut).trim();
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: text.slice(cut + 1) };
}

function seconds(text: string): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError("Give a number of seconds above 0.");
  }
  return value;
}

async function main(args: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = new Command("notebook:run")
    .description(
      "Executes a notebook in the Deno kernel. Its params() read what -p says; its outputs are written.",
    )
    .argument("<notebook>", "the .ipynb file")
    .option("-p, --param <name=value>", "a parameter; may be given several times", parameter, {})
    .option("--out <file>", "where the notebook with its outputs goes; without it into the notebook itself")
    .option("--timeout <seconds>", "how long a cell may take; without it as long as it takes", seconds)
    .option(
      "--python <path>",
      "a Python that has jupyter_client; without it one is looked for, or made in .venv",
    )
    .exitOverride()
    .configureOutput({ writeOut: (text) => say(text.trimEnd()), writeErr: (text) => tell(text.trimEnd()) })
    .action(async (notebook: string, options: RunOptions) => {
      code = await runNotebook(notebook, options);
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what was wrong, or shown its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.input;
    if (!(error instanceof CosciError)) throw error;
    tell(`Error: ${messageOf(error)}`);
    return error.code === "input" ? EXIT.input : EXIT.failed;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
