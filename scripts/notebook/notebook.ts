/**
 * Sets up what notebooks need and opens JupyterLab: `deno task notebook [FOLDER] [--no-open] [--check] [--venv DIR]`.
 * What follows `--` goes to JupyterLab.
 *
 * It installs the Deno kernel, and a virtual environment with JupyterLab where there is no JupyterLab. It says each thing
 * that it does; a second time there is nothing to do. Exit codes: 0; 1 `--check` and something is missing, or JupyterLab
 * ended with an error; 2 something is in the way, with the remedy.
 */
import { fileURLToPath } from "node:url";
import { CosciError, inputError } from "../../lib/domain/errors.ts";
import { fromCaller } from "../cli/paths.ts";
import { say } from "../cli/streams.ts";
import { installKernel, jupyterDataFolder, kernelState } from "./install_kernel.ts";
import { ensureJupyter, findJupyter, VENV } from "./jupyter_python.ts";
import { EXIT, runCommand, setUpCommand } from "./set_up_command.ts";

const TUTORIALS = fileURLToPath(new URL("../../notebooks", import.meta.url));

interface NotebookOptions {
  readonly open: boolean;
  readonly check?: boolean;
  readonly venv?: string;
}

async function main(args: readonly string[]): Promise<number> {
  const cut = args.includes("--") ? args.indexOf("--") : args.length;
  const forJupyter = args.slice(cut + 1);
  let code: number = EXIT.done;
  const command = setUpCommand(
    "notebook",
    "Opens JupyterLab with the Deno kernel, and sets both up where they are missing.",
  )
    .argument("[folder]", "the folder or notebook to open; without it the tutorials")
    .option("--no-open", "only set up")
    .option("--check", "only say what is there")
    .option("--venv <folder>", "the virtual environment; without it .venv of this checkout")
    .addHelpText("after", "\nWhat follows -- goes to JupyterLab, such as -- --no-browser --port 9000.")
    .action(async (folder: string | undefined, options: NotebookOptions) => {
      const venv = options.venv === undefined ? VENV : fromCaller(options.venv);
      if (options.check === true) {
        code = await check(venv);
        return;
      }
      const target = folder === undefined ? TUTORIALS : await existing(folder);
      const { python, changed } = await setUp(venv);
      if (!changed) say("Nothing had to be changed.");
      if (options.open) code = await openLab(python, target, forJupyter);
    });
  return await runCommand(command, args.slice(0, cut), () => code);
}

async function setUp(venv: string): Promise<{ readonly python: string; readonly changed: boolean }> {
  const found = await findJupyter("jupyterlab", venv);
  const jupyter = found ?? await ensureJupyter("jupyterlab", (line) => say(`JupyterLab: ${line}`), venv);
  say(
    `JupyterLab: ${
      found === null ? "installed" : "is there already"
    }, in ${jupyter.where} (${jupyter.path}).`,
  );
  const kernel = await installKernel(await jupyterDataFolder(jupyter.path));
  if (!kernel.usable) throw new CosciError("input", kernel.lines.join("\n"));
  for (const line of kernel.lines) say(line);
  return { python: jupyter.path, changed: found === null || kernel.changed };
}

async function check(venv: string): Promise<number> {
  const jupyter = await findJupyter("jupyterlab", venv);
  say(jupyter === null ? "JupyterLab: missing" : `JupyterLab: in ${jupyter.where} (${jupyter.path})`);
  const kernel = await kernelState(await jupyterDataFolder(jupyter?.path ?? null));
  say(`Kernel: ${kernel.kind} (${kernel.file})`);
  return jupyter !== null && kernel.kind === "good" ? EXIT.done : EXIT.missing;
}

async function existing(given: string): Promise<string> {
  const path = fromCaller(given);
  try {
    await Deno.stat(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw inputError("folder", given, `It is not there; deno task new ${given} makes it.`);
  }
  return path;
}

async function openLab(python: string, target: string, more: readonly string[]): Promise<number> {
  say(`Opens JupyterLab on ${target}. Ctrl+C, twice, ends it.`);
  const lab = new Deno.Command(python, {
    args: ["-m", "jupyterlab", target, ...more],
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // Ctrl+C reaches JupyterLab as well, which asks whether it is meant.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => lab.kill("SIGTERM"));
  return (await lab.status).success ? EXIT.done : EXIT.missing;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
