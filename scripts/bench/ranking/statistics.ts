/** A mean and how sure it is. */
export interface Estimate {
  /** The mean. */
  readonly mean: number;
  /** Its standard error; NaN for a single value. */
  readonly se: number;
  /** Values that went into it. */
  readonly n: number;
}

/** The mean of independent values with its standard error. Values that are NaN are left out. */
export function estimate(values: readonly number[]): Estimate {
  const known = values.filter((value) => !Number.isNaN(value)), n = known.length;
  const mean = known.reduce((sum, value) => sum + value, 0) / n;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, se: n > 1 ? Math.sqrt(squares / (n - 1) / n) : NaN, n };
}

/** A difference on common random numbers. */
export interface PairedDifference extends Estimate {
  /** The mean in standard errors; 0 where nothing differs. */
  readonly z: number;
}

/** The mean of a − b over pairs of values from the same worlds. */
export function pairedDifference(a: readonly number[], b: readonly number[]): PairedDifference {
  if (a.length !== b.length) throw new RangeError(`${a.length} values against ${b.length}`);
  const difference = estimate(a.map((value, i) => value - (b[i] ?? NaN)));
  return { ...difference, z: difference.mean === 0 ? 0 : difference.mean / difference.se };
}

/** Where a curve through (x, y) first reaches `level`, by straight lines; `null` if it doesn't. */
export function firstReach(x: readonly number[], y: readonly number[], level: number): number | null {
  for (const [i, height] of y.entries()) {
    if (!(height >= level)) continue;
    const here = x[i] ?? NaN, before = x[i - 1], low = y[i - 1];
    if (before === undefined || low === undefined) return here;
    return before + (here - before) * (level - low) / (height - low);
  }
  return null;
}
