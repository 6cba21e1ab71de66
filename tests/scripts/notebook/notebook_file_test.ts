/** Notebooks as files. */
import assert from "node:assert/strict";
import {
  notebookText,
  parseNotebook,
  readNotebook,
  writeNotebook,
} from "../../../scripts/notebook/notebook_file.ts";
import { workFolder } from "../command_line.ts";
import { bookOf, cell, shown } from "./cells.ts";

Deno.test("texts are lists of lines in the file and whole in the program, whatever they hold", () => {
  const book = bookOf(
    cell("const a = 1;\n\na", [
      shown({
        "text/plain": "a\nb\n",
        "image/svg+xml": "<svg>\n</svg>",
        "image/png": "AA\nBB",
        "application/json": ["a"],
      }),
      { output_type: "stream", name: "stdout", text: "line\r\nü \u2028 line" },
    ]),
  );
  const text = notebookText(book);
  assert.match(text, /"const a = 1;\\n",\n +"\\n",\n +"a"/);
  assert.match(text, /"AA\\nBB"/);
  assert.deepEqual(parseNotebook(text, "a"), book);
  assert.equal(notebookText(parseNotebook(text, "a")), text);
});

Deno.test("what this program knows nothing of stays, such as attachments", () => {
  const text = notebookText({
    ...bookOf(),
    cells: [{
      cell_type: "markdown",
      metadata: {},
      source: "![a](attachment:a.png)",
      attachments: { "a.png": {} },
    }],
  });
  assert.match(text, /attachments/);
  assert.equal(notebookText(parseNotebook(text, "a")), text);
});

Deno.test("a file that is none is named, with what is wrong with it", async () => {
  await using folder = await workFolder();
  await assert.rejects(readNotebook(folder.file("no.ipynb")), /no\.ipynb.*There is no such file/);
  assert.throws(() => parseNotebook("# prose", "a.ipynb"), /a\.ipynb.*is no notebook/);
  assert.throws(
    () => parseNotebook('{"nbformat": 3}', "a.ipynb"),
    /a\.ipynb" is no notebook of format 4[^]*cells/,
  );
});

Deno.test("a notebook is written whole or not at all, and nothing is left beside it", async () => {
  await using folder = await workFolder();
  await writeNotebook(folder.file("a.ipynb"), bookOf(cell("1")));
  await assert.rejects(writeNotebook(folder.file("no/a.ipynb"), bookOf()), /Its folder doesn't exist/);
  assert.deepEqual(await folder.list(), ["a.ipynb"]);
});
