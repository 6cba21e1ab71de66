/**
 * The tutorials, each executed in the real kernel as somebody runs it for the first time: no errors, nothing missing, and
 * what is stored in them is what they show.
 */
import assert from "node:assert/strict";
import { basename } from "node:path";
import {
  type CodeCell,
  type Notebook,
  notebookText,
  readNotebook,
} from "../../scripts/notebook/notebook_file.ts";
import { describeFailure } from "../../scripts/notebook/execute_notebook.ts";
import { startDriver } from "../../scripts/notebook/kernel_driver.ts";
import { firstDifference, sameOutputs } from "../../scripts/notebook/normalise.ts";
import { notebookFaults } from "../../scripts/notebook/notebook_faults.ts";
import { offlineEnvironment } from "../../scripts/notebook/offline_environment.ts";
import { runOffline } from "../../scripts/notebook/run_offline.ts";
import { tutorials } from "../../scripts/notebook/store.ts";
import { kernelTest, testPython } from "../kernel/support/kernel_tests.ts";

/** Seconds that a tutorial may take from top to bottom. It is a limit of use, far above what one takes. */
const LIMIT = 60;

const paths = await tutorials();

Deno.test("there are six tutorials, named in their order", () => {
  assert.deepEqual(paths.map((path) => basename(path)), [
    "01_first_session.ipynb",
    "02_step_and_look.ipynb",
    "03_steer.ipynb",
    "04_tune_ranking.ipynb",
    "05_prompts.ipynb",
    "06_real_models.ipynb",
  ]);
});

for (const path of paths) {
  Deno.test(`${basename(path)} is stored as Jupyter stores it, run from top to bottom, and shows what it should`, async () => {
    const book = await readNotebook(path);
    assert.equal(await Deno.readTextFile(path), notebookText(book));
    assert.deepEqual(notebookFaults(book), []);
    const counts = codeCells(book).map(({ execution_count }) => execution_count);
    assert.deepEqual(counts, counts.map((_, index) => index + 1));
  });

  Deno.test(`${basename(path)} imports cosci by name`, async () => {
    const book = await readNotebook(path);
    const code = codeCells(book).map(({ source }) => source).join("\n");
    assert.match(code, /from "cosci"/);
    assert.doesNotMatch(code, /from "(?:\.|\/|file:|https?:)/);
  });

  kernelTest(`${basename(path)} runs offline within a minute and shows what is stored in it`, async () => {
    const book = await readNotebook(path);
    await using driver = await startDriver({ python: testPython(), env: offlineEnvironment() });
    const { notebook, failure, folder, seconds } = await runOffline(driver, path, book, LIMIT);
    assert.equal(failure, null, failure === null ? "" : describeFailure(failure, book));
    assert.deepEqual(notebookFaults(notebook), []);
    assert.ok(seconds < LIMIT, `${seconds} s`);
    const now = codeCells(notebook);
    for (const [index, { source, outputs }] of codeCells(book).entries()) {
      const shown = now[index]?.outputs ?? [];
      assert.ok(
        sameOutputs(outputs, shown, folder),
        `Code cell ${
          index + 1
        } shows something else than what is stored. Where that is meant: deno task notebook:store\n` +
          `${source}\n${firstDifference(outputs, shown, folder)}`,
      );
    }
  });
}

function codeCells(book: Notebook): CodeCell[] {
  return book.cells.flatMap((cell) => cell.cell_type === "code" ? [cell] : []);
}
