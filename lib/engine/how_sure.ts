import type { View } from "../store/view.ts";
import { competitors } from "../tournament/competitors.ts";

/** What Bradley-Terry says of those who compete. */
export interface HowSure {
  /** The chance of each to be among the best `ranking.topK`; empty without ratings. */
  readonly chances: ReadonlyMap<string, number>;
  /** The tier of each, from 1. */
  readonly tiers: ReadonlyMap<string, number>;
  /** The expected share of the true best among the leaders; `null` where no more compete, and without ratings. */
  readonly expectedPrecision: number | null;
}

/** What it reads of a view. */
export type HowSureView = Pick<View, "settings" | "leaderboard" | "ratings" | "hypothesis">;

/** How sure the ranking is of those who compete. */
export function howSure(view: HowSureView): HowSure {
  const { topK } = view.settings.ranking;
  const ids = competitors(view);
  const { chances, expectedPrecision } = view.ratings.top(ids, topK);
  // Tiers go down the order of strength, whatever orders the leaderboard.
  const strengthOf = (id: string) => view.hypothesis(id)?.strength ?? -Infinity;
  const ordered = ids.filter((id) => chances.has(id)).sort((a, b) => strengthOf(b) - strengthOf(a));
  const numbers = view.ratings.tiers(ordered);
  return {
    chances,
    tiers: new Map(ordered.flatMap((id, i) => {
      const tier = numbers[i];
      return tier === undefined ? [] : [[id, tier] as const];
    })),
    expectedPrecision: ids.length > topK && chances.size > 0 ? expectedPrecision : null,
  };
}
