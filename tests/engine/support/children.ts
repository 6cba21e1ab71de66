import { z } from "zod";
import type { KillPoint, Order } from "./child.ts";

const CHILD = new URL("./child.ts", import.meta.url).pathname;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

const line = z.object({
  sent: z.string().optional(),
  billed: z.number().optional(),
  endedBy: z.string().optional(),
  stop: z.string().nullable().optional(),
  failures: z.number().optional(),
  tasks: z.record(z.string(), z.number()).optional(),
  passed: z.record(z.string(), z.number()).optional(),
});

/** What a child did, as far as it came. */
export interface ChildReport {
  /** Whether it was killed. */
  readonly killed: boolean;
  /** Its exit code, if it ended by itself. */
  readonly code: number;
  /** What it wrote to standard error. */
  readonly stderr: string;
  /** Keys of the calls that it sent, in order. */
  readonly sent: readonly string[];
  /** What its server had billed when it ended, in micro-dollars. */
  readonly billed: number;
  /** What ended its run; empty if it was killed. */
  readonly endedBy: string;
  /** Why the session stopped, if it did. */
  readonly stop: string | null;
  /** Attempts that failed. */
  readonly failures: number;
  /** How many tasks ended in it, by action. */
  readonly tasks: Readonly<Record<string, number>>;
  /** How often it passed each kill point. */
  readonly passed: Readonly<Partial<Record<KillPoint, number>>>;
}

/** A child whose session is open, or that is dead before that. */
interface Waiting {
  /** Lets it begin. */
  go(): Promise<void>;
  /** What it did. */
  readonly done: Promise<ChildReport>;
}

/** Runs a child to its end, whichever that is. */
export async function child(given: Omit<Order, "log">, folder: string): Promise<ChildReport> {
  const waiting = await start(given, folder);
  await waiting.go();
  return await waiting.done;
}

/** Runs children that begin at the same moment. */
export async function together(
  orders: readonly Omit<Order, "log">[],
  folder: string,
): Promise<readonly ChildReport[]> {
  const waiting = await Promise.all(orders.map((given) => start(given, folder)));
  await Promise.all(waiting.map((each) => each.go()));
  return await Promise.all(waiting.map((each) => each.done));
}

async function start(given: Omit<Order, "log">, folder: string): Promise<Waiting> {
  const log = `${folder}/${crypto.randomUUID()}.log`;
  const running = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", CONFIG, CHILD, JSON.stringify({ ...given, log })],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(running.stderr).text();
  const output = running.stdout.getReader();
  await output.read();
  return {
    go: async () => {
      const input = running.stdin.getWriter();
      // One that is dead already takes nothing any more; its status tells.
      await input.write(new TextEncoder().encode("!")).catch(() => {});
      await input.close().catch(() => {});
    },
    done: (async () => {
      const { code, signal } = await running.status;
      await output.cancel();
      return reportOf(await readLines(log), { code, killed: signal === "SIGKILL", stderr: await stderr });
    })(),
  };
}

function reportOf(
  texts: readonly string[],
  ending: Pick<ChildReport, "code" | "killed" | "stderr">,
): ChildReport {
  const lines = texts.map((text) => line.parse(JSON.parse(text)));
  const end = lines.find((each) => each.endedBy !== undefined);
  return {
    ...ending,
    sent: lines.flatMap((each) => each.sent ?? []),
    billed: lines.findLast((each) => each.billed !== undefined)?.billed ?? 0,
    endedBy: end?.endedBy ?? "",
    stop: end?.stop ?? null,
    failures: end?.failures ?? 0,
    tasks: end?.tasks ?? {},
    passed: end?.passed ?? {},
  };
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await Deno.readTextFile(path)).split("\n").filter((text) => text !== "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
