/** What the measurement of lost outputs counts. */
import assert from "node:assert/strict";
import { benchNotebook, lossesOf, OURS, PLAIN, waiting } from "../../../scripts/bench/outputs/shapes.ts";
import type { Notebook } from "../../../scripts/notebook/notebook_file.ts";
import type { Output } from "../../../scripts/notebook/outputs.ts";
import { shown } from "../notebook/cells.ts";

const SHAPES = [
  { name: "plain", code: (n: number) => `"v${n}"`, result: /v\d/, lines: 0 },
  { name: "logging", code: (n: number) => `log(); "v${n}"`, result: /v\d/, lines: 2 },
];
const result = shown({ "text/plain": "v1" });
const log = (text: string): Output => ({ output_type: "stream", name: "stdout", text });

function ran(...outputs: readonly (readonly Output[])[]): Notebook {
  const book = benchNotebook(SHAPES, outputs.length / SHAPES.length);
  const cells = book.cells.map((cell, i) =>
    cell.cell_type === "code" && i > 0 ? { ...cell, outputs: [...outputs[i - 1] ?? []] } : cell
  );
  return { ...book, cells };
}

Deno.test("a result that is not there and a log that is cut are counted by shape; the first cell is none of them", () => {
  const complete = [log("1\n2\n"), result];
  assert.deepEqual(lossesOf(ran([result], complete, [result], complete), SHAPES), [
    { shape: "plain", cells: 2, lostResults: 0, cutLogs: null },
    { shape: "logging", cells: 2, lostResults: 0, cutLogs: 0 },
  ]);
  assert.deepEqual(lossesOf(ran([], [log("1\n"), result], [shown({})], [log("1\n")]), SHAPES), [
    { shape: "plain", cells: 2, lostResults: 2, cutLogs: null },
    { shape: "logging", cells: 2, lostResults: 1, cutLogs: 2 },
  ]);
});

Deno.test("the measured cells are of the shape that people write, each as often", () => {
  const book = benchNotebook([...OURS, ...PLAIN, waiting(25)], 3);
  const sources = book.cells.map((cell) => cell.source);
  assert.equal(sources.filter((source) => source === "await lab.tick()").length, 3);
  assert.equal(sources.length, 1 + 3 * (OURS.length + PLAIN.length + 1));
  assert.equal(new Set(book.cells.map((cell) => cell.id)).size, sources.length);
});
