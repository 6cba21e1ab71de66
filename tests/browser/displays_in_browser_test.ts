import assert from "node:assert/strict";
import { errorBundle, withOutcome } from "../../lib/notebook/forgotten_await.ts";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { Snapshot } from "../../lib/notebook/values/snapshot.ts";
import { snapshotData } from "../notebook/display_data.ts";
import { everyValue } from "../notebook/every_value.ts";
import { browserTest, closeBrowser, lookName, LOOKS, openPage } from "./support/browser.ts";
import { notebookPage, type Shown } from "./support/notebook_page.ts";

Deno.test.afterAll(closeBrowser);

let made: Promise<Shown[]> | null = null;

/** {@linkcode makeOutputs}, made once. */
function everyOutput(): Promise<Shown[]> {
  return made ??= makeOutputs();
}

/** Every kind of value as a notebook shows it, an error, and a note of a forgotten `await`. */
async function makeOutputs(): Promise<Shown[]> {
  const values = [...everyValue(), new Snapshot(snapshotData(120))];
  const forgotten = withOutcome(Promise.resolve("/home/iris/aml/report.html"));
  return [
    ...await Promise.all(values.map(async (value): Promise<Shown> => ({
      name: value.constructor.name,
      bundle: await value[JUPYTER_DISPLAY](),
    }))),
    { name: "an error", bundle: errorBundle(new RangeError("topK: 33 is too large"), "It was not awaited.") },
    { name: "a forgotten await", bundle: await Reflect.get(forgotten, JUPYTER_DISPLAY).call(forgotten) },
  ];
}

/** Pixels that a wide table may be scrolled on a narrow page: more, and what it says is not seen. */
const SCROLLED = 160;

for (const look of LOOKS) {
  browserTest(`every value reads well: ${lookName(look)}`, async () => {
    await using opened = await openPage(notebookPage(await everyOutput(), look), look);
    await opened.picture(`displays-${lookName(look)}`);
    assert.deepEqual(await opened.overflows(), []);
    assert.deepEqual(await opened.faintTexts(), []);
    for (const each of await opened.scrolled()) {
      assert.ok(look.width < 1000 && Number(/: (\d+) px$/.exec(each)?.[1]) <= SCROLLED, each);
    }
    await opened.unfold();
    if (look.dark === look.width < 1000) await opened.picture(`displays-unfolded-${lookName(look)}`);
    assert.deepEqual(await opened.overflows(), []);
    assert.deepEqual(await opened.faintTexts(), []);
    assert.deepEqual(opened.happenings, []);
  });
}

browserTest("texts read well where a program shows no HTML", async () => {
  const outputs = (await everyOutput()).map(({ name, bundle }) => ({
    name,
    bundle: { "text/plain": bundle["text/plain"] ?? "" },
  }));
  for (const look of LOOKS.filter(({ width }) => width < 1000)) {
    await using opened = await openPage(notebookPage(outputs, look), look);
    assert.deepEqual(await opened.overflows(), []);
    assert.deepEqual(await opened.faintTexts(), []);
    if (look.dark) await opened.picture(`texts-${lookName(look)}`);
  }
});
