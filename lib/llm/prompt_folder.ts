import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CosciError, messageOf } from "../domain/errors.ts";

/** How the file of a prompt ends; its name before that is the prompt's. */
const ENDING = ".md";

/**
 * The texts of a folder's prompts (`*.md`) by name; none where it holds none.
 *
 * @param key what stands before the message where it can't be read
 * @throws CosciError `input` where the folder can't be read
 */
export async function readPromptFolder(dir: string | URL, key = ""): Promise<[string, string][]> {
  const path = typeof dir === "string" ? dir : fileURLToPath(dir);
  const lead = key === "" ? "" : `${key}: `;
  try {
    const files = (await readdir(path)).filter((file) => file.endsWith(ENDING)).sort();
    return await Promise.all(
      files.map(async (file): Promise<[string, string]> => [
        file.slice(0, -ENDING.length),
        await readFile(join(path, file), "utf8"),
      ]),
    );
  } catch (error) {
    throw new CosciError("input", `${lead}the prompts' folder ${path} can't be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What a look at a folder of prompts found. */
export type FolderLook =
  /** The texts by name: the same map as at the last look where nothing changed. */
  | { readonly kind: "read"; readonly texts: ReadonlyMap<string, string> }
  /** Why the folder, or a file in it, can't be read. */
  | { readonly kind: "unreadable"; readonly problem: string };

interface KnownFile {
  /** What tells that the file was written to since. */
  readonly stamp: string;
  /** When it was read: milliseconds since 1970. */
  readonly readAt: number;
  readonly text: string;
}

/**
 * Within so many milliseconds a file may be written to twice with one stamp: file systems count time in steps, the coarsest
 * of them in two seconds. What was read so soon after it was written is read again.
 */
const STEP_MS = 2_000;

/**
 * A folder of prompts that a person edits, looked at again and again: a file is read only if its stamp (times, size,
 * place on the disk) has changed. Looking is synchronous, since it happens right before a claim.
 */
export class PromptFolder {
  /** The folder. */
  readonly path: string;
  #known = new Map<string, KnownFile>();
  #texts: ReadonlyMap<string, string> | null = null;

  /** @param path an absolute path, so that a change of the working directory doesn't lead elsewhere */
  constructor(path: string) {
    this.path = path;
  }

  /** What stands in the folder right now. Never throws. */
  look(): FolderLook {
    try {
      return { kind: "read", texts: this.#read() };
    } catch (error) {
      return { kind: "unreadable", problem: messageOf(error) };
    }
  }

  #read(): ReadonlyMap<string, string> {
    const files = [...Deno.readDirSync(this.path)].map(({ name }) => name)
      .filter((file) => file.endsWith(ENDING)).sort();
    const known = new Map<string, KnownFile>();
    let changed = this.#texts === null || files.length !== this.#known.size;
    for (const file of files) {
      const name = file.slice(0, -ENDING.length);
      const before = this.#known.get(name);
      const now = this.#fileNow(file, before);
      // It was there a moment ago: whoever replaces it will have put the new one there by the next look.
      if (now === null) continue;
      if (now.text !== before?.text) changed = true;
      known.set(name, now);
    }
    this.#known = known;
    if (!changed && known.size === files.length && this.#texts !== null) return this.#texts;
    return this.#texts = new Map([...known].map(([name, { text }]) => [name, text]));
  }

  #fileNow(file: string, before: KnownFile | undefined): KnownFile | null {
    const path = join(this.path, file);
    let stat: Deno.FileInfo;
    try {
      stat = Deno.statSync(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return before ?? null;
      throw error;
    }
    const writtenAt = stat.mtime?.getTime() ?? Infinity;
    const stamp = `${writtenAt} ${stat.ctime?.getTime()} ${stat.size} ${stat.ino}`;
    if (before !== undefined && before.stamp === stamp && before.readAt - writtenAt > STEP_MS) return before;
    // By the clock that stamps files, whatever clock the session goes by.
    return { stamp, readAt: Date.now(), text: Deno.readTextFileSync(path) };
  }
}
