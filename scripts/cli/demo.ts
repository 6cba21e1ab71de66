import { join } from "node:path";
import { Supervisor } from "../../mod.ts";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { duration } from "../../lib/notebook/displays/wording.ts";
import { systemClock } from "../../lib/domain/clock.ts";
import { fromCaller } from "./paths.ts";
import { resultText } from "./results.ts";
import { runToEnd } from "./session_run.ts";
import { say, tell } from "./streams.ts";

/** What the demo asks. */
export const DEMO_GOAL = "Which interventions could help the recovery of heat-bleached coral reefs?";

/** The demo's settings: a small session in which everything happens once at least. */
export const DEMO_SETTINGS: SettingsPatch = {
  run: { maxIdeas: 14 },
  evolution: { minMature: 5, everyMatches: 15 },
  metareview: { everyMatches: 20 },
  termination: { topKPrecision: 0.9 },
  simulator: { latencyMs: 20 },
};

/** The main job from a goal to its overview, offline and without a key; fresh each time. */
export async function demo(options: { readonly out: string }): Promise<number> {
  const folder = fromCaller(join(options.out, "demo"));
  await Deno.mkdir(folder, { recursive: true });
  const store = join(folder, "demo.db");
  for (const file of [store, `${store}-wal`, `${store}-shm`]) {
    await Deno.remove(file).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
  tell(`Goal: ${DEMO_GOAL}`);
  tell("SIMULATED: models, literature and findings are invented. No key is needed, and nothing is paid.");
  const began = systemClock.now();
  const lab = await Supervisor.create({ name: "demo", goal: DEMO_GOAL, store, settings: DEMO_SETTINGS });
  try {
    const result = await runToEnd(lab, {}, folder);
    say(`${resultText(result)}\n  ${store}`);
    say(
      "\nNext: `deno task new DIR` makes a folder with a first notebook; `deno task run --help` shows the rest.",
    );
    tell(`It took ${duration(systemClock.now() - began)}.`);
    return result.exitCode;
  } finally {
    await lab.close();
  }
}
