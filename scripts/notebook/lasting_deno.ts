import { join } from "node:path";
import { homedir, tmpdir } from "node:os";

const WINDOWS = Deno.build.os === "windows";
const NAME = WINDOWS ? "deno.exe" : "deno";

/** A Deno that a kernel may point to. */
export interface LastingDeno {
  /** Its executable. */
  readonly path: string;
  /** Whether it has been put there just now, because the one that runs may vanish. */
  readonly kept: boolean;
}

/**
 * The running Deno by a path that will still be there tomorrow.
 *
 * - `npx deno@…` runs it from npx's cache, which `npm cache clean` and npm itself empty: it is then kept in a folder of
 *   cosci's own (as a hard link where that is possible, which takes no space).
 * - Where the search path has a link to it, such as Homebrew's or npm's, that one is taken: it survives upgrades.
 *
 * @param folder where it may be kept
 * @param exec the running Deno
 */
export async function lastingDeno(
  folder: string = programsFolder(),
  exec: string = Deno.execPath(),
): Promise<LastingDeno> {
  if (!mayVanish(exec)) return { path: await linkOnPath(exec) ?? exec, kept: false };
  const target = join(folder, `deno-${Deno.version.deno}`, NAME);
  if (await sameSize(exec, target)) return { path: target, kept: false };
  await Deno.mkdir(join(target, ".."), { recursive: true });
  await Deno.remove(target).catch(ignoreMissing);
  try {
    await Deno.link(exec, target);
  } catch {
    // Another disk, or a file system without links.
    await Deno.copyFile(exec, target);
    if (!WINDOWS) await Deno.chmod(target, 0o755);
  }
  return { path: target, kept: true };
}

/** Whether a program's folder is a cache or a temporary one: of npx, of `pnpm dlx`, of bunx, of the system. */
export function mayVanish(path: string): boolean {
  const parts = path.split(/[\\/]/);
  return parts.includes("_npx") || parts.includes("dlx") || path.startsWith(join(tmpdir(), "/"));
}

async function linkOnPath(exec: string): Promise<string | null> {
  const real = await Deno.realPath(exec);
  for (const folder of (Deno.env.get("PATH") ?? "").split(WINDOWS ? ";" : ":")) {
    if (folder === "" || mayVanish(folder)) continue;
    const path = join(folder, NAME);
    try {
      if (await Deno.realPath(path) === real) return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) {
        throw error;
      }
    }
  }
  return null;
}

async function sameSize(a: string, b: string): Promise<boolean> {
  try {
    return (await Deno.stat(a)).size === (await Deno.stat(b)).size;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Where programs of one's own keep what should last. */
function programsFolder(): string {
  switch (Deno.build.os) {
    case "windows":
      return join(Deno.env.get("LOCALAPPDATA") ?? join(homedir(), "AppData", "Local"), "cosci");
    case "darwin":
      return join(homedir(), "Library", "Application Support", "cosci");
    default:
      return join(Deno.env.get("XDG_DATA_HOME") || join(homedir(), ".local", "share"), "cosci");
  }
}
