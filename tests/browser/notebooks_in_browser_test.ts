/**
 * The tutorials as they are stored, in a real browser: as JupyterLab shows their outputs, and as nbconvert makes them pages
 * for somebody who has no Jupyter. In `tests/browser/pictures` a person can look at them.
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { MimeBundle } from "../../lib/notebook/kernel.ts";
import { type Notebook, readNotebook } from "../../scripts/notebook/notebook_file.ts";
import type { Output } from "../../scripts/notebook/outputs.ts";
import { tutorials } from "../../scripts/notebook/store.ts";
import { findTestPython } from "../../scripts/notebook/test_environment.ts";
import { browserTest, closeBrowser, lookName, LOOKS, openPage } from "./support/browser.ts";
import { notebookPage, type Shown } from "./support/notebook_page.ts";

Deno.test.afterAll(closeBrowser);

/** Pixels that a wide table may be scrolled on a narrow page, such as that of a frame: more, and what it says is not seen. */
const SCROLLED = 280;

/** Of pages by nbconvert each width and each theme is looked at once: what it does to outputs is the same in all. */
const PAGES = LOOKS.filter(({ width, dark }) => dark === width < 1000);

const paths = await tutorials();
const python = await findTestPython();

/** Each output of a notebook by the first line of its cell. */
function outputsOf(book: Notebook): Shown[] {
  return book.cells.flatMap((cell) =>
    cell.cell_type === "code"
      ? cell.outputs.map((output) => ({ name: cell.source.split("\n")[0] ?? "", bundle: bundleOf(output) }))
      : []
  );
}

function bundleOf(output: Output): MimeBundle {
  switch (output.output_type) {
    case "stream":
      return { "text/plain": output.text };
    case "error":
      return { "text/plain": `${output.ename}: ${output.evalue}` };
    case "display_data":
    case "execute_result":
      return Object.fromEntries(
        Object.entries(output.data).flatMap(([mime, content]) =>
          typeof content === "string" ? [[mime, content]] : []
        ),
      );
  }
}

for (const path of paths) {
  const name = basename(path, ".ipynb");
  browserTest(`outputs of ${name} read well, folded and opened`, async () => {
    const outputs = outputsOf(await readNotebook(path));
    for (const look of LOOKS) {
      await using opened = await openPage(notebookPage(outputs, look), look);
      for (const state of ["folded", "opened"]) {
        const where = `${lookName(look)}, ${state}`;
        if (state === "opened") await opened.unfold();
        assert.deepEqual(await opened.overflows(), [], where);
        assert.deepEqual(await opened.faintTexts(), [], where);
        const most = look.width < 1000 ? SCROLLED : 0;
        for (const each of await opened.scrolled()) {
          assert.ok(Number(/: (\d+) px$/.exec(each)?.[1]) <= most, `${where}: ${each}`);
        }
      }
      assert.deepEqual(opened.happenings, [], lookName(look));
    }
  });
}

/** What nbconvert calls the texts and the outputs; the rest of its page is its own. */
const OURS = ".jp-RenderedMarkdown, .jp-OutputArea-output";

const CONVERT = `
import os, sys
from nbconvert import HTMLExporter
for theme in ("light", "dark"):
    exporter = HTMLExporter(theme=theme)
    for path in sys.argv[2:]:
        name = os.path.splitext(os.path.basename(path))[0]
        with open(os.path.join(sys.argv[1], f"{name}-{theme}.html"), "w", encoding="utf-8") as page:
            page.write(exporter.from_filename(path)[0])
`;

/** Makes pages of the tutorials, light and dark, in a folder. */
async function convert(folder: string): Promise<void> {
  if ("missing" in python) throw new Error(python.missing);
  const { success, stderr } = await new Deno.Command(python.python, {
    args: ["-c", CONVERT, folder, ...paths],
    stdout: "null",
    stderr: "piped",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

if ("missing" in python && !Deno.env.get("CI")) {
  Deno.test({
    name: `tutorials as pages of nbconvert (skipped: ${python.missing})`,
    ignore: true,
    fn: () => {},
  });
} else {
  browserTest("tutorials that nbconvert made pages of read well", async (t) => {
    const folder = await Deno.makeTempDir();
    try {
      await convert(folder);
      for (const path of paths) {
        const name = basename(path, ".ipynb");
        await t.step(name, async () => {
          for (const look of PAGES) {
            const html = await Deno.readTextFile(
              join(folder, `${name}-${look.dark ? "dark" : "light"}.html`),
            );
            await using opened = await openPage(html, look);
            await opened.picture(`${name}-${lookName(look)}`);
            assert.deepEqual(await opened.overflows(OURS), [], lookName(look));
            // Its colours of code are its own, in texts as well.
            await opened.page.evaluate(
              "for (const it of document.querySelectorAll('.highlight')) it.remove()",
            );
            assert.deepEqual(await opened.faintTexts(OURS), [], lookName(look));
          }
        });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
