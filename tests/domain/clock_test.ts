import assert from "node:assert/strict";
import { systemClock } from "../../lib/domain/clock.ts";

Deno.test("a sleep that is aborted rejects with the signal's reason and leaves no timer behind", async () => {
  const abort = new AbortController();
  const sleeping = systemClock.sleep(3_600_000, abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(sleeping, /enough/);
  await assert.rejects(systemClock.sleep(3_600_000, abort.signal), /enough/);
});

Deno.test("a sleep of no time ends, and the clock is the machine's", async () => {
  const before = Date.now();
  await systemClock.sleep(0, new AbortController().signal);
  assert.ok(systemClock.now() >= before);
});
