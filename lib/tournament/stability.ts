import type { Settings } from "../config/settings.ts";
import type { EloSnapshot, Standing } from "../store/view.ts";

/**
 * Whether the leaders' ratings have come to rest: in the last `eloStabilityN` snapshots the same hypotheses lead, and
 * none of them moved by `eloStabilityEps` points or more between its lowest and its highest.
 *
 * A snapshot of a pool of at most `eloStabilityK` holds the whole pool, so that its membership can't change except by a
 * newcomer; there the ratings alone decide, as in the seed. That is kept because a session with few hypotheses has to
 * come to an end too; a pool of one never plays and therefore never counts as stable. How many hypotheses and matches
 * there must be before rest counts at all (`minIdeas`, `minMatches`) is the engine's question.
 */
export function eloStable(
  snapshots: readonly EloSnapshot[],
  settings: Pick<Settings["termination"], "eloStabilityN" | "eloStabilityEps">,
): boolean {
  if (!leadersStandStill(snapshots, settings.eloStabilityN)) return false;
  const recent = snapshots.slice(-settings.eloStabilityN);
  const low = new Map<string, number>(), high = new Map<string, number>();
  for (const { ids, elos } of recent) {
    for (const [i, id] of ids.entries()) {
      const elo = elos[i] ?? NaN;
      low.set(id, Math.min(low.get(id) ?? elo, elo));
      high.set(id, Math.max(high.get(id) ?? elo, elo));
    }
  }
  return [...low].every(([id, elo]) => (high.get(id) ?? NaN) - elo < settings.eloStabilityEps);
}

/** Whether the same two or more hypotheses, in whatever order, lead in each of the last `n` snapshots. */
export function leadersStandStill(snapshots: readonly EloSnapshot[], n: number): boolean {
  const recent = snapshots.slice(-n);
  const newest = recent.at(-1);
  if (newest === undefined || recent.length < n || newest.ids.length < 2) return false;
  const leaders = new Set(newest.ids);
  return recent.every(({ ids }) => ids.length === leaders.size && ids.every((id) => leaders.has(id)));
}

/**
 * The leaders as they stand.
 *
 * @param matches valid matches so far
 * @param leaderboard all in the tournament, best first
 * @param k how many lead
 */
export function takeSnapshot(
  matches: number,
  leaderboard: readonly Pick<Standing, "record" | "elo">[],
  k: number,
): EloSnapshot {
  const leaders = leaderboard.slice(0, k);
  return {
    matches,
    ids: leaders.map(({ record }) => record.id),
    elos: leaders.map(({ elo }) => elo),
    pool: leaderboard.length,
  };
}

/**
 * Whether a multiple of `every` was reached or passed since the last snapshot (`last` matches; 0 for none): several
 * matches in one step, or a changed interval, can't jump over it.
 */
export function snapshotDue(matches: number, last: number, every: number): boolean {
  return Math.floor(matches / every) > Math.floor(last / every);
}
