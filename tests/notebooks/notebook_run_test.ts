/** `deno task notebook:run`: a notebook with parameters, from the command line. */
import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { type Notebook, notebookText, readNotebook } from "../../scripts/notebook/notebook_file.ts";
import { writeFolderConfig } from "../../scripts/cli/folder_config.ts";
import { HAS_PYTHON, kernelTest, ROOT, testPython, textOf } from "../kernel/support/kernel_tests.ts";
import { type Answer, runDeno, type WorkFolder, workFolder } from "../scripts/command_line.ts";

const READS = `import { params } from "cosci";
const { goal, n } = params({ goal: "none", n: 1 });
\`\${goal}: \${n + 1}\``;

kernelTest(
  "what -p says reaches params(), typed by the defaults; the outputs go where --out says",
  async () => {
    await using folder = await folderWith("nb.ipynb", READS, "goal.length");
    const run = await notebookRun(
      folder,
      "nb.ipynb",
      "-p",
      "goal=keep = ships free",
      "-p",
      "n=3",
      "--out",
      "out.ipynb",
    );
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /out\.ipynb\n$/);
    assert.match(run.stderr, /cell 2 of 2/);
    const shown = await outputsOf(folder, "out.ipynb");
    assert.deepEqual(shown.map(stripVTControlCharacters), [
      '"keep = ships free: 4"',
      "17",
    ]);
    assert.deepEqual(await outputsOf(folder, "nb.ipynb"), ["", ""], "the notebook itself is left as it was");
  },
);

kernelTest("without -p the defaults hold, and the outputs go into the notebook itself", async () => {
  await using folder = await folderWith("nb.ipynb", READS);
  const run = await notebookRun(folder, "nb.ipynb");
  assert.equal(run.code, 0, run.stderr);
  assert.match((await outputsOf(folder, "nb.ipynb")).join(), /none: 2/);
});

kernelTest(
  "a parameter that doesn't fit or that nobody knows fails in the cell that reads it, by name",
  async () => {
    await using folder = await folderWith("nb.ipynb", READS);
    const text = await notebookRun(folder, "nb.ipynb", "-p", "n=three");
    assert.equal(text.code, 1);
    assert.match(text.stderr, /Code cell 1 of 1 failed[^]*n[^]*three/);
    const unknown = await notebookRun(folder, "nb.ipynb", "-p", "gaol=x");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /gaol[^]*goal/);
  },
);

kernelTest(
  "a cell that fails, also without a word of the kernel, is named with its code; what ran is kept",
  async () => {
    await using folder = await folderWith("nb.ipynb", "1 + 1", 'throw new Error("no ships")', '"never"');
    const run = await notebookRun(folder, "nb.ipynb");
    assert.equal(run.code, 1);
    assert.match(run.stderr, /Code cell 2 of 3 failed: Error: no ships\n +\| throw new Error\("no ships"\)/);
    const [first = "", second = "", third = "?"] = await outputsOf(folder, "nb.ipynb");
    assert.match(first, /2/);
    assert.match(second, /no ships/);
    assert.equal(third, "");

    await using silent = await folderWith(
      "nb.ipynb",
      'import { Supervisor } from "cosci";\nconst lab = await Supervisor.create({ goal: "Why do ships foul?", store: ":memory:" });',
      'lab.reflect("H9")',
      "1",
    );
    const lost = await notebookRun(silent, "nb.ipynb");
    assert.equal(lost.code, 1);
    assert.match(lost.stderr, /Code cell 2 of 3 shows an error[^]*H9/);
  },
);

kernelTest("a cell that takes too long is interrupted and named", async () => {
  await using folder = await folderWith("nb.ipynb", "await new Promise((done) => setTimeout(done, 60_000));");
  const run = await notebookRun(folder, "nb.ipynb", "--timeout", "1");
  assert.equal(run.code, 1);
  assert.match(run.stderr, /Code cell 1 of 1 was still running after 1 s/);
});

Deno.test("what is given wrong answers 2 and says the remedy, before a kernel is started", async () => {
  await using folder = await folderWith("nb.ipynb", "1 + 1");
  await Deno.writeTextFile(folder.file("no.ipynb"), "# prose");
  for (
    const [args, told] of [
      [["there.ipynb"], /There is no such file/],
      [["no.ipynb"], /It is no notebook/],
      [["nb.ipynb", "-p", "goal=x"], /reads none[^]*params\(\{ goal/],
      [["nb.ipynb", "-p", "goal"], /name=value/],
      [["nb.ipynb", "-p", "a=1", "-p", "a=2"], /a is given twice/],
      [["nb.ipynb", "--timeout", "soon"], /seconds above 0/],
      [[], /missing required argument/],
    ] as const
  ) {
    const run = await notebookRun(folder, ...args);
    assert.equal(run.code, 2, `${args.join(" ")}: ${run.stderr}`);
    assert.match(run.stderr, told);
  }
});

kernelTest("Ctrl+C interrupts the cell: what ran is kept, and the answer is 130", async () => {
  await using folder = await folderWith(
    "nb.ipynb",
    '"before"',
    `const stopped = Promise.withResolvers<string>();
Deno.addSignalListener("SIGINT", () => stopped.resolve("stopped"));
Deno.writeTextFileSync("listens", "");
await stopped.promise`,
  );
  using changes = Deno.watchFs(folder.path);
  const run = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "scripts/notebook/run.ts", "nb.ipynb", "--python", testPython()],
    cwd: ROOT,
    env: { INIT_CWD: folder.path, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const told = new Response(run.stderr).text();
  for await (const { paths } of changes) if (paths.some((path) => path.endsWith("listens"))) break;
  run.kill("SIGINT");
  assert.equal((await run.status).code, 130, await told);
  assert.match(await told, /Interrupts the cell; again: ends the kernel\./);
  const shown = await outputsOf(folder, "nb.ipynb");
  assert.deepEqual(shown.map(stripVTControlCharacters), ['"before"', '"stopped"']);
});

async function folderWith(name: string, ...sources: readonly string[]): Promise<WorkFolder> {
  const folder = await workFolder();
  await writeFolderConfig(folder.path);
  const book: Notebook = {
    cells: sources.map((source, index) => ({
      cell_type: "code",
      id: `c${index}`,
      metadata: {},
      source,
      outputs: [],
      execution_count: null,
    })),
    metadata: { kernelspec: { display_name: "Deno", language: "typescript", name: "deno" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  await Deno.writeTextFile(folder.file(name), notebookText(book));
  return folder;
}

async function outputsOf(folder: WorkFolder, name: string): Promise<string[]> {
  const { cells } = await readNotebook(folder.file(name));
  return cells.map((cell) => cell.cell_type === "code" ? textOf(cell.outputs) : "");
}

/** The task, with its own permissions, called from a folder. */
function notebookRun(folder: WorkFolder, ...args: readonly string[]): Promise<Answer> {
  // Without it the task would look for the user's Python, or make one.
  const python = HAS_PYTHON ? ["--python", testPython()] : [];
  return runDeno(["task", "--quiet", "notebook:run", ...args, ...python], { env: { INIT_CWD: folder.path } });
}
