import { openPage, closeBrowser } from "./tests/browser/support/browser.ts";
const out = "/tmp/exp/look";
const [max = "3", names = "aml,empty", widths = "1400,700,400", modes="light,dark", unfold="no"] = Deno.args;
for (const name of names.split(",")) for (const width of widths.split(",").map(Number)) for (const mode of modes.split(",")) {
  const dark = mode === "dark";
  await using p = await openPage(await Deno.readTextFile(`${out}/${name}.html`), { width, dark });
  if (unfold === "yes") await p.unfold();
  console.log(name, width, dark, await p.overflows(), await p.faintTexts(), p.happenings, await p.scrolled());
  await p.page.setViewportSize({ width, height: 1600 });
  const h = Number(await p.page.evaluate("document.documentElement.scrollHeight")); console.log("high", h);
  for (let i = 0; i < Math.min(Math.ceil(h / 1600), Number(max)); i++) { await p.page.evaluate(`scrollTo(0,${i * 1600})`); await p.page.screenshot({ path: `${out}/${name}-${mode}-${width}-${i}.png` }); }
}
await closeBrowser();
