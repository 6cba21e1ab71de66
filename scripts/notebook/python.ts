import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CosciError } from "../../lib/domain/errors.ts";

/** The packages of Jupyter that cosci was tried with, by version. */
export const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));

/** What JupyterLab 4.6 asks for. */
const OLDEST = [3, 10] as const;
const WINDOWS = Deno.build.os === "windows";

/** A Python that can be called. */
export interface Python {
  /** Its executable. */
  readonly path: string;
  /** Such as `3.11.7`. */
  readonly version: string;
}

/** What a program answered. */
export interface Ran {
  /** Whether it ended with 0. */
  readonly ok: boolean;
  /** Its output and its messages. */
  readonly text: string;
  /** Its output alone. */
  readonly stdout: string;
}

/** Runs a program. A program that isn't there is one that failed. */
export async function ran(program: string, args: readonly string[]): Promise<Ran> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], stdin: "null" })
      .output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { ok: success, stdout: out ?? "", text: `${out}${err}`.trim() };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { ok: false, stdout: "", text: `${program} is not there` };
  }
}

const ABOUT = "import sys; print(sys.executable); print('.'.join(map(str, sys.version_info[:3])))";

/**
 * The first Python on the search path that is new enough.
 *
 * @returns it, or what was found instead, in words
 */
export async function findPython(): Promise<Python | { readonly missing: string }> {
  const seen: string[] = [];
  for (const [program, ...args] of [["python3"], ["python"], ...(WINDOWS ? [["py", "-3"]] : [])]) {
    if (program === undefined) continue;
    const { ok, stdout } = await ran(program, [...args, "-c", ABOUT]);
    const [path = "", version = ""] = stdout.trim().split(/\r?\n/);
    if (!ok || version === "") continue;
    const [major = 0, minor = 0] = version.split(".").map(Number);
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return { path, version };
    seen.push(`${program} is ${version}`);
  }
  const found = seen.length === 0 ? "none was found on the search path" : seen.join(", ");
  return { missing: `Python ${OLDEST.join(".")} or newer is needed; ${found}` };
}

/** The Python of a virtual environment. */
export function venvPython(folder: string): string {
  return venvProgram(folder, "python");
}

/** A program of a virtual environment. */
export function venvProgram(folder: string, name: string): string {
  return WINDOWS ? join(folder, "Scripts", `${name}.exe`) : join(folder, "bin", name);
}

/**
 * Makes a virtual environment with packages, {@linkcode REQUIREMENTS} unless others are named. What an earlier attempt left
 * behind is completed.
 *
 * @throws CosciError `input` where the environment or its packages can't be made, with what Python said and the remedy
 */
export async function makeVenv(folder: string, python: Python, requirements = REQUIREMENTS): Promise<void> {
  const venv = await ran(python.path, ["-m", "venv", folder]);
  if (!venv.ok) {
    throw new CosciError(
      "input",
      `${python.path} could not make a virtual environment in ${folder}.\n${lastLines(venv.text)}\n` +
        "On Debian and Ubuntu it needs a package of its own: sudo apt install python3-venv. Otherwise check that the folder can be written.",
    );
  }
  const pip = await ran(venvPython(folder), [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--requirement",
    requirements,
  ]);
  if (!pip.ok) {
    throw new CosciError(
      "input",
      `The packages of ${requirements} could not be installed into ${folder}.\n${lastLines(pip.text)}\n` +
        "Check the network and pip's settings (proxy, index), then run the same again: it goes on where it stopped.",
    );
  }
}

function lastLines(text: string): string {
  return text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("WARNING:")).slice(-6).join(
    "\n",
  );
}
