import { dirname } from "node:path";
import { type ExecutedNotebook, executeNotebook } from "./execute_notebook.ts";
import type { KernelDriver } from "./kernel_driver.ts";
import type { Notebook } from "./notebook_file.ts";
import { workCopy } from "./work_copy.ts";

/** A notebook that ran in a folder of its own. */
export interface OfflineRun extends ExecutedNotebook {
  /** The folder; it is gone by now. */
  readonly folder: string;
  /** How long it took, in seconds. */
  readonly seconds: number;
}

/** Executes a tutorial as if it had never run: in a folder of its own, with the files that lie beside it. */
export async function runOffline(
  driver: KernelDriver,
  path: string,
  book: Notebook,
  timeout: number,
): Promise<OfflineRun> {
  await using work = await workCopy(dirname(path));
  await using kernel = await driver.startKernel({ cwd: work.path });
  const start = performance.now();
  const executed = await executeNotebook(book, kernel, { timeout });
  return { ...executed, folder: work.path, seconds: (performance.now() - start) / 1000 };
}
