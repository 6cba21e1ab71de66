import { Supervisor, type SupervisorHandle } from "cosci";
import type { SettingsPatch } from "../../../lib/config/settings.ts";
import { instantJudge } from "./instant_judge.ts";
import { fillPool } from "./pool.ts";

/** Hypotheses in the pool. */
const POOL = 60;

/** Matches of one call each, and nothing else: no debates, no thinking, no evolution, no end. */
function onlyMatches(concurrency: number): SettingsPatch {
  return {
    run: {
      concurrency,
      maxIdeas: POOL,
      maxMatchesPerIdea: 1_000_000,
      wallClockSeconds: 1_000_000,
      budgetTokens: Number.MAX_SAFE_INTEGER,
    },
    ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0, maxMatchesPerPair: 1_000_000 },
    thinking: { "ranking.pairwise": 0 },
    reflection: { verifyTop: 0 },
    metareview: { everyMatches: 1_000_000_000 },
    termination: { minMatches: 1_000_000_000 },
    vectors: { reclusterEveryMatches: 1_000_000_000 },
  };
}

/** A session in a file store whose tasks are matches, each judged by one call that takes `latencyMs`. */
export async function matchSession(
  store: string,
  options: { readonly concurrency: number; readonly latencyMs: number },
): Promise<SupervisorHandle> {
  const lab = await Supervisor.create({
    goal: "What makes invented cells glow?",
    name: "bench",
    seed: "bench",
    store,
    environment: {},
    models: {
      baseUrl: "http://127.0.0.1:1",
      model: "bench",
      price: { inputUsd: 0, outputUsd: 0 },
      contextTokens: 200_000,
      maxOutputTokens: 8_192,
    },
    budget: { usd: 100 },
    settings: onlyMatches(options.concurrency),
    fetch: instantJudge(options.latencyMs),
  });
  fillPool(lab, POOL);
  return lab;
}
