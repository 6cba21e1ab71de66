/** `deno task notebook:store`: outputs get into a notebook only where they are as they should be, and only once. */
import assert from "node:assert/strict";
import { startDriver } from "../../scripts/notebook/kernel_driver.ts";
import { readNotebook, writeNotebook } from "../../scripts/notebook/notebook_file.ts";
import { offlineEnvironment } from "../../scripts/notebook/offline_environment.ts";
import { storeOutputs } from "../../scripts/notebook/store.ts";
import { kernelTest, testPython, textOf } from "../kernel/support/kernel_tests.ts";
import { workFolder } from "../scripts/command_line.ts";
import { bookOf, cell } from "../scripts/notebook/cells.ts";

kernelTest(
  "outputs are stored once, with what lies beside the notebook; another time no byte changes",
  async () => {
    await using folder = await workFolder();
    await using driver = await startDriver({ python: testPython(), env: offlineEnvironment() });
    const path = folder.file("a.ipynb");
    await Deno.writeTextFile(folder.file("data.txt"), "beside it");
    await writeNotebook(
      path,
      bookOf(
        cell('import { Supervisor } from "cosci";'),
        cell(
          'console.log(await Deno.readTextFile("data.txt"), `${Date.now() % 1000} ms`, new Date().toISOString())',
        ),
        cell('await Deno.writeTextFile("left.db", "");', [], ["quiet"]),
      ),
    );
    assert.deepEqual(await storeOutputs(driver, path), { kind: "stored" });
    const stored = await Deno.readTextFile(path);
    const book = await readNotebook(path);
    const [, second] = book.cells;
    assert.ok(second?.cell_type === "code");
    assert.match(textOf(second.outputs), /^beside it \d+ ms \d{4}-/);
    assert.equal(second.execution_count, 2);
    assert.match(stored, /"name": "deno"/);
    assert.deepEqual(await storeOutputs(driver, path), { kind: "unchanged" });
    assert.equal(await Deno.readTextFile(path), stored);
    assert.deepEqual(await folder.list(), ["a.ipynb", "data.txt"], "it ran in a folder of its own");
  },
);

kernelTest(
  "a notebook with an error, also a silent one, or with a cell that shows nothing is left as it was",
  async () => {
    await using folder = await workFolder();
    await using driver = await startDriver({ python: testPython(), env: offlineEnvironment() });
    const path = folder.file("a.ipynb");
    for (
      const [source, why] of [
        ['throw new Error("no ships")', /Code cell 1 of 1 failed: Error: no ships/],
        ['({ [Symbol.for("Jupyter.display")]: () => { throw new Error("no card"); } })', /no card/],
        ["undefined", /shows nothing although it ends on an expression/],
      ] as const
    ) {
      await writeNotebook(path, bookOf(cell(source)));
      const before = await Deno.readTextFile(path);
      const result = await storeOutputs(driver, path);
      assert.ok(result.kind === "refused", source);
      assert.match(result.why, why);
      assert.equal(await Deno.readTextFile(path), before);
    }
  },
);
