import { agnes } from "ml-hclust";
import { inputError } from "../domain/errors.ts";
import { cosine } from "./cosine.ts";

/** A vector with the id of what it stands for. */
export interface Embedded {
  /** Whose vector it is; each id occurs once. */
  readonly id: string;
  /** Its unit vector; all of one length. */
  readonly vector: Float32Array;
}

/**
 * Groups of near-duplicates: agglomerative clustering with average linkage (UPGMA) on the cosine distance 1 - cosine,
 * cut at `maxDistance` (0 to 2). Groups have at least two members, sorted by id, and are sorted by their first; who is
 * in none stands alone. The result depends on the set of items, not on their order. Throws `CosciError("input")` for a
 * `maxDistance` outside 0 to 2.
 *
 * It takes up to n²/2 cosines and grows with the cube of the largest component: 10 to 30 ms for 100 vectors of 1,024,
 * more than 100 ms for 300. From some 100 vectors on use `clusterInWorker`.
 *
 * Only what is connected is clustered together. Let G join two items when their distance is at most t = `maxDistance`.
 * 1. Heights of average linkage never fall from one merge to the next (the new distance is a weighted mean of two that
 *    were no smaller than the merged one), so cutting at t keeps exactly the merges that come before the first one
 *    higher than t.
 * 2. A merge of A and B at a height of at most t has a pair (a, b) with d(a, b) <= t, since no mean is below its least
 *    term. So a and b, and by induction all of A and B, lie in one component of G: no kept merge crosses components.
 * 3. The distance between two clusters of a component depends on that component alone, and so does which of its pairs
 *    is the nearest, ties included, because clusters of other components don't change the order of its own in the
 *    matrix. So the kept merges within a component are the same whether the rest is there or not.
 */
export function clusterByCosine(items: readonly Embedded[], maxDistance: number): string[][] {
  if (!(maxDistance >= 0 && maxDistance <= 2)) {
    throw inputError("maxDistance", maxDistance, "A cosine distance lies between 0 (same direction) and 2.");
  }
  const sorted = items.toSorted((a, b) => compare(a.id, b.id));
  return components(sorted, maxDistance)
    .filter((component) => component.length > 1)
    .flatMap((component) => cutTree(component, maxDistance))
    .sort((a, b) => compare(a[0] ?? "", b[0] ?? ""));
}

function cutTree(component: readonly Embedded[], maxDistance: number): string[][] {
  const distances = component.map(() => new Array<number>(component.length).fill(0));
  for (const [i, row] of distances.entries()) {
    for (let j = 0; j < i; j++) row[j] = distanceOf(component, i, j);
    for (let j = 0; j < i; j++) (distances[j] ?? [])[i] = row[j] ?? 0;
  }
  return agnes(distances, { method: "average", isDistanceMatrix: true })
    .cut(maxDistance)
    .map((cluster) => cluster.indices().map((i) => component[i]?.id ?? "").sort(compare))
    .filter((ids) => ids.length > 1);
}

/** The connected components of the graph that joins items at a distance of at most `maxDistance`, by union and find. */
function components(items: readonly Embedded[], maxDistance: number): Embedded[][] {
  const parent = items.map((_, i) => i);
  const find = (start: number): number => {
    let i = start;
    for (let up = parent[i]; up !== undefined && up !== i; up = parent[i]) {
      parent[i] = parent[up] ?? up;
      i = up;
    }
    return i;
  };
  for (let i = 0; i < items.length; i++) {
    for (let j = 0; j < i; j++) {
      const root = find(j);
      if (root !== find(i) && distanceOf(items, i, j) <= maxDistance) parent[find(i)] = root;
    }
  }
  return [...Map.groupBy(items, (_, i) => find(i)).values()];
}

function distanceOf(items: readonly Embedded[], i: number, j: number): number {
  const a = items[i], b = items[j];
  return a === undefined || b === undefined ? Infinity : 1 - cosine(a.vector, b.vector);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
