import assert from "node:assert/strict";
import { JUPYTER_DISPLAY } from "../../../lib/notebook/kernel.ts";
import { columnsOf } from "../../../lib/notebook/displays/plain.ts";
import { HOSTILE, type Sample, sampleFrame, SAMPLES } from "./rows.ts";

/** What a notebook is sent. */
async function shown(value: { [JUPYTER_DISPLAY](): Promise<Readonly<Record<string, string>>> }) {
  const bundle = await value[JUPYTER_DISPLAY]();
  return { html: bundle["text/html"] ?? "", text: bundle["text/plain"] ?? "" };
}

Deno.test("a frame is a frozen array that knows what it is; what is made of it is a plain array", () => {
  const rows = [{ ...SAMPLES[0] } as Sample];
  const frame = sampleFrame(rows);
  assert.ok(Array.isArray(frame));
  assert.deepEqual([frame.name, frame.what, frame.session, frame.simulated], [
    "samples",
    "a sample",
    "aml",
    true,
  ]);
  assert.deepEqual(
    frame.columns.map(({ name, column, type, unit }) => [name, column, type, unit]),
    [
      ["label", "label", "text", undefined],
      ["inputTokens", "input_tokens", "integer", "tokens"],
      ["usd", "usd", "double", "USD"],
      ["inForce", "in_force", "boolean", undefined],
      ["at", "at", "time", undefined],
      ["parents", "parents", "list", undefined],
      ["before", "before", "json", undefined],
    ],
  );
  assert.ok(Object.isFrozen(frame) && Object.isFrozen(frame[0]) && Object.isFrozen(frame.columns));
  assert.notEqual(frame[0], rows[0], "later changes of what it was made from don't reach it");
  const wins = frame.filter(({ inForce }) => inForce === true);
  assert.equal(Object.getPrototypeOf(wins), Array.prototype);
  assert.deepEqual(JSON.parse(JSON.stringify(frame)), JSON.parse(JSON.stringify(rows)));
});

Deno.test("a long frame shows how large it is, its first and last rows, and nothing of the rest", async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, i): Sample => ({ ...SAMPLES[0], label: `H${i + 1}` } as Sample),
  );
  const { html, text } = await shown(sampleFrame(rows));
  for (const out of [html, text]) {
    assert.match(out, /10000 rows × 7 columns/);
    assert.match(out, /SIMULATED/);
    for (const label of ["H1", "H6", "H9997", "H10000"]) assert.match(out, new RegExp(`\\b${label}\\b`));
    for (const label of ["H7", "H5000", "H9996"]) assert.doesNotMatch(out, new RegExp(`\\b${label}\\b`));
  }
  assert.ok(html.length < 30_000, `${html.length} characters`);
});

Deno.test("a frame of a dozen rows is shown whole; an empty one names its columns", async () => {
  const dozen = Array.from(
    { length: 12 },
    (_, i): Sample => ({ ...SAMPLES[0], label: `H${i + 1}` } as Sample),
  );
  const { text } = await shown(sampleFrame(dozen));
  for (let i = 1; i <= 12; i++) assert.match(text, new RegExp(`^H${i}\\b`, "m"));
  const empty = await shown(sampleFrame([]));
  assert.match(empty.text, /0 rows × 7 columns[\s\S]*No rows yet[\s\S]*label, input_tokens, usd/);
  assert.match(empty.html, /0 rows × 7 columns[\s\S]*No rows yet/);
});

Deno.test("its text has at most 100 columns, and hostile texts do nothing in either rendering", async () => {
  const { html, text } = await shown(sampleFrame());
  const wide = text.split("\n").filter((line) => columnsOf(line) > 100);
  assert.deepEqual(wide, []);
  assert.doesNotMatch(html, /<script/);
  assert.ok(!html.includes("\u202E") && !html.includes("\u0000"));
  assert.ok(html.length < 40_000);
  for (const hostile of HOSTILE) {
    const each = await shown(
      sampleFrame([{ ...SAMPLES[0], label: hostile } as Sample], hostile.slice(0, 200)),
    );
    for (const bad of ["<script", "\u202E", "\u0000"]) assert.ok(!each.html.includes(bad), bad);
    assert.ok(each.text.split("\n").every((line) => columnsOf(line) <= 100), each.text);
  }
});
