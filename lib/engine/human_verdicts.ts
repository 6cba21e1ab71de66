import { recordId } from "../domain/ids.ts";
import type { MatchVerdict } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { eloDelta, kFactor, scoreOf } from "../tournament/elo.ts";
import { snapshotDue, takeSnapshot } from "../tournament/stability.ts";
import type { Change } from "./revision_entry.ts";

/** What a person says of two hypotheses. */
export interface HumanVerdict {
  /** The hypothesis that the person saw first. */
  readonly firstId: string;
  /** The one they saw second. */
  readonly secondId: string;
  /** Which is better, or that neither is. */
  readonly verdict: Exclude<MatchVerdict, "invalid">;
  /** Who says so. */
  readonly author: string;
  /** How much it counts; 1 is what a model's counts. */
  readonly weight: number;
  /** Why; may be empty. */
  readonly rationale: string;
  /** What the match's id is made from: unique in the session. */
  readonly key: string;
}

/** Verdicts of people as a commit's records, with what is told of them. */
export interface HumanVerdicts {
  /** Matches with their lines in the ledger, and the snapshot that is due after them. */
  readonly entries: readonly Entry[];
  /** One change a verdict, in their order. */
  readonly changes: readonly Omit<Change, "author">[];
  /** What to tell the world: one event a verdict. */
  readonly events: readonly EventDraft[];
  /** The matches' labels, in their order. */
  readonly labels: readonly string[];
}

/**
 * Verdicts of people as matches on top of a view, rated one after the other. Both sides of each must be in the view; that they may be compared is for the
 * caller to see to.
 */
export function verdictEntries(view: View, verdicts: readonly HumanVerdict[]): HumanVerdicts {
  const entries: Entry[] = [], changes: Omit<Change, "author">[] = [], events: EventDraft[] = [];
  const labels: string[] = [];
  const lines: Entry[] = [];
  const elos = new Map<string, number>(), played = new Map<string, number>();
  for (const given of verdicts) {
    const { firstId, secondId, verdict, author, weight, rationale, key } = given;
    const first = view.hypothesis(firstId), second = view.hypothesis(secondId), score = scoreOf(verdict);
    if (first === undefined || second === undefined || score === null) continue;
    const id = recordId("mat", key), label = `M${view.matchCount + labels.length + 1}`;
    labels.push(label);
    entries.push({
      kind: "match",
      record: {
        id,
        firstId,
        secondId,
        mode: "pairwise",
        verdict,
        bothOrders: null,
        group: null,
        author,
        weight,
        judge: null,
        panelist: null,
        promptVersion: null,
        revision: view.revision,
        taskId: null,
        rationale,
      },
    });
    const firstBefore = elos.get(firstId) ?? first.elo, secondBefore = elos.get(secondId) ?? second.elo;
    const firstMatches = played.get(firstId) ?? first.matches;
    const secondMatches = played.get(secondId) ?? second.matches;
    const k = kFactor(firstMatches, secondMatches, view.settings.ranking);
    const delta = eloDelta({ first: firstBefore, second: secondBefore, score, k, weight });
    lines.push({
      kind: "elo",
      record: {
        epoch: view.epoch,
        matchId: id,
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
    elos.set(firstId, firstBefore + delta).set(secondId, secondBefore - delta);
    played.set(firstId, firstMatches + 1).set(secondId, secondMatches + 1);
    changes.push({ kind: "verdict", target: label, before: null, after: { verdict, weight } });
    events.push({
      type: "verdict_given",
      payload: {
        match: label,
        first: first.record.label,
        second: second.record.label,
        verdict,
        weight,
        author,
        delta,
      },
    });
  }
  return {
    entries: [...entries, ...lines, ...snapshotAfter(view, lines.length, elos)],
    changes,
    events,
    labels,
  };
}

function snapshotAfter(view: View, games: number, elos: ReadonlyMap<string, number>): Entry[] {
  const { matchSnapshotEvery, eloStabilityK } = view.settings.termination;
  const matches = view.eloJournal.length + games;
  if (games === 0 || !snapshotDue(matches, view.eloSnapshots.at(-1)?.matches ?? 0, matchSnapshotEvery)) {
    return [];
  }
  const after = view.leaderboard.map(({ record, elo, bornSeq }) => ({
    record,
    bornSeq,
    elo: elos.get(record.id) ?? elo,
  })).sort((a, b) => b.elo - a.elo || a.bornSeq - b.bornSeq);
  return [{ kind: "eloSnapshot", record: takeSnapshot(matches, after, eloStabilityK) }];
}
