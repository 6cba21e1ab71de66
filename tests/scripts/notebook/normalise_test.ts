/** What counts as the same output: only what differs from run to run although nothing else does is left out. */
import assert from "node:assert/strict";
import { firstDifference, sameOutputs } from "../../../scripts/notebook/normalise.ts";
import { shown } from "./cells.ts";

const FOLDER = "/tmp/cosci-notebook-12";
const same = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) =>
  sameOutputs([shown(a)], [shown(b)], FOLDER);
const sameText = (a: string, b: string) => same({ "text/plain": a }, { "text/plain": b });

Deno.test("durations, moments and the folder don't count", () => {
  assert.ok(sameText("2 calls · 96 ms · commit 3", "2 calls · 1.5 s · commit 3"));
  assert.ok(sameText("took 2 min", "took 59 s"));
  assert.ok(sameText("at 2026-12-01 01:27:26Z", "at 2027-01-31 23:59:00Z"));
  assert.ok(sameText("at 2026-12-01T01:27:26.123Z", "at 2026-12-01T01:27:26.9Z"));
  assert.ok(sameText("since 01:27", "since 23:59:01"));
  assert.ok(sameText(`wrote ${FOLDER}/f.csv`, `wrote ‹folder›/f.csv`));
});

Deno.test("nor does how long a duration is written, with what that does to columns and lines of plain text", () => {
  assert.ok(sameText("Time   59.9 s of 2 h 00 min", "Time   1 min 05 s of 2 h 00 min"));
  assert.ok(sameText("H1   1.5 s  first", "H1  12.5 s  first"));
  assert.ok(sameText("the last took 1.5 s and\nshowed it", "the last took\n12.5 s and showed it"));
  assert.ok(!same({ "text/html": "<pre>a  b</pre>" }, { "text/html": "<pre>a b</pre>" }));
  assert.ok(!sameText("2 min", "2 minutes"));
});

Deno.test("everything else counts: numbers, labels, costs, order, a renderings' being there", () => {
  assert.ok(!sameText("H4 1256", "H4 1257"));
  assert.ok(!sameText("$0.0455", "$0.0456"));
  assert.ok(!sameText("20 matches", "21 matches"));
  assert.ok(!sameText("commit 3", "commit 4"));
  assert.ok(!same({ "text/plain": "a", "text/html": "a" }, { "text/plain": "a" }));
  assert.ok(!sameOutputs([shown({ "text/plain": "a" })], [], FOLDER));
});

Deno.test("a PNG is only said to be there, since it shows the SVG beside it", () => {
  const svg = { "image/svg+xml": "<svg/>", "text/plain": "a" };
  assert.ok(same({ ...svg, "image/png": "AAAA" }, { ...svg, "image/png": "BBBB" }));
  assert.ok(!same({ ...svg, "image/png": "AAAA" }, svg));
  assert.ok(
    !same({ ...svg, "image/png": "A" }, { ...svg, "image/svg+xml": "<svg></svg>", "image/png": "A" }),
  );
});

Deno.test("the order of a bundle's entries and execution counts don't count, also in JSON", () => {
  assert.ok(same({ "text/plain": "a", "text/html": "b" }, { "text/html": "b", "text/plain": "a" }));
  assert.ok(same({ "application/json": { a: 1, b: "96 ms" } }, { "application/json": { b: "2 s", a: 1 } }));
  assert.ok(!same({ "application/json": { a: 1 } }, { "application/json": { a: 2 } }));
  const result = (execution_count: number) => ({
    output_type: "execute_result" as const,
    data: { "text/plain": "a" },
    metadata: {},
    execution_count,
  });
  assert.ok(sameOutputs([result(1)], [result(7)], FOLDER));
});

Deno.test("a difference is told with what stands around it, on both sides", () => {
  const told = firstDifference([shown({ "text/plain": "five of 10" })], [
    shown({ "text/plain": "five of 11" }),
  ], FOLDER);
  assert.match(told, /stored: .*five of 10[^]*now: .*five of 11/);
});
