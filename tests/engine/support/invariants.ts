import assert from "node:assert/strict";
import { TASK_STATUSES, type TaskStatus } from "../../../lib/domain/records.ts";
import { readTranscripts } from "../../../lib/store/transcripts.ts";
import { replay } from "../../../lib/tournament/elo.ts";
import type { Supervisor } from "../../../mod.ts";
import { nowOf } from "./session.ts";

const ENDED: readonly TaskStatus[] = ["done", "dead", "cancelled", "void"];

/** Every record table that gives its records an identity. */
const IDENTITIES = {
  hypotheses: "id, version",
  reviews: "id",
  tournament_matches: "id",
  elo_journal: "epoch, match_id",
  evidence: "id",
  safety_screens: "id",
  duplicates: "id",
  research_plans: "id",
  proximity: "id",
  system_feedback: "id",
  overviews: "id",
  tasks: "id",
  commits: "seq",
} as const;

/** The ledger: replaying it gives every rating exactly, sums hold, every valid match is in it exactly once. */
export function assertLedger(lab: Supervisor): void {
  const view = lab.view();
  const { eloInitial } = view.settings.ranking;
  const ratings = replay(view.eloJournal, eloInitial);
  for (const { record, elo } of view.hypotheses) {
    assert.equal(
      elo,
      ratings.get(record.id) ?? eloInitial,
      `${record.label}: stored rating and ledger differ`,
    );
  }
  const rated = view.leaderboard;
  const sum = rated.reduce((total, standing) => total + standing.elo, 0);
  if (view.hypotheses.every(({ state, matches }) => matches === 0 || state === "in_tournament")) {
    assert.ok(Math.abs(sum - eloInitial * rated.length) <= 1e-6, `the ratings sum to ${sum}`);
  }
  assert.equal(view.validMatches, view.matches.filter((match) => match.verdict !== "invalid").length);
  const valid = view.counted.filter((match) => match.verdict !== "invalid");
  assert.deepEqual(
    view.eloJournal.map((row) => row.matchId).sort(),
    valid.map((match) => match.id).sort(),
    "a valid match without its row in the ledger, or with two",
  );
  for (const { record, matches, won, lost, tied } of view.hypotheses) {
    const played = valid.filter(({ firstId, secondId }) => firstId === record.id || secondId === record.id);
    assert.equal(matches, played.length, `${record.label}: matches played`);
    assert.equal(won + lost + tied, matches, `${record.label}: won, lost and tied`);
  }
  for (const match of valid) {
    const row = view.eloJournal.find((each) => each.matchId === match.id);
    assert.deepEqual([row?.firstId, row?.secondId, row?.weight], [
      match.firstId,
      match.secondId,
      match.weight,
    ]);
    // In a later epoch all that count are rated anew.
    if (view.epoch === 0) assert.equal(row?.seq, match.seq);
  }
}

/**
 * What holds of a session whatever happened to it, when nobody works on it: no task stuck or done twice, no record
 * twice, nothing half committed, every call booked.
 */
export function assertSound(lab: Supervisor): void {
  const view = lab.view();
  const { sql } = lab.store;
  const session = view.session.id;
  for (const [table, identity] of Object.entries(IDENTITIES)) {
    const twice = sql.all(
      `SELECT ${identity}, count(*) AS n FROM ${table} WHERE session = ? GROUP BY ${identity} HAVING n > 1`,
      session,
    );
    assert.deepEqual(twice, [], `records of ${table} that are there twice`);
  }
  assert.deepEqual(
    sql.all("SELECT seq FROM commits WHERE session = ? ORDER BY seq", session).map((row) => row["seq"]),
    Array.from({ length: view.seq }, (_, i) => i + 1),
    "the commits are not numbered through",
  );
  // A task ends once; a commit that ends one is the only one of that task with this end.
  const ends = sql.all(
    `SELECT task_id, count(*) AS n FROM task_states WHERE session = ? AND status IN (${
      ENDED.map((status) => `'${status}'`).join(", ")
    }) GROUP BY task_id HAVING n > 1`,
    session,
  );
  assert.deepEqual(ends, [], "tasks that ended twice");
  const queue = lab.store.queue(session).list();
  assert.deepEqual(
    queue.map((item) => item.taskId).sort(),
    view.openTasks.map((task) => task.record.id).sort(),
    "the queue and the records don't agree on what is open",
  );
  assert.deepEqual(queue.filter((item) => item.status === "in_progress"), [], "tasks left in progress");
  assert.ok(view.openTasks.every((task) => TASK_STATUSES.includes(task.status)));

  // Follow-ups come with their records: no draft without its review, no vector lost (13.A.5, 13.A.6).
  for (const { record, state } of view.hypotheses) {
    assert.notEqual(view.vector(record.id), undefined, `${record.label} has no vector`);
    if (state === "quarantined") continue;
    assert.ok(view.hasTask(`review/${record.id}/1/full`), `${record.label} has no review to come`);
  }

  // Calls: what is booked is what the transcripts say and what was lost, and nothing is reserved.
  const spending = nowOf(lab);
  const booked = sql.get(
    "SELECT coalesce(sum(micro_usd), 0) AS usd FROM transcripts WHERE session = ?",
    session,
  );
  assert.equal(
    Math.round(spending.spentUsd * 1e6),
    Number(booked?.["usd"]) + Math.round(spending.lostUsd * 1e6),
  );
  assert.equal(spending.reservedUsd, 0, "money is still reserved");
  const open = new Set(view.openTasks.map((task) => task.record.id));
  for (const call of readTranscripts(sql, session)) {
    assert.ok(call.seq !== null || open.has(call.taskId), `call ${call.n} belongs to no commit`);
  }
  const left = sql.all("SELECT task_id FROM call_journal WHERE session = ?", session)
    .filter((row) => !open.has(String(row["task_id"])));
  assert.deepEqual(left, [], "journalled answers of tasks that have ended");
  assertLedger(lab);
}

/** That a finished session has nothing left to do. */
export function assertFinished(lab: Supervisor): void {
  const view = lab.view();
  assert.equal(view.status, "done");
  // Where it is sure enough of the best, or their ratings are at rest, matches may be left that nobody needs any more.
  const settled = view.stopReason === "top_k_settled" || view.stopReason === "elo_stable";
  const left = view.openTasks.filter(({ record }) => !settled || record.action !== "match");
  assert.deepEqual(left.map((task) => `${task.record.label} ${task.record.key}`), []);
  assert.equal(view.overviews.filter((overview) => overview.final).length, 1);
}

/** That two canonical exports are equal; says where they first differ. */
export function assertSameSession(actual: string, expected: string, where: string): void {
  const a = actual.split("\n"), b = expected.split("\n");
  const i = a.findIndex((line, n) => line !== b[n]);
  if (i < 0 && a.length === b.length) return;
  assert.fail(`${where}: another session came out. Line ${i}:\n${a[i] ?? ""}\ninstead of\n${b[i] ?? ""}`);
}
