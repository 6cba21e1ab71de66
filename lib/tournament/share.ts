/** A part of a whole that was counted, with its 95 % interval; all from 0 to 1. */
export interface Share {
  /** How many. */
  readonly count: number;
  /** Of how many. */
  readonly of: number;
  /** `count / of`; `null` where nothing was counted. */
  readonly share: number | null;
  /** The lower end of the interval. */
  readonly low: number | null;
  /** The upper end of the interval. */
  readonly high: number | null;
}

/** Standard deviations to either side that hold 95 % of a normal distribution. */
export const NORMAL_95 = 1.959963984540054;

/**
 * A share with Wilson's score interval (E. B. Wilson, JASA 22, 1927), which keeps near 95 % for small counts and for
 * shares of 0 and 1. It takes the cases to be independent of each other.
 */
export function shareOf(count: number, of: number): Share {
  if (of === 0) return { count, of, share: null, low: null, high: null };
  const share = count / of, z2 = NORMAL_95 ** 2;
  const middle = (share + z2 / (2 * of)) / (1 + z2 / of);
  const reach = NORMAL_95 / (1 + z2 / of) * Math.sqrt(share * (1 - share) / of + z2 / (4 * of * of));
  return {
    count,
    of,
    share,
    low: count === 0 ? 0 : Math.max(0, middle - reach),
    high: count === of ? 1 : Math.min(1, middle + reach),
  };
}
