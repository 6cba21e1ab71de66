import type { Rng } from "../domain/rng.ts";
import type { Pair, PairCandidate, PairRules } from "./pair_rules.ts";

/**
 * A pair by the Swiss system, one at a time: of those with the fewest matches (played and under way) the strongest meets
 * the next strongest of them that it has not met, so that everybody plays once before anybody plays twice. Where none of
 * them may be met, the field widens to those with more matches; at last to pairs that have met before. Equal strengths
 * go by lot, so that the first round is drawn. `null` when no pair is allowed.
 *
 * @param strength what orders the field, higher is better
 */
export function pairBySwiss(
  candidates: readonly PairCandidate[],
  strength: (candidate: PairCandidate) => number,
  met: (a: string, b: string) => number,
  rules: PairRules,
  rng: Rng,
): Pair | null {
  const field = rng.shuffle(candidates)
    .map((candidate) => ({ candidate, strength: strength(candidate), played: rules.matches(candidate) }))
    .sort((a, b) => b.strength - a.strength);
  const rounds = [...new Set(field.map(({ played }) => played))].sort((a, b) => a - b);
  for (const again of [false, true]) {
    const allowed = (a: PairCandidate, b: PairCandidate) =>
      rules.allows(a, b) && (again || met(a.id, b.id) === 0);
    for (const round of rounds) {
      for (const [i, { candidate, played }] of field.entries()) {
        if (played !== round) continue;
        const partner = partnerOf(field, i, candidate, allowed);
        if (partner !== null) return [candidate, partner];
      }
    }
  }
  return null;
}

/** Whom it meets: of those with the fewest matches the one that stands nearest in the order, the weaker one of two. */
function partnerOf(
  field: readonly { candidate: PairCandidate; played: number }[],
  at: number,
  candidate: PairCandidate,
  allowed: (a: PairCandidate, b: PairCandidate) => boolean,
): PairCandidate | null {
  let best: { candidate: PairCandidate; played: number; distance: number } | null = null;
  for (const [i, other] of field.entries()) {
    const distance = i > at ? i - at - 0.5 : at - i;
    if (
      i === at || (best !== null && (other.played > best.played ||
        (other.played === best.played && distance >= best.distance)))
    ) continue;
    if (allowed(candidate, other.candidate)) best = { ...other, distance };
  }
  return best?.candidate ?? null;
}
