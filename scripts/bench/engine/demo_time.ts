import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Supervisor } from "cosci";
import { EVOLUTION_STRATEGIES } from "../../../lib/domain/records.ts";

const COMMAND_LINE = fileURLToPath(new URL("../../cosci.ts", import.meta.url));

/**
 * Seconds that `deno task demo` takes, start of the program included. Throws where the session left something out: each
 * evolution strategy, a meta-review, and an overview by a model belong to it.
 */
export async function measureDemo(folder: string): Promise<number> {
  const begun = performance.now();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", COMMAND_LINE, "demo", "--out", folder],
    stdout: "null",
    stderr: "piped",
  }).output();
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`The demo ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  const lab = await Supervisor.open({ store: join(folder, "demo", "demo.db"), environment: {} });
  try {
    const view = lab.view();
    const used = new Set<string>(view.hypotheses.map(({ record }) => record.strategy));
    const left = [
      ...EVOLUTION_STRATEGIES.filter((strategy) => !used.has(strategy)),
      ...(view.feedback.length === 0 ? ["a meta-review"] : []),
      ...(view.overviews.at(-1)?.source === "model" ? [] : ["an overview by a model"]),
    ];
    if (left.length > 0) throw new Error(`The demo left out: ${left.join(", ")}`);
    return seconds;
  } finally {
    await lab.close();
  }
}
