import type { Settings } from "../config/settings.ts";
import type { MatchMode, MatchVerdict } from "../domain/records.ts";
import type { Rng } from "../domain/rng.ts";

/** What the order of a pair and the way to judge it depend on. */
export interface Contender {
  /** The hypothesis. */
  readonly id: string;
  /** Its rating. */
  readonly elo: number;
  /** Valid matches that it has played. */
  readonly matches: number;
  /** The commit that first recorded it. */
  readonly bornSeq: number;
}

/** Valid matches between two; `firstShown`: of these, the ones in which the first of the two was shown first. */
export interface Meetings {
  /** How many. */
  readonly total: number;
  /** How many with the first named shown first. */
  readonly firstShown: number;
}

/**
 * Who is shown first. `fixed`: the older one (by birth, then by id). `coin`: the one that was shown first less often in
 * this pair, and by lot when that is even, so that a judge's liking for a place cancels out over repeats. `both`: the same,
 * since in a debate before the two verdicts one side still speaks first.
 */
export function showOrder<T extends Contender>(
  a: T,
  b: T,
  met: Meetings,
  order: Settings["ranking"]["order"],
  rng: Rng,
): readonly [T, T] {
  switch (order) {
    case "fixed":
      return a.bornSeq < b.bornSeq || (a.bornSeq === b.bornSeq && a.id < b.id) ? [a, b] : [b, a];
    case "both":
    case "coin": {
      const lead = 2 * met.firstShown - met.total;
      if (lead !== 0) return lead < 0 ? [a, b] : [b, a];
      return rng.next() < 0.5 ? [a, b] : [b, a];
    }
  }
}

/**
 * The order in which a group is shown. `fixed`: by age, as of two. Otherwise the order in which most of its pairs stand the
 * way that they stood less often, by lot among equally balanced ones: mostly by lot, since few pairs meet again.
 */
export function groupOrder<T extends Contender>(
  group: readonly T[],
  met: (a: string, b: string) => Meetings,
  order: Settings["ranking"]["order"],
  rng: Rng,
): readonly T[] {
  if (order === "fixed") {
    return [...group].sort((a, b) => a.bornSeq - b.bornSeq || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }
  /** How much more often the one was shown before the other. */
  const leads = new Map(group.map((a) => [
    a,
    new Map(group.map((b) => {
      const { firstShown, total } = a === b ? { firstShown: 0, total: 0 } : met(a.id, b.id);
      return [b, 2 * firstShown - total];
    })),
  ]));
  const lead = (a: T, b: T) => leads.get(a)?.get(b) ?? 0;
  let best: readonly T[] = [], least = Infinity;
  // Of at most six there are 720 orders: looking at all of them is quick, and starting by lot makes the first a fair one.
  const extend = (shown: readonly T[], left: readonly T[], sum: number): void => {
    if (left.length === 0 && sum < least) {
      best = shown;
      least = sum;
    }
    for (const next of left) {
      const rest = left.filter((other) => other !== next);
      extend([...shown, next], rest, sum + rest.reduce((more, other) => more + lead(next, other), 0));
    }
  };
  extend([], rng.shuffle(group), 0);
  return best;
}

/** What two verdicts on the same two come to, told from the same side: what both say, a tie where they differ. */
export function verdictOfBoth(asShown: MatchVerdict, swapped: MatchVerdict): MatchVerdict {
  if (asShown === "invalid" || swapped === "invalid") return "invalid";
  return asShown === swapped ? asShown : "tie";
}

/** How a pair is judged: by debate while one of the two has hardly played, or when their ratings are close. */
export function matchMode(
  a: Contender,
  b: Contender,
  settings: Pick<Settings["ranking"], "debateWhenMatchesLt" | "debateWhenEloDeltaLt">,
): MatchMode {
  return Math.min(a.matches, b.matches) < settings.debateWhenMatchesLt ||
      Math.abs(a.elo - b.elo) < settings.debateWhenEloDeltaLt
    ? "debate"
    : "pairwise";
}
