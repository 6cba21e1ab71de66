import assert from "node:assert/strict";
import fc from "fast-check";
import { cosine } from "../../lib/vectors/cosine.ts";
import { ExactIndex } from "../../lib/vectors/exact_index.ts";
import { clustered, unit } from "./vectors.ts";

Deno.test("the nearest come first, ties by id, all if there are fewer than k", () => {
  const index = new ExactIndex();
  index.add("same-b", unit([1, 0]));
  index.add("far", unit([0, 1]));
  index.add("same-a", unit([1, 0]));
  index.add("near", unit([1, 1]));
  assert.deepEqual(index.search(unit([1, 0]), 3).map((hit) => hit.id), ["same-a", "same-b", "near"]);
  assert.deepEqual(index.search(unit([-1, 0]), 9).map((hit) => hit.id), ["far", "near", "same-a", "same-b"]);
  assert.deepEqual(index.search(unit([1, 0]), 0), []);
  assert.deepEqual(new ExactIndex().search(unit([1, 0]), 3), []);
});

Deno.test("whatever was added and removed, a search gives what sorting everything gives", () => {
  const vectors = clustered({ count: 40, dimensions: 5, centres: 6, spread: 0.3, seed: "model" });
  const pick = fc.nat({ max: vectors.length - 1 });
  const step = fc.record({ id: fc.nat({ max: 60 }), vector: pick, remove: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 150 }),
      pick,
      fc.integer({ min: 1, max: 50 }),
      (steps, query, k) => {
        const index = new ExactIndex();
        const model = new Map<string, Float32Array>();
        for (const { id, vector, remove } of steps) {
          const name = `h${id}`;
          const value = vectors[vector]?.vector;
          assert.ok(value);
          if (remove) {
            index.remove(name);
            model.delete(name);
          } else {
            index.add(name, value);
            model.set(name, value);
          }
        }
        const asked = vectors[query]?.vector;
        assert.ok(asked);
        const expected = [...model].map(([id, vector]) => ({ id, cosine: cosine(vector, asked) }))
          .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1)).slice(0, k);
        assert.equal(index.size, model.size);
        assert.deepEqual(index.ids().sort(), [...model.keys()].sort());
        assert.deepEqual(index.search(asked, k), expected);
        for (const [id, vector] of model) assert.deepEqual(index.vectorOf(id), vector);
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});

Deno.test("a vector that is handed out is a copy", () => {
  const index = new ExactIndex();
  index.add("a", unit([1, 0]));
  index.vectorOf("a")?.fill(0);
  assert.deepEqual(index.search(unit([1, 0]), 1), [{ id: "a", cosine: 1 }]);
  assert.equal(index.vectorOf("b"), undefined);
});

Deno.test("what isn't a unit vector of the index's length is refused, and nothing changes", () => {
  const index = new ExactIndex();
  assert.throws(() => index.add("a", new Float32Array([3, 4])), { code: "input", message: /length is 5/ });
  assert.throws(() => index.add("a", new Float32Array([1, Number.NaN])), { code: "input" });
  assert.throws(() => index.add("a", new Float32Array(0)), { code: "input" });
  assert.equal(index.dimensions, null);
  index.add("a", unit([1, 2, 3]));
  assert.equal(index.dimensions, 3);
  assert.throws(() => index.add("b", unit([1, 2])), { code: "input", message: /2 dimensions.*of 3/ });
  assert.throws(() => index.search(unit([1, 2]), 1), { code: "input" });
  assert.throws(() => index.search(new Float32Array(3).fill(Number.NaN), 1), { code: "input" });
  assert.equal(index.size, 1);
});
