import assert from "node:assert/strict";
import { ROOT, type TestKernel, textOf } from "./kernel_tests.ts";

/** A cell before all others: when the process was told to stop, as soon as it hears of it. */
export const WHEN_STOPPED = `
let stoppedAt = 0;
Deno.addSignalListener("SIGINT", () => stoppedAt = performance.now());`;

/**
 * A cell that makes `lab`, a session whose calls can be held in flight: `hold = true` holds the next ones, which say
 * `in flight` under the cell and end when they are cut, the last one `cutMs` after the process was told to stop. After
 * {@linkcode WHEN_STOPPED}.
 */
export function labCell(store: string, name = "stopped"): string {
  return `
import { Supervisor } from "cosci";
import { createSimulator } from "${ROOT}lib/simulator/server.ts";
import { systemClock } from "${ROOT}lib/domain/clock.ts";
const simulator = createSimulator({ seed: "stopping", clock: systemClock });
let hold = false, cuts = 0, cutMs = Infinity;
const lab = await Supervisor.create({
  goal: "What makes invented cells glow?",
  name: ${JSON.stringify(name)},
  seed: "stopping",
  store: ${JSON.stringify(store)},
  environment: {},
  progress: "none",
  settings: { run: { concurrency: 1, maxIdeas: 6, initialIdeas: 2 } },
  fetch: async (input, init) => {
    if (hold) {
      console.log("in flight");
      await new Promise((_, reject) => init.signal.addEventListener("abort", () => {
        cuts++;
        cutMs = performance.now() - stoppedAt;
        reject(init.signal.reason);
      }));
    }
    return await simulator.fetch(input, init);
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
