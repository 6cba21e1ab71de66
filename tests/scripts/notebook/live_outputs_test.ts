/** Live progress in stored notebooks: whether there was time for it is chance, how it ended is not. */
import assert from "node:assert/strict";
import { LIVE_CLASS } from "../../../lib/notebook/progress/notebook_sink.ts";
import { firstDifference, sameOutputs } from "../../../scripts/notebook/normalise.ts";
import { notebookFaults } from "../../../scripts/notebook/notebook_faults.ts";
import type { Output } from "../../../scripts/notebook/outputs.ts";

function shown(text: string, html = `<div>${text}</div>`): Output {
  return {
    output_type: "display_data",
    data: { "text/plain": text, "text/html": html },
    metadata: {},
  };
}
const live = (text: string) => shown(text, `<div class="${LIVE_CLASS} tex2jax_ignore">${text}</div>`);
const ran = shown("Run of ships");

Deno.test("a run that was too short to show progress is the same as one that wasn't", () => {
  assert.ok(sameOutputs([live("runUntil of ships: done · 8 tasks in 1 s"), ran], [ran], "/"));
  assert.ok(sameOutputs([ran], [live("runUntil of ships: done · 8 tasks in 1 s"), ran], "/"));
  assert.ok(!sameOutputs([live("done"), ran], [], "/"), "the result is missed");
});

Deno.test("where both show it, it must have ended in the same words, after whatever time", () => {
  const one = live("runUntil of ships: done · 8 tasks in 1 s");
  assert.ok(sameOutputs([one, ran], [live("runUntil of ships: done · 8 tasks in 3 s"), ran], "/"));
  const other = live("runUntil of ships: done · 9 tasks in 1 s");
  assert.ok(!sameOutputs([one, ran], [other, ran], "/"));
  assert.match(firstDifference([one, ran], [other, ran], "/"), /8 tasks[^]*9 tasks/);
});

Deno.test("progress alone is no output that a cell was written for", () => {
  const faults = (source: string, outputs: Output[], tags: string[] = []) =>
    notebookFaults({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [{ cell_type: "code", id: "a", metadata: { tags }, execution_count: 1, source, outputs }],
    });
  const line = live("runUntil of ships: done");
  assert.match(faults("await lab.runUntil({ matches: 1 })", [line]).join(), /shows nothing although/);
  assert.deepEqual(faults("await lab.runUntil({ matches: 1 })", [line, ran]), []);
  assert.deepEqual(faults("const run = await lab.runUntil({ matches: 1 })", [line]), []);
  assert.deepEqual(faults("await quietly()", [line], ["quiet"]), []);
});
