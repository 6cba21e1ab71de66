/** Money as a whole number of micro-dollars (1 USD = 1,000,000), so that sums are exact. */
export type MicroUsd = number;

/** Dollars to micro-dollars, rounded up: a cap is never passed by rounding. */
export function microUsd(usd: number): MicroUsd {
  // Adding 0 makes a negative zero plain.
  return Math.ceil(usd * 1e6 - 1e-6) + 0;
}

/** Micro-dollars as dollars, for people and for `usd` fields. */
export function usd(micro: MicroUsd): number {
  return micro / 1e6;
}

/** `$0.0123`, `$1.23`: four digits below a dollar, two above. */
export function formatUsd(micro: MicroUsd): string {
  const dollars = usd(micro);
  return `$${dollars.toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`;
}
