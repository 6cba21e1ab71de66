/** The notebook that `deno task new` writes, as somebody runs it for the first time: in its folder, which knows `cosci`. */
import assert from "node:assert/strict";
import { describeFailure, executeNotebook } from "../../scripts/notebook/execute_notebook.ts";
import { readNotebook } from "../../scripts/notebook/notebook_file.ts";
import { notebookFaults } from "../../scripts/notebook/notebook_faults.ts";
import { kernelTest, startKernel } from "../kernel/support/kernel_tests.ts";
import { cosci, workFolder } from "../scripts/command_line.ts";

kernelTest(
  "the first notebook of a folder of one's own runs there, and again, and makes its store beside itself",
  async () => {
    await using folder = await workFolder();
    const made = await cosci(folder.path, "new", "mine");
    assert.equal(made.code, 0, made.stderr);
    const book = await readNotebook(folder.file("mine/first.ipynb"));
    const calls: string[] = [];
    // The second time is the same notebook after a restart: the session is opened, and nothing is done twice.
    for (let time = 0; time < 2; time++) {
      await using kernel = await startKernel({ cwd: folder.file("mine") });
      const { notebook, failure } = await executeNotebook(book, kernel, { timeout: 60 });
      assert.equal(failure, null, failure === null ? "" : describeFailure(failure, book));
      assert.deepEqual(notebookFaults(notebook), []);
      const last = await executeNotebook(
        {
          ...book,
          cells: [{
            cell_type: "code",
            metadata: {},
            source: "lab.inspect().counts.matches",
            outputs: [],
            execution_count: null,
          }],
        },
        kernel,
      );
      calls.push(JSON.stringify(last.notebook.cells[0]));
    }
    assert.ok((await folder.list("mine")).includes("first.db"));
    assert.match(calls[0] ?? "", /\b20\b|\b21\b/);
  },
);
