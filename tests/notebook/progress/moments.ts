import type { Course } from "../../../lib/notebook/progress/course.ts";
import type { Moment, Outset } from "../../../lib/notebook/progress/moment.ts";
import type { Pace } from "../../../lib/notebook/progress/pace.ts";

/** Work that tests show. */
export const OUTSET: Outset = { verb: "runUntil", session: "ships", simulated: true };

/** A moment in the middle of it. */
export function moment(over: Partial<Moment> = {}): Moment {
  return {
    phase: "ranking",
    ranMs: 65_000,
    done: 8,
    left: 24,
    counts: [
      { one: "match", many: "matches", have: 5, goal: 20 },
      { one: "hypothesis", many: "hypotheses", have: 8, goal: null },
    ],
    best: { label: "H3", title: "Salt keeps barnacles away", rating: 1243.4 },
    usd: 0.5,
    spentUsd: 1.25,
    reservedUsd: 0.1,
    budgetUsd: 25,
    inHand: [{ task: "T9", work: "review H2", ms: 2_400 }],
    last: ["T6 generate: Salt", "T7 review: H1: neutral", "T8 match: H3 > H1"],
    notices: [],
    ...over,
  };
}

/** A quarter is done. */
export const COURSE: Course = { share: 0.25, leftMs: 61_300 };

/** Time that stands still until it is told to go on. */
export interface HeldPace extends Pace {
  /** Goes on by so much, in milliseconds, and lets go of what waits. */
  pass(ms: number): Promise<void>;
  /** Timers that go. */
  readonly timers: number;
}

/** Makes one. */
export function heldPace(): HeldPace {
  let now = 0;
  const timers = new Set<{ readonly ms: number; readonly call: () => void; next: number }>();
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    every: (ms, call) => {
      const timer = { ms, call, next: now + ms };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    sleep: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
    pass: async (ms) => {
      for (const end = now + ms; now < end; now++) {
        for (const timer of timers) {
          if (timer.next > now) continue;
          timer.next += timer.ms;
          timer.call();
        }
        for (const { until, wake } of sleepers) if (until <= now) wake();
        await Promise.resolve();
      }
      await new Promise((done) => queueMicrotask(() => done(undefined)));
    },
    get timers() {
      return timers.size;
    },
  };
}
