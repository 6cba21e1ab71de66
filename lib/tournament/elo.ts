import type { Settings } from "../config/settings.ts";
import type { EloRecord, MatchRecord, MatchVerdict } from "../domain/records.ts";

/** What a match is worth to the hypothesis shown first: won, tied, lost. */
export type Score = 1 | 0.5 | 0;

/** The settings that Elo reads. */
export type EloSettings = Pick<Settings["ranking"], "kFactorNew" | "kFactorWarm" | "kSwitchMatches">;

/** Two ratings and what happened between them. */
export interface EloGame {
  /** Rating of the first before the match. */
  readonly first: number;
  /** Rating of the second before it. */
  readonly second: number;
  /** What the first scored. */
  readonly score: Score;
  /** The most that the match can move, in rating points. */
  readonly k: number;
  /** How much the match counts: 1 for an ordinary one, 0 for one that is left out. */
  readonly weight: number;
}

/**
 * What a player rated `a` is expected to score against one rated `b`, between 0 and 1:
 * 1 / (1 + 10^((b − a) / 400)) (A. Elo, The Rating of Chessplayers, 1978, on the logistic curve).
 */
export function expectedScore(a: number, b: number): number {
  return 1 / (1 + 10 ** ((b - a) / 400));
}

/** The K of a match: the larger one while either side has played fewer than `kSwitchMatches` valid matches. */
export function kFactor(matchesA: number, matchesB: number, settings: EloSettings): number {
  return Math.min(matchesA, matchesB) < settings.kSwitchMatches ? settings.kFactorNew : settings.kFactorWarm;
}

/** What the first gains and the second loses, in rating points: weight · K · (score − expected score). */
export function eloDelta(game: EloGame): number {
  return game.weight * game.k * (game.score - expectedScore(game.first, game.second));
}

/** What a verdict is worth to the hypothesis shown first; `null` for an invalid one, which moves no rating. */
export function scoreOf(verdict: MatchVerdict): Score | null {
  switch (verdict) {
    case "first":
      return 1;
    case "second":
      return 0;
    case "tie":
      return 0.5;
    case "invalid":
      return null;
  }
}

/** A line of a ledger, before it has an epoch and a commit. */
export type EloLine = Omit<EloRecord, "seq" | "epoch">;

/**
 * The ledger that matches make when they are rated one after the other, from the first on. Invalid ones make no line.
 *
 * @param matches in the order of their commits, with the weights that count
 * @param settings the rating of a newcomer, and the K of all of them
 * @param settingsOf the K of each, where it differs
 */
export function rateAll<M extends Pick<MatchRecord, "id" | "firstId" | "secondId" | "verdict" | "weight">>(
  matches: Iterable<M>,
  settings: EloSettings & Pick<Settings["ranking"], "eloInitial">,
  settingsOf: (match: M) => EloSettings = () => settings,
): EloLine[] {
  const lines: EloLine[] = [];
  const ratings = new Map<string, number>(), played = new Map<string, number>();
  for (const match of matches) {
    const { id, firstId, secondId, verdict, weight } = match;
    const score = scoreOf(verdict);
    if (score === null) continue;
    const firstBefore = ratings.get(firstId) ?? settings.eloInitial;
    const secondBefore = ratings.get(secondId) ?? settings.eloInitial;
    const firstPlayed = played.get(firstId) ?? 0, secondPlayed = played.get(secondId) ?? 0;
    const k = kFactor(firstPlayed, secondPlayed, settingsOf(match));
    const delta = eloDelta({ first: firstBefore, second: secondBefore, score, k, weight });
    lines.push({ matchId: id, firstId, secondId, k, weight, score, firstBefore, secondBefore, delta });
    ratings.set(firstId, firstBefore + delta);
    ratings.set(secondId, secondBefore - delta);
    played.set(firstId, firstPlayed + 1);
    played.set(secondId, secondPlayed + 1);
  }
  return lines;
}

/**
 * The ratings after an epoch's ledger, by hypothesis, for all that it mentions. Deltas are added in the ledger's order,
 * as the commits added them, so that the sums come out bit by bit as stored.
 *
 * @param journal the lines of one epoch, oldest first
 * @param initial the rating of a newcomer
 */
export function replay(
  journal: Iterable<Pick<EloRecord, "firstId" | "secondId" | "delta">>,
  initial: number,
): Map<string, number> {
  const ratings = new Map<string, number>();
  for (const { firstId, secondId, delta } of journal) {
    ratings.set(firstId, (ratings.get(firstId) ?? initial) + delta);
    ratings.set(secondId, (ratings.get(secondId) ?? initial) - delta);
  }
  return ratings;
}
