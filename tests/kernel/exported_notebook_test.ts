import assert from "node:assert/strict";
import { exportFolder, steered } from "../supervisor/export/sessions.ts";
import { readNotebook } from "../supervisor/export/read_notebook.ts";
import { kernelTest, ROOT, startKernel, testPython } from "./support/kernel_tests.ts";

const joined = (content: unknown) => Array.isArray(content) ? content.join("") : String(content);

kernelTest("an exported notebook runs in the real kernel, and shows what it is stored with", async () => {
  // Beneath the project, where the notebook finds `cosci`.
  await using folder = await exportFolder(`${ROOT}notebooks`);
  const lab = await folder.session('"ships" & \u202Ebarnacles');
  await steered(lab);
  await lab.export(folder.path("session.ipynb"));
  await using kernel = await startKernel({ cwd: folder.path(".") });
  for (const { type, source, outputs } of readNotebook(await folder.read("session.ipynb"))) {
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
});

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
