import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  type KernelDriver,
  type RunningKernel,
  startDriver,
} from "../../../scripts/notebook/kernel_driver.ts";
import type { Output } from "../../../scripts/notebook/outputs.ts";
import { offlineEnvironment } from "../../../scripts/notebook/offline_environment.ts";
import { findTestPython } from "../../../scripts/notebook/test_environment.ts";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const found = await findTestPython();

/** Whether there is a Python with Jupyter for the tests. */
export const HAS_PYTHON = "python" in found;

/** The tests' Python, which has Jupyter. @throws where there is none */
export function testPython(): string {
  assert.ok("python" in found, "missing" in found ? found.missing : "");
  return found.python;
}

/**
 * A test that needs a real kernel. Where there is no Python with Jupyter it is skipped and says so; with `CI` set it fails.
 */
export function kernelTest(name: string, test: (t: Deno.TestContext) => Promise<void>): void {
  if ("python" in found || Deno.env.get("CI")) Deno.test(name, test);
  else Deno.test({ name: `${name} (skipped: ${found.missing})`, ignore: true, fn: test });
}

/** A kernel of its own with its driver; both end when it is disposed of. */
export interface TestKernel extends RunningKernel {
  /** What drives it: for a second kernel. */
  readonly driver: KernelDriver;
}

/**
 * Starts a kernel.
 *
 * @param cwd the folder that it runs in: the project's folder for notebooks unless said otherwise, where `cosci` is known
 * @param env environment variables over this process's own, which are taken without keys and settings
 */
export async function startKernel(
  { cwd = `${ROOT}notebooks`, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<TestKernel> {
  const driver = await startDriver({ python: testPython(), env: offlineEnvironment() });
  try {
    const kernel = await driver.startKernel({ cwd, env });
    return { ...kernel, driver, [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose]() };
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

/** The texts of outputs: of streams, of values as plain text, of errors their message. */
export function textOf(outputs: readonly Output[]): string {
  return outputs.map((output) => {
    switch (output.output_type) {
      case "stream":
        return output.text;
      case "error":
        return `${output.ename}: ${output.evalue}`;
      case "display_data":
      case "execute_result":
        return String(output.data["text/plain"] ?? "");
    }
  }).join("\n");
}
