import assert from "node:assert/strict";
import type { Database } from "../../lib/store/database.ts";
import { CosciError } from "../../lib/domain/errors.ts";
import { Store } from "../../lib/store/store.ts";
import {
  claimNext,
  draft,
  ending,
  enqueue,
  hypothesis,
  hypothesisId,
  LIMITS,
  ManualClock,
  match,
  newSession,
  reservation,
  settlement,
  task,
  transcript,
} from "./fixture.ts";

/** A store with one session on a database of the kind under test. */
export interface Bench {
  readonly store: Store;
  readonly session: string;
  readonly clock: ManualClock;
}

/** What every database must let a store do. `open` gives a fresh one. */
export function storeContract(kind: string, open: () => string | Database): void {
  const spec = (name: string, body: (bench: Bench) => void) =>
    Deno.test(`${kind}: ${name}`, () => {
      const clock = new ManualClock();
      const store = new Store({ database: open(), clock });
      try {
        body({ store, session: store.createSession(newSession("first")).id, clock });
      } finally {
        store.close();
      }
    });

  spec(
    "sessions are made once, found by name or id, and listed from the oldest",
    ({ store, session, clock }) => {
      clock.advance(5);
      const second = store.createSession(newSession("second", { preferences: "Cheap", mode: "live" }));
      assert.deepEqual(store.findSession("second"), second);
      assert.deepEqual(store.findSession(second.id), second);
      assert.equal(store.findSession("third"), undefined);
      assert.deepEqual(store.sessions().map((s) => s.name), ["first", "second"]);
      assert.equal(second.createdAt, clock.now());
      assert.notEqual(second.id, session);
      assert.throws(() => store.createSession(newSession("second")), { code: "state", message: /"second"/ });
      assert.throws(() => store.view("secnd"), { code: "input", message: /first, second/ });
    },
  );

  spec("commits are numbered 1, 2, 3 and their records labelled by kind", ({ store, session, clock }) => {
    const one = store.commit(session, () => draft([hypothesis("a"), hypothesis("b")]));
    const two = store.commit(session, (view) => {
      assert.equal(view.seq, 1);
      return draft([
        hypothesis("c"),
        match("ab", hypothesisId("a"), hypothesisId("b")),
        task("t1"),
        task("t2"),
      ], {
        author: "Ada",
        events: [{ type: "match_complete", payload: { label: "M1" } }],
      });
    });
    assert.equal(store.commit(session, () => null), null);
    const three = store.commit(session, () => draft([]));
    assert.deepEqual([one?.seq, two?.seq, three?.seq], [1, 2, 3]);
    assert.equal(two?.at, clock.now());
    assert.equal(two?.author, "Ada");
    assert.deepEqual(two?.saved.map((item) => "label" in item.record ? item.record.label : null), [
      "H3",
      "M1",
      "T1",
      "T2",
    ]);
    assert.deepEqual(two?.events.map((event) => [event.n, event.seq, event.type]), [[
      1,
      2,
      "match_complete",
    ]]);
    assert.deepEqual(store.view(session).hypotheses.map((h) => h.record.label), ["H1", "H2", "H3"]);
  });

  spec("a new version of a hypothesis keeps its label", ({ store, session }) => {
    store.commit(session, () => draft([hypothesis("a"), hypothesis("b")]));
    store.commit(session, () => draft([hypothesis("a", { version: 2, title: "Better" }), hypothesis("c")]));
    const view = store.view(session);
    assert.deepEqual(view.hypotheses.map((h) => [h.record.label, h.record.version]), [["H1", 2], ["H2", 1], [
      "H3",
      1,
    ]]);
    assert.equal(view.hypothesis(hypothesisId("a"))?.record.title, "Better");
    assert.equal(view.hypothesis(hypothesisId("a"))?.bornSeq, 1);
  });

  spec("a throw while deciding leaves nothing behind", ({ store, session }) => {
    store.commit(session, () => draft([hypothesis("a")]));
    assert.throws(() =>
      store.commit(session, () => {
        throw new Error("undecided");
      }), /undecided/);
    assert.equal(store.view(session).seq, 1);
    assert.equal(store.commit(session, () => draft([hypothesis("b")]))?.seq, 2);
  });

  spec("a record that the schema refuses takes its whole commit with it", ({ store, session }) => {
    store.commit(session, () => draft([hypothesis("a"), hypothesis("b")]));
    assert.throws(
      () =>
        store.commit(
          session,
          () =>
            draft([hypothesis("c"), task("t"), match("aa", hypothesisId("a"), hypothesisId("a"))], {
              events: [{ type: "fault", payload: {} }],
            }),
        ),
      /constraint/i,
    );
    const view = store.view(session);
    assert.equal(view.seq, 1);
    assert.equal(view.hypotheses.length, 2);
    assert.equal(view.hasTask("t"), false);
    assert.deepEqual(store.queue(session).list(), []);
    assert.deepEqual(store.log.read(session), []);
  });

  spec(
    "several verbs in one transaction are undone together, and told of only when done",
    ({ store, session }) => {
      const told: string[] = [];
      const publish = store.bus.publish.bind(store.bus);
      store.bus.publish = (events) => {
        told.push(...events.map((event) => event.type));
        publish(events);
      };
      const events = [{ type: "hypothesis_created" as const, payload: {} }];
      assert.throws(() =>
        store.write(() => {
          store.commit(session, () => draft([hypothesis("a")], { events }));
          assert.equal(store.view(session).seq, 1);
          throw new Error("second thoughts");
        }), /second thoughts/);
      assert.equal(store.view(session).seq, 0);
      assert.equal(store.view(session).hypotheses.length, 0);
      assert.deepEqual(told, []);
      store.write(() => {
        store.commit(session, () => draft([hypothesis("a")], { events }));
        assert.deepEqual(told, []);
        store.commit(session, () => draft([hypothesis("b")]));
      });
      assert.deepEqual(told, ["hypothesis_created"]);
      assert.equal(store.view(session).seq, 2);
    },
  );

  spec("a task is enqueued once by its key, in one commit or in two", ({ store, session }) => {
    const first = store.commit(session, () => draft([task("same"), task("same"), task("other")]));
    const second = store.commit(session, () => draft([task("same"), task("third")]));
    assert.deepEqual(first?.saved.length, 2);
    assert.deepEqual(second?.saved.length, 1);
    assert.deepEqual(store.view(session).openTasks.map((t) => [t.record.label, t.record.key]), [
      ["T1", "same"],
      ["T2", "other"],
      ["T3", "third"],
    ]);
    assert.ok(store.view(session).hasTask("same"));
    const claim = claimNext(store, session, "me");
    assert.ok(claim);
    store.commit(session, () => ending(claim, "me"));
    enqueue(store, session, task("same"));
    assert.equal(store.view(session).openTasks.length, 2);
  });

  spec(
    "tasks are claimed by priority, then by age; a deferred one when it is due",
    ({ store, session, clock }) => {
      enqueue(
        store,
        session,
        task("late", { priority: 200 }),
        task("old"),
        task("young"),
        task("urgent", { priority: 1 }),
      );
      const keys: string[] = [];
      for (
        let claim = claimNext(store, session, "me");
        claim !== null;
        claim = claimNext(store, session, "me")
      ) {
        keys.push(claim.task.key);
        assert.equal(claim.item.status, "in_progress");
        assert.equal(claim.item.owner, "me");
      }
      assert.deepEqual(keys, ["urgent", "old", "young", "late"]);
      const old = store.view(session).openTasks.find((t) => t.record.key === "old");
      assert.ok(old);
      store.write(() =>
        store.queue(session).putBack(old.record.id, {
          status: "deferred",
          notBefore: clock.now() + 100,
          attempts: 1,
          callsBase: 2,
        })
      );
      assert.deepEqual(store.queue(session).counts(clock.now()), {
        ready: 0,
        inProgress: 3,
        deferred: 1,
        nextDue: clock.now() + 100,
      });
      assert.equal(claimNext(store, session, "me"), null);
      clock.advance(100);
      const again = claimNext(store, session, "me");
      assert.equal(again?.task.key, "old");
      assert.equal(again?.item.attempts, 1);
      assert.equal(again?.item.callsBase, 2);
    },
  );

  spec("only the tasks that are meant are claimed", ({ store, session }) => {
    enqueue(store, session, task("a"), task("b"));
    const b = store.view(session).openTasks[1]?.record.id ?? "";
    const only = (ids: string[]) =>
      store.claim(session, "me", () => 1, () => ({ kind: "none" }), ids)?.task.key;
    assert.equal(only([]), undefined);
    assert.equal(only([b]), "b");
    assert.equal(only([b]), undefined);
  });

  spec(
    "the first claim pins decision, view and revision for every later one",
    ({ store, session, clock }) => {
      store.commit(session, () => draft([hypothesis("a"), hypothesis("b"), task("t")]));
      const decision = {
        kind: "match",
        firstId: hypothesisId("a"),
        secondId: hypothesisId("b"),
        mode: "debate",
        bucket: "new",
      } as const;
      const first = store.claim(session, "me", () => 10, (view, t, busy) => {
        assert.equal(view.seq, 1);
        assert.equal(t.key, "t");
        assert.deepEqual(busy, []);
        return decision;
      });
      assert.deepEqual(first?.decision, decision);
      assert.equal(first?.revision, 0);
      assert.equal(first?.view.seq, 1);
      enqueue(store, session, task("u"));
      store.claim(session, "me", () => 10, (_view, _task, busy) => {
        assert.deepEqual(busy, [decision]);
        return { kind: "none" };
      });
      store.commit(session, () =>
        draft([hypothesis("c"), {
          kind: "revision",
          record: {
            id: "rvn_1",
            number: 1,
            kind: "configure",
            target: "ranking.kFactorNew",
            before: 32,
            after: 40,
            author: "Ada",
            undoes: null,
          },
        }]));
      clock.advance(10);
      const lost = store.write(() => store.queue(session).reclaim(clock.now(), () => true));
      assert.deepEqual(lost.map((item) => item.owner), ["me", "me"]);
      const second = store.claim(session, "you", () => 10, () => {
        throw new Error("decided already");
      });
      assert.equal(second?.task.key, "t");
      assert.deepEqual(second?.decision, decision);
      assert.equal(second?.revision, 0);
      assert.equal(second?.view.seq, 1);
      assert.equal(second?.view.hypotheses.length, 2);
      assert.equal(second?.item.crashes, 1);
      store.write(() =>
        store.queue(session).putBack(second?.task.id ?? "", {
          status: "pending",
          notBefore: 0,
          attempts: 1,
          callsBase: 0,
          unpin: true,
        })
      );
      const afresh = store.claim(session, "you", () => 10, () => ({ kind: "none" }));
      assert.deepEqual(afresh?.decision, { kind: "none" });
      assert.equal(afresh?.revision, 1);
      assert.equal(afresh?.view.seq, 3);
    },
  );

  spec("an attempt that fails goes back into the queue by its commit", ({ store, session, clock }) => {
    enqueue(store, session, task("t"));
    const claim = claimNext(store, session, "me");
    assert.ok(claim);
    const commit = store.commit(session, () => ({
      ...ending(claim, "me"),
      progress: 0,
      entries: [{
        kind: "taskState",
        record: { taskId: claim.task.id, status: "deferred", attempts: 1, reason: "529" },
      }],
      task: {
        id: claim.task.id,
        agent: claim.task.agent,
        revision: 0,
        owner: "me",
        then: { kind: "back", status: "deferred", notBefore: clock.now() + 2_000, attempts: 1, callsBase: 3 },
      },
    }));
    assert.equal(commit?.taskId, claim.task.id);
    const standing = store.view(session).task(claim.task.id);
    assert.deepEqual([standing?.status, standing?.attempts, standing?.reason], ["deferred", 1, "529"]);
    assert.equal(store.queue(session).item(claim.task.id)?.notBefore, clock.now() + 2_000);
    assert.equal(store.queue(session).item(claim.task.id)?.owner, null);
    assert.equal(claimNext(store, session, "me"), null);
  });

  spec(
    "tasks whose lease ran out or whose owner is dead are reclaimed; renewed ones are not",
    ({ store, session, clock }) => {
      enqueue(store, session, task("expired"), task("renewed"), task("orphan"), task("held"));
      const expired = claimNext(store, session, "me", 100);
      const renewed = claimNext(store, session, "me", 100);
      const orphan = claimNext(store, session, "ghost", 10_000);
      const held = claimNext(store, session, "me", 10_000);
      assert.ok(expired && renewed && orphan && held);
      store.write(() => store.queue(session).renew([renewed.task.id], "me", clock.now() + 10_000));
      clock.advance(100);
      const lost = store.write(() => store.queue(session).reclaim(clock.now(), (owner) => owner !== "ghost"));
      assert.deepEqual(lost.map((item) => item.taskId).sort(), [expired.task.id, orphan.task.id].sort());
      assert.equal(store.queue(session).holds(expired.task.id, "me"), false);
      assert.equal(store.queue(session).holds(renewed.task.id, "me"), true);
      assert.equal(store.queue(session).holds(held.task.id, "me"), true);
      assert.deepEqual(store.queue(session).item(orphan.task.id)?.crashes, 1);
    },
  );

  spec("who lost a task can't end it", ({ store, session, clock }) => {
    enqueue(store, session, task("t"));
    const mine = claimNext(store, session, "me", 10);
    assert.ok(mine);
    clock.advance(10);
    store.write(() => store.queue(session).reclaim(clock.now(), () => true));
    assert.equal(store.commit(session, () => ending(mine, "me", [hypothesis("late")])), null);
    const yours = claimNext(store, session, "you");
    assert.ok(yours);
    assert.equal(store.commit(session, () => ending(mine, "me", [hypothesis("late")])), null);
    assert.equal(store.view(session).seq, 1);
    assert.equal(store.view(session).hypotheses.length, 0);
    assert.equal(store.commit(session, () => ending(yours, "you", [hypothesis("a")]))?.seq, 2);
    assert.equal(store.commit(session, () => ending(yours, "you", [hypothesis("b")])), null);
    assert.equal(store.view(session).endedTasks.done, 1);
  });

  spec("answers are journalled until their task ends", ({ store, session }) => {
    enqueue(store, session, task("t"), task("u"));
    const claim = claimNext(store, session, "me");
    const other = claimNext(store, session, "me");
    assert.ok(claim && other);
    const calls = store.calls(session, "me", () => LIMITS);
    assert.equal(calls.find("k1"), null);
    const admission = calls.admit(reservation(100, { taskId: claim.task.id }));
    assert.equal(admission.kind, "admitted");
    if (admission.kind !== "admitted") return;
    calls.settle(admission.id, settlement(60), transcript(), {
      key: "k1",
      kind: "model",
      answer: '{"text":"yes"}',
    });
    calls.journal(claim.task.id, { key: "k2", kind: "tool", answer: "[]" });
    calls.journal(claim.task.id, { key: "k2", kind: "tool", answer: "[1]" });
    calls.journal(other.task.id, { key: "k3", kind: "embedding", answer: "[2]" });
    assert.deepEqual(calls.find("k1"), { key: "k1", kind: "model", answer: '{"text":"yes"}' });
    assert.deepEqual(calls.find("k2"), { key: "k2", kind: "tool", answer: "[]" });
    store.commit(session, () => ending(claim, "me"));
    assert.deepEqual([calls.find("k1"), calls.find("k2")], [null, null]);
    assert.equal(calls.find("k3")?.answer, "[2]");
  });

  spec(
    "transcripts belong to the commit that ends their attempt, which carries their cost",
    ({ store, session }) => {
      enqueue(store, session, task("t"), task("u"));
      const claim = claimNext(store, session, "me");
      const other = claimNext(store, session, "me");
      assert.ok(claim && other);
      const calls = store.calls(session, "me", () => LIMITS);
      const pay = (taskId: string, microUsd: number, unconfirmed = false) => {
        const admission = calls.admit(reservation(microUsd, { taskId }));
        assert.equal(admission.kind, "admitted");
        if (admission.kind === "admitted") {
          calls.settle(
            admission.id,
            settlement(microUsd, { unconfirmed }),
            transcript({ directives: ["dir_1"] }),
            null,
          );
        }
      };
      pay(claim.task.id, 100);
      pay(other.task.id, 7);
      pay(claim.task.id, 30, true);
      const commit = store.commit(session, () => ending(claim, "me"));
      const cost = { microUsd: 130, inputTokens: 20, outputTokens: 10, calls: 2, unconfirmedMicroUsd: 30 };
      assert.deepEqual(commit?.cost, cost);
      const seqs = store.sql.all("SELECT task_id, seq FROM transcripts ORDER BY n").map((
        row,
      ) => [row["task_id"], row["seq"]]);
      assert.deepEqual(seqs, [[claim.task.id, 2], [other.task.id, null], [claim.task.id, 2]]);
      assert.deepEqual(store.view(session).cost, cost);
      assert.deepEqual(store.view(session).costByAgent.get("ranking"), cost);
      assert.equal(store.commit(session, () => ending(other, "me"))?.cost.microUsd, 7);
      assert.equal(store.view(session).cost.microUsd, 137);
    },
  );

  spec("two sessions' queues, journals and budgets don't meet", ({ store, session }) => {
    const other = store.createSession(newSession("other")).id;
    enqueue(store, session, task("t"));
    enqueue(store, other, task("t"));
    const claim = claimNext(store, session, "me");
    assert.ok(claim);
    assert.equal(claimNext(store, session, "me"), null);
    assert.ok(claimNext(store, other, "me"));
    const mine = store.calls(session, "me", () => LIMITS), yours = store.calls(other, "me", () => LIMITS);
    mine.journal(claim.task.id, { key: "k", kind: "tool", answer: "1" });
    assert.equal(yours.find("k"), null);
    mine.admit(reservation(500));
    assert.equal(mine.spending().reservedMicroUsd, 500);
    assert.equal(yours.spending().reservedMicroUsd, 0);
  });

  spec("events and spans are stored in order and read back", ({ store, session, clock }) => {
    store.tell(session, [{ type: "fault", payload: { n: 1 } }, { type: "fault", payload: { n: 2 } }]);
    store.commit(session, () => draft([], { events: [{ type: "session_started", payload: {} }] }));
    assert.deepEqual(store.log.read(session).map((event) => [event.n, event.seq, event.type]), [
      [1, null, "fault"],
      [2, null, "fault"],
      [3, 1, "session_started"],
    ]);
    assert.deepEqual(store.log.read(session, { after: 2 }).map((event) => event.n), [3]);
    assert.deepEqual(store.log.read(session, { last: 2 }).map((event) => event.n), [2, 3]);
    const span = {
      taskId: null,
      name: "tick",
      startedAt: clock.now(),
      durationMs: 1.5,
      status: "ok" as const,
      attributes: { tasks: 1 },
    };
    store.log.span(session, span);
    assert.deepEqual(store.log.spans(session), [span]);
  });

  spec("a seq that is not there is refused", ({ store, session }) => {
    store.commit(session, () => draft([]));
    for (const seq of [-1, 2, 0.5, NaN]) {
      assert.throws(
        () => store.view(session, seq),
        (error) => error instanceof CosciError && error.code === "input",
      );
    }
    assert.equal(store.view(session, 0).seq, 0);
  });
}
