import assert from "node:assert/strict";
import { LiveProgress, type Sink } from "../../../lib/notebook/progress/live_progress.ts";
import type { Moment } from "../../../lib/notebook/progress/moment.ts";
import { heldPace, moment, OUTSET } from "./moments.ts";

/** A sink that tells what it is given. */
function telling(over: Partial<Sink> = {}): { readonly sink: Sink; readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    sink: {
      firstMs: 500,
      everyMs: 200,
      show: (_outset, { done }, { share }) => void told.push(`show ${done} ${share}`),
      note: (line) => void told.push(`note ${line}`),
      end: (_outset, { done }, { how }) => void told.push(`end ${done} ${how}`),
      ...over,
    },
  };
}

const ENDED = { how: "done", failed: false };

Deno.test("work that is over soon shows nothing, and leaves no timer behind", async () => {
  const pace = heldPace();
  const { sink, told } = telling();
  const live = new LiveProgress(OUTSET, moment, sink, pace);
  await pace.pass(499);
  await live.end(ENDED);
  await pace.pass(5_000);
  assert.deepEqual(told, []);
  assert.equal(pace.timers, 0);
});

Deno.test("it is shown so often at most, however often there is news, and once more at its end", async () => {
  const pace = heldPace();
  const { sink, told } = telling();
  let looked = 0;
  const live = new LiveProgress(OUTSET, () => moment({ done: ++looked, usd: 0 }), sink, pace);
  await pace.pass(10_000);
  const shown = told.length;
  assert.ok(shown > 40 && shown <= 1 + (10_000 - 500) / 200 + 1, `${shown} times in 10 s`);
  await live.end(ENDED);
  assert.deepEqual(told.slice(shown), [`end ${looked} done`], "the end is what is seen then");
  assert.equal(looked, shown + 1, "nobody looks more often than it is shown");
});

Deno.test("what is slow to arrive is waited for, and its end comes after it", async () => {
  const pace = heldPace();
  const arrivals: (() => void)[] = [], order: string[] = [];
  const { sink, told } = telling({
    show: () =>
      new Promise<void>((resolve) =>
        arrivals.push(() => {
          order.push("show");
          resolve();
        })
      ),
    end: () => void order.push("end"),
  });
  const live = new LiveProgress(OUTSET, moment, sink, pace);
  await pace.pass(5_000);
  assert.equal(arrivals.length, 1, "one at a time");
  const ending = live.end(ENDED);
  for (const arrive of arrivals) arrive();
  await ending;
  assert.deepEqual([order, told], [["show", "end"], []]);
});

Deno.test("a display that fails is shown no more, and fails nothing", async () => {
  const pace = heldPace();
  let tried = 0;
  const { sink, told } = telling({
    show: () => {
      tried++;
      return Promise.reject(new Error("the kernel is gone"));
    },
    note: () => {
      throw new Error("the kernel is gone");
    },
  });
  const live = new LiveProgress(OUTSET, moment, sink, pace);
  await pace.pass(3_000);
  await live.note("Aborting.");
  await live.end(ENDED);
  assert.deepEqual([tried, told], [1, []]);
});

Deno.test("what can't be looked at any more is shown as it was seen last", async () => {
  const pace = heldPace();
  const { sink, told } = telling();
  const seen: Moment[] = [moment({ done: 4, usd: 0 })];
  const live = new LiveProgress(
    OUTSET,
    () => {
      const next = seen.shift();
      if (next === undefined) throw new Error("The store is closed");
      return next;
    },
    sink,
    pace,
  );
  await pace.pass(600);
  await live.end(ENDED);
  assert.match(told.join(), /^show 4 [^]*end 4 done$/);
});

Deno.test("its share never goes back", async () => {
  const pace = heldPace();
  const { sink, told } = telling({ firstMs: 0 });
  const left = [4, 12, 4];
  const live = new LiveProgress(
    OUTSET,
    () => moment({ done: 4, left: left.shift() ?? 0, usd: 0 }),
    sink,
    pace,
  );
  await pace.pass(450);
  assert.deepEqual(told, ["show 4 0.5", "show 4 0.5", "show 4 0.5"]);
  await live.end(ENDED);
});
