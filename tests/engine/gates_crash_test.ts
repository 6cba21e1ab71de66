/** A process that dies around the commit that opens a gate: nothing of what waits is lost, and nothing is proposed twice. */
import assert from "node:assert/strict";
import type { KillPoint } from "./support/child.ts";
import { child } from "./support/children.ts";
import { assertSound } from "./support/invariants.ts";
import { enter, LONG, small, withStore } from "./support/session.ts";

const settings = { run: { gates: ["plan" as const, "feedback" as const] } };
const ORDER = { concurrency: 1, finish: false, latencyMs: 0, settings };

/** How many commits a process makes until it stands at the gate of the plan; the gate's own is among the last of them. */
async function commitsToGate(): Promise<number> {
  return await withStore(async (store, folder) => {
    const whole = await child({ ...ORDER, store, kill: null }, folder);
    assert.equal(whole.endedBy, "gate", whole.stderr);
    return whole.passed.commit ?? 0;
  });
}

Deno.test("killed around the commit that opens a gate, the plan waits once, and the answer goes on", async (t) => {
  const all = await commitsToGate();
  const last = LONG ? all - 1 : 2;
  for (let n = all - last; n <= all; n++) {
    for (const at of ["commit", "committed"] satisfies KillPoint[]) {
      await t.step(`${at} ${n} of ${all}`, () =>
        withStore(async (store, folder) => {
          const dead = await child({ ...ORDER, store, kill: { at, n } }, folder);
          assert.ok(dead.killed, dead.stderr);
          await using lab = await enter(store, { settings: small(1, settings) });
          assert.equal((await lab.runUntil()).endedBy, "gate");
          assert.deepEqual(lab.view().gates.map(({ kind }) => kind), ["plan"]);
          assertSound(lab);
          lab.accept({ objective: "Why do they glow?" });
          assert.equal((await lab.runUntil()).endedBy, "gate");
          assert.deepEqual(lab.view().gates.map(({ kind }) => kind), ["plan", "feedback"]);
          assert.equal(lab.view().plan?.objective, "Why do they glow?");
          assertSound(lab);
        }));
    }
  }
});
