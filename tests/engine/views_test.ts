/** What a session showed at a commit can be shown again, from its records alone. */
import assert from "node:assert/strict";
import { snapshot, type SnapshotData } from "../../lib/engine/snapshot.ts";
import { Store } from "../../lib/store/store.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { Supervisor } from "../../mod.ts";
import { enter, LONG, NAME, small, wire, withStore } from "./support/session.ts";

/** Keeps what `inspect` gives after each commit from now on, by seq, without what goes on at the moment. */
function watch(lab: Supervisor): Map<number, SnapshotData> {
  const seen = new Map<number, SnapshotData>();
  const keep = () => {
    const { now: _, ...shown } = lab.inspect();
    seen.set(shown.seq, structuredClone(plain(shown)));
  };
  const { store } = lab;
  const commit = store.commit.bind(store);
  store.commit = (session, decide) => {
    const committed = commit(session, decide);
    if (committed !== null) keep();
    return committed;
  };
  keep();
  return seen;
}

/** As JSON has it: what is compared are values, whatever class they are instances of. */
function plain(shown: object): SnapshotData {
  return JSON.parse(JSON.stringify(shown));
}

/** Compares what was seen with views of a handle that has seen nothing. */
function compare(path: string, seen: ReadonlyMap<number, SnapshotData>): void {
  const fresh = new Store({ database: path, ratings: sessionRatings });
  try {
    const session = fresh.findSession(NAME);
    assert.ok(session !== undefined);
    const head = fresh.view(session.id).seq;
    assert.deepEqual(
      [...seen.keys()],
      Array.from({ length: head }, (_, i) => i + 1),
      "a commit that nobody saw",
    );
    for (const [seq, shown] of seen) {
      assert.deepEqual(plain(snapshot(fresh.view(session.id, seq))), shown, `view at seq ${seq}`);
    }
  } finally {
    fresh.close();
  }
}

/** A whole life: run, steered, paused, stopped, finished, taken up again, finished. */
async function live(lab: Supervisor, run: () => Promise<unknown>): Promise<void> {
  await run();
  lab.configure({ run: { maxIdeas: 9 }, metareview: { everyMatches: 5 } });
  lab.pause();
  lab.resume();
  await lab.runUntil();
  await lab.overview();
  await lab.finish();
  lab.reopen();
  lab.configure({ run: { maxMatchesPerIdea: 4 } });
  await lab.runUntil();
  await lab.finish();
}

Deno.test("tick by tick, every view at an earlier seq is what inspect gave then", () =>
  withStore(async (path) => {
    const lab = await enter(path);
    const seen = watch(lab);
    await live(lab, async () => {
      for await (const tick of lab.ticks({ matches: LONG ? 100 : 12 })) assert.ok(tick.ran.length <= 1);
    });
    await lab.close();
    compare(path, seen);
  }));

Deno.test("eight tasks side by side, every view at an earlier seq is what inspect gave then", () =>
  withStore(async (path) => {
    const more = LONG ? { run: { maxIdeas: 24, maxMatchesPerIdea: 6 } } : {};
    const over = wire({ latencyMs: (call) => (call * 7) % 5 });
    const lab = await enter(path, { settings: small(8, more), over });
    const seen = watch(lab);
    await live(lab, () => lab.runUntil({ matches: 12 }));
    await lab.close();
    compare(path, seen);
  }));

Deno.test("a view of a handle that moves on is not the view of an earlier seq, which stands still", () =>
  withStore(async (path) => {
    const lab = await enter(path);
    await lab.runUntil({ hypotheses: 2 });
    const earlier = lab.view().seq;
    const then = plain(snapshot(lab.view()));
    await lab.runFor({ matches: 2 });
    const old = lab.view(earlier);
    assert.deepEqual(plain(snapshot(old)), then);
    await lab.runFor({ matches: 2 });
    assert.deepEqual(plain(snapshot(old)), then);
    await lab.close();
  }));
