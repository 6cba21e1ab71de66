/** `deno task kernel` and `deno task notebook`: they say what they do, and a second time there is nothing to do. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { denoKernelspec, writeKernelspec } from "../../scripts/notebook/kernelspec.ts";
import { kernelTest, ROOT, testPython } from "../kernel/support/kernel_tests.ts";
import { type Answer, type WorkFolder, workFolder } from "../scripts/command_line.ts";

Deno.test("kernel installs the kernel of this Deno for the user's Jupyter, once, and says where", async () => {
  await using folder = await workFolder();
  const before = await task(folder, "kernel", "--check");
  assert.equal(before.code, 1);
  assert.match(before.stdout, /^Kernel: missing/);
  const first = await task(folder, "kernel");
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /installed as "deno", runs Deno [\d.]+ \(.+\): .+kernel\.json/);
  assert.match(first.stdout, /JupyterLab or VS Code/);
  const file = folder.file("data/kernels/deno/kernel.json");
  const spec: { argv: string[] } = JSON.parse(await Deno.readTextFile(file));
  assert.ok(spec.argv.includes("--kernel"));
  assert.ok(
    (await folder.list("data/kernels/deno")).some((name) => name.startsWith("logo-")),
    "menus show its icon",
  );
  const again = await task(folder, "kernel");
  assert.equal(again.code, 0);
  assert.match(again.stdout, /is there already[^]*Unchanged/);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(file)), spec);
  assert.equal((await task(folder, "kernel", "--check")).code, 0);
});

Deno.test("a kernel of somebody else is left alone; --force replaces it and keeps its file", async () => {
  await using folder = await workFolder();
  const file = folder.file("data/kernels/deno/kernel.json");
  await Deno.mkdir(dirname(file), { recursive: true });
  const theirs = JSON.stringify({ argv: ["/opt/other", "{connection_file}"], display_name: "Theirs" });
  await Deno.writeTextFile(file, theirs);
  const refused = await task(folder, "kernel");
  assert.equal(refused.code, 2);
  assert.match(refused.stdout, /another kernel, Theirs \(\/opt\/other\)[^]*left alone[^]*--force/);
  assert.equal(await Deno.readTextFile(file), theirs);
  const forced = await task(folder, "kernel", "--force");
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(await Deno.readTextFile(`${file}.before`), theirs);
});

Deno.test("a kernel whose Deno is gone is replaced", async () => {
  await using folder = await workFolder();
  await writeKernelspec(folder.file("data"), "deno", denoKernelspec("/gone/deno"));
  const mended = await task(folder, "kernel");
  assert.equal(mended.code, 0, mended.stderr);
  assert.match(mended.stdout, /pointed to \/gone\/deno, which does not run/);
  assert.equal((await task(folder, "kernel", "--check")).code, 0);
});

kernelTest("notebook sets up what is missing, says so, and a second time changes nothing", async () => {
  await using folder = await workFolder();
  const venv = dirname(dirname(testPython()));
  const before = await task(folder, "notebook", "--check", "--venv", venv);
  assert.equal(before.code, 1);
  assert.match(before.stdout, /JupyterLab: in [^]*Kernel: missing/);
  const first = await task(folder, "notebook", "--no-open", "--venv", venv);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /JupyterLab: is there already[^]*Kernel: installed/);
  const again = await task(folder, "notebook", "--no-open", "--venv", venv);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /Nothing had to be changed\./);
  assert.equal((await task(folder, "notebook", "--check", "--venv", venv)).code, 0);
});

Deno.test("notebook refuses a folder that isn't there, with the remedy, and sets nothing up", async () => {
  await using folder = await workFolder();
  const run = await task(folder, "notebook", "nowhere");
  assert.equal(run.code, 2);
  assert.match(run.stderr, /"nowhere"[^]*deno task new nowhere/);
  assert.deepEqual(await folder.list(), []);
});

/** The task with its own permissions, for a Jupyter whose data is in the folder. */
async function task(folder: WorkFolder, name: string, ...args: readonly string[]): Promise<Answer> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", name, ...args],
    cwd: ROOT,
    env: { INIT_CWD: folder.path, JUPYTER_DATA_DIR: folder.file("data"), NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
