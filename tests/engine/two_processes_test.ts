/** Two processes on one session share its work (13.A.8). */
import assert from "node:assert/strict";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import { type ChildReport, together } from "./support/children.ts";
import type { Order } from "./support/child.ts";
import { assertFinished, assertSound } from "./support/invariants.ts";
import { enter, nowOf, small, withStore } from "./support/session.ts";

/** Two processes with the same order, which end by themselves. */
async function both(given: Omit<Order, "log">, folder: string): Promise<[ChildReport, ChildReport]> {
  const [one, other] = await together([given, given], folder);
  assert.ok(one !== undefined && other !== undefined);
  for (const each of [one, other]) assert.equal(each.code, 0, each.stderr);
  return [one, other];
}

const total = (report: ChildReport) => Object.values(report.tasks).reduce((sum, n) => sum + n, 0);

Deno.test("they share the matches, do none twice, and end at the same total", () =>
  withStore(async (store, folder) => {
    const matches = 14;
    const [one, other] = await both(
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
    const [one, other] = await both(
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
    await both({ store, concurrency: 4, finish: true, latencyMs: 5, kill: null }, folder);
    const lab = await enter(store, { settings: small(4) });
    assertSound(lab);
    assertFinished(lab);
    await lab.close();
  }));

Deno.test("what their servers bill together stays under the one cap", () =>
  withStore(async (store, folder) => {
    const usd = 1.2;
    const [one, other] = await both(
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
    const orders = [{ ...given, kill: { at: "answer" as const, n: 12 } }, { ...given, kill: null }];
    const [dead, living] = await together(orders, folder);
    assert.ok(dead !== undefined && living !== undefined);
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
