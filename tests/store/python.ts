import { findTestPython } from "../../scripts/notebook/test_environment.ts";

/** A Python that has some modules, or why there is none. */
export type FoundPython = { readonly python: string } | { readonly missing: string };

/**
 * Finds a Python that can import these modules: `COSCI_TEST_PYTHON`, the one that the tests of notebooks made for themselves,
 * or the machine's own.
 */
export async function findPython(...modules: readonly string[]): Promise<FoundPython> {
  const given = Deno.env.get("COSCI_TEST_PYTHON") ?? "";
  const candidates = given === "" ? [...await madeForTests(), "python3", "python"] : [given];
  for (const python of candidates) {
    const { ok } = await runPython(
      python,
      `import sqlite3, ${modules.join(", ") || "sys"}
assert sqlite3.sqlite_version_info >= (3, 38)`,
    );
    if (ok) return { python };
  }
  return {
    missing: `No Python with ${modules.join(", ") || "SQLite 3.38"} (looked at ${candidates.join(", ")})`,
  };
}

/** Runs a program of Python's. */
export async function runPython(
  python: string,
  program: string,
  ...args: readonly string[]
): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(python, {
      args: ["-c", program, ...args],
      env: { PYTHONWARNINGS: "error", PYTHONIOENCODING: "utf-8" },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { ok: success, text: success ? text(stdout) : text(stderr) };
  } catch (error) {
    return { ok: false, text: String(error) };
  }
}

/** A test, or a step of one, that needs a Python: skipped where there is none, with why in its name; with `CI` set it fails. */
export function pythonTest(
  found: FoundPython,
  name: string,
  test: (python: string) => Promise<void>,
): { readonly name: string; readonly ignore: boolean; readonly fn: () => Promise<void> } {
  if ("python" in found) return { name, ignore: false, fn: () => test(found.python) };
  return {
    name: `${name} (skipped: ${found.missing})`,
    ignore: (Deno.env.get("CI") ?? "") === "",
    fn: () => Promise.reject(new Error(found.missing)),
  };
}

async function madeForTests(): Promise<string[]> {
  const made = await findTestPython();
  return "python" in made ? [made.python] : [];
}
