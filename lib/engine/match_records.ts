import type { Outcome } from "../domain/agent.ts";
import { recordId } from "../domain/ids.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { eloDelta, kFactor, scoreOf } from "../tournament/elo.ts";
import { snapshotDue, takeSnapshot } from "../tournament/stability.ts";
import { done, type Settled, voided, type Work } from "./settled.ts";

/** The records of a judged match: the match, both ratings, and the snapshot and clusters that are due with it. */
export function matchJudged(
  outcome: Extract<Outcome, { kind: "match_judged" }>,
  work: Work,
  view: View,
): Settled {
  const first = view.hypothesis(outcome.firstId), second = view.hypothesis(outcome.secondId);
  if (first === undefined || second === undefined) {
    return voided(work, "A hypothesis of the match is not there.");
  }
  const out = [first, second].find((side) => side.state !== "in_tournament");
  if (out !== undefined) {
    return voided(work, `${out.record.label} is ${out.state}: the match does not count.`);
  }
  const id = recordId("mat", work.task.key);
  const labels = { first: first.record.label, second: second.record.label };
  const entries: Entry[] = [{
    kind: "match",
    record: {
      id,
      firstId: outcome.firstId,
      secondId: outcome.secondId,
      mode: outcome.mode,
      verdict: outcome.verdict,
      bothOrders: outcome.bothOrders,
      group: null,
      author: "model",
      weight: 1,
      judge: outcome.judge,
      panelist: work.decision.kind === "match" ? work.decision.judge ?? null : null,
      promptVersion: outcome.promptVersion,
      revision: work.revision,
      taskId: work.task.id,
      rationale: outcome.rationale,
    },
  }];
  const score = scoreOf(outcome.verdict);
  if (score === null) {
    return done(work, "invalid", -1, entries, [
      { type: "match_invalid", payload: { ...labels, reason: outcome.rationale } },
    ], `${labels.first} – ${labels.second}: no verdict`);
  }
  const k = kFactor(first.matches, second.matches, work.settings.ranking);
  const delta = eloDelta({ first: first.elo, second: second.elo, score, k, weight: 1 });
  entries.push({
    kind: "elo",
    record: {
      epoch: view.eloJournal.at(-1)?.epoch ?? 0,
      matchId: id,
      firstId: outcome.firstId,
      secondId: outcome.secondId,
      k,
      weight: 1,
      score,
      firstBefore: first.elo,
      secondBefore: second.elo,
      delta,
    },
  });
  const { matchSnapshotEvery, eloStabilityK } = view.settings.termination;
  const played = view.eloJournal.length + 1;
  if (snapshotDue(played, view.eloSnapshots.at(-1)?.matches ?? 0, matchSnapshotEvery)) {
    const after = view.leaderboard.map(({ record, elo, bornSeq }) => ({
      record,
      bornSeq,
      elo: record.id === outcome.firstId ? elo + delta : record.id === outcome.secondId ? elo - delta : elo,
    })).sort((a, b) => b.elo - a.elo || a.bornSeq - b.bornSeq);
    entries.push({ kind: "eloSnapshot", record: takeSnapshot(played, after, eloStabilityK) });
  }
  const events: EventDraft[] = [{
    type: "match_complete",
    payload: {
      ...labels,
      mode: outcome.mode,
      verdict: outcome.verdict,
      delta,
      elo: [first.elo + delta, second.elo - delta],
    },
  }];
  if (work.clusters !== null && reclusterDue(view, view.validMatches + 1, work.clusters.vectors)) {
    entries.push({
      kind: "proximity",
      record: {
        id: recordId("prx", work.task.key),
        clusters: work.clusters.clusters,
        matchesSeen: view.validMatches + 1,
        vectors: work.clusters.vectors,
      },
    });
    events.push({
      type: "proximity_updated",
      payload: { clusters: work.clusters.clusters.length, vectors: work.clusters.vectors },
    });
  }
  const winner = outcome.verdict === "first"
    ? labels.first
    : outcome.verdict === "second"
    ? labels.second
    : "tie";
  return done(
    work,
    "match",
    1,
    entries,
    events,
    `${labels.first} – ${labels.second}: ${winner === "tie" ? "a tie" : `${winner} wins`}`,
  );
}

/**
 * Whether near-duplicates are to be looked for again: a multiple of `vectors.reclusterEveryMatches` was reached or passed,
 * and there are other vectors than the last time.
 */
export function reclusterDue(view: View, matches: number, vectors: number): boolean {
  const last = view.proximity;
  return vectors > 1 && vectors !== (last?.vectors ?? 0) &&
    snapshotDue(matches, last?.matchesSeen ?? 0, view.settings.vectors.reclusterEveryMatches);
}
