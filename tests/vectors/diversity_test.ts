import assert from "node:assert/strict";
import { mostDistantPair } from "../../lib/vectors/diversity.ts";
import { unit } from "./vectors.ts";

const VECTORS = new Map([
  ["a", unit([1, 0])],
  ["b", unit([1, 0.1])],
  ["c", unit([0, 1])],
  ["d", unit([0, 1])],
]);

Deno.test("the least alike are found, of equal pairs the one that comes first", () => {
  const pair = mostDistantPair(["b", "d", "a", "c"], (id) => VECTORS.get(id));
  assert.deepEqual(pair, { first: "d", second: "a", cosine: 0 });
});

Deno.test("ids without a vector are passed over; fewer than two make no pair", () => {
  assert.equal(mostDistantPair(["x", "a", "y", "b"], (id) => VECTORS.get(id))?.second, "b");
  assert.equal(mostDistantPair(["x", "a"], (id) => VECTORS.get(id)), null);
  assert.equal(mostDistantPair([], () => undefined), null);
});
