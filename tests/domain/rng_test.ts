import assert from "node:assert/strict";
import fc from "fast-check";
import { rng } from "../../lib/domain/rng.ts";

Deno.test("the same seed, key and purpose draw the same numbers; any other draws others", () => {
  const draws = (seed: string, key: string, purpose: string) => {
    const chance = rng(seed, key, purpose);
    return Array.from({ length: 20 }, () => chance.next());
  };
  assert.deepEqual(draws("s", "k", "p"), draws("s", "k", "p"));
  const all = [
    draws("s", "k", "p"),
    draws("t", "k", "p"),
    draws("s", "l", "p"),
    draws("s", "k", "q"),
    draws("sk", "", "p"),
  ];
  assert.equal(new Set(all.map((numbers) => numbers.join())).size, all.length);
});

Deno.test("numbers lie in [0, 1) and fill it evenly", () => {
  const chance = rng("s", "k", "uniform");
  const cells = new Array<number>(20).fill(0);
  const draws = 40_000;
  for (let i = 0; i < draws; i++) {
    const x = chance.next();
    assert.ok(x >= 0 && x < 1);
    const cell = Math.floor(x * cells.length);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  const expected = draws / cells.length;
  const chi2 = cells.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // The 99.99 % quantile of chi-squared with 19 degrees of freedom.
  assert.ok(chi2 < 50.8, `chi-squared ${chi2}`);
});

Deno.test("first draws of many purposes are even and not correlated with their neighbours", () => {
  const firsts = Array.from({ length: 5_000 }, (_, i) => rng("s", `task ${i}`, "coin").next());
  const mean = firsts.reduce((sum, x) => sum + x, 0) / firsts.length;
  assert.ok(Math.abs(mean - 0.5) < 4 / Math.sqrt(12 * firsts.length), `mean ${mean}`);
  const lag = firsts.slice(1).reduce((sum, x, i) => sum + (x - 0.5) * ((firsts[i] ?? 0) - 0.5), 0) * 12 /
    firsts.length;
  assert.ok(Math.abs(lag) < 4 / Math.sqrt(firsts.length), `correlation ${lag}`);
});

Deno.test("int, pick and shuffle stay within what they are given", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.integer(), { minLength: 1, maxLength: 30 }), (key, items) => {
      const chance = rng("s", key, "p");
      const n = chance.int(items.length);
      assert.ok(Number.isInteger(n) && n >= 0 && n < items.length);
      assert.ok(items.includes(chance.pick(items)));
      const before = [...items];
      assert.deepEqual(chance.shuffle(items).sort((a, b) => a - b), [...items].sort((a, b) => a - b));
      assert.deepEqual(items, before);
    }),
  );
  assert.throws(() => rng("s", "k", "p").pick([]), RangeError);
});

Deno.test("every order of three comes up about equally often", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 6_000; i++) {
    const order = rng("s", `${i}`, "shuffle").shuffle(["a", "b", "c"]).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  for (const n of counts.values()) assert.ok(Math.abs(n - 1_000) < 150, `${n}`);
});

Deno.test("weights are probabilities; what can't be one never comes up", () => {
  const counts = [0, 0, 0, 0, 0];
  const chance = rng("s", "k", "weighted");
  for (let i = 0; i < 10_000; i++) {
    const at = chance.weighted([1, 3, 0, -5, NaN]);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  assert.deepEqual(counts.slice(2), [0, 0, 0]);
  assert.ok(Math.abs((counts[0] ?? 0) - 2_500) < 200, `${counts}`);
  assert.equal(chance.weighted([0, 0]), -1);
  assert.equal(chance.weighted([]), -1);
});

Deno.test("normal draws have mean 0 and variance 1", () => {
  const chance = rng("s", "k", "normal");
  const draws = Array.from({ length: 20_000 }, () => chance.normal());
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
  assert.ok(draws.every(Number.isFinite));
  assert.ok(Math.abs(mean) < 0.03, `mean ${mean}`);
  assert.ok(Math.abs(variance - 1) < 0.05, `variance ${variance}`);
});
