import assert from "node:assert/strict";
import { columnsOf } from "../../../lib/notebook/displays/plain.ts";
import { endLine, momentBar, momentLine } from "../../../lib/notebook/progress/as_line.ts";
import { COURSE, moment, OUTSET } from "./moments.ts";

Deno.test("a line says phase, share, matches, money and the time left", () => {
  assert.equal(
    momentLine(OUTSET, moment(), COURSE),
    "ships (SIMULATED): ranking · 25% · 5 of 20 matches · $1.25 of $25.00 · about 1 min 00 s left",
  );
  assert.equal(
    momentLine({ ...OUTSET, simulated: false }, moment({ counts: [] }), { share: null, leftMs: null }),
    "ships: ranking · $1.25 of $25.00 · its end can't be foreseen",
  );
});

Deno.test("the end says how, how much was done, how long it took and what is spent", () => {
  const ending = { how: "done", failed: false };
  assert.equal(
    endLine(OUTSET, moment(), ending),
    "SIMULATED · runUntil of ships: done · 8 tasks in 1 min 05 s · $1.25 of $25.00 spent",
  );
  assert.equal(
    endLine({ ...OUTSET, simulated: false }, moment({ done: 1, ranMs: 900 }), {
      how: "the disk is full",
      failed: true,
    }),
    "runUntil of ships failed after 1 task in 1 s: the disk is full",
  );
});

Deno.test("a bar leaves out what doesn't fit, the least important first, and never fills the line", () => {
  const bar = (columns: number) => momentBar(OUTSET, moment(), COURSE, columns);
  assert.equal(
    bar(130),
    "SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25% · 5 of 20 matches · best H3 1243 · $1.25 of $25.00 · about 1 min 00 s left",
  );
  assert.equal(
    bar(110),
    "SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25% · 5 of 20 matches · $1.25 of $25.00 · about 1 min 00 s left",
  );
  assert.equal(
    bar(90),
    "SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25% · 5 of 20 matches · about 1 min 00 s left",
  );
  assert.equal(bar(72), "SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25% · about 1 min 00 s left");
  assert.equal(bar(50), "SIMULATED · ranking [█████░░░░░░░░░░░░░░░] 25%");
  assert.equal(bar(30), "25% · SIMULATED · ranking");
  assert.equal(bar(16), "25% · SIMULATE…");
  for (let columns = 2; columns < 140; columns++) {
    assert.ok(columnsOf(bar(columns)) < columns, `${columns} columns`);
  }
});

Deno.test("letters that take two columns are counted as two", () => {
  const wide = moment({ phase: "順位付け".repeat(5) });
  for (let columns = 4; columns < 100; columns++) {
    assert.ok(columnsOf(momentBar(OUTSET, wide, COURSE, columns)) < columns, `${columns} columns`);
  }
});

Deno.test("a bar whose end can't be foreseen shows no share", () => {
  assert.equal(
    momentBar({ ...OUTSET, simulated: false }, moment(), { share: null, leftMs: null }, 120),
    "ranking [····················] · 5 of 20 matches · best H3 1243 · $1.25 of $25.00 · its end can't be foreseen",
  );
});
