import assert from "node:assert/strict";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { writeFolderConfig } from "../../scripts/cli/folder_config.ts";
import { exportFolder, steered } from "../supervisor/export/sessions.ts";
import { readNotebook } from "../supervisor/export/read_notebook.ts";
import { kernelTest, startKernel, testPython } from "./support/kernel_tests.ts";

const joined = (content: unknown) => Array.isArray(content) ? content.join("") : String(content);

kernelTest(
  "an exported notebook runs in a folder of one's own, and shows what it is stored with",
  async () => {
    await using folder = await exportFolder();
    // As `deno task new` makes it; the notebook lies below, and the store beside.
    await writeFolderConfig(folder.path("."));
    await Deno.mkdir(folder.path("reports"));
    const lab = await folder.session('"ships" & \u202Ebarnacles');
    await steered(lab);
    await lab.export(folder.path("reports/session.ipynb"));
    const before = canonicalExport(lab.store, lab.view().session.id), calls = lab.cost().total.calls;
    await using kernel = await startKernel({ cwd: folder.path("reports") });
    for (const { type, source, outputs } of readNotebook(await folder.read("reports/session.ipynb"))) {
      if (type !== "code") continue;
      const ran = await kernel.execute(source);
      assert.equal(ran.status, "ok", source);
      const shown = ran.outputs.filter((output) =>
        output.output_type !== "execute_result" || Object.keys(output.data).length > 0
      );
      assert.deepEqual(
        shown.map((output) =>
          output.output_type === "display_data" && Object.fromEntries(
            Object.entries(output.data).map(([type, content]) => [type, joined(content)]),
          )
        ),
        outputs.map((data) =>
          Object.fromEntries(Object.entries(data).map(([type, content]) => [type, joined(content)]))
        ),
        source,
      );
    }
    assert.equal(canonicalExport(lab.store, lab.view().session.id), before, "looking moves nothing");
    assert.equal(lab.cost().total.calls, calls, "and spends nothing");
  },
);

kernelTest(
  "exported notebooks are valid for Jupyter, and the same bytes after it has saved them",
  async () => {
    await using folder = await exportFolder();
    const lab = await folder.session("ships");
    await lab.export(folder.path("begun.ipynb"));
    await steered(lab);
    await lab.export(folder.path("steered.ipynb"));
    const memory = await folder.session("ships", { inMemory: true });
    await memory.export(folder.path("memory.ipynb"));
    const names = ["begun.ipynb", "steered.ipynb", "memory.ipynb"];
    const { success, stderr } = await new Deno.Command(testPython(), {
      args: [
        "-c",
        "import sys, nbformat\nfor path in sys.argv[1:]:\n" +
        "    nbformat.validate(nbformat.read(path, nbformat.NO_CONVERT))\n" +
        "    before = open(path, encoding='utf-8').read()\n" +
        "    nbformat.write(nbformat.read(path, nbformat.NO_CONVERT), path)\n" +
        "    assert open(path, encoding='utf-8').read() == before, path + ' changes when Jupyter saves it'\n",
        ...names.map((name) => folder.path(name)),
      ],
      stderr: "piped",
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  },
);
