import { Supervisor, type SupervisorHandle } from "cosci";
import { EVOLUTION_STRATEGIES } from "../../../lib/domain/records.ts";
import { rng } from "../../../lib/domain/rng.ts";
import type { Entry } from "../../../lib/store/records.ts";
import { playMatches } from "../engine/played_matches.ts";
import { fillPool, poolEntries, poolId } from "../engine/pool.ts";

/** A session in memory with a pool of hypotheses that met so many times in all before a noisy judge, a commit each. */
export async function playedSession(hypotheses: number, matches: number): Promise<SupervisorHandle> {
  const lab = await emptySession(`${hypotheses} × ${matches}`);
  fillPool(lab, hypotheses);
  const chance = rng("bench", `notebook ${hypotheses}`, "matches");
  playMatches(lab, chance, { hypotheses, matches, perCommit: 1, firstBias: 0 });
  return lab;
}

/** A session in memory of so many hypotheses, of which two thirds were made from one to three of those before them. */
export async function evolvedSession(hypotheses: number): Promise<SupervisorHandle> {
  const lab = await emptySession(`${hypotheses} of one family`);
  const chance = rng("bench", `notebook ${hypotheses}`, "lineage");
  const seeds = Math.ceil(hypotheses / 3);
  fillPool(lab, seeds);
  const generation = new Map<number, number>();
  for (let i = seeds; i < hypotheses; i++) {
    const strategy = chance.pick(EVOLUTION_STRATEGIES);
    const parents = Array.from(
      { length: strategy === "combine" ? 2 + chance.int(2) : 1 },
      () => chance.int(i),
    );
    const own = 1 + Math.max(...parents.map((parent) => generation.get(parent) ?? 0));
    generation.set(i, own);
    const entries = poolEntries(i).map((entry): Entry =>
      entry.kind !== "hypothesis" ? entry : {
        ...entry,
        record: { ...entry.record, strategy, generation: own, parents: [...new Set(parents)].map(poolId) },
      }
    );
    lab.store.commit(
      lab.view().session.id,
      () => ({ kind: "evolve", author: "engine", progress: 1, entries }),
    );
  }
  return lab;
}

function emptySession(name: string): Promise<SupervisorHandle> {
  return Supervisor.create({
    goal: "What makes invented cells glow?",
    name,
    seed: "bench",
    store: ":memory:",
    environment: {},
  });
}
