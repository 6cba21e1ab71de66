import { basename, dirname, join, resolve } from "node:path";
import { inputError, messageOf } from "../domain/errors.ts";

/**
 * Where a file that is to be written really is: the path made absolute, and a link followed to what it leads to.
 *
 * @param key what asks, for the message of an error
 * @param path as the person gave it; relative paths are of the working folder, which in a notebook is the notebook's
 * @throws CosciError `input` where the folder isn't there or isn't one, or where the path is a folder
 */
export async function replaceable(key: string, path: string): Promise<string> {
  const file = resolve(path), folder = dirname(file);
  const holder = await infoOf(key, path, folder);
  if (holder === null) throw inputError(key, path, `There is no folder "${folder}": make it first.`);
  if (!holder.isDirectory) throw inputError(key, path, `"${folder}" is a file, and no folder.`);
  const there = await infoOf(key, path, file);
  if (there === null) return file;
  if (there.isDirectory) {
    throw inputError(
      key,
      path,
      `It is a folder: give the name of a file in it, such as "${basename(file)}/x".`,
    );
  }
  return await Deno.realPath(file);
}

/**
 * Writes a file beside its place and then moves it there, so that a write that fails leaves what was there before, and a
 * reader never sees half of it.
 *
 * @param key what asks, for the message of an error
 * @param file an absolute path, from {@linkcode replaceable}
 * @throws CosciError `input` where it may not be written
 */
export async function replaceFile(key: string, file: string, data: Uint8Array): Promise<void> {
  // The name of the file could be as long as names may be.
  const beside = join(dirname(file), `.cosci-${crypto.randomUUID()}.tmp`);
  try {
    await Deno.writeFile(beside, data, { createNew: true });
    await keepMode(file, beside);
    await Deno.rename(beside, file);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw inputError(key, file, `It can't be written (${messageOf(error)}). Give another place.`);
  }
}

/** A file that is replaced stays as readable as it was. */
async function keepMode(file: string, beside: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  const mode = await Deno.stat(file).then((info) => info.mode, () => null);
  if (mode !== null) await Deno.chmod(beside, mode & 0o777);
}

async function infoOf(key: string, path: string, of: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(of);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof Deno.errors.NotADirectory) return null;
    throw inputError(key, path, `It can't be looked at (${messageOf(error)}). Give another place.`);
  }
}
