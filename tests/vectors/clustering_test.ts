import assert from "node:assert/strict";
import fc from "fast-check";
import { clusterInWorker } from "../../lib/vectors/cluster_in_worker.ts";
import { clusterByCosine, type Embedded } from "../../lib/vectors/clustering.ts";
import { cosine } from "../../lib/vectors/cosine.ts";
import { clustered, unit } from "./vectors.ts";

const never = new AbortController().signal;

/** A point of the unit circle at an angle in degrees, so that distances are easy to see. */
function at(id: string, degrees: number): Embedded {
  const angle = (degrees * Math.PI) / 180;
  return { id, vector: unit([Math.cos(angle), Math.sin(angle)]) };
}

const distanceOf = (degrees: number) => 1 - Math.cos((degrees * Math.PI) / 180);

/** Average linkage by its definition: merge the two clusters with the least mean distance until none is near enough. */
function byDefinition(items: readonly Embedded[], maxDistance: number): string[][] {
  const clusters = items.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((item) => [item]);
  const mean = (a: readonly Embedded[], b: readonly Embedded[]) =>
    a.flatMap((x) => b.map((y) => 1 - cosine(x.vector, y.vector))).reduce((sum, d) => sum + d, 0) /
    (a.length * b.length);
  for (;;) {
    let best: { i: number; j: number; distance: number } | null = null;
    for (const [i, a] of clusters.entries()) {
      for (const [j, b] of clusters.entries()) {
        if (j >= i) break;
        const distance = mean(a, b);
        if (distance <= maxDistance && (best === null || distance < best.distance)) best = { i, j, distance };
      }
    }
    if (best === null) break;
    clusters[best.j]?.push(...clusters.splice(best.i, 1).flat());
  }
  return clusters.filter((c) => c.length > 1).map((c) => c.map((item) => item.id).sort())
    .sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}

Deno.test("near-duplicates come together, who has none stands alone", () => {
  const items = [at("d", 90), at("b", 2), at("e", 91), at("a", 0), at("c", 45)];
  assert.deepEqual(clusterByCosine(items, distanceOf(10)), [["a", "b"], ["d", "e"]]);
  assert.deepEqual(clusterByCosine([], 0.15), []);
  assert.deepEqual(clusterByCosine([at("a", 0)], 0.15), []);
});

Deno.test("linkage is average: a chain of near ones is cut where the mean distance grows too large", () => {
  const chain = [0, 8, 16, 24, 32, 40].map((degrees, i) => at(`h${i}`, degrees));
  const clusters = clusterByCosine(chain, distanceOf(10));
  assert.ok(clusters.length > 1, "single linkage would make one cluster");
  assert.deepEqual(clusters, byDefinition(chain, distanceOf(10)));
});

Deno.test("clustering by components gives what the definition gives on the whole", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 8 }),
      fc.double({ min: 0.05, max: 1.5, noNaN: true }),
      fc.double({ min: 0.01, max: 0.9, noNaN: true }),
      fc.nat(),
      (count, centres, spread, maxDistance, seed) => {
        const items = clustered({ count, dimensions: 4, centres, spread, seed: `${seed}` });
        const clusters = clusterByCosine(items, maxDistance);
        assert.deepEqual(clusters, byDefinition(items, maxDistance));
        assert.deepEqual(clusterByCosine(items.toReversed(), maxDistance), clusters);
      },
    ),
    { numRuns: 150, seed: 11 },
  );
});

Deno.test("identical vectors are one cluster even at distance 0", () => {
  const items = ["c", "a", "b"].map((id) => ({ id, vector: unit([1, 2, 3, 4, 5]) }));
  assert.deepEqual(clusterByCosine(items, 1e-6), [["a", "b", "c"]]);
});

Deno.test("a distance that is none is refused", () => {
  for (const wrong of [-0.1, 2.1, Number.NaN]) {
    assert.throws(() => clusterByCosine([], wrong), { code: "input", message: /maxDistance/ });
  }
});

Deno.test("a worker gives the same clusters", async () => {
  const items = clustered({ count: 350, dimensions: 32, centres: 60, spread: 0.5, seed: "worker" });
  const clusters = await clusterInWorker(items, 0.15, never);
  assert.ok(clusters.length > 10);
  assert.deepEqual(clusters, clusterByCosine(items, 0.15));
  assert.deepEqual(await clusterInWorker([], 0.15, never), []);
});

Deno.test("the worker's failures and an abort reach the caller, and the worker ends", async () => {
  await assert.rejects(clusterInWorker([at("a", 0)], 3, never), { code: "internal", message: /maxDistance/ });
  await assert.rejects(clusterInWorker([at("a", 0), { id: "b", vector: unit([1]) }], 0.1, never), {
    code: "input",
  });
  const controller = new AbortController();
  const waiting = clusterInWorker([at("a", 0), at("b", 1)], 0.1, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
});
