/**
 * Executes the tutorials and stores their outputs in them: `deno task notebook:store [notebook.ipynb …]`.
 *
 * Each runs in a folder of its own, without keys. What a cell shows is stored only where it differs from what is stored by
 * more than durations and moments, so that a second run changes no byte. A notebook that fails, or whose outputs are not as
 * they should be, is left as it is.
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CosciError } from "../../lib/domain/errors.ts";
import { fromCaller } from "../cli/paths.ts";
import { say, tell } from "../cli/streams.ts";
import { describeFailure } from "./execute_notebook.ts";
import { type KernelDriver, startDriver } from "./kernel_driver.ts";
import { type Notebook, notebookText, readNotebook, writeNotebook } from "./notebook_file.ts";
import { notebookFaults } from "./notebook_faults.ts";
import { sameOutputs } from "./normalise.ts";
import { offlineEnvironment } from "./offline_environment.ts";
import { runOffline } from "./run_offline.ts";
import { findTestPython } from "./test_environment.ts";

/** Where the tutorials are. */
export const TUTORIALS = fileURLToPath(new URL("../../notebooks/", import.meta.url));

const CELL_TIMEOUT = 60;

/** The tutorials' files, in order. */
export async function tutorials(): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(TUTORIALS), (entry) => entry.name);
  return names.filter((name) => name.endsWith(".ipynb")).sort().map((name) => join(TUTORIALS, name));
}

/** What storing a notebook came to. */
export type Stored = { readonly kind: "stored" | "unchanged" } | {
  readonly kind: "refused";
  readonly why: string;
};

/** Executes a notebook and stores its outputs in it. */
export async function storeOutputs(driver: KernelDriver, path: string): Promise<Stored> {
  const before = await Deno.readTextFile(path).catch(() => "");
  const book = await readNotebook(path);
  const { notebook, failure, folder } = await runOffline(driver, path, book, CELL_TIMEOUT);
  if (failure !== null) return { kind: "refused", why: describeFailure(failure, book) };
  const faults = notebookFaults(notebook);
  if (faults.length > 0) return { kind: "refused", why: faults.join("\n") };
  const kept = keepSame(book, notebook, folder);
  if (notebookText(kept) === before) return { kind: "unchanged" };
  await writeNotebook(path, kept);
  return { kind: "stored" };
}

/** The executed notebook with the stored outputs of those cells that show the same, and what all tutorials say of their kernel. */
function keepSame(stored: Notebook, executed: Notebook, folder: string): Notebook {
  const cells = executed.cells.map((cell, index) => {
    const old = stored.cells[index];
    if (cell.cell_type !== "code" || old?.cell_type !== "code") return cell;
    return sameOutputs(old.outputs, cell.outputs, folder) ? { ...cell, outputs: old.outputs } : cell;
  });
  const metadata = {
    ...executed.metadata,
    kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
    language_info: { file_extension: ".ts", mimetype: "text/x.typescript", name: "typescript" },
  };
  return { ...executed, cells, metadata };
}

async function main(args: readonly string[]): Promise<number> {
  const found = await findTestPython();
  if ("missing" in found) throw new CosciError("input", found.missing);
  const paths = args.length > 0 ? args.map(fromCaller) : await tutorials();
  await using driver = await startDriver({ python: found.python, env: offlineEnvironment() });
  let refused = 0;
  for (const path of paths) {
    const result = await storeOutputs(driver, path);
    say(`${basename(path)}: ${result.kind}`);
    if (result.kind !== "refused") continue;
    refused++;
    tell(result.why);
  }
  return refused === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    if (!(error instanceof CosciError)) throw error;
    tell(`Error: ${error.message}`);
    Deno.exit(2);
  }
}
