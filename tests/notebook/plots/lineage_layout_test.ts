import assert from "node:assert/strict";
import { lineageFrame } from "../../../lib/notebook/frames/lineage.ts";
import { lineageLayout } from "../../../lib/notebook/plots/lineage_layout.ts";
import { hypothesisRecord, syntheticView, viewOf } from "../view_double.ts";

Deno.test("generations are rows, parents stand above children, a child of several has a link to each", () => {
  const rows = lineageFrame(viewOf([
    hypothesisRecord(1),
    hypothesisRecord(2),
    hypothesisRecord(3),
    hypothesisRecord(4, { parents: ["hyp_1", "hyp_2"], generation: 1 }),
  ]));
  const layout = lineageLayout(rows, 800);
  assert.deepEqual(layout.bands.map(({ generation }) => generation), [0, 1]);
  assert.deepEqual(layout.links.map(({ from, to }) => `${from.row.label}>${to.row.label}`), [
    "H1>H4",
    "H2>H4",
  ]);
  for (const { from, to } of layout.links) assert.ok(from.y < to.y);
  assert.equal(layout.titled, true);
});

Deno.test("every hypothesis has a place inside the width that no other one is too near to", () => {
  for (const n of [1, 2, 3, 12, 60, 300, 500]) {
    const layout = lineageLayout(lineageFrame(syntheticView(n, 0)), 860);
    assert.equal(layout.nodes.length, n);
    const byLine = Map.groupBy(layout.nodes, (node) => node.y);
    for (const line of byLine.values()) {
      const xs = line.map(({ x }) => x).sort((a, b) => a - b);
      for (const [i, x] of xs.entries()) {
        assert.ok(x >= 0 && x <= 860 && Number.isFinite(x), `x ${x}`);
        if (i > 0) assert.ok(x - (xs[i - 1] ?? 0) >= 37.999, `labels overlap at ${n}`);
      }
    }
    for (const { y } of layout.nodes) assert.ok(y > 0 && y < layout.height);
  }
});

Deno.test("generations that the records tell wrongly don't turn links upside down", () => {
  const rows = lineageFrame(viewOf([
    hypothesisRecord(1, { parents: ["hyp_2"] }),
    hypothesisRecord(2, { parents: ["hyp_3"] }),
    hypothesisRecord(3),
  ]));
  for (const { from, to } of lineageLayout(rows, 800).links) assert.ok(from.y < to.y);
});

Deno.test("the same hypotheses are laid out the same way", () => {
  const layout = () =>
    lineageLayout(lineageFrame(syntheticView(60, 100)), 860).nodes.map(({ x, y }) => [x, y]);
  assert.deepEqual(layout(), layout());
});
