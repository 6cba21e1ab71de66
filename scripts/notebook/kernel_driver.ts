import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CosciError } from "../../lib/domain/errors.ts";
import { denoKernelspec, writeKernelspec } from "./kernelspec.ts";
import { type Output, output } from "./outputs.ts";

const DRIVER = fileURLToPath(new URL("driver.py", import.meta.url));
const KERNEL = "deno";

const executed = z.object({
  status: z.enum(["ok", "error", "aborted", "timeout", "died", "restarted"]),
  outputs: z.array(output),
  execution_count: z.number().nullish().transform((count) => count ?? null),
  error: z.object({
    ename: z.string().nullish(),
    evalue: z.string().nullish(),
    traceback: z.array(z.string()).nullish(),
  }).nullable(),
});

/** How a cell ended. `timeout`: it still runs; `died`: the kernel's process ended; `restarted`: meanwhile. */
export type Executed = z.infer<typeof executed>;

const message = z.union([
  z.object({ event: z.literal("output"), id: z.number(), index: z.number(), output }),
  z.object({ event: z.literal("clear"), id: z.number() }),
  z.object({ id: z.number(), ok: z.literal(true) }),
  z.object({ id: z.number(), ok: z.literal(false), error: z.string() }),
]);

/** Told of the outputs of a cell as they come, also of those that come after it has ended. */
export interface OutputListener {
  /** A new output, or an old one with another content. @param index its place among the cell's outputs */
  output?(output: Output, index: number): void;
  /** All outputs of the cell are gone. */
  clear?(): void;
}

/** How a cell is executed. */
export interface ExecuteOptions extends OutputListener {
  /** After how many seconds nobody waits any more; without it for as long as it takes. */
  readonly timeout?: number;
}

/** A kernel that is running. It is shut down when it is disposed of. */
export interface RunningKernel extends AsyncDisposable {
  /** Executes a cell, and waits until it has ended and all of its output has come. */
  execute(code: string, options?: ExecuteOptions): Promise<Executed>;
  /** What the Stop button does. */
  interrupt(): Promise<void>;
  /** Starts it anew. @param how `now`: the process is killed; otherwise it is asked to end */
  restart(how?: { readonly now?: boolean }): Promise<void>;
  /** Whether its process lives. */
  alive(): Promise<boolean>;
  /** Ends it. */
  shutdown(): Promise<void>;
}

/** Where and how a kernel runs. */
export interface KernelPlace {
  /** The folder that it runs in: the base of imports in cells, and where `deno.json` is looked for. */
  readonly cwd: string;
  /** Environment variables over this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What drives kernels. */
export interface DriverOptions {
  /** A Python that has `jupyter_client`. */
  readonly python: string;
  /** The Deno whose kernel it is; this one unless said otherwise. */
  readonly deno?: string;
}

/**
 * Starts the program that drives kernels (`driver.py`): one for as many kernels as are needed. The kernel is this Deno's
 * own, whatever kernels are installed for the user.
 *
 * Disposing of it shuts all of its kernels down.
 */
export async function startDriver({ python, deno = Deno.execPath() }: DriverOptions): Promise<KernelDriver> {
  const data = await Deno.makeTempDir({ prefix: "cosci-kernel-" });
  await writeKernelspec(data, KERNEL, denoKernelspec(deno));
  const process = new Deno.Command(python, {
    args: [DRIVER],
    env: { JUPYTER_PATH: data, JUPYTER_RUNTIME_DIR: data, JUPYTER_PLATFORM_DIRS: "1", PYTHONUTF8: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return new KernelDriver(process, data);
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Drives kernels by way of a Python process. */
export class KernelDriver implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #data: string;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<number, OutputListener>();
  readonly #reading: Promise<unknown>;
  #log = "";
  #requests = 0;
  #ended = false;

  /** For {@linkcode startDriver}. @param process the driver @param data a folder that goes with it */
  constructor(process: Deno.ChildProcess, data: string) {
    this.#process = process;
    this.#data = data;
    this.#input = process.stdin.getWriter();
    this.#reading = Promise.all([this.#readAnswers(), this.#readLog()]);
  }

  /** What the driver and its kernels wrote to standard error, its last 20,000 characters: for messages. */
  get log(): string {
    return this.#log;
  }

  /**
   * Starts a kernel and waits until it is ready.
   *
   * @throws CosciError `internal` where it doesn't start
   */
  async startKernel({ cwd, env = {} }: KernelPlace): Promise<RunningKernel> {
    const { kernel } = z.object({ kernel: z.number() }).parse(
      await this.#ask({ op: "start", kernel_name: KERNEL, cwd, env: { NO_COLOR: "1", ...env } }),
    );
    let running = true;
    const shutdown = async () => {
      if (!running) return;
      running = false;
      await this.#ask({ op: "shutdown", kernel });
    };
    return {
      execute: async (code, { timeout, ...listener } = {}) =>
        executed.parse(await this.#ask({ op: "execute", kernel, code, timeout: timeout ?? null }, listener)),
      interrupt: async () => void await this.#ask({ op: "interrupt", kernel }),
      restart: async ({ now = false } = {}) => void await this.#ask({ op: "restart", kernel, now }),
      alive: async () =>
        z.object({ alive: z.boolean() }).parse(await this.#ask({ op: "alive", kernel })).alive,
      shutdown,
      [Symbol.asyncDispose]: shutdown,
    };
  }

  /** Shuts all kernels down and ends the driver. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {});
    await this.#process.status;
    await this.#reading;
    await Deno.remove(this.#data, { recursive: true }).catch(() => {});
  }

  #ask(request: Record<string, unknown>, listener: OutputListener = {}): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#gone());
    const id = ++this.#requests;
    if (listener.output !== undefined || listener.clear !== undefined) this.#listeners.set(id, listener);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#input.write(new TextEncoder().encode(`${JSON.stringify({ id, ...request })}\n`)).catch(() =>
      reject(this.#gone())
    );
    return promise;
  }

  async #readAnswers(): Promise<void> {
    try {
      for await (const line of lines(this.#process.stdout)) this.#take(JSON.parse(line));
    } finally {
      this.#ended = true;
      for (const { reject } of this.#waiting.values()) reject(this.#gone());
      this.#waiting.clear();
    }
  }

  #take(line: unknown): void {
    const told = message.parse(line);
    if ("event" in told) {
      const listener = this.#listeners.get(told.id);
      if (told.event === "output") listener?.output?.(told.output, told.index);
      else listener?.clear?.();
      return;
    }
    const waiting = this.#waiting.get(told.id);
    this.#waiting.delete(told.id);
    if (told.ok) waiting?.resolve(line);
    else waiting?.reject(new CosciError("internal", `The kernel's driver: ${told.error}${this.#tail()}`));
  }

  async #readLog(): Promise<void> {
    for await (const line of lines(this.#process.stderr)) this.#log = `${this.#log}${line}\n`.slice(-20_000);
  }

  #gone(): CosciError {
    return new CosciError("internal", `The kernel's driver has ended.${this.#tail()}`);
  }

  #tail(): string {
    const tail = this.#log.trim().split("\n").slice(-12).join("\n");
    return tail === "" ? "" : `\n${tail}`;
  }
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
