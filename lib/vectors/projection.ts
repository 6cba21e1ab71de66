import { UMAP } from "umap-js";
import type { Rng } from "../domain/rng.ts";
import type { Embedded } from "./clustering.ts";
import { cosine } from "./cosine.ts";

/** A place on a map. Distances have no unit: near is alike. */
export interface Projected {
  /** Whose place it is. */
  readonly id: string;
  /** From left to right. */
  readonly x: number;
  /** From bottom to top. */
  readonly y: number;
}

/** A map of vectors. */
export interface Projection {
  /** How it was made: UMAP, or where there are too few for it principal coordinates of the cosine distances. */
  readonly method: "umap" | "principal_coordinates";
  /** A place for each, in the order given. */
  readonly points: readonly Projected[];
}

/** UMAP looks at neighbourhoods: with fewer than this, everybody is everybody's neighbour. */
const ENOUGH = 9;

/** Neighbours that a neighbourhood has at most, and steps of the layout: UMAP's defaults (McInnes et al. 2018). */
const NEIGHBOURS = 15;
const STEPS = 300;

/** Sweeps of the power iteration: with so few points the first two axes have settled long before. */
const SWEEPS = 500;

/**
 * Lays vectors out on a plane, alike ones near each other, by their cosine distances 1 - cosine. The longer extent of the
 * map lies from left to right. The same vectors in the same order under the same chance give the same map.
 *
 * UMAP (McInnes, Healy and Melville 2018, arXiv:1802.03426) with exact nearest neighbours; of fewer than nine vectors
 * classical scaling (Torgerson 1952), which keeps distances as well as a plane can.
 *
 * It takes about a second for 500 vectors of 1,024 numbers.
 *
 * @param items vectors of one embedder @param chance where UMAP begins and which pairs it pushes apart
 */
export function projectByCosine(items: readonly Embedded[], chance: Rng): Projection {
  const distances = distancesOf(items);
  const few = items.length < ENOUGH;
  const places = few ? principalCoordinates(distances) : umap(distances, chance);
  const turned = alongLongest(places);
  return {
    method: few ? "principal_coordinates" : "umap",
    points: items.map(({ id }, i) => ({ id, x: turned[i]?.[0] ?? 0, y: turned[i]?.[1] ?? 0 })),
  };
}

type Place = readonly [x: number, y: number];

function distancesOf(items: readonly Embedded[]): number[][] {
  const distances = items.map(() => new Array<number>(items.length).fill(0));
  for (const [i, a] of items.entries()) {
    for (let j = 0; j < i; j++) {
      const b = items[j];
      const distance = b === undefined ? 0 : Math.max(0, 1 - cosine(a.vector, b.vector));
      (distances[i] ?? [])[j] = distance;
      (distances[j] ?? [])[i] = distance;
    }
  }
  return distances;
}

function umap(distances: readonly (readonly number[])[], chance: Rng): Place[] {
  const neighbours = Math.min(NEIGHBOURS, distances.length - 1);
  const nearest = distances.map((row, i) =>
    row.map((distance, j) => ({ distance: j === i ? -1 : distance, j })).sort((a, b) =>
      a.distance - b.distance || a.j - b.j
    ).slice(0, neighbours + 1).map(({ distance, j }) => ({ distance: Math.max(0, distance), j }))
  );
  const layout = new UMAP({ nNeighbors: neighbours, nEpochs: STEPS, random: chance.next, minDist: 0.15 });
  layout.setPrecomputedKNN(
    nearest.map((row) => row.map(({ j }) => j)),
    nearest.map((row) => row.map(({ distance }) => distance)),
  );
  // With the neighbours known it reads nothing of the vectors but their number.
  return layout.fit(distances.map((_, i) => [i])).map(([x = 0, y = 0]): Place => [x, y]);
}

/** Two eigenvectors of the doubly centred squared distances, each as long as the root of its eigenvalue. */
function principalCoordinates(distances: readonly (readonly number[])[]): Place[] {
  const n = distances.length;
  const squares = distances.map((row) => row.map((d) => d * d));
  const means = squares.map((row) => sum(row) / n);
  const mean = sum(means) / n;
  const centred = squares.map((row, i) =>
    row.map((square, j) => -(square - (means[i] ?? 0) - (means[j] ?? 0) + mean) / 2)
  );
  const first = strongest(centred, []);
  const second = strongest(centred, [first.axis]);
  return distances.map((_, i) => [
    (first.axis[i] ?? 0) * Math.sqrt(first.value),
    (second.axis[i] ?? 0) * Math.sqrt(second.value),
  ]);
}

/** The axis of the largest positive eigenvalue across the given ones, by power iteration from a fixed start. */
function strongest(
  matrix: readonly (readonly number[])[],
  across: readonly (readonly number[])[],
): { readonly axis: readonly number[]; readonly value: number } {
  // Cosine distances are not Euclidean, so that some eigenvalues may be negative: shifted, none is.
  const shift = Math.max(0, ...matrix.map((row) => sum(row.map(Math.abs))));
  let axis = unit(across.reduce(without, matrix.map((_, i) => Math.cos(i + 1))));
  for (let step = 0; step < SWEEPS; step++) {
    const next = matrix.map((row, i) =>
      sum(row.map((value, j) => value * (axis[j] ?? 0))) + shift * (axis[i] ?? 0)
    );
    axis = unit(across.reduce(without, next));
  }
  const value = sum(matrix.map((row, i) => (axis[i] ?? 0) * sum(row.map((v, j) => v * (axis[j] ?? 0)))));
  return { axis, value: Math.max(0, value) };
}

function without(vector: readonly number[], axis: readonly number[]): number[] {
  const along = sum(vector.map((value, i) => value * (axis[i] ?? 0)));
  return vector.map((value, i) => value - along * (axis[i] ?? 0));
}

function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(sum(vector.map((value) => value * value)));
  return vector.map((value) => (length > 0 ? value / length : 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Centred and turned so that they spread most from left to right. */
function alongLongest(places: readonly Place[]): Place[] {
  const n = Math.max(1, places.length);
  const [mx, my] = [sum(places.map(([x]) => x)) / n, sum(places.map(([, y]) => y)) / n];
  const moved = places.map(([x, y]): Place => [x - mx, y - my]);
  const [xx, yy, xy] = [
    sum(moved.map(([x]) => x * x)),
    sum(moved.map(([, y]) => y * y)),
    sum(moved.map(([x, y]) => x * y)),
  ];
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return moved.map(([x, y]): Place => [x * cos + y * sin, y * cos - x * sin]);
}
