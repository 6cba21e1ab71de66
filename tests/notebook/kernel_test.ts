import assert from "node:assert/strict";
import { displayable, displayBundle, ERROR_MIME, inKernel, type Kernel } from "../../lib/notebook/kernel.ts";

Deno.test("outside a kernel a display hook gives its bundle", async () => {
  assert.equal(inKernel(), false);
  assert.deepEqual(await displayBundle({ "text/plain": "x" }), { "text/plain": "x" });
  assert.deepEqual(await displayable(() => ({ "text/plain": "x" }), () => "y")(), { "text/plain": "x" });
});

Deno.test("in a kernel it sends the bundle as it is, waits until it has left, and gives nothing", async () => {
  const sent: unknown[] = [];
  const kernel: Kernel = { display: (...call) => Promise.resolve(void sent.push(call)) };
  const start = performance.now();
  assert.deepEqual(await displayBundle({ "text/html": "<b>x</b>" }, kernel), {});
  assert.deepEqual(sent, [[{ "text/html": "<b>x</b>" }, { raw: true }]]);
  assert.ok(performance.now() - start >= 24);
});

Deno.test("a hook never throws: what can't be drawn is shown as text with the reason", async () => {
  const undrawn = displayable(() => Promise.reject(new Error("no font")), () => "Elo of 3");
  assert.deepEqual(await undrawn(), {
    "text/plain": "Elo of 3\n(It could not be drawn: no font)",
    [ERROR_MIME]: "It could not be drawn: no font",
  });
  const kernel: Kernel = { display: () => Promise.reject(new Error("socket closed")) };
  const unsent = displayable(() => ({ "text/plain": "x" }), () => "y", kernel);
  assert.deepEqual(await unsent(), { "text/plain": "x" });
});
