/** What starts, pauses, ends and reopens a session (13.C), and that looking moves nothing. */
import assert from "node:assert/strict";
import { setImmediate as allHang } from "node:timers/promises";
import { CosciError } from "../../lib/domain/errors.ts";
import { taskEntry } from "../../lib/engine/new_task.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { Supervisor } from "../../mod.ts";
import { ManualClock } from "../store/fixture.ts";
import { assertSameSession, assertSound } from "./support/invariants.ts";
import { enter, GOAL, NAME, nowOf, SMALL, small, type Wire, wire, withStore } from "./support/session.ts";

function canonicalOf(lab: Supervisor): string {
  return canonicalExport(lab.store, lab.view().session.id);
}

/** A wire whose calls hang from the `n`-th on, until they are let go or cut. */
function hanging(n: number): Wire & { readonly reached: Promise<void>; readonly letGo: () => void } {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let calls = 0, held = false;
  const inner = wire({
    before: () => {
      if (++calls < n) return;
      held = true;
      reached.resolve();
    },
  });
  return {
    ...inner,
    fetch: async (input, init) => {
      const response = await inner.fetch(input, init);
      if (held) await Promise.race([free.promise, aborted(init?.signal)]);
      return response;
    },
    reached: reached.promise,
    letGo: () => {
      held = false;
      n = Infinity;
      free.resolve();
    },
  };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const state = (pattern: RegExp) => (error: unknown) =>
  error instanceof CosciError && error.code === "state" && pattern.test(error.message);

Deno.test("a paused session runs after resume, also from a new handle (13.C.1)", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 2 });
    lab.pause();
    assert.equal(lab.inspect().status, "paused");
    const paused = await lab.runUntil({ matches: 4 });
    assert.deepEqual([paused.endedBy, Object.values(paused.tasks).reduce((a, b) => a + b)], ["paused", 0]);
    assert.match((await lab.tick()).waiting ?? "", /paused/);
    await lab.close();

    const next = await enter(store);
    assert.equal(next.inspect().status, "paused");
    next.resume();
    const run = await next.runUntil({ matches: 4 });
    assert.deepEqual([run.endedBy, next.view().validMatches], ["until", 4]);
    assertSound(next);
    await next.close();
  }));

Deno.test("a pause from another handle ends a run when what is in hand is done", () =>
  withStore(async (store) => {
    const over = wire({ latencyMs: 3 });
    const lab = await enter(store, { settings: small(4), over });
    const other = await enter(store);
    let tasks = 0, atPause = 0;
    const run = await lab.runUntil({}, {
      onTask: (report) => {
        assert.notEqual(report.status, "interrupted");
        if (++tasks === 5) {
          other.pause();
          atPause = over.sent.length;
        }
      },
    });
    assert.equal(run.endedBy, "paused");
    assert.ok(tasks <= 5 + 4, `${tasks} tasks after a pause at 5`);
    assert.ok(over.sent.length >= atPause);
    assert.equal(other.inspect().status, "paused");
    assertSound(lab);
    other.resume();
    assert.equal((await lab.runFor({ matches: 1 })).endedBy, "until");
    await Promise.all([lab.close(), other.close()]);
  }));

Deno.test("verbs that would leave work behind are refused while a session is paused, and leave nothing", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 1 });
    lab.pause();
    const before = canonicalOf(lab);
    await assert.rejects(lab.generate(1), state(/generate: the session is paused. resume\(\)/));
    await assert.rejects(lab.finish(), state(/finish: the session is paused. resume\(\)/));
    await assert.rejects(lab.overview(), state(/paused/));
    assert.equal(canonicalOf(lab), before);
    await lab.close();
  }));

Deno.test("an abort makes no model call, writes no overview, and is a status (13.C.2)", () =>
  withStore(async (store) => {
    const over = wire();
    const lab = await enter(store, { over });
    await lab.runUntil({ matches: 3 });
    const sent = over.sent.length;
    lab.abort();
    assert.equal(lab.inspect().status, "aborted");
    assert.equal(lab.inspect().stopReason, "external");
    await assert.rejects(lab.runUntil(), state(/aborted. reopen\(\)/));
    await assert.rejects(lab.tick(), state(/aborted/));
    await assert.rejects(lab.finish(), state(/aborted/));
    await assert.rejects(lab.overview(), state(/aborted/));
    assert.equal(over.sent.length, sent);
    assert.equal(lab.view().overviews.length, 0);
    assert.equal(lab.inspect().status, "aborted");
    assertSound(lab);

    lab.reopen();
    assert.equal((await lab.runUntil({ matches: 5 })).endedBy, "until");
    assert.equal(lab.view().validMatches, 5);
    await lab.close();
  }));

Deno.test("an abort cuts calls in flight, and the run says that the session was aborted", () =>
  withStore(async (store) => {
    const over = hanging(20);
    const lab = await enter(store, { settings: small(3), over });
    const run = lab.start();
    await over.reached;
    await allHang();
    const sent = over.sent.length;
    lab.abort();
    const { endedBy, stop } = await run.done;
    assert.deepEqual([endedBy, stop?.reason], ["stopped", "external"]);
    assert.ok(over.sent.length <= sent + 2, "calls were sent after the abort");
    assert.equal(lab.inspect().status, "aborted");
    assertSound(lab);
    const after = over.sent.length;
    over.letGo();
    lab.reopen();
    assert.equal((await lab.runFor({ matches: 2 })).endedBy, "until");
    assert.ok(over.sent.length > after);
    assertSound(lab);
    await lab.close();
  }));

Deno.test("an abort from another handle cuts calls in flight too", () =>
  withStore(async (store) => {
    const over = hanging(12);
    const lab = await enter(store, { settings: small(2), over });
    const other = await enter(store);
    const run = lab.start();
    await over.reached;
    await allHang();
    other.abort();
    const sent = over.sent.length;
    const { endedBy, stop } = await run.done;
    assert.deepEqual([endedBy, stop?.reason], ["stopped", "external"]);
    assert.ok(over.sent.length <= sent + 1);
    assertSound(other);
    await Promise.all([lab.close(), other.close()]);
  }));

Deno.test("overviews are versions: finished, taken up and finished again, all are there (13.C.3)", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 4 });
    const draft = await lab.overview();
    assert.equal(lab.inspect().status, "running");
    const first = await lab.finish();
    assert.equal(lab.inspect().status, "done");
    lab.reopen();
    assert.equal((await lab.runFor({ matches: 3 })).endedBy, "until");
    const second = await lab.finish();
    assert.deepEqual([draft.final, first.final, second.final], [false, true, true]);
    assert.deepEqual([draft.version, first.version, second.version], [1, 2, 3]);
    await lab.close();

    const again = await enter(store);
    const kept = again.view().overviews;
    assert.deepEqual(kept.map((overview) => overview.markdown), [
      draft.markdown,
      first.markdown,
      second.markdown,
    ]);
    assert.equal(new Set(kept.map((overview) => overview.id)).size, 3);
    assertSound(again);
    await again.close();
  }));

Deno.test("a notebook of a finished session, run again from its first cell, calls nobody and changes nothing", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 3 });
    const written = await lab.finish();
    await lab.close();

    const over = wire();
    const again = await enter(store, { over });
    const before = canonicalOf(again);
    assert.deepEqual(await again.finish(), written);
    assert.equal(over.sent.length, 0);
    assert.equal(canonicalOf(again), before);
    const run = await again.runUntil({ matches: 30 });
    assert.deepEqual([run.endedBy, Object.values(run.tasks).reduce((a, b) => a + b)], ["stopped", 0]);
    assert.equal((await again.runUntil({ matches: 2 })).endedBy, "until");
    assert.match((await again.tick()).waiting ?? "", /done: reopen\(\)/);
    await assert.rejects(again.generate(), state(/done. reopen\(\)/));
    await assert.rejects(again.overview(), state(/done. reopen\(\)/));
    assert.equal(over.sent.length, 0);
    assert.equal(canonicalOf(again), before);
    await again.close();
  }));

Deno.test("an interrupted finish leaves no overview behind that a later run would write", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 3 });
    await lab.close();
    const over = hanging(1);
    const again = await enter(store, { over });
    const cell = new AbortController();
    const finishing = again.finish({ signal: cell.signal });
    await over.reached;
    cell.abort();
    await assert.rejects(finishing, state(/finish: no overview was written/));
    assert.equal(again.inspect().status, "running");
    over.letGo();
    assert.equal((await again.runFor({ matches: 1 })).endedBy, "until");
    assert.equal(again.view().overviews.length, 0);
    await again.finish();
    assertSound(again);
    assert.deepEqual(again.view().overviews.map((overview) => overview.final), [true]);
    await again.close();
  }));

Deno.test("an overview that a killed process left is written by finish, and anew if the session went on", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 3 });
    const session = lab.view().session.id;
    const key = `overview/final/${lab.view().seq}`;
    const left = taskEntry({ key, action: "overview", payload: { final: true } }, 3);
    lab.store.commit(session, () => ({ kind: "finish", author: "person", progress: 0, entries: [left] }));
    const gone = lab.store.claim(session, "own_gone", () => 1000, () => ({ kind: "none" }));
    assert.equal(gone?.task.key, key);

    assert.doesNotMatch(lab.peek().lines.join(), /overview/);
    assert.equal((await lab.runFor({ matches: 1 })).endedBy, "until");
    assert.equal(lab.view().overviews.length, 0, "a run wrote the overview");
    const written = await lab.finish();
    assert.equal(lab.view().task(gone?.task.id ?? "")?.status ?? "cancelled", "cancelled");
    assert.match(written.markdown, new RegExp(lab.view().leaderboard[0]?.record.label ?? "none"));
    assertSound(lab);
    await lab.close();
  }));

Deno.test("a run to the end, run again, adds nothing and calls nobody", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    const { stop } = await lab.runUntil();
    await lab.close();

    const over = wire();
    const again = await enter(store, { over });
    const before = canonicalOf(again);
    assert.deepEqual(again.peek().stop, stop);
    const run = await again.runUntil();
    assert.deepEqual([run.endedBy, run.stop], ["stopped", stop]);
    assert.equal((await again.tick()).stop?.reason, stop?.reason);
    assert.equal(over.sent.length, 0);
    assert.equal(canonicalOf(again), before);
    await again.close();
  }));

Deno.test("a raised limit lets a stopped session go on", () =>
  withStore(async (store) => {
    const termination = { ...SMALL.termination, topKPrecision: 0 };
    const lab = await enter(store, { settings: { ...SMALL, termination } });
    await lab.runUntil();
    const { validMatches } = lab.view();
    lab.configure({ run: { maxMatchesPerIdea: 4 } });
    await lab.runUntil();
    assert.ok(lab.view().validMatches > validMatches);
    await lab.close();
  }));

Deno.test("who goes on after a stall gets new tries, in whatever handle; others don't get them anew by opening", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 2 });
    const stall = () => {
      for (let i = 0; i < lab.view().settings.termination.stallAfter; i++) {
        lab.store.commit(lab.view().session.id, () => ({
          kind: "test",
          author: "engine",
          progress: -1,
          entries: [],
        }));
      }
    };
    stall();
    assert.equal((await lab.runFor({ matches: 1 })).stop?.reason, "stalled");
    lab.resume();
    await lab.close();

    const next = await enter(store);
    assert.equal((await next.runFor({ matches: 1 })).endedBy, "until");
    await next.close();
  }));

Deno.test("the cell that creates a session, run twice, opens it and spends nothing", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil({ matches: 3 });
    const before = canonicalOf(lab), { spentUsd } = nowOf(lab);
    const over = wire();
    const again = await enter(store, { over });
    assert.equal(canonicalOf(again), before);
    assert.equal(nowOf(again).spentUsd, spentUsd);
    assert.deepEqual([over.sent.length, again.notes.length], [0, 0]);
    assert.equal(Supervisor.list(store).length, 1);
    await Promise.all([lab.close(), again.close()]);
  }));

Deno.test("create with another goal under a name that is taken is refused, and writes nothing", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    const before = canonicalOf(lab);
    await assert.rejects(
      Supervisor.create({ goal: "Another goal", name: NAME, store, environment: {} }),
      (error) =>
        error instanceof CosciError && error.code === "input" && error.message.includes(NAME) &&
        error.message.includes(GOAL),
    );
    assert.equal(canonicalOf(lab), before);
    assert.equal(Supervisor.list(store).length, 1);
    await lab.close();
  }));

Deno.test("cells that create one session at the same moment open the one", () =>
  withStore(async (store) => {
    const labs = await Promise.all([enter(store), enter(store), enter(store)]);
    assert.equal(new Set(labs.map((lab) => lab.view().session.id)).size, 1);
    assert.equal(labs[0]?.view().seq, 1);
    for (const lab of labs) await lab.close();
  }));

Deno.test("a second step on a busy handle is an error that says so; after the first it is fine", () =>
  withStore(async (store) => {
    const lab = await enter(store);
    const first = lab.tick();
    await assert.rejects(
      lab.tick(),
      (error) =>
        error instanceof CosciError && error.code === "busy" && /tick is still at work/.test(error.message),
    );
    await assert.rejects(
      lab.runFor({ matches: 1 }),
      (error) => error instanceof CosciError && error.code === "busy",
    );
    assert.equal((await first).ran.length, 1);
    assert.equal((await lab.tick()).ran.length, 1);
    assertSound(lab);
    await lab.close();
  }));

Deno.test("start goes on in the background and stops when what is in hand is done", () =>
  withStore(async (store) => {
    const over = wire({ latencyMs: 2 });
    const lab = await enter(store, { settings: small(2), over });
    const third = Promise.withResolvers<void>();
    let tasks = 0;
    const run = lab.start({}, {
      onTask: (report) => {
        assert.notEqual(report.status, "interrupted");
        if (++tasks === 3) third.resolve();
      },
    });
    await third.promise;
    assert.ok(lab.inspect().seq > 1);
    const data = await run.stop();
    assert.deepEqual([data.endedBy, data.stop], ["interrupted", null]);
    assert.equal(await run.done, data);
    assert.equal(lab.inspect().status, "running");
    assertSound(lab);
    assert.equal((await lab.runFor({ matches: 1 })).endedBy, "until");
    await lab.close();
  }));

Deno.test("ticks wait for a task's next try, as a run does", () =>
  withStore(async (store) => {
    const clock = new ManualClock();
    const inner = wire({ clock });
    let calls = 0;
    const over: Wire = {
      ...inner,
      fetch: async (input, init) => {
        if (++calls !== 4) return await inner.fetch(input, init);
        const error = { type: "error", error: { type: "invalid_request_error", message: "once" } };
        return Response.json(error, { status: 400 });
      },
    };
    const lab = await enter(store, { clock, over });
    const seen: string[] = [];
    for await (const tick of lab.ticks({ hypotheses: 2 })) {
      assert.equal(tick.waiting, null);
      seen.push(...tick.ran.map(({ status }) => status));
    }
    assert.equal(lab.view().hypotheses.length, 2);
    assert.equal(seen.filter((status) => status === "deferred").length, 1);
    await lab.close();
  }));

Deno.test("ticks end when what drives them is cut, and not with the next tick", () =>
  withStore(async (store) => {
    const over = hanging(6);
    const lab = await enter(store, { over });
    let last = "";
    const ticking = (async () => {
      for await (const tick of lab.ticks()) last = tick.ran.at(-1)?.status ?? "none";
    })();
    await over.reached;
    const sent = over.sent.length;
    await lab.close();
    await ticking;
    assert.deepEqual([last, over.sent.length <= sent + 1], ["interrupted", true]);
  }));

Deno.test("an interrupted call's task goes back into the queue, and the next run ends it", () =>
  withStore(async (store) => {
    const over = hanging(9);
    const lab = await enter(store, { over });
    const cell = new AbortController();
    const seen: string[] = [];
    const run = lab.runUntil({ matches: 2 }, {
      signal: cell.signal,
      onTask: (report) => seen.push(`${report.label} ${report.status}`),
    });
    await over.reached;
    const { spentUsd } = nowOf(lab);
    cell.abort(new DOMException("The cell was interrupted", "AbortError"));
    assert.equal((await run).endedBy, "interrupted");
    const [label] = seen.at(-1)?.split(" ") ?? [];
    assert.match(seen.at(-1) ?? "", /interrupted$/);
    const now = nowOf(lab);
    assert.ok(now.spentUsd > spentUsd, "what may have been billed is booked");
    assert.deepEqual([now.reservedUsd, now.inHand.length], [0, 0]);
    assertSound(lab);
    const answered = over.sent.slice(0, -1);
    over.letGo();
    const next: string[] = [];
    const { endedBy } = await lab.runUntil({ matches: 2 }, {
      onTask: (report) => next.push(`${report.label} ${report.status}`),
    });
    assert.equal(endedBy, "until");
    assert.equal(next[0], `${label} done`);
    const again = over.sent.slice(answered.length + 1).filter((key) => answered.includes(key));
    assert.deepEqual(again, [], "answered calls were paid again");
    assertSound(lab);
    await lab.close();
  }));

Deno.test("closing a handle in the middle of a run loses nothing", () =>
  withStore(async (store) => {
    const over = hanging(15);
    const lab = await enter(store, { settings: small(3), over });
    const run = lab.start();
    await over.reached;
    await lab.close();
    assert.equal((await run.done.catch(() => null))?.endedBy ?? "interrupted", "interrupted");
    const next = await enter(store);
    assertSound(next);
    assert.equal((await next.runFor({ matches: 2 })).endedBy, "until");
    await next.close();
  }));

Deno.test("wall clock counts running time across handles, and stands still while paused, stopped and between runs (13.C.6)", () =>
  withStore(async (store) => {
    const clock = new ManualClock();
    const slow = () => wire({ clock, after: () => clock.advance(200) });
    const first = slow();
    const lab = await enter(store, { clock, over: first });
    await lab.tick();
    const seconds = first.sent.length / 5;
    assert.equal(nowOf(lab).ranSeconds, seconds);
    clock.advance(3_600_000);
    assert.equal(nowOf(lab).ranSeconds, seconds, "between runs");
    lab.pause();
    clock.advance(3_600_000);
    lab.resume();
    await lab.close();

    const second = slow();
    const next = await enter(store, { clock, over: second });
    clock.advance(3_600_000);
    await next.tick();
    await next.tick();
    const total = (first.sent.length + second.sent.length) / 5;
    assert.ok(second.sent.length > 1);
    assert.equal(nowOf(next).ranSeconds, total, "across handles");

    next.configure({ run: { wallClockSeconds: total } });
    const { stop } = await next.runUntil();
    assert.equal(stop?.reason, "wall_clock");
    clock.advance(3_600_000);
    assert.equal(nowOf(next).ranSeconds, total, "while stopped");
    next.configure({ run: { wallClockSeconds: total + 1 } });
    assert.equal((await next.tick()).ran.length, 1);
    await next.close();
  }));

Deno.test("wall clock goes on for whoever still works when another handle is done", () =>
  withStore(async (store) => {
    const clock = new ManualClock();
    const over = hanging(5);
    const busy = await enter(store, { clock, over });
    const other = await enter(store, { clock });
    const run = busy.start({ hypotheses: 1 });
    await over.reached;
    clock.advance(2000);
    await other.tick();
    clock.advance(2000);
    over.letGo();
    await run.stop();
    assert.equal(nowOf(busy).ranSeconds, 4);
    await Promise.all([busy.close(), other.close()]);
  }));

Deno.test("tick by tick and in one run, one task at a time: the same session", async () => {
  const run = await withStore(async (store) => {
    const lab = await enter(store);
    await lab.runUntil();
    await lab.finish();
    const text = canonicalOf(lab);
    await lab.close();
    return text;
  });
  const ticked = await withStore(async (store) => {
    let lab = await enter(store);
    for (let i = 0;; i++) {
      const tick = await lab.tick();
      if (tick.stop !== null) break;
      // A new handle has no memory but the store's.
      if (i % 7 === 6) {
        await lab.close();
        lab = await enter(store);
      }
    }
    await lab.finish();
    const text = canonicalOf(lab);
    await lab.close();
    return text;
  });
  assertSameSession(ticked, run, "tick by tick");
});

Deno.test("looking moves nothing: not the records, not the events, not what comes next", () =>
  withStore(async (store) => {
    const watched = await enter(store);
    const blind = await withStore(async (other) => {
      const lab = await enter(other);
      for (let i = 0; i < 14; i++) await lab.tick();
      const text = canonicalOf(lab);
      await lab.close();
      return text;
    });
    for (let i = 0; i < 14; i++) {
      const before = canonicalOf(watched), events = watched.events().length;
      for (let look = 0; look < 50; look++) {
        watched.peek();
        watched.inspect();
      }
      assert.equal(canonicalOf(watched), before);
      assert.equal(watched.events().length, events);
      await watched.tick();
    }
    assertSameSession(canonicalOf(watched), blind, "looked at");
    await watched.close();
  }));
