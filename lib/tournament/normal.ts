/** σ(x) = 1 / (1 + e⁻ˣ), the logistic function. */
export function logistic(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : 1 - 1 / (1 + Math.exp(x));
}

/** log σ(x), without losing what is left when σ(x) is near 0. */
export function logLogistic(x: number): number {
  return x >= 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}

/** φ(x), the standard normal density. */
export function normalDensity(x: number): number {
  return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * Φ(x), the standard normal distribution function; absolute error below 7.5e-8 (Zelen and Severo, in Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.2.17).
 */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series = t *
    (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = normalDensity(x) * series;
  return x > 0 ? 1 - tail : tail;
}
