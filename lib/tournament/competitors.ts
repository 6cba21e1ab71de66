import type { View } from "../store/view.ts";

/** Ids of those who compete for the first places, best first: near-duplicates that are folded under a better one don't. */
export function competitors(view: Pick<View, "leaderboard">): string[] {
  return view.leaderboard.flatMap(({ record, foldedUnder }) => foldedUnder === null ? [record.id] : []);
}
