import { Supervisor } from "cosci";
import type { SettingsPatch } from "../../../lib/config/settings.ts";
import { hypothesisText } from "../../../lib/domain/text.ts";
import type { Standing } from "../../../lib/store/view.ts";
import { DEMO_GOAL, DEMO_SETTINGS } from "../../cli/demo.ts";
import { type MedianWithInterval, medianWithInterval } from "./median.ts";

/** By how much the best hypothesis of a finished session is truly better than the best initial one. */
export interface TruthGain extends MedianWithInterval {
  /** Sessions. */
  readonly seeds: number;
}

/** The demo's settings, with a model that answers at once: that changes nothing but the time it takes. */
const SETTINGS: SettingsPatch = { ...DEMO_SETTINGS, simulator: { ...DEMO_SETTINGS.simulator, latencyMs: 0 } };

/**
 * Runs the demo's session with one seed after another to its overview, and compares by the simulator's truth, in standard
 * deviations over random hypotheses: the leader of the finished session with the truly best of the hypotheses that
 * generation began with. No session knows the truth; the leader is who the judge's matches put first.
 */
export async function measureTruthGain(seeds: number): Promise<TruthGain> {
  const gains: number[] = [];
  for (let seed = 0; seed < seeds; seed++) gains.push(await gainOf(`truth-${seed}`));
  return { ...medianWithInterval(gains), seeds };
}

async function gainOf(seed: string): Promise<number> {
  const lab = await Supervisor.create({
    goal: DEMO_GOAL,
    name: seed,
    seed,
    store: ":memory:",
    environment: {},
    settings: SETTINGS,
  });
  try {
    await lab.runUntil();
    await lab.finish();
    const { simulator } = lab;
    if (simulator === null) throw new Error("The session is not simulated");
    const view = lab.view();
    const truth = ({ record }: Standing) => simulator.truth(hypothesisText(record));
    const generated = view.hypotheses.filter(({ record }) => record.parents.length === 0);
    const initial = generated.slice(0, view.settings.run.initialIdeas);
    const [leader] = view.leaderboard;
    if (leader === undefined) throw new Error(`Seed ${seed}: nobody is in the tournament`);
    return truth(leader) - Math.max(...initial.map(truth));
  } finally {
    await lab.close();
  }
}
