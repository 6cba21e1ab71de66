import type { Settings } from "../config/settings.ts";
import type { Standing } from "./view.ts";

/** What decides where a hypothesis stands on the board. */
export type Rankable = Pick<Standing, "strength" | "elo" | "bornSeq" | "result"> & {
  readonly record: Pick<Standing["record"], "id">;
};

/** Who comes first on the board under a rating: what a result confirmed, then by the rating. */
export function better(rating: Settings["ranking"]["rating"]): (a: Rankable, b: Rankable) => number {
  return rating === "elo" ? byElo : byStrength;
}

/**
 * Of each cluster of near-duplicates the best stands for all: who is folded, by the id of the one under which. A pinned one
 * is never folded.
 */
export function folded<T extends Rankable & Pick<Standing, "state" | "pinned">>(
  clusters: readonly (readonly string[])[],
  standingOf: (id: string) => T | undefined,
  order: (a: Rankable, b: Rankable) => number,
): Map<string, string> {
  const under = new Map<string, string>();
  for (const cluster of clusters) {
    const members = cluster.flatMap((id) => {
      const standing = standingOf(id);
      return standing?.state === "in_tournament" ? [standing] : [];
    }).sort(order);
    const best = members[0];
    if (best === undefined) continue;
    for (const member of members.slice(1)) if (!member.pinned) under.set(member.record.id, best.record.id);
  }
  return under;
}

/** Best first by Bradley-Terry; what is unrated comes last, and equals go by Elo. */
function byStrength(a: Rankable, b: Rankable): number {
  return byResult(a, b) || (b.strength ?? -Infinity) - (a.strength ?? -Infinity) || byRating(a, b);
}

/** Best first by Elo. */
function byElo(a: Rankable, b: Rankable): number {
  return byResult(a, b) || byRating(a, b);
}

/** A result outranks opinion. */
function byResult(a: Rankable, b: Rankable): number {
  const worth = ({ result }: Rankable) => result === "confirmed" ? 1 : result === "refuted" ? -1 : 0;
  return worth(b) - worth(a);
}

/** The better Elo first; of equals, the older. */
function byRating(a: Rankable, b: Rankable): number {
  return b.elo - a.elo || a.bornSeq - b.bornSeq || (a.record.id < b.record.id ? -1 : 1);
}
