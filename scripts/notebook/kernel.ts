/**
 * Installs the Deno kernel for the user's own Jupyter: `deno task kernel [--check] [--force]`.
 *
 * Exit codes: 0 it is there; 1 `--check` and it is not; 2 a kernel of somebody else has its name.
 */
import { say } from "../cli/streams.ts";
import { installKernel, jupyterDataFolder, kernelState } from "./install_kernel.ts";
import { findJupyter } from "./jupyter_python.ts";
import { EXIT, runCommand, setUpCommand } from "./set_up_command.ts";

async function main(args: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const command = setUpCommand("kernel", "Installs the Deno kernel for the Jupyter that you have.")
    .option("--check", "only say how it stands")
    .option("--force", "replace a kernel of that name; its file is kept beside the new one")
    .action(async ({ check = false, force = false }: { check?: boolean; force?: boolean }) => {
      const folder = await jupyterDataFolder((await findJupyter("jupyter_client"))?.path ?? null);
      if (check) {
        const state = await kernelState(folder);
        say(`Kernel: ${state.kind} (${state.file})`);
        code = state.kind === "good" ? EXIT.done : EXIT.missing;
        return;
      }
      const { lines, usable } = await installKernel(folder, { force });
      for (const line of lines) say(line);
      if (usable) say('Open a notebook in JupyterLab or VS Code and choose the kernel "Deno".');
      code = usable ? EXIT.done : EXIT.input;
    });
  return await runCommand(command, args, () => code);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
