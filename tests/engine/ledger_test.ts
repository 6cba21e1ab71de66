/** Ratings are what the ledger says, whoever plays at the same time (13.A.1, 13.A.2, 13.A.3). */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { replay } from "../../lib/tournament/elo.ts";
import { assertLedger, assertSound } from "./support/invariants.ts";
import { together } from "./support/children.ts";
import { enter, LONG, small, wire, withStore } from "./support/session.ts";

/** A tournament of many matches among few, so that most of them meet ratings that others are about to change. */
const CROWDED: SettingsPatch = {
  run: { maxIdeas: 10, initialIdeas: 6, maxMatchesPerIdea: LONG ? 40 : 12 },
  ranking: { maxMatchesPerPair: 20, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
  metareview: { everyMatches: 1000 },
  termination: { eloStabilityN: 1000, topKPrecision: 0 },
};

Deno.test("sixteen workers: replaying the ledger gives every rating, and the sums hold (13.A.1)", () =>
  withStore(async (path) => {
    const over = wire({ latencyMs: (call) => (call * 5) % 11 });
    const lab = await enter(path, { settings: small(16, CROWDED), over });
    const matches = LONG ? 250 : 60;
    let checked = 0;
    const run = await lab.runUntil({ matches }, {
      onTask: (report) => {
        if (report.action !== "match" || ++checked % 10 > 0) return;
        assertLedger(lab);
      },
    });
    assert.equal(run.failures, 0, run.lastFailures[0]?.error ?? "");
    assert.equal(lab.view().validMatches, matches);
    assert.ok(checked >= matches);
    assertSound(lab);
    await lab.close();
  }));

Deno.test("the ledger's ratings before a match are those after the matches before it (13.A.1)", () =>
  withStore(async (path) => {
    const over = wire({ latencyMs: (call) => (call * 3) % 7 });
    const lab = await enter(path, { settings: small(16, CROWDED), over });
    await lab.runUntil({ matches: 40 });
    const { eloJournal, settings } = lab.view();
    const { eloInitial } = settings.ranking;
    for (const [i, row] of eloJournal.entries()) {
      const before = replay(eloJournal.slice(0, i), eloInitial);
      assert.equal(row.firstBefore, before.get(row.firstId) ?? eloInitial, `row ${i}`);
      assert.equal(row.secondBefore, before.get(row.secondId) ?? eloInitial, `row ${i}`);
    }
    await lab.close();
  }));

Deno.test("two processes with eight workers each: the ledger and the sums hold (13.A.2, 13.A.8)", () =>
  withStore(async (store, folder) => {
    const given = { store, concurrency: 8, finish: false, latencyMs: 5, kill: null };
    for (const { code, stderr, failures } of await together([given, given], folder)) {
      assert.deepEqual([code, failures], [0, 0], stderr);
    }
    const lab = await enter(store, { settings: small(8) });
    assertSound(lab);
    assert.ok(lab.view().validMatches > 10);
    await lab.close();
  }));
