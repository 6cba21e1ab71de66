import assert from "node:assert/strict";
import { browserTest, closeBrowser, openPage } from "./support/browser.ts";

// The checks must be able to fail: pages that are wrong on purpose.

const LIGHT = { width: 700, dark: false };

function page(body: string): string {
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#fff;color:#000">${body}`;
}

Deno.test.afterAll(closeBrowser);

browserTest(
  "what stands out of the page or of its element is found; what scrolls by design is not",
  async () => {
    await using wide = await openPage(page('<div id="wide" style="width:900px">wide</div>'), LIGHT);
    assert.match((await wide.overflows()).join("\n"), /900 px wide in a window of 700/);
    assert.match((await wide.overflows()).join("\n"), /div#wide "wide" reaches from 0 to 900/);
    await using inner = await openPage(
      page('<div id="box" style="width:100px"><div style="width:300px">x</div></div>'),
      LIGHT,
    );
    assert.match((await inner.overflows()).join("\n"), /div#box "x" holds 300 px in 100 px/);
    await using scrolling = await openPage(
      page('<div style="width:100px;overflow-x:auto"><div style="width:300px">x</div></div>'),
      LIGHT,
    );
    assert.deepEqual(await scrolling.overflows(), []);
    assert.match((await scrolling.scrolled()).join("\n"), /: 200 px/);
  },
);

browserTest("faint text is found, through transparent grounds and opacity, and in pictures", async () => {
  await using opened = await openPage(page(""), LIGHT);
  const faint = async (body: string) => {
    await opened.page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`);
    return (await opened.faintTexts()).join("\n");
  };
  assert.equal(await faint("<p>black on white</p>"), "");
  assert.match(await faint('<p style="color:#999">grey</p>'), /^2\.85:1/);
  assert.match(await faint('<h1 style="color:#999">large text is no exception</h1>'), /^2\.85:1/);
  assert.match(await faint('<p style="opacity:.3">thin</p>'), /thin/);
  assert.match(await faint('<div style="background:rgba(0,0,0,.8)"><p>dark</p></div>'), /dark/);
  assert.equal(
    await faint('<div style="background:#000"><p style="background:#fff">ground of its own</p></div>'),
    "",
  );
  assert.match(
    await faint(
      '<svg width="90" height="40"><rect width="90" height="40" fill="#222"/><text y="20">ink</text></svg>',
    ),
    /ink/,
  );
  assert.equal(
    await faint(
      '<svg width="90" height="40"><rect width="90" height="40" fill="#222"/><rect width="90" height="40" fill="#eee"/>' +
        '<text y="20">ink</text></svg>',
    ),
    "",
  );
  assert.equal(
    await faint('<p>x</p><details><summary>more</summary><p style="color:#eee">folded</p></details>'),
    "",
  );
});

browserTest("labels of pictures are found where they stand", async () => {
  await using opened = await openPage(
    page(
      '<svg width="200" height="50" viewBox="0 0 400 100"><title>Elo</title><text x="20" y="40" font-size="20">H1</text></svg>',
    ),
    LIGHT,
  );
  const [picture] = await opened.pictures();
  assert.equal(picture?.title, "Elo");
  assert.equal(picture?.zoom, 0.5);
  assert.equal(picture?.labels[0]?.text, "H1");
  assert.equal(picture?.labels[0]?.size, 10);
  assert.ok(Math.abs((picture?.labels[0]?.box.left ?? 0) - 10) < 2);
});

browserTest("whatever a page does is noticed", async () => {
  const happened = async (body: string, expected?: RegExp) => {
    await using opened = await openPage(page(body), LIGHT);
    // What is expected may take its time on a busy machine; that nothing comes is believed after a while.
    const until = performance.now() + (expected === undefined ? 50 : 10_000);
    do await opened.page.waitForTimeout(25); while (
      performance.now() < until && expected?.test(opened.happenings.join("\n")) !== true
    );
    return opened.happenings.join("\n");
  };
  const happens = async (body: string, expected: RegExp) =>
    assert.match(await happened(body, expected), expected);
  assert.equal(await happened("<p>still</p>"), "");
  await happens("<script>alert(7)</script>", /dialog "7"/);
  await happens("<script>console.log('said')</script>", /console: said/);
  await happens("<img src=x>", /request of http:\/\/notebook\.test\/x/);
  await happens("<img src=https://else.where.test/x>", /request of https:\/\/else\.where\.test\/x/);
  await happens('<div style="background:url(//else.where.test/y)">x</div>', /else\.where\.test\/y/);
  await happens("<iframe srcdoc=x></iframe>", /a frame/);
  await happens("<script>nowhere()</script>", /error: nowhere is not defined/);
  await happens('<meta http-equiv="refresh" content="0;url=//else.where.test/z">', /else\.where\.test\/z/);
});
