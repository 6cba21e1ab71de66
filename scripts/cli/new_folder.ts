import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { writeFolderConfig } from "./folder_config.ts";
import { firstNotebook } from "./first_notebook.ts";
import { fromCaller } from "./paths.ts";
import { say } from "./streams.ts";

/**
 * Makes a folder of one's own: a `deno.json` that maps `cosci` to this checkout, and a first notebook.
 *
 * @throws CosciError `input` for a folder that holds something already
 */
export async function newFolder(path: string): Promise<number> {
  const folder = fromCaller(path);
  await requireEmpty(folder, path);
  await Deno.mkdir(folder, { recursive: true });
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  await writeFolderConfig(folder);
  await write("first.ipynb", `${JSON.stringify(firstNotebook(), null, 1)}\n`);
  await write(".gitignore", "*.db\n*.db-*\n.env\n.ipynb_checkpoints/\n");
  say(`${folder} is ready.`);
  say(
    "Open it with `deno task notebook " + path +
      "`, or in your own JupyterLab or VS Code: `deno task kernel` installs the Deno kernel once.",
  );
  return 0;
}

async function requireEmpty(folder: string, given: string): Promise<void> {
  const refuse = (what: string) =>
    new CosciError(
      "input",
      `new: "${given}" ${what}. Give the name of a folder that is empty or not there yet.`,
    );
  try {
    for await (const entry of Deno.readDir(folder)) throw refuse(`is not empty (it holds ${entry.name})`);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) throw refuse("is a file");
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
