import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { reportHtml } from "../../lib/notebook/report/page.ts";
import { sessionHtml } from "../../lib/supervisor/export/html.ts";
import { reportData } from "../../lib/supervisor/export/report_data.ts";
import { HOSTILE } from "../notebook/hostile_corpus.ts";
import { withTexts } from "../notebook/report/foreign_texts.ts";
import { exportFolder, steered } from "../supervisor/export/sessions.ts";
import { browserTest, closeBrowser, lookName, LOOKS, openPage } from "./support/browser.ts";

Deno.test.afterAll(closeBrowser);

const PHONE = [{ width: 400, dark: false }, { width: 400, dark: true }];

browserTest(
  "a report reads well: light and dark, wide, narrow and on a phone, folded and unfolded",
  async () => {
    await using folder = await exportFolder();
    const lab = await folder.session("ships");
    await steered(lab);
    const html = await sessionHtml(lab);
    for (const look of [...LOOKS, ...PHONE]) {
      await using opened = await openPage(html, look);
      await opened.picture(`report-${lookName(look)}`);
      assert.deepEqual(await opened.overflows(), [], lookName(look));
      assert.deepEqual(await opened.faintTexts(), [], lookName(look));
      await opened.unfold();
      assert.deepEqual(await opened.overflows(), [], lookName(look));
      assert.deepEqual(await opened.faintTexts(), [], lookName(look));
      assert.deepEqual(opened.happenings, []);
    }
  },
);

browserTest("on paper everything is unfolded, and nothing is wider than the page", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  // A4 without its margins, at 96 pixels an inch.
  await using opened = await openPage(await sessionHtml(lab), { width: 688, dark: true });
  await opened.page.emulateMedia({ media: "print" });
  assert.deepEqual(await opened.overflows(), []);
  const cut = await opened.page.evaluate(`
    [...document.querySelectorAll("main *")]
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((each) => each.tagName + " " + each.textContent.slice(0, 60))
  `);
  assert.deepEqual(cut, []);
  const hidden = await opened.page.evaluate(`
    [...document.querySelectorAll("details:not(.onscreen) > div")]
      .filter((each) => each.getBoundingClientRect().height === 0).length
  `);
  assert.equal(hidden, 0);
  assert.deepEqual(await opened.faintTexts(), []);
  await opened.picture("report-paper");
});

browserTest("whatever texts say, a report shows them and does nothing else", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  const data = reportData(lab);
  const texts = HOSTILE.map(({ text }) => text);
  // Each text comes to stand in several places: those of the others move on by one.
  const looks = [{ width: 1400, dark: true }, { width: 700, dark: false }, { width: 400, dark: false }];
  for (const [from, seen] of [[0, looks], [7, looks.slice(1, 2)], [19, looks.slice(2)]] as const) {
    const mixed = withTexts(data, [...texts.slice(from), ...texts.slice(0, from)]);
    const html = reportHtml(mixed, []);
    for (const look of seen) {
      await using opened = await openPage(html, look);
      await opened.unfold();
      assert.deepEqual(await opened.overflows(), [], `${from}, ${lookName(look)}`);
      assert.deepEqual(await opened.faintTexts(), [], `${from}, ${lookName(look)}`);
      assert.deepEqual(opened.happenings, [], `${from}, ${lookName(look)}`);
      const sections = await opened.page.locator("body > .page > main > section > h2").count();
      assert.ok(sections >= 11, "no text closes what it stands in");
      if (from === 0) await opened.picture(`report-hostile-${lookName(look)}`);
    }
  }
});

browserTest("a report opens from a file, as it is sent", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.runUntil({ matches: 2 });
  const { path } = await lab.export(folder.path("a.html"));
  await using opened = await openPage("<!doctype html><title>x</title>", { width: 1400, dark: false });
  const other = await opened.page.context().newPage();
  await other.context().unrouteAll();
  await other.goto(pathToFileURL(path).href);
  assert.equal(await other.title(), "ships (SIMULATED)");
});
