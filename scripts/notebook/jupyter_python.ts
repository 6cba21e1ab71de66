import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CosciError } from "../../lib/domain/errors.ts";
import { findPython, makeVenv, ran, venvPython } from "./python.ts";

/** The virtual environment of this checkout. */
export const VENV = fileURLToPath(new URL("../../.venv", import.meta.url));

/** A Python that has Jupyter. */
export interface JupyterPython {
  /** Its executable. */
  readonly path: string;
  /** Where it is, for people. */
  readonly where: "the virtual environment .venv" | "the search path";
}

/** Which part of Jupyter is needed: the programs for people, or only what drives kernels. */
export type JupyterPart = "jupyterlab" | "jupyter_client";

/**
 * A Python with Jupyter that is there already: the project's virtual environment, or the one of the search path's `python`
 * or `jupyter`.
 */
export async function findJupyter(part: JupyterPart, venv: string = VENV): Promise<JupyterPython | null> {
  const own = venvPython(venv);
  if (await hasPackage(own, part)) return { path: own, where: "the virtual environment .venv" };
  for (const python of await pythonsOfPath()) {
    if (await hasPackage(python, part)) return { path: python, where: "the search path" };
  }
  return null;
}

/**
 * A Python with Jupyter; where there is none it is made, in the project's virtual environment.
 *
 * @param tell is told what is done
 * @throws CosciError `input` where there is no Python, or where it can't be made, with the remedy
 */
export async function ensureJupyter(
  part: JupyterPart,
  tell: (line: string) => void,
  venv: string = VENV,
): Promise<JupyterPython> {
  const found = await findJupyter(part, venv);
  if (found !== null) return found;
  const python = await findPython();
  if ("missing" in python) {
    throw new CosciError(
      "input",
      `JupyterLab is a Python program. ${python.missing}. Install it from python.org or with your system's packages ` +
        "(Debian and Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python; " +
        "Windows: winget install Python.Python.3.13), then run the same again. " +
        "VS Code with its Jupyter extension shows the notebooks too: for it, deno task kernel is enough.",
    );
  }
  tell(
    `Makes a virtual environment with JupyterLab in ${venv} (Python ${python.version}; once, about a minute).`,
  );
  await makeVenv(venv, python);
  return { path: venvPython(venv), where: "the virtual environment .venv" };
}

/** By what is installed: importing JupyterLab takes seconds. */
async function hasPackage(python: string, part: JupyterPart): Promise<boolean> {
  return (await ran(python, ["-c", `import importlib.metadata as m; m.version("${part}")`])).ok;
}

/** The Python that `python3` is, and the one beside a `jupyter` that was installed on its own. */
async function pythonsOfPath(): Promise<string[]> {
  const found = await findPython();
  const pythons = "path" in found ? [found.path] : [];
  for (const folder of (Deno.env.get("PATH") ?? "").split(Deno.build.os === "windows" ? ";" : ":")) {
    if (folder === "") continue;
    for (const [jupyter, python] of [["jupyter", "python3"], ["jupyter.exe", "python.exe"]] as const) {
      try {
        // What is a link, such as pipx makes, leads to the environment that it belongs to.
        const real = await Deno.realPath(join(folder, jupyter));
        pythons.push(join(real, "..", python));
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) {
          throw error;
        }
      }
    }
  }
  return [...new Set(pythons)];
}
