import { basename, join } from "node:path";
import { writeFolderConfig } from "../cli/folder_config.ts";

/** A folder in which a notebook runs as if it had never run before. */
export interface WorkCopy extends AsyncDisposable {
  /** Where it is. */
  readonly path: string;
}

/** What a notebook's run leaves behind, and what is no input of it. */
const LEFT_BEHIND = /\.(db|db-wal|db-shm|db-owner.*|ipynb)$|^\.|^node_modules$/;

/**
 * A folder of its own with what a notebook reads: the files of its folder, without stores and other notebooks, and a
 * `deno.json` by which it knows `cosci`. So a store that somebody made with the notebook neither changes what it shows nor is
 * changed. It is removed when it is disposed of.
 *
 * @param folder the notebook's; `null` for a notebook that reads no files
 */
export async function workCopy(folder: string | null): Promise<WorkCopy> {
  // Its real path, as programs in it see it: on macOS the folder for temporary files is a link.
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "cosci-notebook-" }));
  if (folder !== null) await copyInputs(folder, path);
  await writeFolderConfig(path);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function copyInputs(from: string, to: string): Promise<void> {
  for await (const entry of Deno.readDir(from)) {
    if (LEFT_BEHIND.test(basename(entry.name))) continue;
    const source = join(from, entry.name), target = join(to, entry.name);
    if (entry.isDirectory) {
      await Deno.mkdir(target);
      await copyInputs(source, target);
    } else await Deno.copyFile(source, target);
  }
}
