import assert from "node:assert/strict";
import { terminalSink } from "../../../lib/notebook/progress/terminal_sink.ts";
import { COURSE, moment, OUTSET } from "./moments.ts";

const ENDED = { how: "done", failed: false };

function terminal(columns: () => number = () => 60) {
  const log: string[] = [];
  const open = () => {
    log.push("open");
    return Promise.resolve({
      draw: (line: string) => void log.push(`draw ${line}`),
      clear: () => void log.push("clear"),
    });
  };
  return { log, sink: terminalSink(open, columns, (line) => void log.push(`line ${line}`)) };
}

Deno.test("a bar is drawn over itself, makes room for notes, and ends as a line", async () => {
  const { log, sink } = terminal();
  await sink.show(OUTSET, moment(), COURSE);
  await sink.show(OUTSET, moment({ phase: "evolving" }), COURSE);
  await sink.note("Aborting.");
  await sink.show(OUTSET, moment(), COURSE);
  await sink.end(OUTSET, moment(), ENDED);
  assert.deepEqual(log, [
    "open",
    "draw SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25%",
    "draw SIMULATED · evolving [█████░░░░░░░░░░░░░░░] 25%",
    "clear",
    "line Aborting.",
    "open",
    "draw SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25%",
    "clear",
    "line SIMULATED · runUntil of ships: done · 8 tasks in 1 min 05 s · $1.25 of $25.00 spent",
  ]);
});

Deno.test("a terminal that is made narrower meanwhile is no trouble", async () => {
  let columns = 60;
  const { log, sink } = terminal(() => columns);
  await sink.show(OUTSET, moment(), COURSE);
  columns = 20;
  await sink.show(OUTSET, moment(), COURSE);
  assert.equal(log.at(-1), "draw 25% · SIMULATED · …");
});

Deno.test("no text commands the terminal", async () => {
  const { log, sink } = terminal(() => 200);
  await sink.show(OUTSET, moment({ phase: "\u001b[2Jranking" }), COURSE);
  await sink.note("\u001b]0;title\u0007");
  await sink.end({ ...OUTSET, session: "a\u001b[31m" }, moment(), ENDED);
  assert.doesNotMatch(log.join("\n"), /(?!\n)\p{Cc}/u);
});
