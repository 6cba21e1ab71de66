import type { View } from "../../store/view.ts";
import { type ColumnsOf, double, integer, text } from "./columns.ts";

/** What came of the matches between two hypotheses, told from the side of one of them. */
export interface PairRow {
  /** The label of the one that it is told of, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its place on the leaderboard, from 1; `null` for one that is folded or not in the tournament. */
  readonly rank: number | null;
  /** The label of the other one. */
  readonly opponent: string;
  /** The other's place. */
  readonly opponentRank: number | null;
  /** How often they met: matches with a verdict that count for the ratings. */
  readonly matches: number;
  /** Of these, those that it won. */
  readonly won: number;
  /** Those that it lost. */
  readonly lost: number;
  /** Those that ended in a tie. */
  readonly tied: number;
  /** The share that it won, a tie as half: from 0 to 1. */
  readonly share: number;
  /** How often it was shown first. */
  readonly shownFirst: number;
}

/** The columns of {@linkcode pairsFrame}. */
export const PAIR_COLUMNS: ColumnsOf<PairRow> = {
  hypothesis: text("label of the one that the row tells of"),
  rank: integer(
    "its place on the leaderboard, from 1; empty for one that is folded or not in the tournament",
  ),
  opponent: text("label of the other one"),
  opponentRank: integer("the other's place; likewise"),
  matches: integer("how often they met: matches with a verdict that the ratings count"),
  won: integer("of these, those that the hypothesis won"),
  lost: integer("those that it lost"),
  tied: integer("those that ended in a tie"),
  share: double("the share that it won, a tie as half: from 0 to 1"),
  shownFirst: integer("how often it was shown first"),
};

/** What the frame of pairs reads. */
export type PairsView = Pick<View, "hypotheses" | "leaderboard" | "counted">;

/**
 * Who met whom: two rows for each pair that met, one from the side of each. In the order of the leaderboard, those that are
 * not on it last. What ratings are made from counts: merged hypotheses stand as one, and what a person took out is left out.
 */
export function pairsFrame(view: PairsView): PairRow[] {
  const ordered = orderOf(view);
  const places = new Map(ordered.map(({ id }, i) => [id, i]));
  const tallies = new Map<
    string,
    { a: number; b: number; won: number; lost: number; tied: number; first: number }
  >();
  for (const { firstId, secondId, verdict, weight } of view.counted) {
    const first = places.get(firstId), second = places.get(secondId);
    if (verdict === "invalid" || weight === 0 || first === undefined || second === undefined) continue;
    const firstAbove = first < second;
    const [a, b] = firstAbove ? [first, second] : [second, first];
    const tally = tallies.get(`${a} ${b}`) ?? { a, b, won: 0, lost: 0, tied: 0, first: 0 };
    tallies.set(`${a} ${b}`, tally);
    if (firstAbove) tally.first++;
    if (verdict === "tie") tally.tied++;
    else if ((verdict === "first") === firstAbove) tally.won++;
    else tally.lost++;
  }
  return [...tallies.values()].flatMap(({ a, b, won, lost, tied, first }) => {
    const one = ordered[a], other = ordered[b];
    if (one === undefined || other === undefined) return [];
    const matches = won + lost + tied;
    const row = (
      place: number,
      [own, opponent]: readonly [Ordered, Ordered],
      [ownWins, ownLosses]: readonly [number, number],
      shownFirst: number,
    ) => ({
      place,
      row: {
        hypothesis: own.label,
        rank: own.rank,
        opponent: opponent.label,
        opponentRank: opponent.rank,
        matches,
        won: ownWins,
        lost: ownLosses,
        tied,
        share: (ownWins + tied / 2) / matches,
        shownFirst,
      },
      against: place === a ? b : a,
    });
    return [
      row(a, [one, other], [won, lost], first),
      row(b, [other, one], [lost, won], matches - first),
    ];
  }).sort((x, y) => x.place - y.place || x.against - y.against).map(({ row }): PairRow => row);
}

interface Ordered {
  readonly id: string;
  readonly label: string;
  readonly rank: number | null;
}

/** Competitors by place, then folded ones, then those outside of the tournament. */
function orderOf({ leaderboard, hypotheses }: PairsView): Ordered[] {
  const competing = leaderboard.filter(({ foldedUnder }) => foldedUnder === null);
  const ranked = competing.map(({ record: { id, label } }, i): Ordered => ({ id, label, rank: i + 1 }));
  const known = new Set(ranked.map(({ id }) => id));
  const unranked = [...leaderboard, ...hypotheses].flatMap(({ record: { id, label } }): Ordered[] => {
    if (known.has(id)) return [];
    known.add(id);
    return [{ id, label, rank: null }];
  });
  return [...ranked, ...unranked];
}
