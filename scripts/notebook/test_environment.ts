/**
 * Makes what the tests that execute notebooks need: a Python with Jupyter and pandas, in a virtual environment of their own in the
 * user's cache folder (or `COSCI_TEST_PYTHON`, a Python that has it). Quick where it is there already. Nothing that
 * belongs to the user's Jupyter is touched.
 *
 * Where there is no Python those tests are skipped; with `CI` set it is an error.
 *
 * `deno run -A scripts/notebook/test_environment.ts`
 */
import { join } from "node:path";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { hashOf } from "../../lib/domain/ids.ts";
import { messageOf } from "../../lib/domain/errors.ts";
import { tell } from "../cli/streams.ts";
import { findPython, makeVenv, ran, REQUIREMENTS, venvPython } from "./python.ts";

/** Packages of the tests' Python, beyond those of {@linkcode REQUIREMENTS}. */
const TEST_REQUIREMENTS = fileURLToPath(new URL("test_requirements.txt", import.meta.url));

/** What the tests' Python is, or why there is none. */
export type TestPython = { readonly python: string } | { readonly missing: string };

/** Finds the tests' Python without making it. */
export async function findTestPython(): Promise<TestPython> {
  const given = Deno.env.get("COSCI_TEST_PYTHON");
  if (given !== undefined && given !== "") {
    const { ok, text } = await ran(given, ["-c", "import jupyter_client, jupyterlab, nbclient, nbconvert"]);
    return ok
      ? { python: given }
      : { missing: `COSCI_TEST_PYTHON is ${given}, and that has no Jupyter: ${text}` };
  }
  const folder = await testFolder();
  return await isFile(readyMark(folder))
    ? { python: venvPython(folder) }
    : { missing: "The tests' Python environment is not there: deno task test makes it." };
}

/** Makes the tests' Python where it is not there. Several processes may do so at once. */
async function makeTestPython(): Promise<TestPython> {
  const found = await findTestPython();
  if ("python" in found || Deno.env.get("COSCI_TEST_PYTHON")) return found;
  const python = await findPython();
  if ("missing" in python) return python;
  const folder = await testFolder();
  await Deno.mkdir(join(folder, ".."), { recursive: true });
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (!await isFile(readyMark(folder))) {
    tell(`Makes ${folder} with JupyterLab and pandas for the tests (once, about a minute).`);
    await makeVenv(folder, python, TEST_REQUIREMENTS);
    await Deno.writeTextFile(readyMark(folder), "");
  }
  return { python: venvPython(folder) };
}

/** Other versions are another folder, so that switching between checkouts costs nothing. */
async function testFolder(): Promise<string> {
  const packages = await Promise.all(
    [REQUIREMENTS, TEST_REQUIREMENTS].map((path) => Deno.readTextFile(path)),
  );
  return join(cacheFolder(), "cosci", `test-python-${hashOf("venv", packages.join("\n")).slice(0, 8)}`);
}

function cacheFolder(): string {
  switch (Deno.build.os) {
    case "windows":
      return Deno.env.get("LOCALAPPDATA") ?? join(homedir(), "AppData", "Local");
    case "darwin":
      return join(homedir(), "Library", "Caches");
    default:
      return Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");
  }
}

function readyMark(folder: string): string {
  return join(folder, "ready");
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function main(): Promise<number> {
  const ci = (Deno.env.get("CI") ?? "") !== "";
  let result: TestPython;
  try {
    result = await makeTestPython();
  } catch (error) {
    result = { missing: messageOf(error) };
  }
  if ("python" in result) return 0;
  tell(result.missing);
  tell(ci ? "CI is set: that is an error." : "The tests that execute notebooks will be skipped.");
  return ci ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main());
