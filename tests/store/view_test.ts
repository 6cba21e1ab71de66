import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { applyPatch } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { Store } from "../../lib/store/store.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { draft, enqueue, hypothesis, hypothesisId, ManualClock, match, newSession, task } from "./fixture.ts";
import { found, historyTasks, type Seedling, type Step, steps, take } from "./history.ts";
import { viewState } from "./view_state.ts";

const stateOf = (store: Store, session: string, seq?: number) =>
  viewState(store.view(session, seq), historyTasks);
/** What a fork shares with its parent: all but the status, which is its own. */
const sharedOf = (store: Store, session: string, seq?: number) =>
  viewState(store.view(session, seq), historyTasks, false);

/** Settings under which matches on a text that has changed since don't count. */
const LEFT_OUT = applyPatch(DEFAULT_SETTINGS, { ranking: { staleMatches: "leave_out" } });

/** A commit of records by kind, and by what they are about. */
function seeded(...seedlings: readonly (readonly [Seedling["kind"], a?: number, b?: number])[]): Step {
  return {
    kind: "commit",
    progress: -1,
    seedlings: seedlings.map(([kind, a = 0, b = 0]) => ({ kind, a, b, c: 0 })),
  };
}

function inFile(body: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "cosci-view-"));
  try {
    body(join(folder, "view.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

Deno.test("a view at any seq, rebuilt, is what the live one was when that seq was the newest", () => {
  fc.assert(
    fc.property(steps(14), fc.boolean(), fc.boolean(), (history, begun, leaveOut) => {
      const store = new Store({ database: ":memory:", clock: new ManualClock(), ratings: sessionRatings });
      const session = store.createSession(newSession("s", leaveOut ? { settings: LEFT_OUT } : {})).id;
      const lived = [stateOf(store, session)];
      if (begun) {
        found(store, session);
        lived.push(stateOf(store, session, 1), stateOf(store, session));
      }
      for (const [i, step] of history.entries()) {
        take(store, session, step, `${i}`);
        const seq = store.view(session).seq;
        if (seq === lived.length) lived.push(stateOf(store, session));
      }
      for (const [seq, state] of lived.entries()) assert.equal(stateOf(store, session, seq), state);
      store.close();
    }),
    {
      numRuns: 120,
      // One that left the tournament without a match is judged after all: the match was under way.
      examples: [[
        [
          seeded(["hypothesis"], ["hypothesisState", 0, 34]),
          seeded(["hypothesisState", 0, 0]),
          seeded(["hypothesis", 45], ["match"]),
          seeded(),
        ],
        false,
        false,
      ]],
    },
  );
});

Deno.test("a second handle on the file catches up to the same state, however late it looks", () => {
  inFile((path) => {
    let n = 0;
    fc.assert(
      fc.property(steps(10), fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (history, looks) => {
        const writer = new Store({ database: path, clock: new ManualClock(), ratings: sessionRatings });
        const reader = new Store({ database: path, clock: new ManualClock(), ratings: sessionRatings });
        const session = writer.createSession(newSession(`s${n++}`)).id;
        found(writer, session);
        for (const [i, step] of history.entries()) {
          take(writer, session, step, `${i}`);
          if (looks[i]) assert.equal(stateOf(reader, session), stateOf(writer, session));
        }
        assert.equal(stateOf(reader, session), stateOf(writer, session));
        const fresh = new Store({ database: path, clock: new ManualClock(), ratings: sessionRatings });
        assert.equal(stateOf(fresh, session), stateOf(writer, session));
        for (const store of [writer, reader, fresh]) store.close();
      }),
      { numRuns: 25 },
    );
  });
});

Deno.test("two handles that commit in turn number their commits and labels together", () => {
  inFile((path) => {
    const a = new Store({ database: path }), b = new Store({ database: path });
    const session = a.createSession(newSession("s")).id;
    for (let i = 0; i < 6; i++) {
      const made = (i % 2 === 0 ? a : b).commit(session, () => draft([hypothesis(`h${i}`)]));
      assert.equal(made?.seq, i + 1);
    }
    assert.deepEqual(a.view(session).hypotheses.map((h) => h.record.label), [
      "H1",
      "H2",
      "H3",
      "H4",
      "H5",
      "H6",
    ]);
    assert.equal(stateOf(a, session), stateOf(b, session));
    a.close();
    b.close();
  });
});

Deno.test("a fork sees its parent up to the fork and never what the parent did later", () => {
  fc.assert(
    fc.property(steps(8), steps(4), steps(6), fc.nat(100), (before, parentLater, forkLater, at) => {
      const store = new Store({ database: ":memory:", clock: new ManualClock(), ratings: sessionRatings });
      const parent = store.createSession(newSession("parent")).id;
      found(store, parent);
      for (const [i, step] of before.entries()) take(store, parent, step, `b${i}`);
      const parentSeq = at % (store.view(parent).seq + 1);
      const fork = store.createSession(newSession("fork", { parentId: parent, parentSeq })).id;
      const shared = sharedOf(store, parent, parentSeq);
      assert.equal(sharedOf(store, fork), shared);
      for (const [i, step] of parentLater.entries()) take(store, parent, step, `p${i}`);
      assert.equal(sharedOf(store, fork), shared);
      assert.equal(sharedOf(store, fork, parentSeq), shared);
      const lived = new Map<number, string>();
      for (const [i, step] of forkLater.entries()) {
        take(store, fork, step, `f${i}`);
        lived.set(store.view(fork).seq, stateOf(store, fork));
      }
      for (const [seq, state] of lived) assert.equal(stateOf(store, fork, seq), state);
      for (let seq = 0; seq <= parentSeq; seq++) {
        assert.equal(sharedOf(store, fork, seq), sharedOf(store, parent, seq));
      }
      store.close();
    }),
    { numRuns: 60 },
  );
});

Deno.test("a fork made before anything else knows its own new tasks and rationales", () => {
  const store = new Store({ database: ":memory:" });
  const parent = store.createSession(newSession("parent")).id;
  store.commit(parent, () => draft([hypothesis("a"), hypothesis("b")]));
  const fork = store.createSession(newSession("fork", { parentId: parent, parentSeq: 1 })).id;
  const head = store.view(fork);
  enqueue(store, parent, task("the parent's"));
  store.commit(fork, () => draft([task("the fork's"), match("ab", hypothesisId("a"), hypothesisId("b"))]));
  assert.equal(head.hasTask("the parent's"), false);
  assert.equal(head.hasTask("the fork's"), true);
  assert.equal(head.rationale(head.matches[0]?.id ?? ""), "Because of ab");
  store.close();
});

Deno.test("a fork of a fork reads all its ancestors, each up to its fork", () => {
  const store = new Store({ database: ":memory:" });
  const a = store.createSession(newSession("a")).id;
  for (const name of ["1", "2", "3"]) store.commit(a, () => draft([hypothesis(name)]));
  const b = store.createSession(newSession("b", { parentId: a, parentSeq: 2 })).id;
  store.commit(b, () => draft([hypothesis("b3")]));
  store.commit(b, () => draft([hypothesis("b4")]));
  const late = store.createSession(newSession("late", { parentId: b, parentSeq: 3 })).id;
  const early = store.createSession(newSession("early", { parentId: b, parentSeq: 1 })).id;
  store.commit(late, () => draft([hypothesis("l4")]));
  store.commit(early, () => draft([hypothesis("e2")]));
  const titles = (session: string) => store.view(session).hypotheses.map((h) => h.record.title);
  assert.deepEqual(titles(late), ["On 1", "On 2", "On b3", "On l4"]);
  assert.deepEqual(titles(early), ["On 1", "On e2"]);
  assert.deepEqual(store.view(late).hypotheses.map((h) => h.record.label), ["H1", "H2", "H3", "H4"]);
  store.close();
});

Deno.test("of near-duplicates only the best is drawn, and it changes with the ratings", () => {
  const store = new Store({ database: ":memory:" });
  const session = store.createSession(newSession("s")).id;
  const [a, b, c] = ["a", "b", "c"].map(hypothesisId);
  assert.ok(a && b && c);
  for (const name of ["a", "b", "c"]) store.commit(session, () => draft([hypothesis(name)]));
  store.commit(session, () =>
    draft([
      ...[a, b, c].map((id) => ({
        kind: "hypothesisState" as const,
        record: { hypothesisId: id, state: "in_tournament" as const, reason: "" },
      })),
      { kind: "proximity", record: { id: "prx_1", clusters: [[a, b]], matchesSeen: 0, vectors: 3 } },
    ]));
  const view = store.view(session);
  assert.deepEqual(view.drawable.map((h) => h.record.id), [a, c]);
  assert.equal(view.hypothesis(b)?.foldedUnder, a);
  store.commit(session, () =>
    draft([
      {
        kind: "elo",
        record: {
          epoch: 0,
          matchId: match("m", b, c).record.id,
          firstId: b,
          secondId: c,
          k: 32,
          weight: 1,
          score: 1,
          firstBefore: 1200,
          secondBefore: 1200,
          delta: 16,
        },
      },
      match("m", b, c),
    ]));
  assert.deepEqual(view.leaderboard.map((h) => [h.record.id, h.elo]), [[b, 1216], [a, 1200], [c, 1184]]);
  assert.deepEqual(view.drawable.map((h) => h.record.id), [b, c]);
  assert.equal(view.hypothesis(a)?.foldedUnder, b);
  assert.equal(view.hypothesis(b)?.foldedUnder, null);
  store.close();
});

Deno.test("settings that came after a store was made have their defaults there, and those that are no more are ignored", () => {
  const store = new Store({ database: ":memory:" });
  const session = store.createSession(newSession("s")).id;
  store.sql.run(
    "UPDATE sessions SET settings = json_set(json_remove(settings, '$.ranking.topK', '$.run.maxIdeas'), '$.run.formerly', 1)",
  );
  store.commit(session, () =>
    draft([{
      kind: "revision",
      record: {
        id: "rvn_1",
        number: 1,
        kind: "configure",
        target: "run.formerly",
        before: 1,
        after: 2,
        author: "Ada",
        undoes: null,
      },
    }]));
  assert.equal(store.view(session).settings.run.maxIdeas, newSession("s").settings.run.maxIdeas);
  store.close();
});
