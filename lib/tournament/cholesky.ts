/**
 * Dense linear algebra for symmetric positive definite matrices of a few hundred rows, row by row in one array. All
 * inner loops run along rows, which is what makes them fast enough to be called after each match.
 */

/**
 * The lower factor L of A = L·Lᵀ, in place: `a`'s lower triangle becomes L; its upper triangle is left as it was.
 *
 * @param a n × n, row by row, symmetric
 * @returns `false` when A is not positive definite, as far as its numbers go; `a` is spoilt then
 */
export function factor(a: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = at(a, row + j);
      for (let k = 0; k < j; k++) sum -= at(a, row + k) * at(a, other + k);
      if (i === j) {
        if (!(sum > 0)) return false;
        a[row + i] = Math.sqrt(sum);
      } else {
        a[row + j] = sum / at(a, other + j);
      }
    }
  }
  return true;
}

/** Solves L·Lᵀ·x = b. @param l what {@linkcode factor} made */
export function solve(l: Float64Array, n: number, b: Float64Array): Float64Array {
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let sum = at(x, i);
    for (let k = 0; k < i; k++) sum -= at(l, row + k) * at(x, k);
    x[i] = sum / at(l, row + i);
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const value = at(x, i) / at(l, row + i);
    x[i] = value;
    for (let k = 0; k < i; k++) x[k] = at(x, k) - at(l, row + k) * value;
  }
  return x;
}

/** (L·Lᵀ)⁻¹, symmetric, in a new array whose rows are `stride` apart. @param l what {@linkcode factor} made */
export function invert(l: Float64Array, n: number, stride = n): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let k = 0; k < i; k++) {
      const weight = at(l, row + k);
      if (weight === 0) continue;
      const other = k * n;
      for (let c = 0; c <= k; c++) lower[row + c] = at(lower, row + c) - weight * at(lower, other + c);
    }
    const scale = 1 / at(l, row + i);
    for (let c = 0; c < i; c++) lower[row + c] = at(lower, row + c) * scale;
    lower[row + i] = scale;
  }
  const inverse = new Float64Array(stride * n);
  for (let k = 0; k < n; k++) {
    const row = k * n;
    for (let i = 0; i <= k; i++) {
      const weight = at(lower, row + i);
      if (weight === 0) continue;
      const target = i * stride;
      for (let c = 0; c <= i; c++) {
        inverse[target + c] = at(inverse, target + c) + weight * at(lower, row + c);
      }
    }
  }
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < i; c++) inverse[c * stride + i] = at(inverse, i * stride + c);
  }
  return inverse;
}

/** log |A| of A = L·Lᵀ. @param l what {@linkcode factor} made */
export function logDeterminant(l: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(at(l, i * n + i));
  return 2 * sum;
}

function at(values: Float64Array, i: number): number {
  return values[i] ?? NaN;
}
