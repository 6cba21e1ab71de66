/** What is believed of the width of strengths before any match: it is log-normal. */
export interface WidthPrior {
  /** Its median, in logits. */
  readonly median: number;
  /** The spread of its logarithm. */
  readonly spread: number;
}

/** Under which strengths are estimated. */
export const WIDTH_OF_ESTIMATES: WidthPrior = { median: 1, spread: 0.7 };

/**
 * Under which chances are told. A width that is somewhat too narrow costs an estimate little, but makes chances too sure of
 * the middle; so this one is vaguer.
 */
export const WIDTH_OF_CHANCES: WidthPrior = { median: 1.4, spread: 1 };

/** The logarithm of a width's evidence, up to a constant: that of its fit, and the prior's. */
export function widthEvidence(
  width: number,
  { logEvidence }: { readonly logEvidence: number },
  { median, spread }: WidthPrior,
): number {
  return logEvidence - (Math.log(width / median) / spread) ** 2 / 2;
}

/** Weights in proportion to the evidence, from its logarithms; they sum to 1. */
export function evidenceWeights(logarithms: readonly number[]): number[] {
  const most = logarithms.reduce((top, each) => Math.max(top, each), -Infinity);
  const weights = logarithms.map((each) => Math.exp(each - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
