/**
 * Dense linear algebra for symmetric positive definite matrices of a few hundred rows, row by row in one array. All
 * inner loops are products of stretches of two rows, which is what makes them fast enough to be called after each match.
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
    for (let j = 0; j < i; j++) {
      const other = j * n;
      a[row + j] = (at(a, row + j) - product(a, row, a, other, j)) / at(a, other + j);
    }
    const left = at(a, row + i) - product(a, row, a, row, i);
    if (!(left > 0)) return false;
    a[row + i] = Math.sqrt(left);
  }
  return true;
}

/** Solves L·Lᵀ·x = b. @param l what {@linkcode factor} made */
export function solve(l: Float64Array, n: number, b: Float64Array): Float64Array {
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) x[i] = (at(x, i) - product(l, i * n, x, 0, i)) / at(l, i * n + i);
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const value = at(x, i) / at(l, row + i);
    x[i] = value;
    for (let k = 0; k < i; k++) x[k] = at(x, k) - at(l, row + k) * value;
  }
  return x;
}

/** (L·Lᵀ)⁻¹, symmetric, in a new array. @param l what {@linkcode factor} made */
export function invert(l: Float64Array, n: number): Float64Array {
  // Row i of the transposed inverse of L, so that all products run along rows.
  const turned = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    turned[row + i] = 1 / at(l, row + i);
    for (let k = i + 1; k < n; k++) {
      turned[row + k] = -product(l, k * n + i, turned, row + i, k - i) / at(l, k * n + k);
    }
  }
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const sum = product(turned, i * n + i, turned, j * n + i, n - i);
      inverse[i * n + j] = sum;
      inverse[j * n + i] = sum;
    }
  }
  return inverse;
}

/** log |A| of A = L·Lᵀ. @param l what {@linkcode factor} made */
export function logDeterminant(l: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(at(l, i * n + i));
  return 2 * sum;
}

/**
 * The inner product of `length` elements of `a` from place `i` and of `b` from place `j`. Four sums side by side: a single
 * one would wait for its last addition before each next one, and takes half as long again.
 */
export function product(a: Float64Array, i: number, b: Float64Array, j: number, length: number): number {
  let s0 = 0, s1 = 0, s2 = 0, s3 = 0, k = 0;
  for (; k + 3 < length; k += 4) {
    s0 += at(a, i + k) * at(b, j + k);
    s1 += at(a, i + k + 1) * at(b, j + k + 1);
    s2 += at(a, i + k + 2) * at(b, j + k + 2);
    s3 += at(a, i + k + 3) * at(b, j + k + 3);
  }
  for (; k < length; k++) s0 += at(a, i + k) * at(b, j + k);
  return (s0 + s1) + (s2 + s3);
}

function at(values: Float64Array, i: number): number {
  return values[i] ?? NaN;
}
