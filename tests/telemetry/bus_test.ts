import assert from "node:assert/strict";
import { BUS_CAPACITY, EventBus, type Subscription } from "../../lib/telemetry/bus.ts";
import type { SessionEvent } from "../../lib/telemetry/events.ts";

function event(n: number, session = "a"): SessionEvent {
  return { n, session, seq: null, at: 0, type: "task_started", payload: {} };
}

async function rest(subscription: Subscription): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { n } of subscription) numbers.push(n);
  return numbers;
}

Deno.test("a subscriber gets what is published after it came, in order, until it is closed", async () => {
  const bus = new EventBus();
  bus.publish([event(1)]);
  const subscription = bus.subscribe();
  bus.publish([event(2), event(3)]);
  bus.publish([event(4)]);
  subscription.close();
  bus.publish([event(5)]);
  assert.deepEqual(await rest(subscription), [2, 3, 4]);
});

Deno.test("a subscriber of one session gets only its events", async () => {
  const bus = new EventBus();
  const a = bus.subscribe("a"), all = bus.subscribe();
  bus.publish([event(1, "a"), event(2, "b"), event(3, "a")]);
  bus.close();
  assert.deepEqual(await rest(a), [1, 3]);
  assert.deepEqual(await rest(all), [1, 2, 3]);
});

Deno.test("a slow subscriber loses the oldest events beyond 256, and knows how many; a quick one loses none", async () => {
  const bus = new EventBus();
  const slow = bus.subscribe(), quick = bus.subscribe();
  const taken: number[] = [];
  const reading = (async () => {
    for await (const { n } of quick) taken.push(n);
  })();
  for (let n = 0; n < BUS_CAPACITY + 10; n++) {
    bus.publish([event(n)]);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  bus.close();
  await reading;
  assert.equal(slow.dropped, 10);
  const numbers = await rest(slow);
  assert.equal(numbers.length, 256);
  assert.deepEqual([numbers[0], numbers.at(-1)], [10, BUS_CAPACITY + 9]);
  assert.equal(quick.dropped, 0);
  assert.equal(taken.length, BUS_CAPACITY + 10);
});

Deno.test("closing wakes a subscriber that waits, and breaking off the loop unsubscribes", async () => {
  const bus = new EventBus();
  const waiting = bus.subscribe();
  const done = rest(waiting);
  await Promise.resolve();
  waiting.close();
  assert.deepEqual(await done, []);

  const breaking = bus.subscribe();
  bus.publish([event(1), event(2)]);
  for await (const { n } of breaking) {
    assert.equal(n, 1);
    break;
  }
  bus.publish([event(3)]);
  assert.deepEqual(await rest(breaking), [2], "what had come stays, what comes later doesn't");
});
