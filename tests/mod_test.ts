/** The public face as a whole: what `mod.ts` gives, its table of signatures, and the examples in its documentation. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as cosci from "cosci";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

async function deno(...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.ok(success, output);
  return output;
}

Deno.test("cosci gives the doors, the error that everything throws, the defaults, the log and a notebook's parameters, and no more", () => {
  assert.deepEqual(Object.keys(cosci).sort(), [
    "CosciError",
    "DEFAULT_SETTINGS",
    "Supervisor",
    "configureLog",
    "params",
  ]);
  assert.deepEqual(Object.keys(cosci.Supervisor).sort(), ["compare", "create", "list", "open"]);
});

Deno.test("the table of signatures is what mod.ts says", async () => {
  await deno("run", "-A", "scripts/signatures.ts", "--check");
});

Deno.test("the examples in the documentation run", async () => {
  const output = await deno(
    "test",
    "-A",
    "--no-check",
    "--doc",
    "mod.ts",
    "lib/supervisor/doors.ts",
    "lib/supervisor/params.ts",
    "lib/supervisor/STEERING.md",
  );
  assert.match(output, /[2-9] passed|\d\d passed/);
});
