import assert from "node:assert/strict";
import { rng } from "../../lib/domain/rng.ts";
import { cosine, unitVector } from "../../lib/vectors/cosine.ts";
import { projectByCosine } from "../../lib/vectors/projection.ts";

const chance = () => rng("seed", "map", "test");

/** So many vectors around each of some centres that are at right angles. */
function around(centres: number, each: number, spread: number) {
  const draw = rng("vectors", `${centres} ${each}`, "test");
  return Array.from({ length: centres * each }, (_, i) => {
    const values = Array.from({ length: 16 }, (_, d) => (d === i % centres ? 1 : 0) + spread * draw.normal());
    const vector = unitVector(values);
    assert.ok(vector !== null);
    return { id: `v${i}`, vector };
  });
}

Deno.test("UMAP puts alike vectors together: neighbours on the map are of the same group", () => {
  const items = around(3, 20, 0.08);
  const { method, points } = projectByCosine(items, chance());
  assert.equal(method, "umap");
  for (const [i, a] of points.entries()) {
    const nearest = points.map((b, j) => ({ j, d: Math.hypot(a.x - b.x, a.y - b.y) }))
      .filter(({ j }) => j !== i).sort((x, y) => x.d - y.d).slice(0, 3);
    for (const { j } of nearest) assert.equal(j % 3, i % 3);
  }
});

Deno.test("the map is a pure function of vectors and chance, finite, and longer than high", () => {
  for (const n of [0, 1, 2, 3, 8, 9, 10, 40]) {
    const items = around(4, 10, 0.3).slice(0, n);
    const map = projectByCosine(items, chance());
    assert.deepEqual(map, projectByCosine(items, chance()));
    assert.deepEqual(map.points.map(({ id }) => id), items.map(({ id }) => id));
    assert.equal(map.method, n < 9 ? "principal_coordinates" : "umap");
    const extent = (values: number[]) => values.reduce((sum, value) => sum + value * value, 0);
    const [wide, high] = [extent(map.points.map(({ x }) => x)), extent(map.points.map(({ y }) => y))];
    assert.ok(Number.isFinite(wide) && Number.isFinite(high) && wide >= high - 1e-9, `${n}: ${wide} ${high}`);
  }
});

Deno.test("principal coordinates keep the distances of what lies in a plane", () => {
  // Of three points each distance can be kept.
  const items = around(3, 1, 0.4);
  const { points } = projectByCosine(items, chance());
  for (const [i, a] of points.entries()) {
    for (const [j, b] of points.entries()) {
      const [one, other] = [items[i], items[j]];
      assert.ok(one !== undefined && other !== undefined);
      const distance = 1 - cosine(one.vector, other.vector);
      assert.ok(Math.abs(Math.hypot(a.x - b.x, a.y - b.y) - Math.max(0, distance)) < 1e-6);
    }
  }
});

Deno.test("the same vector several times is one place, also where all are the same", () => {
  const vector = new Float32Array([1, 0]);
  for (const n of [4, 12]) {
    const { points } = projectByCosine(
      Array.from({ length: n }, (_, i) => ({ id: `v${i}`, vector })),
      chance(),
    );
    assert.ok(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
  }
});
