/** Nodes (times √2) and weights (over √π) of the 9-point Gauss–Hermite rule. */
const NODES: readonly (readonly [number, number])[] = [
  [0, 0.7202352156060510],
  [0.7235510187528376, 0.4326515590025558],
  [1.468553289216668, 0.08847452739437657],
  [2.266580584531843, 0.004943624275536947],
  [3.190993201781528, 3.960697726326438e-5],
].flatMap(([x = 0, w = 0]) => {
  const node = x * Math.SQRT2, weight = w / Math.sqrt(Math.PI);
  return x === 0 ? [[node, weight] as const] : [[node, weight] as const, [-node, weight] as const];
});

const MEANS = 121, DEVIATIONS = 81, STEP = 0.05;

function entropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -(p * Math.log(p) + (1 - p) * Math.log(1 - p));
}

const TABLE = Float64Array.from({ length: MEANS * DEVIATIONS }, (_, place) => {
  const mean = STEP * Math.floor(place / DEVIATIONS), deviation = STEP * (place % DEVIATIONS);
  let expected = 0, inner = 0;
  for (const [node, weight] of NODES) {
    const p = 1 / (1 + Math.exp(-(mean + deviation * node)));
    expected += weight * p;
    inner += weight * entropy(p);
  }
  return entropy(expected) - inner;
});

/** What a verdict on a difference ~ N(mean, variance) tells about it, in nats: h(E σ(d)) − E h(σ(d)), from a table. */
export function informationOf(mean: number, variance: number): number {
  const row = Math.min(MEANS - 1, Math.round(Math.abs(mean) / STEP));
  const column = Math.min(DEVIATIONS - 1, Math.round(Math.sqrt(variance) / STEP));
  return TABLE[row * DEVIATIONS + column] ?? 0;
}
