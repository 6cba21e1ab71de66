import assert from "node:assert/strict";
import { rng } from "../../lib/domain/rng.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { passingStatus, retryAfter, triesFor, waitMs } from "../../lib/llm/retry.ts";

const { retry } = DEFAULT_SETTINGS;
const highest = { ...rng("a", "b", "c"), next: () => 0.999999 };

Deno.test("statuses are sorted by how often they are tried again", () => {
  assert.deepEqual(
    [400, 401, 403, 404, 408, 413, 429, 500, 503, 504, 529].map(passingStatus),
    [null, null, null, null, "lost", null, "rate_limited", "server", "server", "server", "overloaded"],
  );
  assert.equal(triesFor("rate_limited", retry), 6);
  assert.equal(triesFor("overloaded", retry), 8);
  assert.equal(triesFor("server", retry), 5);
  assert.equal(triesFor("lost", retry), 3);
});

Deno.test("waits are drawn below a doubling bound, twice as long for an overloaded server", () => {
  const bound = (failure: "server" | "overloaded", n: number) => waitMs(failure, n, null, retry, highest);
  assert.deepEqual([1, 2, 3, 10].map((n) => bound("server", n)), [1000, 2000, 4000, 60_000]);
  assert.deepEqual([1, 2, 3, 10].map((n) => bound("overloaded", n)), [2000, 4000, 8000, 120_000]);
  const drawn = Array.from(
    { length: 50 },
    (_, i) => waitMs("server", 3, null, retry, rng("s", `${i}`, "w")) ?? -1,
  );
  assert.ok(drawn.every((ms) => ms >= 0 && ms <= 4000));
  assert.ok(Math.min(...drawn) < 800 && Math.max(...drawn) > 3200);
});

Deno.test("a server's wait is honoured in seconds, milliseconds and as a date, up to an hour", () => {
  const now = Date.UTC(2026, 0, 1);
  const of = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
  assert.equal(of({ "retry-after": "12" }), 12_000);
  assert.equal(of({ "retry-after-ms": "250" }), 250);
  assert.equal(of({ "retry-after": new Date(now + 90_000).toUTCString() }), 90_000);
  assert.equal(of({ "retry-after": new Date(now - 90_000).toUTCString() }), 0);
  assert.equal(of({ "retry-after": "soon" }), null);
  assert.equal(of({}), null);
  assert.equal(waitMs("rate_limited", 1, 30_000, retry, highest), 30_000);
  assert.equal(waitMs("rate_limited", 1, 3_600_001, retry, highest), null);
});
