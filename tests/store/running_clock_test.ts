import assert from "node:assert/strict";
import { Store } from "../../lib/store/store.ts";
import { ManualClock, newSession } from "./fixture.ts";

function running() {
  const clock = new ManualClock();
  const store = new Store({ database: ":memory:", clock });
  const session = store.createSession(newSession("s")).id;
  return { clock, store, session, time: store.runningClock(session) };
}

Deno.test("running time goes on from beat to beat and stands still at rest", () => {
  const { clock, time } = running();
  assert.equal(time.ranMs(), 0);
  assert.equal(time.running(), false);
  time.beat();
  assert.equal(time.running(), true);
  clock.advance(1_000);
  time.beat();
  clock.advance(500);
  time.rest();
  assert.equal(time.ranMs(), 1_500);
  assert.equal(time.running(), false);
  clock.advance(3_000);
  time.beat();
  assert.equal(time.ranMs(), 1_500);
  clock.advance(1_000);
  time.beat();
  assert.equal(time.ranMs(), 2_500);
});

Deno.test("a gap of more than five seconds is a pause: the process was gone, or the machine slept", () => {
  const { clock, time } = running();
  time.beat();
  clock.advance(5_000);
  time.beat();
  clock.advance(5_001);
  assert.equal(time.running(), false);
  time.beat();
  assert.equal(time.ranMs(), 5_000);
});

Deno.test("two supervisors at work count their common time once", () => {
  const { clock, time, store, session } = running();
  const other = store.runningClock(session);
  time.beat();
  for (let i = 0; i < 10; i++) {
    clock.advance(300);
    (i % 2 === 0 ? other : time).beat();
  }
  assert.equal(time.ranMs(), 3_000);
  assert.equal(other.ranMs(), 3_000);
});

Deno.test("a clock set back neither takes time away nor counts it twice", () => {
  const { clock, time } = running();
  time.beat();
  clock.advance(1_000);
  time.beat();
  clock.advance(-600);
  time.beat();
  assert.equal(time.ranMs(), 1_000);
  clock.advance(700);
  time.beat();
  assert.equal(time.ranMs(), 1_100);
});
