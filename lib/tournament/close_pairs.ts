import type { Rng } from "../domain/rng.ts";

/**
 * Draws pairs whose ratings differ by at most `window`, each in proportion to exp(−|ΔElo| / window), with replacement.
 * Empty when there is no such pair.
 *
 * All pairs are covered without being built: in order of rating, the weights of a player's pairs with all lower ones
 * follow from its neighbour's by one multiplication, and what lies outside the window is taken off again. O(n log n) for
 * the order and O(n) a draw.
 */
export function closePairs<T extends { readonly elo: number }>(
  players: readonly T[],
  window: number,
  draws: number,
  rng: Rng,
): (readonly [T, T])[] {
  const sorted = [...players].sort((a, b) => b.elo - a.elo);
  const rows = rowWeights(sorted.map((player) => player.elo), window);
  const sums: number[] = [];
  let total = 0;
  for (const weight of rows) sums.push(total += weight);
  const pairs: (readonly [T, T])[] = [];
  for (let n = 0; total > 0 && n < draws; n++) {
    const i = firstAbove(sums, rng.next() * total);
    const first = sorted[i];
    const second = first && drawLower(sorted, i, first, window, rows[i] ?? 0, rng);
    if (first !== undefined && second !== undefined) pairs.push([first, second]);
  }
  return pairs;
}

/** For each rating (descending), the sum of weights of its pairs with lower or equal ones behind it in the window. */
function rowWeights(elos: readonly number[], window: number): number[] {
  const at = (i: number) => elos[i] ?? -Infinity;
  const n = elos.length;
  /** The same sums without the window; one place more, for the row after the last. */
  const open = new Array<number>(n + 1).fill(0);
  for (let i = n - 2; i >= 0; i--) {
    open[i] = Math.exp((at(i + 1) - at(i)) / window) * (1 + (open[i + 1] ?? 0));
  }
  const rows = new Array<number>(n).fill(0);
  let outside = 0;
  for (let i = 0; i < n; i++) {
    while (outside < n && at(i) - at(outside) <= window) outside++;
    const beyond = outside < n ? Math.exp((at(outside) - at(i)) / window) * (1 + (open[outside] ?? 0)) : 0;
    // A row whose pairs all lie outside must be exactly 0, not what rounding leaves.
    rows[i] = outside === i + 1 ? 0 : Math.max(0, (open[i] ?? 0) - beyond);
  }
  return rows;
}

/** The place of the first of the ascending sums that is above `value`. */
function firstAbove(sums: readonly number[], value: number): number {
  let low = 0, high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? Infinity) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function drawLower<T extends { readonly elo: number }>(
  sorted: readonly T[],
  i: number,
  first: T,
  window: number,
  total: number,
  rng: Rng,
): T | undefined {
  let left = rng.next() * total;
  let last: T | undefined;
  for (let j = i + 1; j < sorted.length; j++) {
    const other = sorted[j];
    if (other === undefined || first.elo - other.elo > window) break;
    last = other;
    left -= Math.exp((other.elo - first.elo) / window);
    if (left < 0) return other;
  }
  return last;
}
