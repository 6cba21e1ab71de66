import type { MatchRecord } from "../domain/records.ts";

/** What one call said of a group, read back from its matches. */
export interface Placing {
  /** Ids of the group, best first. */
  readonly ids: readonly string[];
  /** The place at which each of them was shown, from 0, in the same order as `ids`. */
  readonly slots: readonly number[];
}

/**
 * The ranking of a group and the order in which it was shown, from the matches that share it: who won more of them is
 * better, and who stands first in more of them was shown earlier. `null` where they are not the whole of one ranking: the
 * call was invalid, a match is missing, or the verdicts go round in a circle.
 *
 * @param matches the matches of one group, in any order
 */
export function placingOf(
  matches: Iterable<Pick<MatchRecord, "firstId" | "secondId" | "verdict">>,
): Placing | null {
  const won = new Map<string, number>(), first = new Map<string, number>();
  const count = (of: Map<string, number>, id: string, by: number) => of.set(id, (of.get(id) ?? 0) + by);
  let games = 0;
  for (const { firstId, secondId, verdict } of matches) {
    if (verdict !== "first" && verdict !== "second") return null;
    games++;
    count(won, firstId, verdict === "first" ? 1 : 0);
    count(won, secondId, verdict === "second" ? 1 : 0);
    count(first, firstId, 1);
    count(first, secondId, 0);
  }
  const k = won.size;
  const ids = inOrder(won), shown = inOrder(first);
  if (k < 2 || games !== k * (k - 1) / 2 || ids === null || shown === null) return null;
  return { ids, slots: ids.map((id) => shown.indexOf(id)) };
}

/** Who has most first, where the counts are k − 1, k − 2, …, 0: only then they are those of one order. */
function inOrder(counts: ReadonlyMap<string, number>): string[] | null {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.every(([, count], i) => count === sorted.length - 1 - i) ? sorted.map(([id]) => id) : null;
}

/** The matches of each group, in order; those of pairs are left out. */
export function groupsOf<T extends Pick<MatchRecord, "group">>(matches: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const match of matches) {
    if (match.group === null) continue;
    const members = groups.get(match.group);
    if (members === undefined) groups.set(match.group, [match]);
    else members.push(match);
  }
  return groups;
}
