/** Spread of the logarithm of the width of strengths before any match; its median is 1 logit. */
const WIDTH_SPREAD = 0.7;

/** The logarithm of a width's evidence, up to a constant: that of its fit, with a log-normal prior about 1. */
export function widthEvidence(width: number, { logEvidence }: { readonly logEvidence: number }): number {
  return logEvidence - (Math.log(width) / WIDTH_SPREAD) ** 2 / 2;
}

/** Weights in proportion to the evidence, from its logarithms; they sum to 1. */
export function evidenceWeights(logarithms: readonly number[]): number[] {
  const most = logarithms.reduce((top, each) => Math.max(top, each), -Infinity);
  const weights = logarithms.map((each) => Math.exp(each - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
