import { join } from "node:path";

/** What Jupyter knows of a kernel: how it is started, and its name for people. */
export interface Kernelspec {
  /** The command that starts it; `{connection_file}` is filled in by Jupyter. */
  readonly argv: readonly string[];
  /** As menus show it. */
  readonly display_name: string;
  /** The language of its cells. */
  readonly language: string;
}

/** The kernel of a Deno. @param deno the path of its executable */
export function denoKernelspec(deno: string): Kernelspec {
  return {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
  };
}

/** Writes a kernel into one of Jupyter's data folders. @returns its file */
export async function writeKernelspec(dataFolder: string, name: string, spec: Kernelspec): Promise<string> {
  const folder = join(dataFolder, "kernels", name);
  await Deno.mkdir(folder, { recursive: true });
  const file = join(folder, "kernel.json");
  await Deno.writeTextFile(file, `${JSON.stringify(spec, null, 2)}\n`);
  return file;
}
