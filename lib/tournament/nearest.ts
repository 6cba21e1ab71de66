import type { Rng } from "../domain/rng.ts";
import type { PairCandidate, PairRules } from "./pair_rules.ts";

/** The one it may meet whose Elo is nearest, by lot among equally near ones. */
export function nearest(
  to: PairCandidate,
  among: readonly PairCandidate[],
  rules: PairRules,
  rng: Rng,
): PairCandidate | null {
  let best: PairCandidate[] = [];
  let distance = Infinity;
  for (const other of among) {
    const d = Math.abs(other.elo - to.elo);
    // The comparison comes first, since it is cheaper than the pair's record.
    if (d > distance || !rules.allows(to, other)) continue;
    if (d < distance) best = [];
    best.push(other);
    distance = d;
  }
  return best.length === 0 ? null : rng.pick(best);
}
