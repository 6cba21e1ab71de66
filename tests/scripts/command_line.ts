import { join } from "node:path";
import { systemClock } from "../../lib/domain/clock.ts";
import { createSimulator, type SimulatorOptions } from "../../lib/simulator/server.ts";

const ROOT = new URL("../../", import.meta.url);

/** What a command answered. */
export interface Answer {
  /** Its exit code. */
  readonly code: number;
  /** Its results. */
  readonly stdout: string;
  /** What it said meanwhile. */
  readonly stderr: string;
}

/** The permissions that `deno task` gives the command line; without them it would ask, and here nobody answers. */
const PERMISSIONS = [
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net",
  "--allow-sys=statfs",
];

/** What Deno is given so that it runs a command of the command line. */
function denoArgs(args: readonly string[]): string[] {
  return ["run", "--quiet", ...PERMISSIONS, new URL("scripts/cosci.ts", ROOT).href, ...args];
}

/** The environment of a command that is called from a folder. */
function environment(folder: string): Record<string, string> {
  return { INIT_CWD: folder, NO_COLOR: "1", ANTHROPIC_API_KEY: "", RUN__CONCURRENCY: "4" };
}

/** A command of the command line, called from a folder, not yet awaited. */
export function start(folder: string, ...args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: denoArgs(args),
    cwd: ROOT,
    env: environment(folder),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** A command of the command line, called from a folder. */
export async function cosci(folder: string, ...args: readonly string[]): Promise<Answer> {
  return answerOf(await start(folder, ...args).output());
}

/**
 * Runs Deno itself, such as a task or a check.
 *
 * @param cwd where: the project's folder unless said otherwise
 * @param env environment variables over this process's own
 */
export async function runDeno(
  args: readonly string[],
  { cwd = ROOT, env = {} }: { readonly cwd?: string | URL; readonly env?: Readonly<Record<string, string>> } =
    {},
): Promise<Answer> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  });
  return answerOf(await command.output());
}

function answerOf({ code, stdout, stderr }: Deno.CommandOutput): Answer {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** A folder of one's own for a test, removed with it. */
export interface WorkFolder extends AsyncDisposable {
  /** Where it is. */
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** The text of a file in it. */
  read(name: string): Promise<string>;
  /** The names in it, or in a folder in it, sorted. */
  list(name?: string): Promise<string[]>;
}

/** A folder of one's own for a test, removed with it. */
export async function workFolder(): Promise<WorkFolder> {
  const path = await Deno.makeTempDir({ prefix: "cosci-cli-" });
  return {
    path,
    file: (name) => join(path, name),
    read: (name) => Deno.readTextFile(join(path, name)),
    list: async (name = ".") =>
      (await Array.fromAsync(Deno.readDir(join(path, name)), (entry) => entry.name)).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Serves a simulator on loopback, as a live model would be reached. */
export function serve(options: Partial<SimulatorOptions>): AsyncDisposable & { readonly url: string } {
  const simulator = createSimulator({ seed: "loopback", clock: systemClock, ...options });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => simulator.fetch(request),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Whether a terminal can be had for tests: `script` of util-linux makes one. */
export const terminalToBeHad: boolean = await hasScript();

/**
 * A command of the command line in a terminal so many columns wide. Its results go to the file `results`; what it writes
 * for whoever watches is the answer, with what commands the terminal.
 */
export async function cosciInTerminal(
  folder: string,
  columns: number,
  ...args: readonly string[]
): Promise<string> {
  const quoted = [Deno.execPath(), ...denoArgs(args)].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const { code, stdout } = await new Deno.Command("script", {
    args: ["-qec", `stty cols ${columns} rows 30; ${quoted} > '${join(folder, "results")}'`, "/dev/null"],
    cwd: ROOT,
    env: { ...environment(folder), SHELL: "/bin/sh" },
    stdin: "null",
    stdout: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (code !== 0) throw new Error(`it answered ${code}: ${text}`);
  return text;
}

async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
