import type { Problem } from "../../lib/tournament/rating_problem.ts";

/**
 * The same estimate by other means: strengths are written as x = m + T·u with u independent standard normal, the
 * derivatives are taken in u, and the equations are solved by Gauss-Jordan elimination with pivoting. Nothing of the
 * project's own solver is used.
 */
export function plainSolver({ unknowns, comparisons, placings = [] }: Problem): number[] {
  const n = unknowns.length;
  const strengths = (u: readonly number[]) => {
    const x: number[] = [];
    for (const [i, { mean, sd, from }] of unknowns.entries()) {
      x.push(from.reduce((sum, { on, weight }) => sum + weight * (x[on] ?? NaN), mean + sd * (u[i] ?? 0)));
    }
    return x;
  };
  const zero = new Array<number>(n).fill(0);
  const base = strengths(zero);
  const columns = zero.map((_, k) => {
    const unit = zero.map((_, i) => (i === k ? 1 : 0));
    return strengths(unit).map((value, i) => value - (base[i] ?? 0));
  });
  const u = [...zero];
  for (let step = 0; step < 200; step++) {
    const x = strengths(u);
    const gradX = [...zero];
    const hessX = zero.map(() => [...zero]);
    /** A term −log Σ exp(z) with z linear in x: adds its derivatives. */
    const choice = (
      options: readonly { readonly on: readonly (readonly [number, number])[] }[],
      weight: number,
    ) => {
      const z = options.map(({ on }) => on.reduce((sum, [i, by]) => sum + by * (x[i] ?? 0), 0));
      const top = Math.max(...z);
      const e = z.map((v) => Math.exp(v - top));
      const total = e.reduce((a, b) => a + b, 0);
      const p = e.map((v) => v / total);
      const dense = options.map(({ on }) => {
        const row = [...zero];
        for (const [i, by] of on) row[i] = (row[i] ?? 0) + by;
        return row;
      });
      const mean = zero.map((_, i) => dense.reduce((sum, row, k) => sum + (p[k] ?? 0) * (row[i] ?? 0), 0));
      for (let i = 0; i < n; i++) {
        gradX[i] = (gradX[i] ?? 0) + weight * ((dense[0]?.[i] ?? 0) - (mean[i] ?? 0));
        for (let j = 0; j < n; j++) {
          const second = dense.reduce((sum, row, k) => sum + (p[k] ?? 0) * (row[i] ?? 0) * (row[j] ?? 0), 0);
          const row = hessX[i];
          if (row !== undefined) row[j] = (row[j] ?? 0) + weight * (second - (mean[i] ?? 0) * (mean[j] ?? 0));
        }
      }
    };
    for (const { first, second, score, weight, term } of comparisons) {
      const a = { on: [[first, 1], ...(term < 0 ? [] : [[term, 1] as const])] as const };
      const b = { on: [[second, 1]] as const };
      choice([a, b], weight * score);
      choice([b, a], weight * (1 - score));
    }
    for (const { ranked, slots, weight, term } of placings) {
      const all = ranked.map((on, k) => ({
        on: [
          [on, 1] as const,
          ...(term < 0 ? [] : [[term, 0.5 - (slots[k] ?? 0) / (ranked.length - 1)] as const]),
        ],
      }));
      for (let k = 0; k + 1 < all.length; k++) choice(all.slice(k), weight);
    }
    const gradient = columns.map((column, k) =>
      column.reduce((sum, c, i) => sum + c * (gradX[i] ?? 0), 0) - (u[k] ?? 0)
    );
    const hessian = columns.map((a, k) =>
      columns.map((b, l) =>
        (k === l ? 1 : 0) +
        a.reduce((sum, ai, i) => sum + ai * b.reduce((s, bj, j) => s + bj * (hessX[i]?.[j] ?? 0), 0), 0)
      )
    );
    const move = gaussJordan(hessian, gradient);
    // Half steps at first: slow and sure.
    const scale = step < 20 ? 0.5 : 1;
    for (let k = 0; k < n; k++) u[k] = (u[k] ?? 0) + scale * (move[k] ?? 0);
    if (step > 20 && Math.max(...move.map(Math.abs)) < 1e-13) break;
  }
  return strengths(u);
}

function gaussJordan(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) {
      if (Math.abs(rows[r]?.[c] ?? 0) > Math.abs(rows[pivot]?.[c] ?? 0)) pivot = r;
    }
    const a = rows[pivot] ?? [], b = rows[c] ?? [];
    rows[c] = a;
    rows[pivot] = b;
    const head = a[c] ?? NaN;
    for (let k = c; k <= n; k++) a[k] = (a[k] ?? 0) / head;
    for (const [r, row] of rows.entries()) {
      const by = row[c] ?? 0;
      if (r === c || by === 0) continue;
      for (let k = c; k <= n; k++) row[k] = (row[k] ?? 0) - by * (a[k] ?? 0);
    }
  }
  return rows.map((row) => row[n] ?? NaN);
}
