// Pictures of every display, for people. deno run -A tests/browser/look.ts
import { everyValue } from "../notebook/every_value.ts";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { closeBrowser, lookName, LOOKS, openPage } from "./support/browser.ts";
import { notebookPage } from "./support/notebook_page.ts";
const shown = await Promise.all(
  everyValue().map(async (v) => ({ name: v.constructor.name, bundle: await v[JUPYTER_DISPLAY]() })),
);
for (const look of LOOKS) {
  await using opened = await openPage(notebookPage(shown, look), look);
  console.log(lookName(look), await opened.overflows(), await opened.faintTexts(), await opened.scrolled());
  for (const n of Deno.args.length ? Deno.args.map(Number) : shown.keys()) {
    await opened.page.locator(`#cell-${n}`).screenshot({
      path: `/tmp/wt/pics/${lookName(look)}-${n}-${shown[n]?.name}.png`,
    });
  }
}
await closeBrowser();
