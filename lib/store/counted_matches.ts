import type { MatchRecord } from "../domain/records.ts";

/** Which matches count, and how much. */
export interface CountRule {
  /** Whether a match is left out. */
  isVoid(matchId: string): boolean;
  /** A person's weight for a match; `null` where it keeps its own. */
  weightOf(matchId: string): number | null;
  /** The hypothesis that stands for this one: itself, unless it was merged. */
  rootOf(hypothesisId: string): string;
  /** Whether a match was judged on a text that has changed since. */
  isStale(match: MatchRecord): boolean;
}

/**
 * The matches that ratings are made from. A match of two hypotheses that were merged since says nothing any more; one of
 * weight 0 neither. A match that nothing was done to is the very record.
 */
export function countedMatches(matches: readonly MatchRecord[], rule: CountRule): MatchRecord[] {
  const counted: MatchRecord[] = [];
  for (const match of matches) {
    if (rule.isVoid(match.id) || rule.isStale(match)) continue;
    const weight = rule.weightOf(match.id) ?? match.weight;
    if (weight === 0) continue;
    const firstId = rule.rootOf(match.firstId), secondId = rule.rootOf(match.secondId);
    if (firstId === secondId) continue;
    const same = firstId === match.firstId && secondId === match.secondId && weight === match.weight;
    counted.push(same ? match : { ...match, firstId, secondId, weight });
  }
  return counted;
}
