/** What must not stand in a stored notebook. */
import assert from "node:assert/strict";
import { notebookFaults } from "../../../scripts/notebook/notebook_faults.ts";
import { ERROR_MIME } from "../../../lib/notebook/kernel.ts";
import type { Output } from "../../../scripts/notebook/outputs.ts";
import { bookOf, cell, shown } from "./cells.ts";

const faults = (...cells: ReturnType<typeof cell>[]) => notebookFaults(bookOf(...cells)).join("\n");
const text = shown({ "text/plain": "a" });

Deno.test("an error counts, also one that only a display shows; it is told with its cell", () => {
  const thrown: Output = { output_type: "error", ename: "RangeError", evalue: "too far", traceback: [] };
  assert.match(
    faults(cell("1", [text]), cell("fail()", [thrown])),
    /^code cell 2 \(fail\(\)\): .*RangeError: too far$/,
  );
  assert.match(faults(cell("lab.x()", [shown({ "text/plain": "a", [ERROR_MIME]: "no H9" })])), /no H9/);
});

Deno.test("a picture has a PNG beside its SVG, and every output has text", () => {
  assert.match(
    faults(cell("p", [shown({ "image/svg+xml": "<svg/>", "text/plain": "a" })])),
    /a PNG must be beside it/,
  );
  assert.equal(faults(cell("p", [shown({ "image/svg+xml": "", "image/png": "", "text/plain": "a" })])), "");
  assert.match(faults(cell("p", [shown({ "text/html": "<b>a</b>" })])), /no text/);
});

for (
  const [source, shows] of [
    ["await lab.tick()", true],
    ["const a = 1;\na", true],
    ["lab.tree()\n  .at(3);", true],
    ["[\n  1,\n]", true],
    ["for (const a of [1]) console.log(a);", true],
    ["a === 1", true],
    ["const a = `\nlab.tick()\n`;", false],
    ['import { a } from "b";\n\nconst c = a({\n  d: 1,\n});', false],
    ["// lab.tick()\nlet a = 1;", false],
    ["a.b = 2;", false],
    ["a += 2;", false],
    ["await using lab = await open();", false],
    ["await lab.close();", false],
    ['await lab.plots.elo().save("elo.png"); // a file', false],
    ["for (const a of b) {\n  c(a);\n}", false],
    ["", false],
  ] as const
) {
  Deno.test(`${JSON.stringify(source)} ${shows ? "should show something" : "may show nothing"}`, () => {
    assert.equal(/shows nothing/.test(faults(cell(source))), shows);
    assert.equal(faults(cell(source, [text])), "");
  });
}

Deno.test("a cell with the tag quiet shows nothing, and must not", () => {
  assert.equal(faults(cell("await Deno.mkdir(folder)", [], ["quiet"])), "");
  assert.match(faults(cell("lab.inspect()", [text], ["quiet"])), /has the tag "quiet" and shows something/);
});
