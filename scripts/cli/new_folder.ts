import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { z } from "zod";
import { firstNotebook } from "./first_notebook.ts";
import { fromCaller } from "./paths.ts";
import { say } from "./streams.ts";

const config = z.object({
  imports: z.record(z.string(), z.string()),
  compilerOptions: z.record(z.string(), z.unknown()),
});

/**
 * Makes a folder of one's own: a `deno.json` that maps `cosci` to this checkout, and a first notebook.
 *
 * What cosci imports by bare names is resolved by the `deno.json` of whoever uses it, and so stands in there too; the lock
 * file makes it the same versions.
 *
 * @throws CosciError `input` for a folder that holds something already
 */
export async function newFolder(path: string): Promise<number> {
  const folder = fromCaller(path);
  await requireEmpty(folder, path);
  const root = new URL("../../", import.meta.url);
  const own = config.parse(JSON.parse(await Deno.readTextFile(new URL("deno.json", root))));
  const packages = Object.entries(own.imports).filter(([, target]) => target.startsWith("npm:"));
  const made = {
    imports: { cosci: new URL("mod.ts", root).href, ...Object.fromEntries(packages) },
    nodeModulesDir: "none",
    compilerOptions: own.compilerOptions,
  };
  await Deno.mkdir(folder, { recursive: true });
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  await write("deno.json", `${JSON.stringify(made, null, 2)}\n`);
  await Deno.copyFile(new URL("deno.lock", root), join(folder, "deno.lock"));
  await write("first.ipynb", `${JSON.stringify(firstNotebook(), null, 1)}\n`);
  await write(".gitignore", "*.db\n*.db-*\n.env\n.ipynb_checkpoints/\n");
  say(`${folder} is ready.`);
  say(
    "Open first.ipynb in JupyterLab or VS Code with the Deno kernel; `deno jupyter --install` installs it once.",
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
