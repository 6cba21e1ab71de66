import assert from "node:assert/strict";
import { DEFAULT_SETTINGS, type Settings } from "../../lib/config/settings.ts";
import type { MatchVerdict } from "../../lib/domain/records.ts";
import { settle } from "../../lib/engine/outcome_records.ts";
import { HEALTHY, mustStop } from "../../lib/engine/termination.ts";
import { Store } from "../../lib/store/store.ts";
import { eloStable } from "../../lib/tournament/stability.ts";
import { draft, hypothesis, hypothesisId, ManualClock, newSession } from "../store/fixture.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "g"];

const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  run: { ...DEFAULT_SETTINGS.run, maxIdeas: NAMES.length },
  termination: { ...DEFAULT_SETTINGS.termination, eloStabilityK: 2, matchSnapshotEvery: 2 },
};

/** A full pool in which `a` and `b` lead. */
function pool() {
  const store = new Store({ database: ":memory:", clock: new ManualClock() });
  const session = store.createSession(newSession("rest", { settings: SETTINGS })).id;
  store.commit(session, () =>
    draft(NAMES.flatMap((name) => [
      hypothesis(name),
      {
        kind: "hypothesisState",
        record: { hypothesisId: hypothesisId(name), state: "in_tournament", reason: "" },
      },
    ])));
  let n = 0;
  const play = (first: string, second: string, verdict: MatchVerdict) =>
    store.commit(session, (view) => {
      const key = `match/${++n}`;
      const { entries } = settle(
        {
          kind: "match_judged",
          firstId: hypothesisId(first),
          secondId: hypothesisId(second),
          mode: "pairwise",
          verdict,
          bothOrders: null,
          rationale: "",
          judge: "judge",
          promptVersion: "p1",
        },
        {
          task: {
            id: key,
            seq: 1,
            label: `T${n}`,
            key,
            agent: "ranking",
            action: "match",
            targetId: null,
            payload: {},
            priority: 150,
            maxAttempts: 3,
          },
          decision: { kind: "none" },
          attempts: 0,
          settings: SETTINGS,
          revision: 0,
          nearest: null,
          clusters: null,
          claimSeq: Infinity,
          embedder: "hash",
        },
        view,
      );
      return draft(entries.filter(({ kind }) => kind !== "taskState"), { progress: 1 });
    });
  for (let i = 0; i < 3; i++) {
    for (const loser of ["f", "g"]) for (const lead of ["a", "b"]) play(lead, loser, "first");
  }
  const stop = () =>
    mustStop(store.view(session), {
      ranMs: 0,
      spentMicroUsd: 0,
      spentTokens: 0,
      fruitless: 0,
      provider: HEALTHY,
      moreIdeasAffordable: false,
      reviewsToCome: false,
    });
  return { store, view: () => store.view(session), play, stop };
}

Deno.test("leaders that stand because they don't play are not at rest (13: Elo noise sits within the tolerance)", () => {
  const { store, view, play, stop } = pool();
  for (let i = 0; i < 20; i++) play("d", "e", i % 2 === 0 ? "first" : "second");
  assert.ok(eloStable(view().eloSnapshots, SETTINGS.termination), "by the snapshots alone they are");
  assert.equal(stop(), null);
  store.close();
});

Deno.test("leaders that played and stood are at rest", () => {
  const { store, play, stop } = pool();
  for (let i = 0; i < 8; i++) {
    assert.equal(stop(), null, `after ${i} rounds`);
    play("a", "b", i % 2 === 0 ? "first" : "second");
    play("d", "e", i % 2 === 0 ? "second" : "first");
    if (stop() !== null) break;
  }
  assert.equal(stop()?.reason, "elo_stable");
  store.close();
});
