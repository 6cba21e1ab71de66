import { join } from "node:path";
import { CosciError } from "../../lib/domain/errors.ts";
import { denoKernelspec, writeKernelspec } from "./kernelspec.ts";

const READY_SECONDS = 60;

/** A JupyterLab that runs on loopback. It ends when it is disposed of, with its kernels. */
export interface LabServer extends AsyncDisposable {
  /** The address of a notebook in its folder, with the token that lets in. */
  urlOf(notebook: string): string;
}

/**
 * Starts JupyterLab on a folder, on a free port of loopback, with this Deno's kernel. Settings, workspaces, kernels and
 * logs are its own: nothing of the user's Jupyter is read or written. Its pages give programs `window.jupyterapp`, and show
 * all cells at once, so that what a notebook shows can be counted.
 *
 * @throws CosciError `internal` where it doesn't answer
 */
export async function startLab({ python, root, env = Deno.env.toObject() }: {
  readonly python: string;
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<LabServer> {
  const own = await Deno.makeTempDir({ prefix: "cosci-lab-" });
  const settings = join(own, "settings");
  await writeKernelspec(own, "deno", denoKernelspec(Deno.execPath()));
  await writeSetting(settings, "notebook-extension", "tracker", { windowingMode: "none" });
  await writeSetting(settings, "apputils-extension", "notification", {
    fetchNews: "false",
    checkForUpdates: false,
  });
  const port = freePort();
  const token = crypto.randomUUID();
  const server = new Deno.Command(python, {
    args: [
      "-m",
      "jupyterlab",
      "--no-browser",
      "--allow-root",
      "--ServerApp.ip=127.0.0.1",
      `--ServerApp.port=${port}`,
      "--ServerApp.port_retries=0",
      `--IdentityProvider.token=${token}`,
      `--ServerApp.root_dir=${root}`,
      "--LabApp.expose_app_in_browser=True",
    ],
    clearEnv: true,
    env: {
      ...env,
      JUPYTER_CONFIG_DIR: join(own, "config"),
      JUPYTER_DATA_DIR: own,
      JUPYTER_RUNTIME_DIR: join(own, "runtime"),
      JUPYTERLAB_SETTINGS_DIR: settings,
      JUPYTERLAB_WORKSPACES_DIR: join(own, "workspaces"),
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const log = Promise.all([server.stdout.pipeTo(new WritableStream()), new Response(server.stderr).text()]);
  const base = `http://127.0.0.1:${port}`;
  const end = async () => {
    try {
      server.kill("SIGTERM");
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
    await server.status;
    const [, text] = await log;
    await Deno.remove(own, { recursive: true }).catch(() => {});
    return text;
  };
  if (!await answers(`${base}/api/status?token=${token}`, server.status)) {
    throw new CosciError(
      "internal",
      `JupyterLab did not start.\n${(await end()).split("\n").slice(-15).join("\n")}`,
    );
  }
  return {
    urlOf: (notebook) => `${base}/lab/tree/${encodeURIComponent(notebook)}?token=${token}`,
    [Symbol.asyncDispose]: async () => void await end(),
  };
}

async function writeSetting(
  folder: string,
  extension: string,
  plugin: string,
  value: unknown,
): Promise<void> {
  const place = join(folder, "@jupyterlab", extension);
  await Deno.mkdir(place, { recursive: true });
  await Deno.writeTextFile(join(place, `${plugin}.jupyterlab-settings`), JSON.stringify(value));
}

/** A port of loopback that nobody uses now. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function answers(url: string, ended: Promise<unknown>): Promise<boolean> {
  let over = false;
  ended.then(() => over = true);
  const last = performance.now() + READY_SECONDS * 1000;
  while (!over && performance.now() < last) {
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      if (response.ok) return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((again) => setTimeout(again, 200));
  }
  return false;
}
