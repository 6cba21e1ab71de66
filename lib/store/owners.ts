import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Who is at work on a store, told by locks of the operating system: each handle holds a lock on a file of its own beside
 * the store, and the lock is gone with its process, however that ended. So a crashed supervisor's tasks come back at
 * once, not when their leases run out; leases remain for handles that hang, and for stores without a folder.
 */
export class Owners {
  readonly #folder: string | null;
  readonly #held = new Map<string, Deno.FsFile>();

  /** @param storePath path of the store; `null` for one in memory or handed in, where every owner counts as alive */
  constructor(storePath: string | null) {
    this.#folder = storePath === null ? null : `${storePath}-owners`;
  }

  /** A new owner's name, alive until {@linkcode leave} or the end of the process. */
  enter(): string {
    const owner = `own_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
    if (this.#folder !== null) {
      mkdirSync(this.#folder, { recursive: true });
      const file = Deno.openSync(join(this.#folder, owner), { create: true, read: true, write: true });
      file.lockSync(true);
      this.#held.set(owner, file);
    }
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
    if (basename(owner) !== owner) return false;
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(join(this.#folder, owner), { read: true, write: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
    const free = file.tryLockSync(true);
    file.close();
    if (free) this.#forget(this.#folder, owner);
    return !free;
  }

  #forget(folder: string, owner: string): void {
    rmSync(join(folder, owner), { force: true });
    try {
      if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process is entering or leaving; the last one out removes the folder.
    }
  }
}
