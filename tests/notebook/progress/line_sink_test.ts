import assert from "node:assert/strict";
import { ASKED, lineSink, UNASKED } from "../../../lib/notebook/progress/line_sink.ts";
import { LiveProgress } from "../../../lib/notebook/progress/live_progress.ts";
import { sinkFor } from "../../../lib/notebook/progress/sink_for.ts";
import { heldPace, moment, OUTSET } from "./moments.ts";

async function linesOf(times: typeof ASKED, ms: number): Promise<string[]> {
  const pace = heldPace(), lines: string[] = [];
  const live = new LiveProgress(OUTSET, moment, lineSink(times, (line) => void lines.push(line)), pace);
  await pace.pass(ms);
  await live.end({ how: "done", failed: false });
  return lines;
}

Deno.test("where lines were asked for they come at once, every 5 s, and at the end", async () => {
  const lines = await linesOf(ASKED, 12_000);
  assert.equal(lines.length, 4);
  assert.match(lines[0] ?? "", /^ships \(SIMULATED\): ranking · /);
  assert.match(lines[3] ?? "", /^SIMULATED · runUntil of ships: done · /);
});

Deno.test("where nobody asked, only long work tells of itself", async () => {
  assert.deepEqual(await linesOf(UNASKED, 9_000), []);
  assert.equal((await linesOf(UNASKED, 25_000)).length, 3);
});

Deno.test("outside a notebook, without a terminal, there are lines or nothing", () => {
  assert.equal(sinkFor("none"), null);
  assert.equal(sinkFor("notebook"), null);
  assert.deepEqual([sinkFor("lines")?.firstMs, sinkFor("lines")?.everyMs], [0, 5_000]);
  if (!Deno.stderr.isTerminal()) {
    assert.equal(sinkFor("terminal"), null);
    assert.equal(sinkFor("auto")?.firstMs, 10_000);
  }
});
