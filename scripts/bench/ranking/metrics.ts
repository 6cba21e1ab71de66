/** Places by descending score; equal ones in order of number. */
export function bestFirst(scores: Float64Array): number[] {
  return Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
}

/** Kendall's tau-a between two scorings of the same items. */
export function kendallTau(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  let sum = 0;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) {
      sum += Math.sign((a[i] ?? 0) - (a[j] ?? 0)) * Math.sign((b[i] ?? 0) - (b[j] ?? 0));
    }
  }
  return sum / (n * (n - 1) / 2);
}

/** How well the best by score are the best in truth. */
export interface TopFigures {
  /** Share of the true best `k` among the best `k` by score. */
  readonly precision: number;
  /** What the chosen best lacks to the true best, in units of true spread. */
  readonly regret1: number;
  /** What the chosen `k` lack to the true best `k` on average, in units of true spread. */
  readonly regretK: number;
}

/** Compares the best `k` by score with the best `k` in truth. */
export function topFigures(scores: Float64Array, truth: Float64Array, k: number, unit: number): TopFigures {
  const best = bestFirst(truth).slice(0, k), chosen = bestFirst(scores).slice(0, k);
  const quality = (i: number | undefined) => i === undefined ? NaN : truth[i] ?? NaN;
  const mean = (items: readonly number[]) => items.reduce((sum, i) => sum + quality(i), 0) / items.length;
  return {
    precision: chosen.filter((i) => best.includes(i)).length / k,
    regret1: (quality(best[0]) - quality(chosen[0])) / unit,
    regretK: (mean(best) - mean(chosen)) / unit,
  };
}

/** The chance that one drawn from the positives scores above one drawn from the rest; equal scores count half. */
export function areaUnderCurve(scores: Float64Array, positive: readonly boolean[]): number {
  let won = 0, pairs = 0;
  for (const [i, isPositive] of positive.entries()) {
    if (!isPositive) continue;
    for (const [j, other] of positive.entries()) {
      if (other) continue;
      pairs++;
      won += (1 + Math.sign((scores[i] ?? 0) - (scores[j] ?? 0))) / 2;
    }
  }
  return won / pairs;
}
