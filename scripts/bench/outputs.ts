/**
 * How many results of cells get lost on the way to the reader, on this Deno, by client and by what the cell ends on: values
 * of cosci, plain values, and display hooks by how long they wait.
 *
 * Clients: cosci's own driver, which reads on after the kernel has said that it is idle (what it misses was never sent);
 * jupyter_client's `execute_interactive` and nbclient, which stop there; and the real JupyterLab in a headless Chromium.
 *
 * `deno task bench:outputs [--cells 40] [--no-lab] [--json]`. Exit codes: 0; 1 a client failed; 2 something that was given
 * is wrong, or there is no Python or no Chromium.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CosciError, messageOf } from "../../lib/domain/errors.ts";
import { executeNotebook } from "../notebook/execute_notebook.ts";
import { startDriver } from "../notebook/kernel_driver.ts";
import { denoKernelspec, writeKernelspec } from "../notebook/kernelspec.ts";
import { type Notebook, readNotebook, writeNotebook } from "../notebook/notebook_file.ts";
import { offlineEnvironment } from "../notebook/offline_environment.ts";
import { findTestPython } from "../notebook/test_environment.ts";
import { workCopy } from "../notebook/work_copy.ts";
import { say, tell } from "../cli/streams.ts";
import { runInJupyterLab } from "./outputs/in_jupyterlab.ts";
import { benchNotebook, type Losses, lossesOf, OURS, PLAIN, type Shape, waiting } from "./outputs/shapes.ts";

/** Milliseconds that the display hooks of comparison wait; cosci's own waits 25. */
const WAITS = [0, 5, 10, 25, 50];
const PLAIN_CLIENTS = fileURLToPath(new URL("outputs/plain_clients.py", import.meta.url));

type Client = "reads on" | "jupyter_client" | "nbclient" | "JupyterLab";

interface Row extends Losses {
  readonly client: Client;
}

interface Bench {
  readonly python: string;
  /** A folder that knows `cosci`. */
  readonly folder: string;
}

async function main(args: readonly string[]): Promise<void> {
  const { each, lab, json } = options(args);
  const found = await findTestPython();
  if ("missing" in found) throw new CosciError("input", found.missing);
  await using work = await workCopy(null);
  const bench = { python: found.python, folder: work.path };
  const clients: Client[] = [
    "reads on",
    "jupyter_client",
    "nbclient",
    ...(lab ? ["JupyterLab" as const] : []),
  ];
  const groups = { cosci: OURS, "the kernel's own": PLAIN, "hooks that wait": WAITS.map(waiting) };
  const rows: Row[] = [];
  for (const client of clients) {
    for (const [name, shapes] of Object.entries(groups)) {
      tell(`${client}, ${name}: ${each} cells of each of ${shapes.length} shapes`);
      const losses = await lost(client, bench, shapes, each);
      rows.push(...losses.map((row): Row => ({ client, ...row })));
    }
  }
  if (json) say(JSON.stringify({ deno: Deno.version.deno, cellsEach: each, rows }));
  else print(rows);
}

function options(args: readonly string[]): { each: number; lab: boolean; json: boolean } {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        cells: { type: "string", default: "40" },
        lab: { type: "boolean", default: true },
        json: { type: "boolean", default: false },
      },
      allowNegative: true,
    }));
  } catch (error) {
    throw new CosciError("input", messageOf(error));
  }
  const each = Number(values.cells);
  if (!Number.isInteger(each) || each < 1) {
    throw new CosciError("input", `--cells: "${values.cells}" can't be used. Give a whole number above 0.`);
  }
  return { each, lab: values.lab, json: values.json };
}

async function lost(
  client: Client,
  bench: Bench,
  shapes: readonly Shape[],
  each: number,
): Promise<Losses[]> {
  const book = benchNotebook(shapes, each);
  switch (client) {
    case "reads on":
      return lossesOf(await readingOn(bench, book), shapes);
    case "jupyter_client":
    case "nbclient":
      return lossesOf(await withPlainClient(client, bench, book), shapes);
    case "JupyterLab": {
      const { saved, shown } = await runInJupyterLab(bench.python, bench.folder, book);
      // What the page shows must be what was saved: otherwise the page is what counts.
      return lossesOf(saved, shapes).map((loss, s) => {
        const empty = shown.slice(1).filter((count, i) => i % shapes.length === s && count === 0).length;
        return { ...loss, lostResults: Math.max(loss.lostResults, empty) };
      });
    }
  }
}

async function readingOn({ python, folder }: Bench, book: Notebook): Promise<Notebook> {
  await using driver = await startDriver({ python, env: offlineEnvironment() });
  await using kernel = await driver.startKernel({ cwd: folder });
  const { notebook, failure } = await executeNotebook(book, kernel);
  if (failure !== null) {
    throw new CosciError("internal", `A cell of the measurement failed: ${JSON.stringify(failure)}`);
  }
  return notebook;
}

async function withPlainClient(
  client: "jupyter_client" | "nbclient",
  { python, folder }: Bench,
  book: Notebook,
): Promise<Notebook> {
  const path = join(folder, "bench.ipynb"), data = join(folder, "jupyter");
  await writeNotebook(path, book);
  await writeKernelspec(data, "deno", denoKernelspec(Deno.execPath()));
  const { success, stderr } = await new Deno.Command(python, {
    args: [PLAIN_CLIENTS, client, path, folder],
    clearEnv: true,
    env: { ...offlineEnvironment(), JUPYTER_PATH: data, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new CosciError("internal", `${client} failed.\n${new TextDecoder().decode(stderr)}`);
  return await readNotebook(path);
}

function print(rows: readonly Row[]): void {
  say(`Deno ${Deno.version.deno}: cells whose result, or part of whose log, did not arrive`);
  const line = (client: string, cell: string, result: string, log: string) =>
    say(`${client.padEnd(15)} ${cell.padEnd(38)} ${result.padStart(11)} ${log.padStart(11)}`.trimEnd());
  line("client", "cell", "no result", "log cut");
  for (const { client, shape, cells, lostResults, cutLogs } of rows) {
    line(client, shape, `${lostResults} of ${cells}`, cutLogs === null ? "" : `${cutLogs} of ${cells}`);
  }
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    if (!(error instanceof CosciError)) throw error;
    tell(`Error: ${error.message}`);
    Deno.exit(error.code === "input" ? 2 : 1);
  }
}
