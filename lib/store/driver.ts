import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CosciError, messageOf } from "../domain/errors.ts";
import type { Database } from "./database.ts";

const MAGIC = "SQLite format 3\u0000";

/** Types of network file systems as `statfs` numbers them: NFS, SMB, CIFS, SMB2, AFS, 9P, Ceph, Lustre, NCP, Coda. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969,
  0x517b,
  0xff534d42,
  0xfe534d42,
  0x5346414f,
  0x01021997,
  0x00c36400,
  0x0bd00bd0,
  0x564c,
  0x73757245,
]);

/**
 * Opens a SQLite file through `node:sqlite`, or a database in memory for `:memory:`. A file that holds something else is
 * refused before SQLite sees it, and so stays as it is.
 *
 * @throws CosciError `store`
 */
export function openDatabase(path: string): Database {
  if (path !== ":memory:") refuseOtherFiles(path);
  try {
    return new DatabaseSync(path, { timeout: 10_000, enableForeignKeyConstraints: true });
  } catch (error) {
    throw new CosciError(
      "store",
      `Cannot open the store "${path}": ${messageOf(error)}. Check the folder and its permissions.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Whether a path lies on a network file system, where the shared memory of WAL is not to be trusted. `typeOf` is for
 * tests; a type that can't be read counts as local.
 */
export function onNetwork(path: string, typeOf: (folder: string) => number = fileSystemType): boolean {
  if (path === ":memory:") return false;
  try {
    return NETWORK_TYPES.has(typeOf(dirname(resolve(path))) >>> 0);
  } catch {
    return false;
  }
}

function fileSystemType(folder: string): number {
  return Number(statfsSync(folder).type);
}

function refuseOtherFiles(path: string): void {
  if (!existsSync(path)) {
    if (!existsSync(dirname(resolve(path)))) {
      throw new CosciError(
        "store",
        `Cannot open the store "${path}": its folder does not exist. Make the folder first.`,
      );
    }
    return;
  }
  if (!statSync(path).isFile()) {
    throw new CosciError(
      "store",
      `Cannot open the store "${path}": it is no file. Give the path of a file such as cosci.db.`,
    );
  }
  const head = new Uint8Array(16);
  const handle = openSync(path, "r");
  const read = readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  if (read > 0 && new TextDecoder().decode(head.subarray(0, read)) !== MAGIC) {
    throw new CosciError(
      "store",
      `Cannot open the store "${path}": the file is not a SQLite database. It was left untouched; give another path.`,
    );
  }
}
