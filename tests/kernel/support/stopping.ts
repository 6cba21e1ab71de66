import assert from "node:assert/strict";
import { ROOT, type TestKernel, textOf } from "./kernel_tests.ts";

/** The session of these tests. */
export const SESSION = {
  goal: "What makes invented cells glow?",
  name: "stopped",
  seed: "stopping",
  environment: {},
  progress: "none",
  settings: { run: { concurrency: 1, maxIdeas: 6, initialIdeas: 2 } },
} as const;

/** A cell before all others: when the process was told to stop, as soon as it hears of it. */
export const WHEN_STOPPED = `
let stoppedAt = 0;
Deno.addSignalListener("SIGINT", () => stoppedAt = performance.now());`;

/**
 * A cell that makes `lab`, a session whose calls can be held in flight: `hold = true` holds the next ones, which say
 * `in flight` under the cell and end when they are cut, the last one `cutMs` after the process was told to stop. After
 * {@linkcode WHEN_STOPPED}. `holdAt = 3` holds the third call. Each call is told to the log, when it is sent and when it is
 * answered, by its key.
 */
export function labCell(
  store: string,
  { log = null, door = "create" }: { log?: string | null; door?: "create" | "open" } = {},
): string {
  const session = door === "create" ? SESSION : { session: SESSION.name, environment: {}, progress: "none" };
  return `
import { Supervisor } from "cosci";
import { createSimulator } from "${ROOT}lib/simulator/server.ts";
import { CALL_HEADER } from "${ROOT}lib/net/tape.ts";
import { systemClock } from "${ROOT}lib/domain/clock.ts";
const simulator = createSimulator({ seed: ${JSON.stringify(SESSION.seed)}, clock: systemClock });
let hold = false, holdAt = Infinity, calls = 0, cuts = 0, cutMs = Infinity;
const log = ${JSON.stringify(log)};
const say = (what, init) => {
  if (log !== null) Deno.writeTextFileSync(log, what + " " + new Headers(init.headers).get(CALL_HEADER) + "\\n", { append: true });
};
const lab = await Supervisor.${door}({
  ...${JSON.stringify(session)},
  store: ${JSON.stringify(store)},
  fetch: async (input, init) => {
    say("sent", init);
    if (hold || ++calls === holdAt) {
      console.log("in flight");
      await new Promise((_, reject) => init.signal.addEventListener("abort", () => {
        cuts++;
        cutMs = performance.now() - stoppedAt;
        reject(init.signal.reason);
      }));
    }
    const response = await simulator.fetch(input, init);
    say("answered", init);
    return response;
  },
});`;
}

/** Executes a cell and stops it as soon as it says `in flight`. Returns its output as text. */
export async function stopped(kernel: TestKernel, code: string, presses = 1): Promise<string> {
  const flying = Promise.withResolvers<void>();
  const cell = kernel.execute(code, {
    timeout: 30,
    output: (output) => {
      if (textOf([output]).includes("in flight")) flying.resolve();
    },
  });
  await Promise.race([flying.promise, cell]);
  for (let i = 0; i < presses; i++) await kernel.interrupt();
  const { status, outputs } = await cell;
  assert.ok(status === "ok" || status === "error", `the cell is ${status}: ${textOf(outputs)}`);
  return textOf(outputs);
}

/** The value of a cell, by way of JSON. */
export async function valueOf(kernel: TestKernel, expression: string): Promise<unknown> {
  const { status, outputs } = await kernel.execute(`console.log(JSON.stringify(${expression}))`, {
    timeout: 30,
  });
  assert.equal(status, "ok", textOf(outputs));
  return JSON.parse(textOf(outputs));
}
