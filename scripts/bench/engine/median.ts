/** A median with an interval that holds it with a probability of at least 95 %. */
export interface MedianWithInterval {
  /** The median. */
  readonly median: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/**
 * The median of a sample with its interval by order statistics, which assumes nothing of the distribution: the ends are
 * the r-th smallest and the r-th largest value, r the largest with P(Binomial(n, ½) < r) ≤ 0.025 (W. J. Conover,
 * Practical Nonparametric Statistics, 1999, section 3.2). Below six values no such r exists and the extremes stand in.
 */
export function medianWithInterval(values: readonly number[]): MedianWithInterval {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const at = (i: number) => sorted[i] ?? NaN;
  let r = 0;
  for (let term = 0.5 ** n, below = term; below <= 0.025; r++) {
    term *= (n - r) / (r + 1);
    below += term;
  }
  const end = Math.max(0, r - 1);
  return {
    median: (at(Math.floor((n - 1) / 2)) + at(Math.ceil((n - 1) / 2))) / 2,
    low: at(end),
    high: at(n - 1 - end),
  };
}
