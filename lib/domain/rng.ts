import { hashOf } from "./ids.ts";

/** A source of chance that is a pure function of its seed: the n-th draw never depends on who else drew. */
export interface Rng {
  /** The next number in [0, 1), with 32 bits. */
  next(): number;
  /** A whole number in [0, n). */
  int(n: number): number;
  /** One of the items, each equally likely. Throws `RangeError` on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** The index drawn in proportion to the weights (negative and NaN count as 0); -1 if all are 0. */
  weighted(weights: readonly number[]): number;
  /** A standard normal draw (Box and Muller). */
  normal(): number;
  /** A shuffled copy (Fisher and Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * Chance by counter: the generator for one purpose of one key under one seed. Calling it again starts again, so that a
 * retry, a peek or a replay draws what the first try drew.
 */
export function rng(seed: string, key: string, purpose: string): Rng {
  const start = Number.parseInt(hashOf("rng", seed, key, purpose).slice(0, 8), 16);
  let counter = 0;
  const next = () => mix(start, counter++) / 0x1_0000_0000;
  return {
    next,
    int: (n) => Math.floor(next() * n),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError("Cannot pick from an empty list");
      return item;
    },
    weighted: (weights) => {
      const clean = weights.map((w) => (w > 0 && Number.isFinite(w) ? w : 0));
      const total = clean.reduce((sum, w) => sum + w, 0);
      if (total === 0) return -1;
      let left = next() * total;
      for (const [i, w] of clean.entries()) {
        left -= w;
        if (left < 0) return i;
      }
      return clean.findLastIndex((w) => w > 0);
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle: (items) => {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        const a = copy[i], b = copy[j];
        if (a !== undefined && b !== undefined) [copy[i], copy[j]] = [b, a];
      }
      return copy;
    },
  };
}

/** A 32-bit counter hash (the finaliser of MurmurHash3 over seed and counter). */
function mix(seed: number, counter: number): number {
  let h = (seed ^ Math.imul(counter + 1, 0x9e3779b9)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
