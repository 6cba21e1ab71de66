/** A run that is killed at any point and taken up again comes to what it would have come to (13.A.3, 13.A.4, 13.A.5, 13.A.8). */
import assert from "node:assert/strict";
import { rng } from "../../lib/domain/rng.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import type { Supervisor } from "../../mod.ts";
import { child, type ChildReport } from "./support/children.ts";
import { KILL_POINTS, type KillPoint } from "./support/child.ts";
import { assertFinished, assertSameSession, assertSound } from "./support/invariants.ts";
import { enter, LONG, nowOf, small, wire, withStore } from "./support/session.ts";

const ALONE = LONG ? 70 : 5;
const SIDE_BY_SIDE = LONG ? 30 : 2;
const IN_A_ROW = LONG ? 20 : 3;

/** What an uninterrupted run is, and how often it passes each kill point. */
interface Reference {
  readonly canonical: string;
  readonly passed: Readonly<Partial<Record<KillPoint, number>>>;
}

const references = new Map<number, Promise<Reference>>();

function uninterrupted(concurrency: number): Promise<Reference> {
  const known = references.get(concurrency) ?? runThrough(concurrency);
  references.set(concurrency, known);
  return known;
}

async function runThrough(concurrency: number): Promise<Reference> {
  return await withStore(async (store, folder) => {
    const report = await child({ store, concurrency, finish: true, latencyMs: 0, kill: null }, folder);
    assert.equal(report.code, 0, report.stderr);
    const lab = await enter(store, { settings: small(concurrency) });
    assertSound(lab);
    assertFinished(lab);
    const canonical = canonicalOf(lab);
    await lab.close();
    return { canonical, passed: report.passed };
  });
}

function canonicalOf(lab: Supervisor): string {
  return canonicalExport(lab.store, lab.view().session.id);
}

/** The `i`-th seeded point at which to kill; the first two are in the middle of the overview. */
function pointOf(i: number, concurrency: number, reference: Reference): { at: KillPoint; n: number } {
  const at = KILL_POINTS[i % KILL_POINTS.length] ?? "statement";
  const passed = reference.passed[at] ?? 0;
  if (i < 2 && concurrency === 1) return { at, n: passed - i };
  return { at, n: 1 + rng("kill", `${concurrency} ${i}`, at).int(passed) };
}

/** How many calls a killed process had sent or was about to send without an answer booked, and which answers it kept. */
function atDeath(lab: Supervisor, dead: ChildReport): { unanswered: number; journalled: Set<string> } {
  const { sql } = lab.store;
  const answered = sql.get("SELECT count(*) AS n FROM transcripts WHERE response <> ''");
  return {
    unanswered: dead.sent.length - Number(answered?.["n"]),
    journalled: new Set(sql.all("SELECT key FROM call_journal").map((row) => String(row["key"]))),
  };
}

/** Takes a killed run up again, to its end, and checks what must hold. Returns its canonical export. */
async function takenUp(
  store: string,
  concurrency: number,
  dead: ChildReport,
  where: string,
): Promise<string> {
  const over = wire();
  const lab = await enter(store, { settings: small(concurrency), over });
  try {
    const { unanswered, journalled } = atDeath(lab, dead);
    assert.ok(unanswered <= concurrency, `${where}: ${unanswered} calls were in flight`);
    await lab.runUntil();
    await lab.finish();
    assertSound(lab);
    assertFinished(lab);
    const again = over.sent.filter((key) => dead.sent.includes(key));
    assert.ok(
      again.length <= unanswered,
      `${where}: ${again.length} calls sent again, ${unanswered} were unanswered`,
    );
    assert.deepEqual(
      again.filter((key) => journalled.has(key)),
      [],
      `${where}: journalled calls were paid again`,
    );
    assert.equal(new Set(over.sent).size, over.sent.length, `${where}: calls were sent twice`);
    const { spentUsd } = nowOf(lab);
    const billed = dead.billed + over.simulator.billed().microUsd;
    assert.ok(billed <= Math.round(spentUsd * 1e6), `${where}: billed ${billed}, booked ${spentUsd}`);
    return canonicalOf(lab);
  } finally {
    await lab.close();
  }
}

Deno.test(`killed at ${ALONE} seeded points and taken up: the same session, nothing stuck, twice or paid again`, async () => {
  const reference = await uninterrupted(1);
  for (let i = 0; i < ALONE; i++) {
    const kill = pointOf(i, 1, reference);
    const where = `${kill.at} ${kill.n}`;
    await withStore(async (store, folder) => {
      const dead = await child({ store, concurrency: 1, finish: true, latencyMs: 0, kill }, folder);
      assert.ok(dead.killed, `${where}: ended with ${dead.code}, ${dead.stderr}`);
      assertSameSession(await takenUp(store, 1, dead, where), reference.canonical, where);
    });
  }
});

Deno.test("killed again and again, while it takes itself up: still the same session", async () => {
  const reference = await uninterrupted(1);
  await withStore(async (store, folder) => {
    const sent: string[] = [];
    let deaths = 0, billed = 0;
    for (let i = 0; i < IN_A_ROW; i++) {
      const { at } = pointOf(i, 1, reference);
      const n = 1 + rng("again", String(i), at).int(Math.ceil((reference.passed[at] ?? 0) / 6));
      const dead = await child(
        { store, concurrency: 1, finish: true, latencyMs: 0, kill: { at, n } },
        folder,
      );
      if (!dead.killed) break;
      deaths++;
      sent.push(...dead.sent);
      billed += dead.billed;
    }
    assert.ok(deaths > 1);
    const over = wire();
    const lab = await enter(store, { over });
    await lab.runUntil();
    await lab.finish();
    assertSound(lab);
    assertFinished(lab);
    sent.push(...over.sent);
    assert.ok(sent.length - new Set(sent).size <= deaths, "more was paid again than was in flight");
    assert.ok(billed + over.simulator.billed().microUsd <= Math.round(nowOf(lab).spentUsd * 1e6));
    assertSameSession(canonicalOf(lab), reference.canonical, "killed again and again");
    await lab.close();
  });
});

Deno.test(`four tasks side by side, killed at ${SIDE_BY_SIDE} seeded points: nothing stuck, twice or paid again`, async () => {
  const reference = await uninterrupted(4);
  for (let i = 0; i < SIDE_BY_SIDE; i++) {
    // The clash of tasks is another each time: what one run passes, another may not.
    const point = pointOf(i, 4, reference);
    const kill = { at: point.at, n: Math.ceil(point.n * 0.8) };
    await withStore(async (store, folder) => {
      const dead = await child({ store, concurrency: 4, finish: true, latencyMs: 2, kill }, folder);
      assert.ok(dead.killed, `${kill.at} ${kill.n}: ended with ${dead.code}, ${dead.stderr}`);
      await takenUp(store, 4, dead, `${kill.at} ${kill.n}`);
    });
  }
});
