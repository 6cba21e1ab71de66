import assert from "node:assert/strict";
import { inputError } from "../../lib/domain/errors.ts";
import { errorBundle, withOutcome } from "../../lib/notebook/forgotten_await.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "../../lib/notebook/kernel.ts";
import { showRejection } from "../../lib/notebook/listeners.ts";
import { Tick } from "../../lib/notebook/values/tick.ts";
import { tickData } from "./display_data.ts";

/** What a notebook shows where a cell ends on a promise. */
async function shown(promise: Promise<unknown>): Promise<MimeBundle> {
  const hook: unknown = Reflect.get(withOutcome(promise), JUPYTER_DISPLAY);
  assert.ok(typeof hook === "function");
  return await hook.call(promise);
}

Deno.test("a promise without await shows the value as it shows itself", async () => {
  const tick = new Tick(tickData());
  assert.deepEqual(await shown(Promise.resolve(tick)), await tick[JUPYTER_DISPLAY]());
});

Deno.test("a value that shows nothing by itself stands below the note, as HTML and as text", async () => {
  const path = await shown(Promise.resolve("/home/iris/<report>.html"));
  assert.match(path["text/plain"] ?? "", /an await was forgotten[^]*\/home\/iris\/<report>\.html$/);
  assert.match(path["text/html"] ?? "", /an await was forgotten[^]*\/home\/iris\/&lt;report&gt;\.html/);
  const numbers = await shown(Promise.resolve([1, 2]));
  assert.match(numbers["text/plain"] ?? "", /\[ 1, 2 \]$/);
  const nothing = await shown(Promise.resolve());
  assert.equal(nothing["text/plain"], "Done. The cell ended on a promise: an await was forgotten.");
});

Deno.test("an error of a promise without await is a card that names it, with all of its message", async () => {
  const error = inputError("topK", "33", "Give a whole number from 1 to 20.");
  const bundle = await shown(Promise.reject(error));
  assert.match(
    bundle["text/plain"] ?? "",
    /^CosciError, input: [^]*topK[^]*33[^]*\n\(The cell ended on a promise/,
  );
  assert.match(
    bundle["text/html"] ?? "",
    /Error \(CosciError, input\)[^]*topK[^]*33[^]*an await was forgotten/,
  );
});

Deno.test("errors are data: no command to a terminal, no element, no line beyond 100 columns", () => {
  const { "text/html": html = "", "text/plain": text = "" } = errorBundle(
    new TypeError("<script>\u001b[2J\u202e " + "x".repeat(400)),
    "It failed.",
  );
  assert.doesNotMatch(html, /<script/);
  assert.doesNotMatch(html + text, /(?![\n\t])\p{Cc}|[\u202a-\u202e]/u);
  for (const row of text.split("\n")) assert.ok(row.length <= 100, row);
  assert.match(
    errorBundle("a string", "It failed.")["text/plain"] ?? "",
    /^string: a string\n\(It failed\.\)$/,
  );
});

Deno.test("a rejection that nobody awaits is sent to the notebook, and a notebook that is gone breaks nothing", async () => {
  const sent: MimeBundle[] = [];
  showRejection({ display: (bundle) => Promise.resolve(void sent.push(bundle)) }, new Error("lost"));
  assert.match(sent[0]?.["text/plain"] ?? "", /^Error: lost\n\(A promise was rejected and nobody awaited it/);
  showRejection({ display: () => Promise.reject(new Error("socket closed")) }, new Error("lost"));
  await Promise.resolve();
});
