/** `deno task kernel` and `deno task notebook`: they say what they do, and a second time there is nothing to do. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { denoKernelspec, writeKernelspec } from "../../scripts/notebook/kernelspec.ts";
import { freePort } from "../../scripts/notebook/lab_server.ts";
import { kernelTest, ROOT, testPython } from "../kernel/support/kernel_tests.ts";
import { type Answer, runDeno, type WorkFolder, workFolder } from "../scripts/command_line.ts";

Deno.test("kernel installs the kernel of this Deno for the user's Jupyter, once, and says where", async () => {
  await using folder = await workFolder();
  const before = await task(folder, ["kernel", "--check"]);
  assert.equal(before.code, 1);
  assert.match(before.stdout, /^Kernel: missing/);
  const first = await task(folder, ["kernel"]);
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
  const again = await task(folder, ["kernel"]);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /is there already[^]*Unchanged/);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(file)), spec);
  assert.equal((await task(folder, ["kernel", "--check"])).code, 0);
});

Deno.test("a kernel of somebody else is left alone; --force replaces it and keeps its file", async () => {
  await using folder = await workFolder();
  const file = folder.file("data/kernels/deno/kernel.json");
  await Deno.mkdir(dirname(file), { recursive: true });
  const theirs = JSON.stringify({ argv: ["/opt/other", "{connection_file}"], display_name: "Theirs" });
  await Deno.writeTextFile(file, theirs);
  const refused = await task(folder, ["kernel"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stdout, /another kernel, Theirs \(\/opt\/other\)[^]*left alone[^]*--force/);
  assert.equal(await Deno.readTextFile(file), theirs);
  const forced = await task(folder, ["kernel", "--force"]);
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(await Deno.readTextFile(`${file}.before`), theirs);
});

Deno.test("a kernel whose Deno is gone is replaced", async () => {
  await using folder = await workFolder();
  await writeKernelspec(folder.file("data"), "deno", denoKernelspec("/gone/deno"));
  const mended = await task(folder, ["kernel"]);
  assert.equal(mended.code, 0, mended.stderr);
  assert.match(mended.stdout, /pointed to \/gone\/deno, which does not run/);
  assert.equal((await task(folder, ["kernel", "--check"])).code, 0);
});

kernelTest("notebook sets up what is missing, says so, and a second time changes nothing", async () => {
  await using folder = await workFolder();
  const venv = dirname(dirname(testPython()));
  const before = await task(folder, ["notebook", "--check", "--venv", venv]);
  assert.equal(before.code, 1);
  assert.match(before.stdout, /JupyterLab: in [^]*Kernel: missing/);
  const first = await task(folder, ["notebook", "--no-open", "--venv", venv]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /JupyterLab: is there already[^]*Kernel: installed/);
  const again = await task(folder, ["notebook", "--no-open", "--venv", venv]);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /Nothing had to be changed\./);
  assert.equal((await task(folder, ["notebook", "--check", "--venv", venv])).code, 0);
});

Deno.test("notebook refuses a folder that isn't there, with the remedy, and sets nothing up", async () => {
  await using folder = await workFolder();
  const run = await task(folder, ["notebook", "nowhere"]);
  assert.equal(run.code, 2);
  assert.match(run.stderr, /"nowhere"[^]*deno task new nowhere/);
  assert.deepEqual(await folder.list(), []);
});

Deno.test("where there is no Python, notebook says how to get one, and what is enough for VS Code", async () => {
  await using folder = await workFolder();
  const run = await task(folder, ["notebook", "--venv", folder.file("venv")], { PATH: folder.file("bin") });
  assert.equal(run.code, 2);
  assert.match(run.stderr, /Python 3\.10 or newer is needed; none was found/);
  assert.match(run.stderr, /sudo apt install python3 python3-venv/);
  assert.match(run.stderr, /deno task kernel is enough/);
  assert.deepEqual(await folder.list(), []);
});

// A real environment takes a minute and the network: this Python does what `venv` and `pip` are asked for, and knows
// JupyterLab from then on.
const PYTHON = `#!/bin/sh
case "$*" in
  *"sys.executable"*) echo "$0"; echo 3.12.1 ;;
  "-m venv "*) /bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python" ;;
  *"pip install"*) [ -e "$0.no-network" ] && { echo "Could not fetch"; exit 1; }; echo > "$0.packages" ;;
  *"jupyter_data_dir"*) echo "$JUPYTER_DATA_DIR" ;;
  "-c import "*) [ -e "$0.packages" ] ;;
  *) exit 1 ;;
esac
`;

Deno.test({
  name: "where there is no JupyterLab, notebook makes an environment with it, once; what failed is completed",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using folder = await workFolder();
    await Deno.mkdir(folder.file("bin"));
    await Deno.writeTextFile(folder.file("bin/python3"), PYTHON, { mode: 0o755 });
    const venv = folder.file("venv");
    const setUp = () => task(folder, ["notebook", "--no-open", "--venv", venv], { PATH: folder.file("bin") });

    await Deno.mkdir(folder.file("venv/bin"), { recursive: true });
    await Deno.writeTextFile(folder.file("venv/bin/python.no-network"), "");
    const failed = await setUp();
    assert.equal(failed.code, 2);
    assert.match(
      failed.stderr,
      /could not be installed[^]*Could not fetch[^]*run the same again: it goes on/,
    );

    await Deno.remove(folder.file("venv/bin/python.no-network"));
    const first = await setUp();
    assert.equal(first.code, 0, first.stderr);
    assert.match(
      first.stdout,
      /Makes a virtual environment with JupyterLab in .+venv \(Python 3\.12\.1; once/,
    );
    assert.match(first.stdout, /JupyterLab: installed, in the virtual environment[^]*Kernel: installed/);
    const again = await setUp();
    assert.equal(again.code, 0, again.stderr);
    assert.doesNotMatch(again.stdout, /Makes/);
    assert.match(again.stdout, /is there already[^]*Nothing had to be changed\./);
  },
});

kernelTest("notebook opens JupyterLab on a folder, and ends with it", async () => {
  await using folder = await workFolder();
  await Deno.mkdir(folder.file("mine"));
  const port = freePort();
  const lab = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "scripts/notebook/notebook.ts", "mine", "--venv", dirname(dirname(testPython()))],
      ...[
        "--",
        "--no-browser",
        "--allow-root",
        `--ServerApp.port=${port}`,
        "--IdentityProvider.token=let-in",
      ],
    ],
    cwd: ROOT,
    env: {
      ...environment(folder),
      JUPYTER_CONFIG_DIR: folder.file("config"),
      JUPYTER_RUNTIME_DIR: folder.file("runtime"),
      JUPYTERLAB_SETTINGS_DIR: folder.file("settings"),
      JUPYTERLAB_WORKSPACES_DIR: folder.file("workspaces"),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // JupyterLab says where it is when it is ready.
  let said = "";
  for await (const text of lab.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes(`:${port}/lab`)) break;
  }
  const contents = await fetch(`http://127.0.0.1:${port}/api/contents?token=let-in`).then((answer) =>
    answer.json()
  );
  const kernels = await fetch(`http://127.0.0.1:${port}/api/kernelspecs?token=let-in`).then((answer) =>
    answer.json()
  );
  lab.kill("SIGTERM");
  const told = await new Response(lab.stdout).text();
  await lab.status;
  assert.deepEqual(contents.content, [], said);
  assert.ok("deno" in kernels.kernelspecs);
  assert.match(told, /Opens JupyterLab on .+mine\. Ctrl\+C, twice, ends it\./);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/api`), TypeError);
});

Deno.test("without Python the tests that need one are skipped and say so; with CI set they fail", async () => {
  await using folder = await workFolder();
  const none = { PATH: folder.file("bin"), XDG_CACHE_HOME: folder.file("cache"), HOME: folder.path };
  for (
    const [ci, code, told] of [["", 0, /will be skipped/], [
      "true",
      1,
      /CI is set: that is an error/,
    ]] as const
  ) {
    const made = await runDeno(["run", "-A", "scripts/notebook/test_environment.ts"], {
      env: { ...none, COSCI_TEST_PYTHON: "", CI: ci },
    });
    assert.equal(made.code, code, made.stderr);
    assert.match(made.stderr, /Python 3\.10 or newer is needed; none was found/);
    assert.match(made.stderr, told);
  }
  for (
    const [ci, code, told] of [["", 0, /skipped: .*nowhere[^]*5 ignored/], ["true", 1, /5 failed/]] as const
  ) {
    const tests = await runDeno(["test", "-A", "--no-check", "tests/kernel/kernel_driver_test.ts"], {
      env: { COSCI_TEST_PYTHON: "/nowhere", CI: ci },
    });
    assert.equal(tests.code, code, tests.stdout);
    assert.match(tests.stdout, told);
  }
});

/** The task with its own permissions, for a Jupyter whose data is in the folder. */
function task(
  folder: WorkFolder,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return runDeno(["task", "--quiet", ...args], { env: { ...environment(folder), ...env } });
}

function environment(folder: WorkFolder): Record<string, string> {
  return { INIT_CWD: folder.path, JUPYTER_DATA_DIR: folder.file("data"), NO_COLOR: "1" };
}
