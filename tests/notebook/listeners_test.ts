import assert from "node:assert/strict";
import { interruptible } from "../../lib/notebook/interrupt.ts";
import type { Kernel, MimeBundle } from "../../lib/notebook/kernel.ts";
import { listenInKernel, showRejection } from "../../lib/notebook/listeners.ts";

Deno.test("outside a kernel nothing is listened to: Ctrl+C and rejections are the program's own business", () => {
  listenInKernel();
  const { signal, release } = interruptible();
  assert.equal(signal.aborted, false);
  release();
});

Deno.test("a held signal follows the caller's", () => {
  const caller = new AbortController();
  const { signal, release } = interruptible(caller.signal);
  caller.abort(new DOMException("enough", "AbortError"));
  assert.equal(signal.aborted, true);
  assert.equal(signal.reason, caller.signal.reason);
  release();
});

Deno.test("a rejection that nobody awaited is shown under the cell; a kernel that is gone is no second one", async () => {
  const sent: MimeBundle[] = [];
  const kernel: Kernel = { display: (bundle) => Promise.resolve(void sent.push(bundle)) };
  showRejection(kernel, new Error("the reef is gone"));
  assert.match(sent[0]?.["text/plain"] ?? "", /the reef is gone[^]*nobody awaited it/);
  showRejection({ display: () => Promise.reject(new Error("closed")) }, new Error("x"));
  await Promise.resolve();
});
