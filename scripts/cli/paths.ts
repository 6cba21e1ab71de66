import { resolve } from "node:path";
import { hashOf } from "../../lib/domain/ids.ts";

/** The folder that the person called from: `deno task` changes to the project's, and says where it came from. */
export function callersFolder(): string {
  return Deno.env.get("INIT_CWD") ?? Deno.cwd();
}

/** A path as the person meant it. */
export function fromCaller(path: string): string {
  return path === ":memory:" ? path : resolve(callersFolder(), path);
}

const LONGEST = 60;
/** Names that Windows keeps for devices, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A session's name as the name of a folder: letters, digits, `-`, `_` and single dots alone, so that it can neither lead
 * elsewhere nor be refused by a file system. Where something had to be changed, a hash of the name keeps two sessions
 * apart.
 */
export function folderName(name: string): string {
  const safe = name.normalize("NFKC").replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/\.{2,}/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "").slice(0, LONGEST).replaceAll(/[-.]+$/g, "");
  if (safe === name && !RESERVED.test(safe)) return safe;
  return `${safe === "" || RESERVED.test(safe) ? "session" : safe}-${hashOf("folder", name).slice(0, 6)}`;
}
