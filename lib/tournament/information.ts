import { logistic, normalDensity } from "./normal.ts";

/** Standard normal nodes of the sums: evenly spaced ones are all but exact for a function as smooth as this. */
const NODE_STEP = 0.25, LAST_NODE = 5;

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
  const steps = Array.from({ length: 2 * LAST_NODE / NODE_STEP + 1 }, (_, n) => n * NODE_STEP - LAST_NODE);
  const total = steps.reduce((sum, node) => sum + normalDensity(node), 0);
  const nodes = steps.map((node) => ({ node, weight: normalDensity(node) / total }));
  for (let i = 0; i < GAPS; i++) {
    for (let j = 0; j < WIDTHS; j++) {
      let mean = 0, left = 0;
      for (const { node, weight } of nodes) {
        const p = logistic(i * GAP_STEP + j * WIDTH_STEP * node);
        mean += weight * p;
        left += weight * entropy(p);
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
