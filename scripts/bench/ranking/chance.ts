/**
 * Chance by counter for the oracle: what is drawn depends on the key alone, so that every policy gets the same verdict on
 * the same question, whenever and in whatever company it asks.
 */

/** A stream of numbers in [0, 1). */
export interface Stream {
  /** The next number in [0, 1). */
  next(): number;
  /** A whole number in [0, n). */
  int(n: number): number;
  /** A standard normal draw (Marsaglia's polar method, both halves used). */
  normal(): number;
}

/** The mulberry32 generator (T. Ettinger, 2017), with normal draws by Marsaglia's polar method. */
export function mulberry32(seed: number): Stream {
  let state = seed | 0;
  let spare: number | null = null;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const normal = () => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const u = 2 * next() - 1, v = 2 * next() - 1;
      const q = u * u + v * v;
      if (q >= 1 || q === 0) continue;
      const scale = Math.sqrt(-2 * Math.log(q) / q);
      spare = v * scale;
      return u * scale;
    }
  };
  return { next, int: (n) => Math.floor(next() * n), normal };
}

/** Shuffles in place (Fisher and Yates). */
export function shuffle<T>(items: T[], stream: Stream): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = stream.int(i + 1);
    const a = items[i], b = items[j];
    if (a !== undefined && b !== undefined) [items[i], items[j]] = [b, a];
  }
  return items;
}

/** The finaliser of MurmurHash3. */
function finalise(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A 32-bit hash of whole numbers; each word is mixed in with a full finaliser. */
export function hashOf(...words: readonly number[]): number {
  let h = 0x9747b28c;
  for (const word of words) h = finalise((h ^ finalise((word + 0x9e3779b9) | 0)) + 0x9e3779b9 | 0);
  return h;
}

/** A number in (0, 1) that belongs to these words. */
export function uniformOf(...words: readonly number[]): number {
  return (hashOf(...words) + 0.5) / 0x1_0000_0000;
}

/** A standard normal number that belongs to these words (Box and Muller). */
export function normalOf(...words: readonly number[]): number {
  return Math.sqrt(-2 * Math.log(uniformOf(...words, 1))) * Math.cos(2 * Math.PI * uniformOf(...words, 2));
}
