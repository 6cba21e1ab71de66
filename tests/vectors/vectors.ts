import { unitVector } from "../../lib/vectors/cosine.ts";
import { rng } from "../../lib/domain/rng.ts";
import type { Embedded } from "../../lib/vectors/clustering.ts";

/** Unit vectors around random centres: `spread` is the length of the noise beside a centre of length 1. */
export function clustered(
  { count, dimensions, centres, spread, seed }: {
    count: number;
    dimensions: number;
    centres: number;
    spread: number;
    seed: string;
  },
): Embedded[] {
  const chance = rng(seed, "clustered", "test");
  const direction = () => unit(Array.from({ length: dimensions }, () => chance.normal()));
  const middles = Array.from({ length: centres }, direction);
  return Array.from({ length: count }, (_, i) => {
    const noise = direction();
    const middle = middles[i % centres] ?? direction();
    return { id: `h${i}`, vector: unit([...middle].map((x, d) => x + spread * (noise[d] ?? 0))) };
  });
}

/** The unit vector in the direction of some numbers. */
export function unit(values: ArrayLike<number>): Float32Array {
  const vector = unitVector(values);
  if (vector === null) throw new Error("no direction");
  return vector;
}
