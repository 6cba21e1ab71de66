import type { Settings } from "../config/settings.ts";
import type { Ratings } from "../domain/ratings.ts";
import type { View } from "../store/view.ts";
import {
  compareRankings,
  type Ledger,
  type Ranking,
  rankingNow,
  type RatingSetting,
  replayIf,
} from "./rerating.ts";

/** The values of one setting that are tried. */
export interface SweptSetting {
  /** Which. */
  readonly name: RatingSetting;
  /** Its values, in the order given. */
  readonly values: readonly (string | number)[];
  /** The value in force. */
  readonly inForce: string | number;
}

/** The ranking under one combination of values, against the present one. */
export interface SweepRow {
  /** The values, in the order of the settings. */
  readonly values: readonly (string | number)[];
  /** Whether these are the values in force. */
  readonly inForce: boolean;
  /** Labels of the first `topK`. */
  readonly top: readonly string[];
  /** Kendall's tau-b of its places against the present ones; `null` where there is no order to compare. */
  readonly tau: number | null;
  /** Who moves most, and how many places up; `null` where nobody moves. */
  readonly farthest: { readonly label: string; readonly up: number } | null;
  /** Labels of those who come among the first `topK`. */
  readonly entered: readonly string[];
  /** Labels of those who leave them. */
  readonly left: readonly string[];
}

/** A leading hypothesis through all combinations. */
export interface SweepLine {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Its place under each combination; `null` where it is folded under a better one. */
  readonly places: readonly (number | null)[];
  /** Its rating, by what orders the ranking, under each combination. */
  readonly ratings: readonly (number | null)[];
}

/** How the ranking hangs on settings. */
export interface RatingSweepTable {
  /** The settings that are tried. */
  readonly settings: readonly SweptSetting[];
  /** What orders the rankings that are compared; `null` where that is among the settings. */
  readonly by: Ranking["by"] | null;
  /** How many of the best are looked for. */
  readonly topK: number;
  /** One row a combination. */
  readonly rows: readonly SweepRow[];
  /** Those that are among the best under any of them, the best at present first. */
  readonly lines: readonly SweepLine[];
}

/** Hypotheses that are followed through all combinations. */
const MOST_LINES = 14;

const ELO_ONLY: ReadonlySet<RatingSetting> = new Set<RatingSetting>([
  "kFactorNew",
  "kFactorWarm",
  "kSwitchMatches",
]);
const STRENGTH_ONLY: ReadonlySet<RatingSetting> = new Set<RatingSetting>([
  "priorWidth",
  "reviewPrior",
  "parentPrior",
]);

/** All combinations of the values, the last setting's changing fastest. */
export function combinations(settings: readonly SweptSetting[]): (string | number)[][] {
  return settings.reduce<(string | number)[][]>(
    (all, { values }) => all.flatMap((head) => values.map((value) => [...head, value])),
    [[]],
  );
}

/**
 * What orders the rankings that a sweep compares. Settings that only one of the two ratings reads are looked at in that one,
 * whatever orders the board: in the other they would seem to do nothing.
 */
export function sweptRating(names: readonly RatingSetting[], inForce: Ranking["by"]): Ranking["by"] | null {
  if (names.includes("rating")) return null;
  const telling = names.filter((name) => name !== "topK");
  if (telling.length > 0 && telling.every((name) => ELO_ONLY.has(name))) return "elo";
  return telling.length > 0 && telling.every((name) => STRENGTH_ONLY.has(name)) ? "bradley_terry" : inForce;
}

/**
 * Replays the match log under each combination, in steps of some milliseconds. What a combination makes no difference to is
 * computed once.
 *
 * @param under the ranking settings of each combination, in the order of {@linkcode combinations}
 */
export function* sweepRatings(
  view: View,
  settings: readonly SweptSetting[],
  under: readonly Settings["ranking"][],
): Generator<void, RatingSweepTable> {
  const by = sweptRating(settings.map(({ name }) => name), view.settings.ranking.rating);
  const present = yield* rankingNow(view, by ?? undefined);
  const ledgers = new Map<string, Ledger>(), strengths = new Map<string, Ratings>();
  const values = combinations(settings);
  const rankings: Ranking[] = [];
  for (const ranking of under) {
    const { kFactorNew, kFactorWarm, kSwitchMatches, staleMatches, priorWidth, reviewPrior, parentPrior } =
      ranking;
    const ledgerKey = JSON.stringify([kFactorNew, kFactorWarm, kSwitchMatches, staleMatches]);
    const strengthKey = JSON.stringify([priorWidth, reviewPrior, parentPrior, staleMatches]);
    const replayed = yield* replayIf(view, {}, by === null ? ranking : { ...ranking, rating: by }, {
      ledger: ledgers.get(ledgerKey),
      ratings: strengths.get(strengthKey),
    });
    ledgers.set(ledgerKey, replayed.ledger);
    strengths.set(strengthKey, replayed.ratings);
    rankings.push(replayed.ranking);
    yield;
  }
  const rows = rankings.map((ranking, i): SweepRow => {
    const compared = compareRankings(present, ranking);
    const farthest = compared.rows.reduce<{ label: string; up: number } | null>(
      (most, { label, up }) => up !== null && Math.abs(up) > Math.abs(most?.up ?? 0) ? { label, up } : most,
      null,
    );
    const own = values[i] ?? [];
    return {
      values: own,
      inForce: settings.every(({ inForce }, j) => own[j] === inForce),
      top: ranking.players.flatMap(({ label, place }) =>
        place !== null && place <= ranking.topK ? [label] : []
      ),
      tau: compared.tau.board,
      farthest,
      entered: compared.entered,
      left: compared.left,
    };
  });
  const leading = new Set(rows.flatMap(({ top }) => top));
  const byCombination = rankings.map(({ players }) =>
    new Map(players.map((player) => [player.label, player]))
  );
  const lines = present.players.filter(({ label }) => leading.has(label)).slice(0, MOST_LINES).map((
    { label, title },
  ): SweepLine => ({
    label,
    title,
    places: byCombination.map((players) => players.get(label)?.place ?? null),
    ratings: byCombination.map((players, i) => {
      const player = players.get(label);
      return player === undefined ? null : (by ?? rankings[i]?.by) === "elo" ? player.elo : player.rating;
    }),
  }));
  return { settings, by, topK: view.settings.ranking.topK, rows, lines };
}
