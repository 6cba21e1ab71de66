/** The notebook that `deno task new` writes, as somebody runs it for the first time: in its folder, which knows `cosci`. */
import assert from "node:assert/strict";
import { z } from "zod";
import { describeFailure, executeNotebook } from "../../scripts/notebook/execute_notebook.ts";
import { readNotebook } from "../../scripts/notebook/notebook_file.ts";
import { notebookFaults } from "../../scripts/notebook/notebook_faults.ts";
import { kernelTest, startKernel, textOf } from "../kernel/support/kernel_tests.ts";
import { cosci, workFolder } from "../scripts/command_line.ts";

const seen = z.tuple([z.number(), z.number()]);

kernelTest(
  "the first notebook of a folder of one's own runs there, and again, and makes its store beside itself",
  async () => {
    await using folder = await workFolder();
    const made = await cosci(folder.path, "new", "mine");
    assert.equal(made.code, 0, made.stderr);
    const book = await readNotebook(folder.file("mine/first.ipynb"));
    const session: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      await using kernel = await startKernel({ cwd: folder.file("mine") });
      const { notebook, failure } = await executeNotebook(book, kernel, { timeout: 60 });
      assert.equal(failure, null, failure === null ? "" : describeFailure(failure, book));
      assert.deepEqual(notebookFaults(notebook), []);
      const { outputs } = await kernel.execute(
        "const { seq, counts } = lab.inspect(); console.log(JSON.stringify([seq, counts.matches]))",
      );
      session.push(JSON.parse(textOf(outputs)));
    }
    // The second time is the same notebook after a restart: it opens the session, and adds what one tick does.
    const [[seq, matches], [laterSeq, then]] = z.tuple([seen, seen]).parse(session);
    assert.equal(matches, 20);
    assert.ok(laterSeq > seq, `commit ${laterSeq} after ${seq}`);
    assert.ok(then === 20 || then === 21, `${then} matches`);
    assert.ok((await folder.list("mine")).includes("first.db"));
  },
);
