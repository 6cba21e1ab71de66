import type { ComparisonData } from "../displays/comparison.ts";

/** A hypothesis on the leaderboard of one of the compared sessions. */
export interface ComparisonRow {
  /** The session's name. */
  readonly session: string;
  /** Its place on that session's leaderboard, from 1. */
  readonly place: number;
  /** Its label there, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title there. */
  readonly title: string;
  /** Bradley-Terry rating on the Elo scale, within that session; `null` where there is none. */
  readonly rating: number | null;
  /** Elo within that session. */
  readonly elo: number;
  /** The same in all sessions that have it, and different for all others: to join rows by. */
  readonly same: string;
  /** Whether another session has it too. */
  readonly shared: boolean;
}

/** The leaderboards of the sessions below each other, in the order of the comparison, the best first. */
export function comparisonFrame({ sessions, shared }: ComparisonData): ComparisonRow[] {
  return sessions.flatMap(({ name, leaderboard }, i) => {
    const numbers = new Map(shared.flatMap(({ labels }, n) => {
      const label = labels[i] ?? null;
      return label === null ? [] : [[label, n + 1] as const];
    }));
    return leaderboard.map(({ rank, label, title, rating, elo }): ComparisonRow => {
      const number = numbers.get(label);
      return {
        session: name,
        place: rank,
        hypothesis: label,
        title,
        rating,
        elo,
        same: number === undefined ? `${i + 1}/${label}` : `shared/${number}`,
        shared: number !== undefined,
      };
    });
  });
}
