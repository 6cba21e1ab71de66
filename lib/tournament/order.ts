import type { Settings } from "../config/settings.ts";
import type { MatchMode } from "../domain/records.ts";
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
