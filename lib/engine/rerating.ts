import type { Settings } from "../config/settings.ts";
import { CosciError } from "../domain/errors.ts";
import type { Ratings } from "../domain/ratings.ts";
import type { EloRecord, MatchRecord } from "../domain/records.ts";
import { better, folded } from "../store/board_order.ts";
import type { CountChange, Standing, View } from "../store/view.ts";
import { type EloLine, rateAll } from "../tournament/elo.ts";
import { kendallTau } from "../tournament/kendall.ts";
import { ratingSteps } from "./rate_in_steps.ts";
import { ratingRow } from "./snapshot.ts";

/** The settings that bear on matches that were played already. */
export const RATING_SETTINGS = [
  "rating",
  "topK",
  "staleMatches",
  "kFactorNew",
  "kFactorWarm",
  "kSwitchMatches",
  "priorWidth",
  "reviewPrior",
  "parentPrior",
] as const;
/** A setting that bears on matches that were played already. */
export type RatingSetting = (typeof RATING_SETTINGS)[number];
/** Some of these settings. */
export type RatingPatch = { readonly [K in RatingSetting]?: Settings["ranking"][K] | undefined };

/** Where a hypothesis of the tournament stands in a ranking. */
export interface Placed {
  /** 1 for the best; `null` for a near-duplicate that is folded under a better one. */
  readonly place: number | null;
  /** Bradley-Terry rating on the Elo scale: 1200 + 173.7 · strength. `null` where there is none. */
  readonly rating: number | null;
  /** The lower end of its 90 % interval. */
  readonly ratingLow: number | null;
  /** The upper end. */
  readonly ratingHigh: number | null;
  /** Elo. */
  readonly elo: number;
  /** Matches of its that count. */
  readonly matches: number;
  /** The chance to be among the best `topK`; `null` for a folded one, and where no more than `topK` compete. */
  readonly topChance: number | null;
}

/** A ranking of a session's tournament. */
export interface Ranking {
  /** The rating that orders it. */
  readonly by: Settings["ranking"]["rating"];
  /** How many of the best are looked for. */
  readonly topK: number;
  /** Matches that count. */
  readonly counted: number;
  /** Everybody in the tournament, best first, folded ones too. */
  readonly players:
    readonly (Placed & { readonly id: string; readonly label: string; readonly title: string })[];
}

/** A hypothesis in two rankings. */
export interface MovedRow {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** As it stands. */
  readonly before: Placed;
  /** As it would stand, or stands now. */
  readonly after: Placed;
  /** Places that it moves up; negative down, `null` where it has no place in one of the two. */
  readonly up: number | null;
}

/** How alike two rankings are: Kendall's tau-b, 1 for the same order; `null` where there is no order to compare. */
export interface Taus {
  /** Of the places on the board. */
  readonly board: number | null;
  /** Of the Bradley-Terry ratings. */
  readonly bradleyTerry: number | null;
  /** Of Elo. */
  readonly elo: number | null;
}

/** Two rankings of one tournament side by side. */
export interface RankingsCompared {
  /** What orders the board, before and after. */
  readonly by: { readonly before: Ranking["by"]; readonly after: Ranking["by"] };
  /** How many of the best are looked for, before and after. */
  readonly topK: { readonly before: number; readonly after: number };
  /** Matches that count, before and after. */
  readonly counted: { readonly before: number; readonly after: number };
  /** How alike they are. */
  readonly tau: Taus;
  /** Who moved on the board. */
  readonly moved: number;
  /** Labels of those who come among the first `topK`. */
  readonly entered: readonly string[];
  /** Labels of those who leave them. */
  readonly left: readonly string[];
  /** Everybody, in the later order. */
  readonly rows: readonly MovedRow[];
}

/**
 * The ranking as it stands, in steps of some milliseconds. It is of one commit as long as the session doesn't go on meanwhile.
 *
 * @param by the rating that orders it; the one in force by default
 */
export function* rankingNow(
  view: View,
  by: Ranking["by"] = view.settings.ranking.rating,
): Generator<void, Ranking> {
  yield* ratingSteps(() => view.ratings);
  const { topK } = view.settings.ranking, { ratings } = view;
  return yield* ranked(copies(view), clustersOf(view), { rating: by, topK }, ratings, view.eloJournal.length);
}

/** What a replay of the match log gives. */
export interface Replayed {
  /** The ranking that it makes. */
  readonly ranking: Ranking;
  /** Elo, as it comes out. */
  readonly ledger: Ledger;
  /** The other rating. */
  readonly ratings: Ratings;
}

/** Elo, as a replay gives it. */
export interface Ledger {
  /** Elo and matches of each that played. */
  readonly elos: ReadonlyMap<string, { readonly elo: number; readonly matches: number }>;
  /** Matches that count. */
  readonly counted: number;
  /** Whether it comes out as it stands. */
  readonly asItStands: boolean;
}

/**
 * The ranking as it would be under other marks or settings: the match log replayed from the first match on, in steps of some
 * milliseconds. Bit by bit what the view says once the change is made. What it needs of the view it copies in the first step,
 * so that the session may go on meanwhile.
 *
 * @param known parts of another replay of the same log that the change makes no difference to
 */
export function* replayIf(
  view: View,
  change: CountChange,
  ranking: Settings["ranking"],
  known: { readonly ledger?: Ledger | undefined; readonly ratings?: Ratings | undefined } = {},
): Generator<void, Replayed> {
  const folding = known.ratings === undefined ? view.foldIf(change, ranking) : null;
  folding?.next();
  const players = copies(view), clusters = clustersOf(view);
  const counted = known.ledger === undefined
    ? [...view.countedIf({ staleMatches: ranking.staleMatches, ...change })]
    : [];
  const journal = [...view.eloJournal];
  yield;
  const ledger = known.ledger ?? replayElo(counted, ranking, journal);
  yield;
  const ratings = folding === null ? known.ratings : yield* folding;
  if (ratings === undefined) throw new CosciError("internal", "A replay came out without ratings");
  yield* ratingSteps(() => ratings);
  yield;
  const replayed = players.map((player): Player => {
    const { elo, matches } = ledger.elos.get(player.record.id) ?? { elo: ranking.eloInitial, matches: 0 };
    const strength = ratings.strength(player.record.id);
    return { ...player, elo, matches, strength: strength?.mean ?? null, strengthSd: strength?.sd ?? null };
  });
  yield;
  return { ranking: yield* ranked(replayed, clusters, ranking, ratings, ledger.counted), ledger, ratings };
}

/** Elo replayed from the first match on. */
function replayElo(
  counted: readonly MatchRecord[],
  ranking: Settings["ranking"],
  journal: readonly EloRecord[],
): Ledger {
  const lines = rateAll(counted, ranking);
  const elos = new Map<string, { elo: number; matches: number }>();
  const move = (id: string, elo: number) => {
    const at = elos.get(id);
    if (at === undefined) elos.set(id, { elo, matches: 1 });
    else {
      at.elo = elo;
      at.matches++;
    }
  };
  for (const { firstId, secondId, firstBefore, secondBefore, delta } of lines) {
    move(firstId, firstBefore + delta);
    move(secondId, secondBefore - delta);
  }
  return { elos, counted: lines.length, asItStands: sameLedger(lines, journal) };
}

/** Two rankings side by side, in the order of the second. */
export function compareRankings(before: Ranking, after: Ranking): RankingsCompared {
  const was = new Map(before.players.map((player) => [player.id, player]));
  const rows = after.players.flatMap((now): MovedRow[] => {
    const then = was.get(now.id);
    if (then === undefined) return [];
    const up = then.place === null || now.place === null ? null : then.place - now.place;
    return [{ label: now.label, title: now.title, before: placed(then), after: placed(now), up }];
  });
  const both = (value: (of: Placed) => number | null) => {
    const known = rows.flatMap((row) => {
      const then = value(row.before), now = value(row.after);
      return then === null || now === null ? [] : [[then, now] as const];
    });
    const tau = kendallTau(known.map(([then]) => then), known.map(([, now]) => now));
    return Number.isNaN(tau) ? null : tau;
  };
  const first = ({ players, topK }: Ranking) =>
    players.flatMap(({ label, place }) => (place !== null && place <= topK ? [label] : []));
  const [leading, led] = [first(after), first(before)];
  return {
    by: { before: before.by, after: after.by },
    topK: { before: before.topK, after: after.topK },
    counted: { before: before.counted, after: after.counted },
    tau: {
      board: both(({ place }) => place),
      bradleyTerry: both(({ rating }) => rating),
      elo: both(({ elo }) => elo),
    },
    moved: rows.filter(({ up, before, after }) => up !== 0 && (up !== null || before.place !== after.place))
      .length,
    entered: leading.filter((label) => !led.includes(label)),
    left: led.filter((label) => !leading.includes(label)),
    rows,
  };
}

/** A standing that nobody else changes. */
type Player = Pick<
  Standing,
  | "record"
  | "state"
  | "pinned"
  | "result"
  | "bornSeq"
  | "elo"
  | "matches"
  | "strength"
  | "strengthSd"
>;

function copies(view: View): Player[] {
  return view.leaderboard.map((standing) => ({ ...standing }));
}

/** Near-duplicates as they stand: what was edited since is near to nothing any more. */
function clustersOf(view: View): readonly (readonly string[])[] {
  const { clusters = [], seq: clusteredAt = 0 } = view.proximity ?? {};
  return clusters.map((cluster) => cluster.filter((id) => !view.changedSince(id, clusteredAt)));
}

function* ranked(
  players: readonly Player[],
  clusters: readonly (readonly string[])[],
  { rating: by, topK }: Pick<Settings["ranking"], "rating" | "topK">,
  ratings: Pick<Ratings, "topInSteps">,
  counted: number,
): Generator<void, Ranking> {
  const order = better(by);
  const sorted = [...players].sort(order);
  const byId = new Map(players.map((player) => [player.record.id, player]));
  const under = folded(clusters, (id) => byId.get(id), order);
  const competing = sorted.flatMap(({ record }) => (under.has(record.id) ? [] : [record.id]));
  yield;
  const { chances } = yield* ratings.topInSteps(competing, topK);
  yield;
  const places = new Map(competing.map((id, i) => [id, i + 1]));
  return {
    by,
    topK,
    counted,
    players: sorted.map(({ record: { id, label, title }, strength, strengthSd, elo, matches }) => ({
      id,
      label,
      title,
      place: places.get(id) ?? null,
      ...ratingRow({ strength, strengthSd }),
      elo,
      matches,
      topChance: competing.length > topK && places.has(id) ? chances.get(id) ?? null : null,
    })),
  };
}

function placed({ place, rating, ratingLow, ratingHigh, elo, matches, topChance }: Placed): Placed {
  return { place, rating, ratingLow, ratingHigh, elo, matches, topChance };
}

function sameLedger(lines: readonly EloLine[], journal: readonly EloRecord[]): boolean {
  return lines.length === journal.length && lines.every((line, i) => {
    const row = journal[i];
    return row !== undefined && row.matchId === line.matchId && row.delta === line.delta &&
      row.firstBefore === line.firstBefore && row.secondBefore === line.secondBefore &&
      row.firstId === line.firstId && row.secondId === line.secondId;
  });
}
