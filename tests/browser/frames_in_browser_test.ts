import assert from "node:assert/strict";
import { join } from "node:path";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { FRAMES } from "../../lib/supervisor/frames.ts";
import { steeredStore } from "../store/steered.ts";
import { withFolder } from "../supervisor/support.ts";
import { browserTest, closeBrowser, lookName, LOOKS, openPage } from "./support/browser.ts";
import { notebookPage, type Shown } from "./support/notebook_page.ts";

Deno.test.afterAll(closeBrowser);

browserTest(
  "the list of frames and every frame of a steered session read well",
  (t) =>
    withFolder(async (folder) => {
      const labs = await steeredStore(join(folder, "s.db"));
      const [lab] = labs;
      assert.ok(lab !== undefined);
      const names = lab.frames.map(({ name }) => name).filter((name) => name in FRAMES);
      const outputs: Shown[] = [{ name: "lab.frames", bundle: await lab.frames[JUPYTER_DISPLAY]() }];
      for (const name of names) {
        const frame = Reflect.apply(lab.frame, lab, [name]);
        outputs.push({ name, bundle: await frame[JUPYTER_DISPLAY]() });
      }
      for (const look of LOOKS) {
        await t.step(lookName(look), async () => {
          await using opened = await openPage(notebookPage(outputs, look), look);
          await opened.picture(`frames-${lookName(look)}`);
          assert.deepEqual(await opened.overflows(), []);
          assert.deepEqual(await opened.faintTexts(), []);
          await opened.unfold();
          assert.deepEqual(await opened.overflows(), []);
          assert.deepEqual(await opened.faintTexts(), []);
          assert.deepEqual(opened.happenings, []);
        });
      }
      for (const each of labs) await each.close();
    }),
);
