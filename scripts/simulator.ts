import { Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { systemClock } from "../lib/domain/clock.ts";
import { createSimulator } from "../lib/simulator/server.ts";

const settings = z.object({
  port: z.number(),
  seed: z.string(),
  latency: z.number(),
  apiKey: z.string().optional(),
});

/** Serves the simulator on the loopback interface until interrupted. */
function main(): void {
  const program = new Command("simulator")
    .description("Serves the offline Messages API on loopback. Nothing it says is true.")
    .option("--port <number>", "port; 0 takes a free one", wholeNumber, 8787)
    .option("--seed <text>", "the seed of the invented world", "cosci")
    .option("--latency <ms>", "how long an answer takes, in milliseconds", wholeNumber, 0)
    .option("--api-key <key>", "refuse requests with another key")
    .parse();
  const { port, seed, latency, apiKey } = settings.parse(program.opts());
  const simulator = createSimulator({
    seed,
    clock: systemClock,
    latencyMs: latency,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  Deno.serve({
    hostname: "127.0.0.1",
    port,
    onListen: (address) =>
      print(
        `Simulated Messages API (SIMULATED: nothing it says is true) at http://127.0.0.1:${address.port}`,
      ),
  }, (request) => simulator.fetch(request));
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Give a whole number.");
  return Number(text);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) main();
