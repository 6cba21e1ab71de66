import assert from "node:assert/strict";
import fc from "fast-check";
import { kendallTau } from "../../lib/tournament/kendall.ts";

Deno.test("tau is 1 for the same order, −1 for the reverse, and counts single exchanges", () => {
  assert.equal(kendallTau([1, 2, 3, 4], [10, 20, 30, 40]), 1);
  assert.equal(kendallTau([1, 2, 3, 4], [4, 3, 2, 1]), -1);
  // One of six pairs is the other way round.
  assert.equal(kendallTau([1, 2, 3, 4], [2, 1, 3, 4]), 4 / 6);
});

Deno.test("with ties it is tau-b: worked out by hand", () => {
  // Pairs: 3; alike 2 (1–3 and 2–3), tied in b 0, tied in a 1.
  assert.equal(kendallTau([1, 1, 2], [1, 2, 3]), 2 / Math.sqrt(2 * 3));
});

Deno.test("where one list orders nothing there is no tau", () => {
  assert.ok(Number.isNaN(kendallTau([], [])));
  assert.ok(Number.isNaN(kendallTau([1], [2])));
  assert.ok(Number.isNaN(kendallTau([1, 1, 1], [1, 2, 3])));
});

Deno.test("tau is what counting all pairs gives", () => {
  fc.assert(fc.property(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), {
      minLength: 2,
      maxLength: 40,
    }),
    (items) => {
      const [a, b] = [items.map(([one]) => one), items.map(([, other]) => other)];
      let alike = 0, tiedA = 0, tiedB = 0, pairs = 0;
      for (const [i, [ai, bi]] of items.entries()) {
        for (const [aj, bj] of items.slice(0, i)) {
          pairs++;
          alike += Math.sign(ai - aj) * Math.sign(bi - bj);
          tiedA += ai === aj ? 1 : 0;
          tiedB += bi === bj ? 1 : 0;
        }
      }
      const expected = alike / Math.sqrt((pairs - tiedA) * (pairs - tiedB));
      const tau = kendallTau(a, b);
      assert.ok(
        Number.isNaN(expected) ? Number.isNaN(tau) : Math.abs(tau - expected) < 1e-12,
        `${tau} ${expected}`,
      );
    },
  ));
});
