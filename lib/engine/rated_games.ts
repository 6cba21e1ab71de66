import type { Settings } from "../config/settings.ts";
import type { MatchRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import { eloDelta, kFactor, scoreOf } from "../tournament/elo.ts";
import { snapshotDue, takeSnapshot } from "../tournament/stability.ts";

/** What ratings need to know of a match: two standings, and what was said of them. */
export interface RatedGame extends Pick<MatchRecord, "id" | "verdict" | "weight"> {
  readonly first: Standing;
  readonly second: Standing;
}

/** What matches do to Elo. */
export interface RatedGames {
  /** Their lines in the ledger, and the snapshot that is due after them. */
  readonly entries: Entry[];
  /** What the first of each match gained; invalid ones are left out. */
  readonly gains: readonly number[];
  /** Ratings afterwards, of those who played. */
  readonly elos: ReadonlyMap<string, number>;
}

/** Rates the matches of one commit, one after the other: the same for a model's verdicts and a person's. */
export function ratedGames(
  games: readonly RatedGame[],
  ranking: Settings["ranking"],
  view: View,
): RatedGames {
  const entries: Entry[] = [];
  const elos = new Map<string, number>(), played = new Map<string, number>();
  const gains: number[] = [];
  for (const { id: matchId, first, second, verdict, weight } of games) {
    const score = scoreOf(verdict);
    if (score === null) continue;
    const [firstId, secondId] = [first.record.id, second.record.id];
    const firstBefore = elos.get(firstId) ?? first.elo, secondBefore = elos.get(secondId) ?? second.elo;
    const firstMatches = played.get(firstId) ?? first.matches;
    const secondMatches = played.get(secondId) ?? second.matches;
    const k = kFactor(firstMatches, secondMatches, ranking);
    const delta = eloDelta({ first: firstBefore, second: secondBefore, score, k, weight });
    entries.push({
      kind: "elo",
      record: {
        epoch: view.epoch,
        matchId,
        firstId,
        secondId,
        k,
        weight,
        score,
        firstBefore,
        secondBefore,
        delta,
      },
    });
    gains.push(delta);
    elos.set(firstId, firstBefore + delta).set(secondId, secondBefore - delta);
    played.set(firstId, firstMatches + 1).set(secondId, secondMatches + 1);
  }
  const { matchSnapshotEvery, eloStabilityK } = view.settings.termination;
  const matches = view.eloJournal.length + games.length;
  if (snapshotDue(matches, view.eloSnapshots.at(-1)?.matches ?? 0, matchSnapshotEvery)) {
    const after = view.leaderboard.map(({ record, elo, bornSeq }) => ({
      record,
      bornSeq,
      elo: elos.get(record.id) ?? elo,
    })).sort((a, b) => b.elo - a.elo || a.bornSeq - b.bornSeq);
    entries.push({ kind: "eloSnapshot", record: takeSnapshot(matches, after, eloStabilityK) });
  }
  return { entries, gains, elos };
}
