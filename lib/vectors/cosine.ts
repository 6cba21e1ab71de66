import { CosciError, inputError } from "../domain/errors.ts";

/** How far from 1 the length of a vector may be to count as a unit vector: single precision leaves about 1e-7. */
const UNIT_TOLERANCE = 1e-3;

/**
 * The cosine of two unit vectors of the same length, in [-1, 1]: their inner product, clamped because rounding can
 * carry it past 1. Throws `CosciError("input")` when the lengths differ.
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw inputError(
      "vector",
      `${b.length} dimensions`,
      `The other one has ${a.length}: compare only vectors of one embedding model.`,
    );
  }
  return cosineAt(a, 0, b);
}

/**
 * The cosine of the unit vector that stands at `offset` in `block` with the unit vector `b`. Four running sums, because
 * one alone would make every addition wait for the one before it.
 */
export function cosineAt(block: Float32Array, offset: number, b: Float32Array): number {
  const n = b.length;
  const whole = n - (n % 4);
  let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (let i = 0, j = offset; i < whole; i += 4, j += 4) {
    s0 += (block[j] ?? 0) * (b[i] ?? 0);
    s1 += (block[j + 1] ?? 0) * (b[i + 1] ?? 0);
    s2 += (block[j + 2] ?? 0) * (b[i + 2] ?? 0);
    s3 += (block[j + 3] ?? 0) * (b[i + 3] ?? 0);
  }
  for (let i = whole; i < n; i++) s0 += (block[offset + i] ?? 0) * (b[i] ?? 0);
  const sum = s0 + s1 + (s2 + s3);
  return sum > 1 ? 1 : sum < -1 ? -1 : sum;
}

/** The vector of length 1 in the direction of `values`, or null where there is none: all zeros, or not finite. */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  const length = Math.sqrt(squaredLength(values));
  if (!(length > 0 && Number.isFinite(length))) return null;
  const unit = new Float32Array(values.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (values[i] ?? 0) / length;
  return unit;
}

/**
 * Refuses what is not a unit vector of `dimensions` numbers, by `CosciError("input")`. NaN and infinities are refused
 * with it, since they leave no length.
 */
export function checkUnitVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw inputError(
      "vector",
      `${vector.length} dimensions`,
      `This index holds vectors of ${dimensions}: embed with the model that filled it, or rebuild it.`,
    );
  }
  const length = Math.sqrt(squaredLength(vector));
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
    throw new CosciError("input", `vector: its length is ${length}, not 1. Take vectors from an Embedder.`);
  }
}

function squaredLength(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] ?? Number.NaN) ** 2;
  return sum;
}
