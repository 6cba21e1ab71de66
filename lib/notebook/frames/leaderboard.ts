import type { ReviewVerdict, Strategy } from "../../domain/records.ts";
import { type LeaderboardRow, snapshot } from "../../engine/snapshot.ts";
import type { Standing, View } from "../../store/view.ts";
import { boolean, type ColumnsOf, double, integer, list, text } from "./columns.ts";

/** A hypothesis in the tournament. */
export interface LeaderboardFrameRow {
  /** 1 for the best; folded near-duplicates have none. */
  readonly rank: number | null;
  /** `H7`. */
  readonly label: string;
  /** Bradley-Terry rating on the Elo scale. */
  readonly rating: number | null;
  /** The lower end of its 90 % interval. */
  readonly ratingLow: number | null;
  /** The upper end. */
  readonly ratingHigh: number | null;
  /** The chance that it truly is among the best `ranking.topK`. */
  readonly topChance: number | null;
  /** Its tier, from 1. */
  readonly tier: number | null;
  /** Elo. */
  readonly elo: number;
  /** Matches that count. */
  readonly matches: number;
  /** Won. */
  readonly won: number;
  /** Lost. */
  readonly lost: number;
  /** Tied. */
  readonly tied: number;
  /** Verdict of its newest review. */
  readonly verdict: ReviewVerdict | null;
  /** What results say of it. */
  readonly result: Standing["result"];
  /** The weighted mean of its scores by the scientist's criteria. */
  readonly criteriaTotal: number | null;
  /** The hard constraints that it fails. */
  readonly criteriaUnmet: readonly string[];
  /** How it came about. */
  readonly strategy: Strategy;
  /** 0 without parents. */
  readonly generation: number;
  /** Label of the near-duplicate that is drawn in its stead. */
  readonly foldedUnder: string | null;
  /** Whether a person keeps it in play. */
  readonly pinned: boolean;
  /** How much that bears on it is stale. */
  readonly stale: number;
  /** `model`, or a person's name. */
  readonly author: string;
  /** Its title. */
  readonly title: string;
}

/** The columns of {@linkcode leaderboardFrame}. */
export const LEADERBOARD_COLUMNS: ColumnsOf<LeaderboardFrameRow> = {
  rank: integer("1 for the best; empty for a folded near-duplicate"),
  label: text("the hypothesis"),
  rating: double("Bradley-Terry rating on the Elo scale: 1200 + 173.7 · strength", "Elo points"),
  ratingLow: double("lower end of its 90 % interval", "Elo points"),
  ratingHigh: double("upper end of its 90 % interval", "Elo points"),
  topChance: double(
    "chance to be truly among the best ranking.topK; empty where no more compete",
    "from 0 to 1",
  ),
  tier: integer("hypotheses of one tier can't be told apart; from 1"),
  elo: double("Elo in the newest epoch", "Elo points"),
  matches: integer("matches that count"),
  won: integer("of these, won"),
  lost: integer("of these, lost"),
  tied: integer("of these, tied"),
  verdict: text("verdict of its newest review"),
  result: text("what results say of it: confirmed or refuted"),
  criteriaTotal: double(
    "weighted mean of its scores by the scientist's criteria; empty without",
    "from 0 to 1",
  ),
  criteriaUnmet: list("hard constraints that it fails"),
  strategy: text("how it came about"),
  generation: integer("0 without parents, else one more than the oldest parent"),
  foldedUnder: text("label of the near-duplicate that is drawn in its stead"),
  pinned: boolean("whether a person keeps it in play"),
  stale: integer("reviews, matches and texts about it that are out of date"),
  author: text("model, or a person's name"),
  title: text("its title"),
};

/** Everybody in the tournament, best first. */
export function leaderboardFrame(view: View): LeaderboardFrameRow[] {
  return snapshot(view).leaderboard.map((row: LeaderboardRow): LeaderboardFrameRow => ({
    rank: row.rank,
    label: row.label,
    rating: row.rating,
    ratingLow: row.ratingLow,
    ratingHigh: row.ratingHigh,
    topChance: row.topChance,
    tier: row.tier,
    elo: row.elo,
    matches: row.matches,
    won: row.won,
    lost: row.lost,
    tied: row.tied,
    verdict: row.verdict,
    result: row.result,
    criteriaTotal: row.criteria?.total ?? null,
    criteriaUnmet: row.criteria?.unmet ?? [],
    strategy: row.strategy,
    generation: row.generation,
    foldedUnder: row.foldedUnder,
    pinned: row.pinned,
    stale: row.stale,
    author: row.author,
    title: row.title,
  }));
}
