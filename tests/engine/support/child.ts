/**
 * A process of its own that runs the session of these tests on a store, and kills itself where it is told to. Its order
 * comes as JSON in the first argument; what it did goes to a file, line by line, so that it survives the kill. With the
 * session open it says so on standard output, and begins when it is told to on standard input.
 */
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { SettingsPatch } from "../../../lib/config/settings.ts";
import { enter, small, wire } from "./session.ts";

/** Where a process can be killed. */
export const KILL_POINTS = ["send", "answer", "statement", "commit", "committed"] as const;
/** `send`: before a call is sent; `answer`: before its answer is read; `statement`: within a transaction; `commit` and
 * `committed`: before and after a transaction's end. */
export type KillPoint = (typeof KILL_POINTS)[number];

/** What a child is to do. */
export const order = z.object({
  store: z.string(),
  log: z.string(),
  concurrency: z.number(),
  usd: z.number().optional(),
  /** Valid matches in all; until nothing is left if not given. */
  matches: z.number().optional(),
  finish: z.boolean(),
  latencyMs: z.number(),
  /** Settings over those of the small session; its maker checks them. */
  settings: z.custom<SettingsPatch>((value) => typeof value === "object").optional(),
  kill: z.object({ at: z.enum(KILL_POINTS), n: z.number() }).nullable(),
});
/** What a child is to do. */
export type Order = z.infer<typeof order>;

if (import.meta.main) await obey(order.parse(JSON.parse(Deno.args[0] ?? "{}")));

async function obey(given: Order): Promise<void> {
  const say = logTo(given.log);
  const passed: Record<KillPoint, number> = { send: 0, answer: 0, statement: 0, commit: 0, committed: 0 };
  const pass = (at: KillPoint) => {
    passed[at]++;
    if (given.kill?.at === at && given.kill.n === passed[at]) die();
  };
  watchTransactions(pass);

  const over = wire({
    latencyMs: given.latencyMs,
    before: (key) => {
      pass("send");
      say({ sent: key });
    },
    after: () => {
      say({ billed: over.simulator.billed().microUsd });
      pass("answer");
    },
  });
  const lab = await enter(given.store, {
    over,
    settings: small(given.concurrency, given.settings),
    ...(given.usd === undefined ? {} : { usd: given.usd }),
  });
  await Deno.stdout.write(new TextEncoder().encode("ready\n"));
  await Deno.stdin.read(new Uint8Array(1));
  const run = await lab.runUntil(given.matches === undefined ? {} : { matches: given.matches });
  if (given.finish) await lab.finish();
  await lab.close();
  say({
    endedBy: run.endedBy,
    stop: run.stop?.reason ?? null,
    failures: run.failures,
    tasks: run.tasks,
    passed,
  });
}

/** What is said is in the file before the next thing happens. */
function logTo(path: string): (line: Record<string, unknown>) => void {
  const log = Deno.openSync(path, { create: true, append: true });
  return (line) => {
    log.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  };
}

function die(): void {
  Deno.kill(Deno.pid, "SIGKILL");
  // The kernel ends all threads at its leisure; this one does nothing more.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Passes a kill point at each statement inside a transaction, and before and after the transaction's end. */
function watchTransactions(pass: (at: KillPoint) => void): void {
  const prepare = DatabaseSync.prototype.prepare;
  let inside = false;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given: Parameters<typeof prepare>) {
    const [sql] = given;
    const statement = prepare.apply(this, given);
    const around = <T>(work: () => T): T => {
      if (sql === "COMMIT") pass("commit");
      const result = work();
      if (sql === "COMMIT") {
        inside = false;
        pass("committed");
      } else if (sql === "ROLLBACK") inside = false;
      else if (sql === "BEGIN IMMEDIATE") inside = true;
      if (inside) pass("statement");
      return result;
    };
    for (const verb of ["run", "get", "all"] as const) {
      const original: (...params: never[]) => unknown = statement[verb];
      Object.defineProperty(statement, verb, {
        value: (...params: unknown[]): unknown => around(() => Reflect.apply(original, statement, params)),
      });
    }
    return statement;
  };
}
