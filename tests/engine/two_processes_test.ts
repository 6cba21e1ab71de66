/** Two processes on one session share its work (13.A.8). */
import assert from "node:assert/strict";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import { child, type ChildReport } from "./support/children.ts";
import type { Order } from "./support/child.ts";
import { assertFinished, assertSound } from "./support/invariants.ts";
import { enter, LONG, nowOf, small, withStore } from "./support/session.ts";

async function together(
  given: Omit<Order, "log">,
  folder: string,
): Promise<readonly [ChildReport, ChildReport]> {
  const both = await Promise.all([child(given, folder), child(given, folder)]);
  for (const each of both) assert.equal(each.code, 0, each.stderr);
  return both;
}

const total = (report: ChildReport) => Object.values(report.tasks).reduce((sum, n) => sum + n, 0);

Deno.test("they share the matches, do none twice, and end at the same total", () =>
  withStore(async (store, folder) => {
    const matches = LONG ? 20 : 14;
    const [one, other] = await together(
      { store, concurrency: 2, matches, finish: false, latencyMs: 15, kill: null },
      folder,
    );
    assert.deepEqual([one.endedBy, other.endedBy], ["until", "until"]);
    assert.ok(total(one) > 3 && total(other) > 3, `${total(one)} and ${total(other)} tasks: no sharing`);
    const sent = [...one.sent, ...other.sent];
    assert.equal(new Set(sent).size, sent.length, "a call was made by both");
    const lab = await enter(store, { settings: small(2) });
    assertSound(lab);
    assert.equal(
      lab.view().validMatches,
      matches,
      "twenty matches are twenty, however many processes there are",
    );
    assert.equal(total(one) + total(other), endedTasks(lab.view().endedTasks));
    assert.equal(readTranscripts(lab.store.sql, lab.view().session.id).length, sent.length);
    await lab.close();
  }));

Deno.test("both run to the end: the session stops once, and neither waits for ever", () =>
  withStore(async (store, folder) => {
    const [one, other] = await together(
      { store, concurrency: 4, finish: false, latencyMs: 5, kill: null },
      folder,
    );
    assert.deepEqual([one.endedBy, other.endedBy], ["stopped", "stopped"]);
    assert.equal(one.stop, other.stop);
    const lab = await enter(store, { settings: small(4) });
    assertSound(lab);
    assert.equal(lab.view().status, "stopped");
    assert.deepEqual(statuses(lab), ["created", "running", "stopped"]);
    await lab.close();
  }));

Deno.test("both finish: one overview, returned to both", () =>
  withStore(async (store, folder) => {
    await together({ store, concurrency: 4, finish: true, latencyMs: 5, kill: null }, folder);
    const lab = await enter(store, { settings: small(4) });
    assertSound(lab);
    assertFinished(lab);
    await lab.close();
  }));

Deno.test("what their servers bill together stays under the one cap", () =>
  withStore(async (store, folder) => {
    const usd = 1.2;
    const [one, other] = await together(
      { store, usd, concurrency: 4, finish: false, latencyMs: 5, kill: null },
      folder,
    );
    assert.deepEqual([one.stop, other.stop], ["budget", "budget"]);
    assert.ok(one.billed + other.billed <= usd * 1e6, `${one.billed} and ${other.billed} of ${usd * 1e6}`);
    const lab = await enter(store, { settings: small(4), usd });
    assertSound(lab);
    assert.deepEqual(statuses(lab), ["created", "running", "stopped"]);
    await lab.finish();
    const { spentUsd } = nowOf(lab);
    assert.ok(spentUsd <= usd, `spent ${spentUsd} of ${usd}`);
    assert.equal(lab.view().overviews.at(-1)?.source, "model");
    await lab.close();
  }));

Deno.test("one is killed: the other takes its tasks over at once and ends", () =>
  withStore(async (store, folder) => {
    const given = { store, concurrency: 2, finish: false, latencyMs: 15 };
    const [dead, living] = await Promise.all([
      child({ ...given, kill: { at: "answer", n: 12 } }, folder),
      child({ ...given, kill: null }, folder),
    ]);
    assert.ok(dead.killed);
    assert.equal(living.code, 0, living.stderr);
    assert.equal(living.endedBy, "stopped");
    const lab = await enter(store, { settings: small(2) });
    assertSound(lab);
    assert.equal(lab.events().some((event) => event.type === "task_reclaimed"), true);
    await lab.close();
  }));

function endedTasks(ended: Readonly<Record<string, number>>): number {
  return Object.values(ended).reduce((sum, n) => sum + n, 0);
}

function statuses(lab: Awaited<ReturnType<typeof enter>>): unknown[] {
  const { sql } = lab.store;
  return sql.all("SELECT status FROM session_states ORDER BY seq").map((row) => row["status"]);
}
