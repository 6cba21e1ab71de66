/** Every plot in a real browser: its labels are seen, can be read, and stand neither on each other nor out of the picture. */
import assert from "node:assert/strict";
import { everyFigure, type NamedFigure, SIZES } from "../notebook/plots/plot_data.ts";
import {
  browserTest,
  closeBrowser,
  lookName,
  LOOKS,
  openPage,
  type ShownPicture,
} from "./support/browser.ts";
import { notebookPage } from "./support/notebook_page.ts";

Deno.test.afterAll(closeBrowser);

/** Letters on a page at least, in pixels: on a wide one, and on a narrow one, where pictures are made smaller. */
const LETTERS = { wide: 11, narrow: 8 };
/** Those in the small cells of the matrix of matches, and no others. */
const CELL_LETTERS = { wide: 9.5, narrow: 7 };
/** What stands in those cells. */
const IN_CELL = /^\d+(\/\d+ 1st)?$/;
/** The part of a line's height that may lie on another: boxes of text have room above and below their letters. */
const TOUCHING = 0.3;

type Label = ShownPicture["labels"][number];

/** Labels that cover each other: by more than the room around their letters. */
function overlaps(labels: readonly Label[]): string[] {
  return labels.flatMap((a, i) =>
    labels.slice(i + 1).flatMap((b) => {
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      const least = Math.min(a.box.bottom - a.box.top, b.box.bottom - b.box.top);
      return width > 1 && height > TOUCHING * least ? [`"${a.text}" on "${b.text}"`] : [];
    })
  );
}

/** Labels of which a part lies outside of their picture. */
function cut({ frame, labels }: ShownPicture): string[] {
  return labels.filter(({ box }) =>
    box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 ||
    box.bottom > frame.bottom + 0.5
  ).map(({ text }) => `"${text}" is cut off`);
}

/** Opens a page with the figures under their cells in each window, and looks at every label. */
async function look(name: string, figures: readonly NamedFigure[]): Promise<void> {
  const outputs = figures.map(({ name, figure }) => ({ name, bundle: { "image/svg+xml": figure.svg() } }));
  for (const look of LOOKS) {
    const where = `${name}, ${lookName(look)}`;
    await using opened = await openPage(notebookPage(outputs, look), look);
    if (look.dark === look.width < 1000) await opened.picture(`plots-${name}-${lookName(look)}`);
    assert.deepEqual(await opened.overflows(), [], where);
    assert.deepEqual(await opened.faintTexts(), [], where);
    assert.deepEqual(await opened.scrolled(), [], where);
    const pictures = await opened.pictures();
    assert.equal(pictures.length, figures.length);
    for (const [i, picture] of pictures.entries()) {
      const one = `${figures[i]?.name} of ${where}`;
      // The title, how to read it, and the mark of simulation are there even where there is nothing to draw.
      assert.ok(picture.labels.length >= 3, one);
      const size = look.width < 1000 ? "narrow" : "wide";
      const cells = figures[i]?.name.startsWith("matches") ?? false;
      for (const { text, size: shown } of picture.labels) {
        const least = (cells && IN_CELL.test(text) ? CELL_LETTERS : LETTERS)[size];
        assert.ok(shown >= least, `${one}: "${text}" has ${shown} px`);
      }
      assert.deepEqual(overlaps(picture.labels), [], one);
      assert.deepEqual(cut(picture), [], one);
    }
    assert.deepEqual(opened.happenings, [], where);
  }
}

for (const n of SIZES) {
  browserTest(`labels of every plot of ${n} hypotheses can be read`, () => look(String(n), everyFigure(n)));
}

/** Titles as wide as they come, in several scripts. */
const HARD = [
  "WWWWWWWWWW MMMMMMMMMM ".repeat(8),
  "未来の薬は光を放つ細胞を眠らせる".repeat(6),
  "الخلايا المتوهجة تحت الضوء الخافت ".repeat(6),
  "Ингибирование киназы восстанавливает транспорт ".repeat(5),
  "β-Tubulin–FLT3-ITD Ωμέγα ".repeat(8),
  "x".repeat(400),
];

browserTest(
  "long titles in any script are cut where they would leave their place",
  () =>
    look(
      "hard",
      [12, 100].flatMap((n) =>
        everyFigure(n, (i) => HARD[i % HARD.length] ?? "").map((each) => ({
          ...each,
          name: `${each.name} ${n}`,
        }))
      ),
    ),
);

browserTest("the looking itself can fail: labels on each other and labels cut off are found", async () => {
  const svg = '<svg width="200" height="60"><title>t</title><text x="20" y="30">one label</text>' +
    '<text x="40" y="32">another one</text><text x="180" y="50">cut at the edge</text></svg>';
  await using opened = await openPage(
    notebookPage([{ name: "bad", bundle: { "image/svg+xml": svg } }], { dark: false }),
    { width: 700, dark: false },
  );
  const [picture] = await opened.pictures();
  assert.ok(picture !== undefined);
  assert.deepEqual(overlaps(picture.labels), ['"one label" on "another one"']);
  assert.deepEqual(cut(picture), ['"cut at the edge" is cut off']);
});
