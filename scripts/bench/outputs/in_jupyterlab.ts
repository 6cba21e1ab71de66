import { join } from "node:path";
import { CosciError } from "../../../lib/domain/errors.ts";
import { CHROMIUM_FLAGS, findChromium } from "../../notebook/chromium.ts";
import { startLab } from "../../notebook/lab_server.ts";
import { type Notebook, readNotebook, writeNotebook } from "../../notebook/notebook_file.ts";

const NAME = "bench.ipynb";
const PATIENCE_MS = 600_000;

/** Waits in the page until the notebook's kernel has answered. */
const KERNEL_READY = `(async () => {
  const { sessionContext } = jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  await sessionContext.session.kernel.info;
})()`;

/** What people see, and what is saved. */
export interface LabRun {
  /** The notebook as JupyterLab saved it. */
  readonly saved: Notebook;
  /** Outputs on the page, by cell of code. */
  readonly shown: readonly number[];
}

/**
 * Runs all cells of a notebook in the real JupyterLab, in a headless Chromium.
 *
 * @param folder where it is put: a folder that knows `cosci`
 * @throws CosciError `input` where there is no Chromium
 */
export async function runInJupyterLab(python: string, folder: string, book: Notebook): Promise<LabRun> {
  const path = join(folder, NAME);
  await writeNotebook(path, book);
  const { chromium } = await import("playwright-core");
  const found = await findChromium();
  if ("missing" in found) throw new CosciError("input", `${found.missing}; or say --no-lab.`);
  await using lab = await startLab({ python, root: folder });
  const browser = await chromium.launch({
    executablePath: found.path,
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(lab.urlOf(NAME));
    await page.waitForSelector(".jp-Notebook .jp-CodeCell");
    // The page says "Idle" before it has a kernel, and asks for one when cells are run that early.
    await page.evaluate(KERNEL_READY);
    await page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')");
    await page.waitForFunction(
      "![...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].some((p) => /\\[[*\\s]\\]/.test(p.textContent))",
    );
    // What comes late has this long to arrive.
    await page.waitForTimeout(2000);
    const shown: unknown = await page.evaluate(
      "[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')].map((cell) => cell.querySelectorAll('.jp-OutputArea-output').length)",
    );
    await page.evaluate("jupyterapp.commands.execute('docmanager:save')");
    return { saved: await readNotebook(path), shown: Array.isArray(shown) ? shown.map(Number) : [] };
  } finally {
    await browser.close();
  }
}
