/** Forking: a session of its own that goes on from a commit of another one, as that one would have. */
import assert from "node:assert/strict";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { Supervisor } from "../../mod.ts";
import {
  enter,
  GOAL,
  LONG,
  NAME,
  nowOf,
  SEED,
  SMALL,
  small,
  wire,
  withStore,
} from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** The canonical export, by commit: lines of the same commit stand together. */
function exported(lab: Supervisor): readonly string[] {
  return canonicalExport(lab.store, lab.view().session.id).split("\n");
}

Deno.test("a fork at any commit, run on under the same seed and settings, equals the original at every later one", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil();
  await lab.finish();
  const whole = exported(lab);
  const last = lab.view().seq;
  const points = LONG
    ? Array.from({ length: last }, (_, i) => i + 1)
    : [1, 2, 3, 4, Math.floor(last / 4), Math.floor(last / 2), Math.floor(last / 2) + 1, last - 3, last - 1];
  for (const at of points) {
    await using fork = await lab.fork({ name: `fork at ${at}`, at });
    assert.equal(fork.view().seq, at, "it makes no commit of its own");
    await fork.runUntil();
    await fork.finish();
    assert.deepEqual(exported(fork), whole, `the fork at ${at}`);
  }
});
