import { howSure, type HowSureView } from "../../engine/how_sure.ts";
import type { View } from "../../store/view.ts";
import { ratingBand, ratingOf } from "../../tournament/scale.ts";
import { type ColumnsOf, double, integer, text } from "./columns.ts";

/** A hypothesis of the tournament with all that its matches say of it. */
export interface RatingRow {
  /** Its place on the leaderboard, from 1; `null` for a near-duplicate that is folded under a better one. */
  readonly rank: number | null;
  /** Its label, e.g. `H7`. */
  readonly hypothesis: string;
  /** Its title as it now reads. */
  readonly title: string;
  /** Bradley-Terry rating on the Elo scale: 1200 + 173.7 · strength. `null` where there is none. */
  readonly rating: number | null;
  /** The lower end of the rating's 90 % interval. */
  readonly low: number | null;
  /** The upper end. */
  readonly high: number | null;
  /** Its tier, from 1: hypotheses of one tier can't be told apart. `null` for a folded one, and without ratings. */
  readonly tier: number | null;
  /** The chance from 0 to 1 that it truly is among the best `ranking.topK`; `null` where that can't be said. */
  readonly topChance: number | null;
  /** Elo. */
  readonly elo: number;
  /** Valid matches. */
  readonly matches: number;
  /** Label of the better one that it is folded under; `null` for all others. */
  readonly foldedUnder: string | null;
  /** What results say of it: they outrank ratings. `null` where there are none, or they are level. */
  readonly result: "confirmed" | "refuted" | null;
}

/** The columns of {@linkcode ratingsFrame}. */
export const RATING_COLUMNS: ColumnsOf<RatingRow> = {
  rank: integer("place on the leaderboard, from 1; empty for one that is folded under a better one"),
  hypothesis: text("its label"),
  title: text("its title as it now reads"),
  rating: double("Bradley-Terry rating; empty where there is none", "Elo points"),
  low: double("lower end of the rating's 90 % interval; likewise", "Elo points"),
  high: double("upper end of the rating's 90 % interval; likewise", "Elo points"),
  tier: integer("its tier, from 1: hypotheses of one tier can't be told apart; empty for a folded one"),
  topChance: double("chance from 0 to 1 to be among the best ranking.topK; empty where it can't be said"),
  elo: double("Elo in the newest epoch", "Elo points"),
  matches: integer("matches that count"),
  foldedUnder: text("label of the better one that it is folded under, if it is"),
  result: text("confirmed or refuted, if results say so: they outrank ratings"),
};

/** What the frame of ratings reads. */
export type RatingsView = HowSureView & Pick<View, "leaderboard">;

/** Everybody in the tournament, in the order of the leaderboard. */
export function ratingsFrame(view: RatingsView): RatingRow[] {
  const sure = howSure(view);
  let rank = 0;
  return view.leaderboard.map((standing): RatingRow => {
    const { record, strength, strengthSd, foldedUnder, elo, matches, result } = standing;
    const band = strength === null || strengthSd === null
      ? null
      : ratingBand({ mean: strength, sd: strengthSd });
    return {
      rank: foldedUnder === null ? ++rank : null,
      hypothesis: record.label,
      title: record.title,
      rating: strength === null ? null : ratingOf(strength),
      low: band?.[0] ?? null,
      high: band?.[1] ?? null,
      tier: sure.tiers.get(record.id) ?? null,
      topChance: sure.expectedPrecision === null ? null : sure.chances.get(record.id) ?? null,
      elo,
      matches,
      foldedUnder: foldedUnder === null ? null : view.hypothesis(foldedUnder)?.record.label ?? foldedUnder,
      result,
    };
  });
}
