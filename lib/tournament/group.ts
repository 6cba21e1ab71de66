import type { Settings } from "../config/settings.ts";
import type { Decision } from "../domain/agent.ts";
import { groupOrder } from "./order.ts";
import { joinByInformation } from "./pair_by_information.ts";
import { type PairCandidate, PairRules } from "./pair_rules.ts";
import { type ChosenPair, informationInput, type PairingInput } from "./pairing.ts";

/** All pairs of a list, the earlier one first: the matches of a group, in the order in which they are told. */
export function pairsAmong<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b] as const));
}

/** The pairs that decisions are about: one of a match, all of a group. */
export function pairsOf(decisions: readonly Decision[]): (readonly [string, string])[] {
  return decisions.flatMap((decision): readonly (readonly [string, string])[] => {
    switch (decision.kind) {
      case "match":
        return [[decision.firstId, decision.secondId]];
      case "group":
        return pairsAmong(decision.ids);
      default:
        return [];
    }
  });
}

/** How many matches one call can make at most: as many as the largest group has pairs. */
export function matchesPerCall({ judgedAtOnce }: Pick<Settings["ranking"], "judgedAtOnce">): number {
  return judgedAtOnce * (judgedAtOnce - 1) / 2;
}

/** The largest group, of at most `judgedAtOnce`, whose matches are not more than are left; 2 where none is. */
export function groupSize({ judgedAtOnce }: Pick<Settings["ranking"], "judgedAtOnce">, left: number): number {
  let size = judgedAtOnce;
  while (size > 2 && matchesPerCall({ judgedAtOnce: size }) > left) size--;
  return size;
}

/**
 * The group that is judged instead of a pair, in the order in which it will be shown: the pair, and one by one whoever may
 * meet all chosen so far and adds most. Under `ranking.pairing: "information"` that is the one whose pairs with them are
 * worth most; otherwise the one nearest to their mean Elo, by lot among equally near ones. `null` where not even three come
 * together: then the pair is judged alone.
 */
export function chooseGroup(input: PairingInput, pair: ChosenPair, size: number): readonly string[] | null {
  const { met, busy, settings: { maxMatchesPerPair, pairing, order } } = input;
  const rules = new PairRules({ met, busy, maxMatchesPerPair });
  const group = input.candidates.filter(({ id }) => id === pair.firstId || id === pair.secondId);
  const question = pairing === "information" ? informationInput(input) : null;
  while (group.length < size) {
    const next = question === null
      ? nearestTo(group, input, rules)
      : joinByInformation(question, group, rules);
    if (next === null) break;
    group.push(next);
  }
  if (group.length < 3) return null;
  return groupOrder(group, met, order, input.rng).map(({ id }) => id);
}

function nearestTo(
  group: readonly PairCandidate[],
  { candidates, rng }: PairingInput,
  rules: PairRules,
): PairCandidate | null {
  const mean = group.reduce((sum, { elo }) => sum + elo, 0) / group.length;
  let nearest: PairCandidate[] = [];
  let distance = Infinity;
  for (const other of candidates) {
    const d = Math.abs(other.elo - mean);
    if (d > distance || group.includes(other) || !group.every((one) => rules.allows(one, other))) continue;
    if (d < distance) nearest = [];
    nearest.push(other);
    distance = d;
  }
  return nearest.length === 0 ? null : rng.pick(nearest);
}
