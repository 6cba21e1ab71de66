/**
 * The kernel strips types and checks none, so the cells are checked here: each notebook as one module, its cells in their
 * order, as `deno check` sees it from beside the notebook.
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { writeFolderConfig } from "../../scripts/cli/folder_config.ts";
import { firstNotebook } from "../../scripts/cli/first_notebook.ts";
import { type Notebook, parseNotebook, readNotebook } from "../../scripts/notebook/notebook_file.ts";
import { tutorials } from "../../scripts/notebook/store.ts";
import { runDeno } from "../scripts/command_line.ts";

Deno.test("the cells of every notebook have no type errors, as one module from top to bottom", async () => {
  const all = await books();
  // What has an error is checked along with them: to see that one would be found, and told with its notebook.
  const told = await checkTypes([...all, ["wrong.ipynb", withError(all[0]?.[1])]]);
  const errors = [...told.matchAll(/^ +at .*\/(\w+)\.ts:\d+:\d+$/gm)].map(([, name]) => name);
  assert.ok(errors.length > 0, told);
  assert.deepEqual(errors.filter((name) => name !== "wrong"), [], told);
  assert.match(told, /TS2322/);
});

Deno.test("the cells of every notebook are formatted as deno fmt formats them", async () => {
  await using folder = await written(await books());
  const { code, stdout, stderr } = await runDeno(["fmt", "--check", "--line-width=110"], {
    cwd: folder.path,
  });
  assert.equal(code, 0, stdout + stderr);
});

/** The tutorials, and the notebook that `deno task new` writes. */
async function books(): Promise<[string, Notebook][]> {
  const paths = await tutorials();
  const stored = await Promise.all(paths.map(readNotebook));
  return [
    ...stored.map((book, index): [string, Notebook] => [basename(paths[index] ?? ""), book]),
    ["first.ipynb", parseNotebook(JSON.stringify(firstNotebook()), "first.ipynb")],
  ];
}

/** A notebook whose last cell has an error of types. */
function withError(book: Notebook | undefined): Notebook {
  assert.ok(book !== undefined);
  const wrong = {
    cell_type: "code" as const,
    metadata: {},
    source: `const wrong: number = "text";`,
    outputs: [],
    execution_count: null,
  };
  return { ...book, cells: [...book.cells, wrong] };
}

/** What `deno check` says of notebooks. */
async function checkTypes(all: readonly [string, Notebook][]): Promise<string> {
  await using folder = await written(all);
  const modules = all.map(([name]) => moduleName(name));
  const { stdout, stderr } = await runDeno(["check", ...modules], { cwd: folder.path });
  return stdout + stderr;
}

/** A folder with each notebook as a module; a line says where each cell begins. */
async function written(
  all: readonly [string, Notebook][],
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "cosci-cells-" });
  await writeFolderConfig(path);
  for (const [name, book] of all) {
    const cells = book.cells.flatMap((cell) => cell.cell_type === "code" ? [cell.source.trimEnd()] : []);
    await Deno.writeTextFile(
      join(path, moduleName(name)),
      `${cells.map((source, index) => `// Code cell ${index + 1}\n${source}`).join("\n\n")}\n`,
    );
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

function moduleName(notebook: string): string {
  return notebook.replace(/\.ipynb$/, ".ts");
}
