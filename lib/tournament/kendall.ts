/**
 * Kendall's tau-b (M. G. Kendall, Biometrika 33, 1945) of two lists of values for the same items, in the same order: of the
 * pairs of items, those that both lists order alike less those that they order the other way round, in proportion to those
 * that are not tied. 1 for the same order, −1 for the reverse, near 0 for orders that have nothing to do with each other.
 *
 * By Knight's method (W. R. Knight, JASA 61, 1966), in n log n: sorted by the first list, the pairs that the second orders the
 * other way round are the exchanges that sorting it takes.
 *
 * @returns NaN where one of the lists orders nothing: fewer than two items, or all equal
 */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  const n = Math.min(a.length, b.length);
  const items = Array.from({ length: n }, (_, i) => ({ a: a[i] ?? NaN, b: b[i] ?? NaN }));
  items.sort((one, other) => one.a - other.a || one.b - other.b);
  const pairs = n * (n - 1) / 2;
  const tiedA = tiedPairs(items, (one, other) => one.a === other.a);
  const tiedBoth = tiedPairs(items, (one, other) => one.a === other.a && one.b === other.b);
  const values = Float64Array.from(items, (item) => item.b);
  const reversed = exchanges(values);
  const tiedB = tiedPairs([...values], (one, other) => one === other);
  const alike = pairs - tiedA - tiedB + tiedBoth - 2 * reversed;
  return alike / Math.sqrt((pairs - tiedA) * (pairs - tiedB));
}

/** Pairs within runs of equal neighbours. */
function tiedPairs<T>(sorted: readonly T[], equal: (one: T, other: T) => boolean): number {
  let sum = 0, run = 0;
  for (let i = 1; i < sorted.length; i++) {
    const one = sorted[i - 1], other = sorted[i];
    run = one !== undefined && other !== undefined && equal(one, other) ? run + 1 : 0;
    sum += run;
  }
  return sum;
}

/** Sorts the values, and counts the pairs of which the greater stood first. */
function exchanges(values: Float64Array): number {
  let count = 0, from = Float64Array.from(values), to = new Float64Array(values.length);
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length), end = Math.min(start + 2 * width, values.length);
      let left = start, right = middle;
      for (let at = start; at < end; at++) {
        const one = from[left] ?? Infinity, other = from[right] ?? Infinity;
        if (left < middle && (right >= end || one <= other)) {
          to[at] = one;
          left++;
        } else {
          to[at] = other;
          right++;
          count += middle - left;
        }
      }
    }
    [from, to] = [to, from];
  }
  values.set(from);
  return count;
}
