import { cosine } from "./cosine.ts";

/** Two ids and how alike their vectors are. */
export interface Pair {
  /** The one that comes first in the list. */
  readonly first: string;
  /** The other one. */
  readonly second: string;
  /** The cosine of their vectors. */
  readonly cosine: number;
}

/**
 * The two of `ids` that are least alike, for combining ideas that have little in common; of equal pairs the one that
 * comes first in the list. Ids without a vector are passed over; null if fewer than two have one.
 */
export function mostDistantPair(
  ids: readonly string[],
  vectorOf: (id: string) => Float32Array | undefined,
): Pair | null {
  let worst: Pair | null = null;
  const seen: { readonly id: string; readonly vector: Float32Array }[] = [];
  for (const id of ids) {
    const vector = vectorOf(id);
    if (vector !== undefined) seen.push({ id, vector });
  }
  for (const [i, a] of seen.entries()) {
    for (const b of seen.slice(i + 1)) {
      const similarity = cosine(a.vector, b.vector);
      if (worst === null || similarity < worst.cosine) {
        worst = { first: a.id, second: b.id, cosine: similarity };
      }
    }
  }
  return worst;
}
