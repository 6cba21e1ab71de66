import assert from "node:assert/strict";
import { kendallTau } from "../../lib/tournament/kendall.ts";

Deno.test("tau is 1 for the same order, -1 for the reverse, and what Kendall says between", () => {
  assert.equal(kendallTau([1, 2, 3, 4], [10, 20, 30, 40]), 1);
  assert.equal(kendallTau([1, 2, 3, 4], [4, 3, 2, 1]), -1);
  // Of six pairs one is the other way round.
  assert.ok(Math.abs(kendallTau([1, 2, 3, 4], [1, 2, 4, 3]) - 4 / 6) < 1e-12);
});

Deno.test("ties count for neither order, and less is to be agreed on", () => {
  // Five of six pairs are ordered by the first; all of these alike by the second, which orders six: 5 / √(5 · 6).
  assert.ok(Math.abs(kendallTau([1, 1, 2, 3], [1, 2, 3, 4]) - 5 / Math.sqrt(30)) < 1e-12);
});

Deno.test("where a list orders nothing there is no tau", () => {
  assert.ok(Number.isNaN(kendallTau([], [])));
  assert.ok(Number.isNaN(kendallTau([1], [1])));
  assert.ok(Number.isNaN(kendallTau([1, 1, 1], [1, 2, 3])));
});
