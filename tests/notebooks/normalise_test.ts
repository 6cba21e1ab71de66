/** When two executions of a cell count as the same. */
import assert from "node:assert/strict";
import type { MimeBundle } from "../../lib/notebook/kernel.ts";
import { notebookSink } from "../../lib/notebook/progress/notebook_sink.ts";
import { firstDifference, sameOutputs } from "../../scripts/notebook/normalise.ts";
import type { Output } from "../../scripts/notebook/outputs.ts";

const FOLDER = "/tmp/work";

function shown(data: Record<string, unknown>): Output {
  return { output_type: "display_data", data, metadata: {} };
}

const text = (content: string) => shown({ "text/plain": content });

Deno.test("durations, moments, the folder and the bytes of a PNG may differ", () => {
  const one = shown({
    "text/plain": `741 ms, 2026-12-01 01:27:26Z, ${FOLDER}/a.db`,
    "image/png": "AA",
  });
  const other = shown({
    "image/png": "BB",
    "text/plain": `2.1 s, 2027-01-02 11:00:01Z, ${FOLDER}/a.db`,
  });
  assert.ok(sameOutputs([one], [other], FOLDER));
});

Deno.test("any other difference is one, and is told", () => {
  assert.ok(!sameOutputs([text("3 tasks")], [text("4 tasks")], FOLDER));
  assert.ok(!sameOutputs([text("3 tasks")], [text("3 tasks"), text("")], FOLDER));
  assert.ok(!sameOutputs([shown({ "image/png": "AA" })], [shown({})], FOLDER));
  assert.match(
    firstDifference([text("3 tasks")], [text("4 tasks")], FOLDER),
    /stored: .*3 tasks.*\nnow: .*4 tasks/,
  );
});

Deno.test("whether a run took long enough to show its progress is no difference", async () => {
  const sent: MimeBundle[] = [];
  const display = (bundle: MimeBundle) => {
    sent.push(bundle);
    return Promise.resolve();
  };
  const sink = notebookSink({ display });
  const outset = { verb: "runUntil", session: "bees", simulated: true };
  const moment = {
    phase: "ranking",
    ranMs: 700,
    done: 3,
    left: 2,
    counts: [],
    best: null,
    usd: 0.1,
    spentUsd: 0.1,
    reservedUsd: 0,
    budgetUsd: 25,
    inHand: [],
    last: [],
    notices: [],
  };
  await sink.end(outset, moment, { how: "until", failed: false });
  const result = text("Run of bees");
  assert.equal(sent.length, 1);
  assert.ok(sameOutputs([...sent.map(shown), result], [result], FOLDER));
  await sink.note("50 % of the budget is spent");
  assert.ok(!sameOutputs([...sent.map(shown), result], [result], FOLDER), "what was told is no progress");
});
