/**
 * How many results of cells get lost on the way to the reader, on this Deno: with nbclient as it is (which stops reading
 * when the kernel says that it is idle) and in the real JupyterLab, for values of cosci, for plain values, and for display
 * hooks by how long they wait.
 *
 * `deno task bench:outputs [--cells 40] [--no-lab] [--json]`
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { denoKernelspec, writeKernelspec } from "../notebook/kernelspec.ts";
import { readNotebook, writeNotebook } from "../notebook/notebook_file.ts";
import { offlineEnvironment } from "../notebook/offline_environment.ts";
import { findTestPython } from "../notebook/test_environment.ts";
import { workCopy } from "../notebook/work_copy.ts";
import { say, tell } from "../cli/streams.ts";
import { runInJupyterLab } from "./outputs/in_jupyterlab.ts";
import { benchNotebook, type Losses, lossesOf, OURS, PLAIN, type Shape, waiting } from "./outputs/shapes.ts";

const WAITS = [0, 5, 10, 25, 50];

interface Row extends Losses {
  readonly client: "nbclient" | "JupyterLab";
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    cells: { type: "string", default: "40" },
    lab: { type: "boolean", default: true },
    json: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const each = Number(values.cells);
if (!Number.isInteger(each) || each < 1) {
  throw new CosciError("input", `--cells: "${values.cells}" can't be used. Give a whole number above 0.`);
}

const found = await findTestPython();
if ("missing" in found) throw new CosciError("input", found.missing);
await using work = await workCopy(await Deno.makeTempDir({ prefix: "cosci-bench-" }));

const groups = { cosci: OURS, "the kernel's own": PLAIN, waiting: WAITS.map(waiting) };
const rows: Row[] = [];
for (const [name, shapes] of Object.entries(groups)) {
  tell(`nbclient, ${name}: ${each} cells of each of ${shapes.length} shapes`);
  rows.push(...(await withNbclient(shapes)).map((row): Row => ({ client: "nbclient", ...row })));
}
if (values.lab) {
  for (const [name, shapes] of [["cosci", OURS], ["the kernel's own", PLAIN]] as const) {
    tell(`JupyterLab, ${name}: ${each} cells of each of ${shapes.length} shapes`);
    rows.push(...(await inLab(shapes)).map((row): Row => ({ client: "JupyterLab", ...row })));
  }
}

const report = { deno: Deno.version.deno, cellsEach: each, rows };
if (values.json) say(JSON.stringify(report));
else {
  say(`Deno ${report.deno}: cells whose result, or part of whose log, did not arrive`);
  const line = (...cells: string[]) =>
    say(
      `${cells[0]?.padEnd(11)} ${cells[1]?.padEnd(42)} ${cells[2]?.padStart(10)} ${cells[3]?.padStart(10)}`,
    );
  line("client", "cell", "no result", "log cut");
  for (const row of rows) {
    const of = (lost: number) => `${lost} of ${row.cells}`;
    line(row.client, row.shape, of(row.results), row.logs === null ? "" : of(row.logs));
  }
}

async function withNbclient(shapes: readonly Shape[]): Promise<Losses[]> {
  const path = join(work.path, "bench.ipynb");
  await writeNotebook(path, benchNotebook(shapes, each));
  const data = join(work.path, "jupyter");
  await writeKernelspec(data, "deno", denoKernelspec(Deno.execPath()));
  const script = new URL("outputs/plain_nbclient.py", import.meta.url).pathname;
  const { success, stderr } = await new Deno.Command("python" in found ? found.python : "", {
    args: [script, path, work.path],
    clearEnv: true,
    env: { ...offlineEnvironment(), JUPYTER_PATH: data, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new CosciError("internal", `nbclient failed.\n${new TextDecoder().decode(stderr)}`);
  return lossesOf(await readNotebook(path), shapes);
}

/** What the page shows must be what was saved: otherwise the page is what counts. */
async function inLab(shapes: readonly Shape[]): Promise<Losses[]> {
  const python = "python" in found ? found.python : "";
  const { saved, shown } = await runInJupyterLab(python, work.path, benchNotebook(shapes, each));
  const losses = lossesOf(saved, shapes);
  return losses.map((loss, s) => {
    const empty = shown.slice(1).filter((count, index) => index % shapes.length === s && count === 0).length;
    return { ...loss, results: Math.max(loss.results, empty) };
  });
}
