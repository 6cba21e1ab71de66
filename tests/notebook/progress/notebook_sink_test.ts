import assert from "node:assert/strict";
import type { DisplayOptions, Kernel, MimeBundle } from "../../../lib/notebook/kernel.ts";
import { LIVE_CLASS, notebookSink } from "../../../lib/notebook/progress/notebook_sink.ts";
import { isLive } from "../../../scripts/notebook/outputs.ts";
import { COURSE, heldPace, moment, OUTSET } from "./moments.ts";

function recorder(): { readonly kernel: Kernel; readonly sent: [MimeBundle, DisplayOptions][] } {
  const sent: [MimeBundle, DisplayOptions][] = [];
  return {
    sent,
    kernel: { display: (bundle, options) => Promise.resolve(void sent.push([bundle, options])) },
  };
}

Deno.test("one display that is updated in its place, and ends as one line", async () => {
  const pace = heldPace();
  const { kernel, sent } = recorder();
  const sink = notebookSink(kernel, pace, "one");
  await sink.show(OUTSET, moment(), COURSE);
  await sink.show(OUTSET, moment({ done: 9 }), COURSE);
  let ended = false;
  const end = Promise.resolve(sink.end(OUTSET, moment({ done: 10 }), { how: "done", failed: false }))
    .then(() => ended = true);
  await pace.pass(20);
  assert.equal(ended, false, "it waits until the line has left");
  await pace.pass(10);
  await end;
  assert.deepEqual(sent.map(([, options]) => options), [
    { raw: true, display_id: "one", update: false },
    { raw: true, display_id: "one", update: true },
    { raw: true, display_id: "one", update: true },
  ]);
  const texts = sent.map(([bundle]) => bundle["text/plain"] ?? "");
  assert.match(texts[1] ?? "", /^runUntil: ships \(SIMULATED\)\n25% · about 1 min 00 s left · 9 tasks done/);
  assert.equal(
    texts[2],
    "SIMULATED · runUntil of ships: done · 10 tasks in 1 min 05 s · $1.25 of $25.00 spent",
  );
  for (const [data] of sent) {
    assert.ok(
      isLive({ output_type: "display_data", data, metadata: {} }),
      `programs know it by ${LIVE_CLASS}`,
    );
  }
});

Deno.test("two works at once have two displays", async () => {
  const { kernel, sent } = recorder();
  await notebookSink(kernel).show(OUTSET, moment(), COURSE);
  await notebookSink(kernel).show(OUTSET, moment(), COURSE);
  assert.equal(new Set(sent.map(([, { display_id }]) => display_id)).size, 2);
});
