import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Who is at work on a store, told by locks of the operating system: each handle holds a lock on a file of its own beside
 * the store, and the lock is gone with its process, however that ended. So a crashed supervisor's tasks come back at
 * once, not when their leases run out; leases remain for handles that hang, and for stores without a folder.
 */
export class Owners {
  readonly #folder: string | null;
  readonly #held = new Map<string, Deno.FsFile>();

  /** The owners of a store. @param storePath its path; `null` for one in memory or handed in, where every owner counts as alive */
  constructor(storePath: string | null) {
    this.#folder = storePath === null ? null : `${storePath}-owners`;
  }

  /** A new owner's name, alive until {@linkcode leave} or the end of the process. */
  enter(): string {
    const owner = `own_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
    if (this.#folder !== null) this.#held.set(owner, lockNew(this.#folder, owner));
    return owner;
  }

  /** Ends an owner of this process. */
  leave(owner: string): void {
    const file = this.#held.get(owner);
    if (file === undefined || this.#folder === null) return;
    this.#held.delete(owner);
    file.close();
    this.#forget(this.#folder, owner);
  }

  /** Whether an owner's process still lives. */
  alive(owner: string): boolean {
    if (this.#folder === null || this.#held.has(owner)) return true;
    // Owners are names of our own making; anything else in the column can't lead out of the folder.
    if (basename(owner) !== owner || !locked(join(this.#folder, owner))) {
      this.#forget(this.#folder, owner);
      return false;
    }
    return true;
  }

  /** Removes an owner's file, those of other dead owners, and the folder with its last file. */
  #forget(folder: string, owner: string): void {
    if (basename(owner) === owner) rmSync(join(folder, owner), { force: true });
    try {
      for (const other of readdirSync(folder)) {
        if (!this.#held.has(other) && !locked(join(folder, other))) {
          rmSync(join(folder, other), { force: true });
        }
      }
      rmdirSync(folder);
    } catch {
      // Somebody is still there, or another process is entering or leaving; the last one out removes the folder.
    }
  }
}

/** A new file in the folder, locked. Others may sweep folder or file away until it is; then once more. */
function lockNew(folder: string, owner: string): Deno.FsFile {
  const path = join(folder, owner);
  for (;;) {
    mkdirSync(folder, { recursive: true });
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(path, { create: true, read: true, write: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
    file.lockSync(true);
    if (existsSync(path)) return file;
    file.close();
  }
}

/** Whether some process holds the lock of a file. */
function locked(path: string): boolean {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  try {
    return !file.tryLockSync(true);
  } finally {
    file.close();
  }
}
