/**
 * Kendall's tau-b (M. G. Kendall, Biometrika 33, 1945) of two lists of values for the same items, in the same order: of the
 * pairs of items, those that both lists order alike less those that they order the other way round, in proportion to those
 * that are not tied. 1 for the same order, −1 for the reverse, near 0 for orders that have nothing to do with each other.
 *
 * @returns NaN where one of the lists orders nothing: fewer than two items, or all equal
 */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  const n = Math.min(a.length, b.length);
  let alike = 0, tiedA = 0, tiedB = 0;
  for (let i = 1; i < n; i++) {
    const ai = a[i] ?? 0, bi = b[i] ?? 0;
    for (let j = 0; j < i; j++) {
      const byA = Math.sign(ai - (a[j] ?? 0)), byB = Math.sign(bi - (b[j] ?? 0));
      alike += byA * byB;
      if (byA === 0) tiedA++;
      if (byB === 0) tiedB++;
    }
  }
  const pairs = n * (n - 1) / 2;
  return alike / Math.sqrt((pairs - tiedA) * (pairs - tiedB));
}
