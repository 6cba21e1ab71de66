import assert from "node:assert/strict";
import { courseOf } from "../../../lib/notebook/progress/course.ts";
import { moment } from "./moments.ts";

Deno.test("how far it is goes by tasks or by money, whichever is further", () => {
  assert.equal(courseOf(moment({ done: 8, left: 24, usd: 0.1 })).share, 0.25);
  // $2 were left when it began, and half of them are spent.
  assert.equal(courseOf(moment({ done: 8, left: 24, usd: 1, spentUsd: 4, budgetUsd: 5 })).share, 0.5);
});

Deno.test("the time left follows from the time it took so far, once three tasks have ended", () => {
  assert.equal(courseOf(moment({ done: 8, left: 24, ranMs: 10_000, usd: 0 })).leftMs, 30_000);
  assert.equal(courseOf(moment({ done: 2, left: 6 })).leftMs, null);
  assert.equal(courseOf(moment({ done: 0, left: 6, usd: 0 })).leftMs, null);
});

Deno.test("where its end can't be foreseen, nothing is claimed", () => {
  assert.deepEqual(courseOf(moment({ left: null })), { share: null, leftMs: null });
});

Deno.test("it never goes back, and isn't done before it is over", () => {
  assert.equal(courseOf(moment({ done: 8, left: 72, usd: 0 }), 0.25).share, 0.25);
  assert.equal(courseOf(moment({ done: 9, left: 0, usd: 0 })).share, 0.99);
  assert.equal(courseOf(moment({ usd: 9, spentUsd: 9, budgetUsd: 0 })).share, 0.25, "a budget of nothing");
});
