import assert from "node:assert/strict";
import { proximityFrame } from "../../../lib/notebook/frames/proximity.ts";
import { hypothesisRecord, syntheticView, viewOf } from "../view_double.ts";

const records = [1, 2, 3, 4].map((n) => hypothesisRecord(n));
const vector = (...values: number[]) => new Float32Array(values);

Deno.test("alike hypotheses are near each other, and each row names the nearest with its cosine", () => {
  const rows = proximityFrame(viewOf(records, [], {
    vectors: new Map([
      ["hyp_1", vector(1, 0, 0)],
      ["hyp_2", vector(0.8, 0.6, 0)],
      ["hyp_3", vector(0, 0, 1)],
    ]),
    clusters: [["hyp_1", "hyp_2"]],
    states: { H3: "rejected" },
  }));
  assert.deepEqual(rows.map(({ hypothesis, nearest }) => [hypothesis, nearest]), [
    ["H1", "H2"],
    ["H2", "H1"],
    ["H3", "H1"],
  ]);
  assert.ok(Math.abs((rows[0]?.cosine ?? NaN) - 0.8) < 1e-6);
  assert.deepEqual(rows.map(({ cluster }) => cluster), [1, 1, null]);
  assert.deepEqual(rows.map(({ rank }) => rank), [1, 2, null]);
  assert.equal(rows[0]?.method, "principal_coordinates");
  const apart = (i: number, j: number) => {
    const a = rows[i], b = rows[j];
    return a === undefined || b === undefined ? NaN : Math.hypot(a.x - b.x, a.y - b.y);
  };
  assert.ok(apart(0, 1) < apart(0, 2) && apart(0, 1) < apart(1, 2));
});

Deno.test("one alone is in the middle and has no neighbour; without embeddings there is no map", () => {
  const [row] = proximityFrame(viewOf(records, [], { vectors: new Map([["hyp_2", vector(1, 0)]]) }));
  assert.deepEqual([row?.x, row?.y, row?.nearest, row?.cosine], [0, 0, null, null]);
  assert.deepEqual(proximityFrame(viewOf(records)), []);
});

Deno.test("vectors of another model than most are left out", () => {
  const rows = proximityFrame(viewOf(records, [], {
    vectors: new Map([
      ["hyp_1", vector(1, 0)],
      ["hyp_2", vector(1, 0, 0)],
      ["hyp_3", vector(0, 1, 0)],
    ]),
  }));
  assert.deepEqual(rows.map(({ hypothesis }) => hypothesis), ["H2", "H3"]);
});

Deno.test("the same records give the same map, and clusters are numbered from the largest", () => {
  const view = syntheticView(60, 100);
  assert.deepEqual(proximityFrame(view), proximityFrame(view));
  const sizes = Map.groupBy(proximityFrame(view), ({ cluster }) => cluster);
  sizes.delete(null);
  const counts = [...sizes].sort(([a], [b]) => (a ?? 0) - (b ?? 0)).map(([, rows]) => rows.length);
  assert.ok(counts.length > 1);
  assert.deepEqual(counts, counts.toSorted((a, b) => b - a));
});
