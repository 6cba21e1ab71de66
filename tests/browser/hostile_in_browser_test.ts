import assert from "node:assert/strict";
import { OWN_PICTURE } from "../notebook/own_pictures.ts";
import { errorBundle } from "../../lib/notebook/forgotten_await.ts";
import { JUPYTER_DISPLAY } from "../../lib/notebook/kernel.ts";
import { everyFigure } from "../notebook/every_figure.ts";
import { everyValue } from "../notebook/every_value.ts";
import { HOSTILE, type Hostile } from "../notebook/hostile_corpus.ts";
import { browserTest, closeBrowser, openPage } from "./support/browser.ts";
import { notebookPage, type Shown } from "./support/notebook_page.ts";

Deno.test.afterAll(closeBrowser);

/** Every kind of value and every figure with the text wherever a text of foreign origin stands, in each MIME type that may act. */
async function outputs({ name, text: foreign }: Hostile): Promise<Shown[]> {
  const figures = everyFigure(foreign).map(([kind, figure]): Shown => ({
    name: `${name}: picture ${kind}`,
    bundle: { "image/svg+xml": figure.svg() },
  }));
  const shown = await Promise.all(
    everyValue(foreign).map(async (value): Promise<Shown[]> => {
      const bundle = await value[JUPYTER_DISPLAY]();
      // Plain texts are escaped by the program that shows them; here it is what they look like that counts, and of long
      // ones it is known that no line has more than 100 columns.
      const types = ["text/html", ...foreign.length > LONG ? [] : ["text/plain"]];
      return types.flatMap((type) =>
        bundle[type] === undefined
          ? []
          : [{ name: `${name}: ${value.constructor.name} ${type}`, bundle: { [type]: bundle[type] } }]
      );
    }),
  );
  return [...shown.flat(), ...figures, {
    name: "an error",
    bundle: errorBundle(new Error(foreign), foreign),
  }];
}

/** What must be as the page was written, whatever its outputs hold. Run in the page. */
const INTACT = `(() => {
  const complaints = [];
  const [main, footer, ...more] = document.body.children;
  if (main?.localName !== "main" || footer?.id !== "after-the-outputs" || more.length > 0) complaints.push("the page's own elements moved");
  if (!footer?.checkVisibility() || getComputedStyle(footer).position !== "static") complaints.push("what follows is hidden");
  if (footer.getBoundingClientRect().top < main.getBoundingClientRect().bottom - 1) complaints.push("what follows is covered");
  const end = footer.getBoundingClientRect();
  window.scrollTo(0, document.documentElement.scrollHeight);
  const at = footer.getBoundingClientRect();
  if (document.elementFromPoint(at.left + 5, at.top + 5) !== footer) complaints.push("something lies over what follows");
  for (const cell of main.children) {
    const [heading, output, ...rest] = cell.children;
    const where = heading?.textContent;
    if (cell.localName !== "section" || output?.className !== "jp-OutputArea-child" || rest.length > 0 || output.children.length !== 2) complaints.push("the cell is broken: " + where);
    const frame = cell.getBoundingClientRect();
    for (const each of cell.querySelectorAll("*")) {
      const own = each.localName === "img" && ${OWN_PICTURE}.test(each.getAttribute("src"));
      if (!own && /^(script|style|link|meta|base|iframe|object|embed|form|input|button|textarea|img|audio|video|foreignobject|animate|use|noscript|plaintext)$/.test(each.localName)) complaints.push("<" + each.localName + "> in " + where);
      for (const { name, value } of each.attributes) {
        if (/^on/i.test(name)) complaints.push(name + " in " + where);
        if (own && name === "src") continue;
        if (/href$|^src|^action|^data$|^poster|^srcdoc/i.test(name) && !/^https?:\\/\\//.test(value)) complaints.push(name + "=" + value.slice(0, 40) + " in " + where);
        if (name === "style" && /url\\(|expression|@import|position/i.test(value)) complaints.push(value + " in " + where);
      }
      if (!/^(static|relative)$/.test(getComputedStyle(each).position)) complaints.push("placed by itself in " + where);
    }
    for (const each of output.querySelectorAll(":scope > .jp-OutputArea-output > *")) {
      const box = each.getBoundingClientRect();
      if (box.bottom > frame.bottom + 1 || box.top < frame.top - 1) complaints.push("out of its cell: " + where);
    }
  }
  if (globalThis.pwned) complaints.push("it ran: pwn(" + globalThis.pwned + ")");
  return complaints.slice(0, 10);
})()`;

const NARROW = { width: 700, dark: true };

/** Texts that are long stand on a page by themselves; opening a page costs more than what short ones put on it. */
function pages(): Hostile[][] {
  const long = HOSTILE.filter(({ text }) => text.length > LONG).map((one) => [one]);
  const short = HOSTILE.filter(({ text }) => text.length <= LONG);
  const groups = Math.ceil(short.length / TOGETHER);
  return [
    ...Array.from({ length: groups }, (_, i) => short.slice(i * TOGETHER, (i + 1) * TOGETHER)),
    ...long,
  ];
}

/** Characters from which a text is long, and how many short ones share a page. */
const LONG = 5000, TOGETHER = 6;

for (const texts of pages()) {
  const names = texts.map(({ name }) => name).join("; ");
  browserTest(`in a real browser nothing runs, loads or breaks out: ${names}`, async () => {
    const shown = await Promise.all(texts.map(outputs));
    await using opened = await openPage(canaryPage(shown.flat()), NARROW);
    // Opening what is folded is an event, too, and shows what was hidden.
    await opened.unfold();
    await opened.page.mouse.move(300, 300);
    await opened.page.mouse.click(120, 120);
    for (let i = 0; i < 3; i++) await opened.page.keyboard.press("Tab");
    assert.deepEqual(await opened.page.evaluate(INTACT), []);
    assert.deepEqual(await opened.overflows(), []);
    assert.deepEqual(opened.happenings, []);
  });
}

/** The page with `pwn`, which tells that it ran. */
function canaryPage(shown: readonly Shown[]): string {
  return notebookPage(shown, NARROW).replace(
    "<head>",
    "<head><script>globalThis.pwned = 0; globalThis.pwn = (n) => { globalThis.pwned = n || -1; console.log('pwned ' + n); };</script>",
  );
}

/** Each acts in a way of its own where it isn't escaped. */
const SINGING = HOSTILE.filter(({ name }) =>
  [
    "a script",
    "an event handler",
    "handlers that need no click",
    "a way out of an attribute",
    "an SVG with handlers",
    "frames and forms",
    "loads by head elements",
    "closes what is around it",
    "hides what follows",
  ].includes(name)
);

browserTest("the canary sings: the same texts without escaping do run and break out", async () => {
  const missed: string[] = [];
  for (const { name, text } of SINGING) {
    await using opened = await openPage(
      canaryPage([{ name, bundle: { "text/html": `<div title="${text}">${text}</div>` } }]),
      NARROW,
    );
    // A page that leaves for another address can't be asked any more.
    const complaints = await opened.unfold().then(() => opened.page.evaluate(INTACT)).catch((
      error: unknown,
    ) => [String(error)]);
    const noticed = opened.happenings.length > 0 || (Array.isArray(complaints) && complaints.length > 0);
    if (!noticed) missed.push(name);
  }
  assert.equal(SINGING.length, 9);
  assert.deepEqual(missed, []);
});
