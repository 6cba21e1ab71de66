import { logistic } from "./normal.ts";

/** Nodes and weights of the 15-point Gauss-Hermite rule for the standard normal (mirrored: non-negative half). */
const NODES: readonly (readonly [number, number])[] = [
  [0, 0.31825951825951826],
  [0.799129068324548, 0.23246229360973222],
  [1.6067100690287301, 0.08941779539984444],
  [2.4324368270097581, 0.01736577449213762],
  [3.2890824243987664, 0.00156735750354996],
  [4.1962077112690155, 5.642146405189029e-5],
  [5.1900935913047821, 5.975419597920610e-7],
  [6.3639478888298378, 8.589649899633355e-10],
];

const GAP_STEP = 0.05, GAPS = 161;
const WIDTH_STEP = 0.05, WIDTHS = 121;

/** Information by gap and width on a grid, filled when first asked for. */
let table: Float64Array | null = null;

/**
 * What a verdict on a pair is expected to tell of the gap between the two, in nats: the mutual information
 * h(E σ(d)) − E h(σ(d)) for d normal about `gap` (logits) with this variance, h the entropy of a yes or no (Lindley 1956;
 * "BALD", Houlsby et al. 2011). By bilinear interpolation on a grid of 0.05; beyond 8 logits and 6 of width as at the
 * edge.
 */
export function expectedInformation(gap: number, variance: number): number {
  const values = table ??= fill();
  const a = Math.min(Math.abs(gap) / GAP_STEP, GAPS - 1.001),
    b = Math.min(Math.sqrt(Math.max(0, variance)) / WIDTH_STEP, WIDTHS - 1.001);
  const i = Math.floor(a), j = Math.floor(b);
  const u = a - i, v = b - j, at = i * WIDTHS + j;
  const here = values[at] ?? 0, right = values[at + 1] ?? 0;
  const below = values[at + WIDTHS] ?? 0, across = values[at + WIDTHS + 1] ?? 0;
  return (1 - u) * ((1 - v) * here + v * right) + u * ((1 - v) * below + v * across);
}

function fill(): Float64Array {
  const values = new Float64Array(GAPS * WIDTHS);
  for (let i = 0; i < GAPS; i++) {
    for (let j = 0; j < WIDTHS; j++) {
      let mean = 0, left = 0;
      for (const [node, weight] of NODES) {
        for (const side of node === 0 ? [0] : [node, -node]) {
          const p = logistic(i * GAP_STEP + j * WIDTH_STEP * side);
          mean += weight * p;
          left += weight * entropy(p);
        }
      }
      values[i * WIDTHS + j] = Math.max(0, entropy(mean) - left);
    }
  }
  return values;
}

/** The entropy of an event of probability p, in nats. */
function entropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log1p(-p);
}
