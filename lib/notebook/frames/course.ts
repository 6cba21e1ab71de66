import { usd } from "../../domain/money.ts";
import type { View } from "../../store/view.ts";

/** How good the best was after so many matches. */
export interface CoursePoint {
  /** Rated matches of the session up to here, those before a fork included. */
  readonly matches: number;
  /** What had been paid up to then, in dollars, by the session and those it was forked from. */
  readonly usd: number;
  /** The label of the best one, e.g. `H7`. */
  readonly best: string;
  /** Its Elo. */
  readonly elo: number;
}

/** What a course is made from. */
export type CourseView = Pick<View, "settings" | "leaderboard" | "eloJournal" | "matches">;

/** Points of a course at most: what a picture can show. */
const MOST = 200;

/**
 * The Elo of the best after each match, of those that are in the tournament now, so that a course ends with the present
 * leader by Elo. Long ones are thinned, the last point always there.
 *
 * @param spent what all commits up to one had cost in micro-dollars, by commit in ascending order
 */
export function courseFrame(
  view: CourseView,
  spent: readonly (readonly [seq: number, microUsd: number])[],
): CoursePoint[] {
  const matches = new Map(view.matches.map(({ id, seq }) => [id, seq]));
  const elos = new Map(view.leaderboard.map(({ record }) => [record.id, view.settings.ranking.eloInitial]));
  const labels = new Map(view.leaderboard.map(({ record }) => [record.id, record.label]));
  const every = Math.max(1, Math.ceil(view.eloJournal.length / MOST));
  const points: CoursePoint[] = [];
  let at = 0, paid = 0, seq = 0;
  for (const [i, line] of view.eloJournal.entries()) {
    for (
      const [id, elo] of [[line.firstId, line.firstBefore + line.delta], [
        line.secondId,
        line.secondBefore - line.delta,
      ]] as const
    ) {
      if (elos.has(id)) elos.set(id, elo);
    }
    const number = i + 1, last = number === view.eloJournal.length;
    if (number % every !== 0 && !last) continue;
    // A match that a cross match or a person brought may be older than the line before it: money never comes back.
    seq = Math.max(seq, matches.get(line.matchId) ?? line.seq);
    for (let next = spent[at]; next !== undefined && next[0] <= seq; next = spent[++at]) paid = next[1];
    const [id, elo] = [...elos].reduce<readonly [string, number]>(
      (best, each) => (each[1] > best[1] ? each : best),
      ["", -Infinity],
    );
    if (id !== "") points.push({ matches: number, usd: usd(paid), best: labels.get(id) ?? id, elo });
  }
  return points;
}
