import type { Rng } from "../domain/rng.ts";
import type { Pair, PairCandidate, PairRules } from "./pair_rules.ts";

/** A hypothesis by lot, and any that it may meet by lot; the next one by lot where there is none; `null` at last. */
export function pairAtRandom(candidates: readonly PairCandidate[], rules: PairRules, rng: Rng): Pair | null {
  const left = [...candidates];
  while (left.length > 1) {
    const i = rng.int(left.length);
    const first = left[i], last = left.pop();
    if (first === undefined || last === undefined) return null;
    if (last !== first) left[i] = last;
    // Whoever was tried before has no allowed partner, so it need not be looked at again.
    const partners = left.filter((other) => rules.allows(first, other));
    if (partners.length > 0) return [first, rng.pick(partners)];
  }
  return null;
}
