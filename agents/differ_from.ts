import type { Standing, View } from "../lib/store/view.ts";

/**
 * Titles that a new hypothesis must differ from, oldest first: all of them if they fit within `limit`.
 *
 * Otherwise half of the places go in turn to the best of the leaderboard and to the newest, which say where the session
 * is; the others go to the hypotheses nearest to the centroid of these, because the next proposal is likeliest to repeat
 * what lies there. (The proposal itself has no vector yet; once it has, the nearest hypothesis of all is checked again.)
 * Rejected and disproved hypotheses count, so that they don't come back; quarantined ones are never shown,
 * nor the one that is made anew (`except`).
 */
export function differFrom(view: View, limit: number, except?: string): string[] {
  const all = view.hypotheses.filter(({ state, record }) => state !== "quarantined" && record.id !== except);
  if (all.length <= limit) return all.map((standing) => standing.record.title);
  const chosen = alternate(view.leaderboard, all.toReversed(), Math.ceil(limit / 2));
  const nearness = nearnessTo(view, [...chosen]);
  const rest = all
    .filter((standing) => !chosen.has(standing.record.id))
    .sort((a, b) => nearness(b) - nearness(a) || b.bornSeq - a.bornSeq)
    .slice(0, limit - chosen.size);
  for (const standing of rest) chosen.add(standing.record.id);
  return all.filter((standing) => chosen.has(standing.record.id)).map((standing) => standing.record.title);
}

/** Ids taken in turn from two lists, without repeats, until there are `count`. */
function alternate(a: readonly Standing[], b: readonly Standing[], count: number): Set<string> {
  const chosen = new Set<string>();
  for (let i = 0; chosen.size < count && i < Math.max(a.length, b.length); i++) {
    for (const standing of [a[i], b[i]]) {
      if (standing !== undefined && chosen.size < count) chosen.add(standing.record.id);
    }
  }
  return chosen;
}

/** Nearness to the centroid of some hypotheses, up to a factor; least for those without a comparable vector. */
function nearnessTo(view: View, ids: readonly string[]): (standing: Standing) => number {
  const vectors = ids.map((id) => view.vector(id)).filter((vector) => vector !== undefined);
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [i, x] of vector.entries()) sum[i] = (sum[i] ?? 0) + x;
  }
  const known = new Map<string, number>();
  return (standing) => {
    const id = standing.record.id;
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const vector = view.vector(id);
    const value = vector === undefined || vector.length !== sum.length || sum.length === 0
      ? -Number.MAX_VALUE
      : vector.reduce((dot, x, i) => dot + x * (sum[i] ?? 0), 0);
    known.set(id, value);
    return value;
  };
}
