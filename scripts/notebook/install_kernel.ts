import { join } from "node:path";
import { homedir } from "node:os";
import { z } from "zod";
import { denoKernelspec, writeKernelspec } from "./kernelspec.ts";
import { lastingDeno } from "./lasting_deno.ts";
import { ran } from "./python.ts";

/** The name of the kernel that notebooks ask for. */
export const KERNEL_NAME = "deno";
/** Notebooks need what the kernel does since this Deno. */
const OLDEST = [2, 9] as const;

/** How the kernel stands. `file` is its `kernel.json`. */
export type KernelState =
  /** There is none of that name. */
  | { readonly kind: "missing"; readonly file: string }
  /** It is a Deno that will do. */
  | { readonly kind: "good"; readonly file: string; readonly deno: string; readonly version: string }
  /** It points to a program that is not there (any more). */
  | { readonly kind: "broken"; readonly file: string; readonly program: string }
  /** It is somebody else's: another program, or an older Deno. */
  | { readonly kind: "other"; readonly file: string; readonly what: string };

/** What installing it came to. */
export interface InstalledKernel {
  /** Whether anything was written. */
  readonly changed: boolean;
  /** What was done, for people, or why nothing was. */
  readonly lines: readonly string[];
  /** Whether notebooks can run with the kernel that is there now. */
  readonly usable: boolean;
}

const kernelJson = z.object({ argv: z.array(z.string()).min(1), display_name: z.string().optional() });

/** How the kernel of a Jupyter data folder stands. */
export async function kernelState(dataFolder: string): Promise<KernelState> {
  const file = join(dataFolder, "kernels", KERNEL_NAME, "kernel.json");
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "missing", file };
    throw error;
  }
  const spec = parsed(text);
  if (spec === null) return { kind: "other", file, what: "a file that is no kernel" };
  const [program = ""] = spec.argv;
  if (!spec.argv.includes("jupyter") || !spec.argv.includes("--kernel")) {
    return { kind: "other", file, what: `another kernel, ${spec.display_name ?? ""} (${program})` };
  }
  const asked = await ran(program, ["--version"]);
  const version = /^deno (\d+)\.(\d+)\.(\d+)/.exec(asked.stdout);
  if (version === null) return { kind: "broken", file, program };
  const [, major = "0", minor = "0"] = version;
  const number = version[0].slice("deno ".length);
  const older = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  if (older) {
    return { kind: "other", file, what: `Deno ${number} (${program}), older than ${OLDEST.join(".")}` };
  }
  return { kind: "good", file, deno: program, version: number };
}

/**
 * Installs the kernel where it is missing or broken. Somebody else's kernel of that name is left alone unless `force` is
 * said; its file is then kept beside the new one.
 */
export async function installKernel(
  dataFolder: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<InstalledKernel> {
  const state = await kernelState(dataFolder);
  switch (state.kind) {
    case "good":
      if (force) {
        return await install(dataFolder, state.file, `It ran Deno ${state.version} (${state.deno}) before.`);
      }
      return {
        changed: false,
        usable: true,
        lines: [
          `Kernel: "${KERNEL_NAME}" is there already and runs Deno ${state.version} (${state.deno}). Unchanged.`,
        ],
      };
    case "missing":
      return await install(dataFolder, null, null);
    case "broken":
      return await install(
        dataFolder,
        state.file,
        `The one that was there pointed to ${state.program}, which does not run.`,
      );
    case "other":
      if (force) return await install(dataFolder, state.file, `It was ${state.what} before.`);
      return {
        changed: false,
        usable: false,
        lines: [
          `Kernel: a kernel named "${KERNEL_NAME}" is there already, and it is ${state.what}: ${state.file}.`,
          "It is left alone. deno task kernel --force replaces it and keeps its file beside the new one.",
        ],
      };
  }
}

async function install(
  dataFolder: string,
  old: string | null,
  remark: string | null,
): Promise<InstalledKernel> {
  const lines: string[] = [];
  const { path, kept } = await lastingDeno();
  if (kept) {
    lines.push(
      `Kernel: this Deno runs from a cache that may be emptied (${Deno.execPath()}), so it is kept as ${path}.`,
    );
  }
  if (old !== null) {
    await Deno.rename(old, `${old}.before`);
    lines.push(`Kernel: ${remark ?? ""} That file is kept as ${old}.before.`);
  }
  const file = await writeKernelspec(dataFolder, KERNEL_NAME, denoKernelspec(path));
  await writeIcons(dataFolder);
  lines.push(`Kernel: installed as "${KERNEL_NAME}", runs Deno ${Deno.version.deno} (${path}): ${file}.`);
  return { changed: true, usable: true, lines };
}

/** Deno's own icons, which menus show: Deno writes them where it installs its kernel. */
async function writeIcons(dataFolder: string): Promise<void> {
  const other = await Deno.makeTempDir({ prefix: "cosci-icons-" });
  try {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["jupyter", "--install"],
      env: { JUPYTER_DATA_DIR: other, XDG_DATA_HOME: other, APPDATA: other, HOME: other },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    if (!success) return;
    for await (const file of filesIn(other)) {
      const [name = ""] = file.split(/[\\/]/).slice(-1);
      if (/^logo-.*\.(png|svg)$/.test(name)) {
        await Deno.copyFile(file, join(dataFolder, "kernels", KERNEL_NAME, name));
      }
    }
  } finally {
    await Deno.remove(other, { recursive: true });
  }
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* filesIn(path);
    else yield path;
  }
}

function parsed(text: string): z.infer<typeof kernelJson> | null {
  try {
    return kernelJson.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Where Jupyter looks for what is installed for the user.
 *
 * @param python a Python that has Jupyter, which is asked; without one it is told by Jupyter's rules
 */
export async function jupyterDataFolder(python: string | null): Promise<string> {
  if (python !== null) {
    const asked = await ran(python, [
      "-c",
      "from jupyter_core.paths import jupyter_data_dir; print(jupyter_data_dir())",
    ]);
    if (asked.ok && asked.stdout.trim() !== "") return asked.stdout.trim();
  }
  const given = Deno.env.get("JUPYTER_DATA_DIR");
  if (given) return given;
  switch (Deno.build.os) {
    case "windows":
      return join(Deno.env.get("APPDATA") ?? join(homedir(), "AppData", "Roaming"), "jupyter");
    case "darwin":
      return join(homedir(), "Library", "Jupyter");
    default:
      return join(Deno.env.get("XDG_DATA_HOME") || join(homedir(), ".local", "share"), "jupyter");
  }
}
