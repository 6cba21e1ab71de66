import assert from "node:assert/strict";
import { canonicalExport } from "../../../lib/store/canonical.ts";
import { formOf, FORMS } from "../../../lib/supervisor/export/forms.ts";
import { COSCI_VERSION } from "../../../lib/supervisor/version.ts";
import { assertRefused } from "../support.ts";
import { exportFolder, steered } from "./sessions.ts";

Deno.test("an export says what was written, where, how large it is and what it holds", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.runUntil({ matches: 2 });
  for (const [form, holds] of Object.entries(FORMS)) {
    const path = folder.path(`ships${form}`);
    const written = await lab.export(path);
    const { size } = await Deno.stat(path);
    assert.deepEqual(
      { ...written },
      { session: "ships", simulated: true, path, form, holds, bytes: size, seq: lab.view().seq, notes: [] },
    );
    assert.match(String(written), new RegExp(`^ships as \\${form} \\(SIMULATED\\)\\n`));
    assert.ok(String(written).split("\n").every((line) => line.length <= 100));
  }
  assert.equal(await folder.read("ships.jsonl"), canonicalExport(lab.store, lab.view().session.id));
});

Deno.test("a relative path is of the working folder, an ending may be written in capitals, and a file is replaced", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  const before = Deno.cwd();
  Deno.chdir(folder.path("."));
  try {
    await Deno.writeTextFile(folder.path("a.CSV"), "what was there");
    await Deno.chmod(folder.path("a.CSV"), 0o640);
    const written = await lab.export("a.CSV");
    assert.equal(written.path, await Deno.realPath(folder.path("a.CSV")));
    assert.match(await folder.read("a.CSV"), /^rank,label/);
    assert.equal(((await Deno.stat(folder.path("a.CSV"))).mode ?? 0) & 0o777, 0o640, "as readable as it was");
  } finally {
    Deno.chdir(before);
  }
});

Deno.test("a link is followed: the file that it leads to is replaced, and the link stays", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await Deno.writeTextFile(folder.path("real.md"), "");
  await Deno.symlink(folder.path("real.md"), folder.path("link.md"));
  assert.equal((await lab.export(folder.path("link.md"))).path, await Deno.realPath(folder.path("real.md")));
  assert.ok((await Deno.lstat(folder.path("link.md"))).isSymlink);
  assert.match(await folder.read("real.md"), /# ships/);
});

Deno.test("what can't be written is refused, with what to do, and leaves no trace", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await Deno.mkdir(folder.path("folder.html"));
  await Deno.writeTextFile(folder.path("file"), "");
  const names = await folder.names();
  const refused = (path: unknown, ...says: (string | RegExp)[]) =>
    assertRefused(() => Reflect.apply(lab.export, lab, [path]), {
      code: "input",
      says: ["export: path", ...says],
    });
  await refused(
    folder.path("a.pdf"),
    ...Object.entries(FORMS).map(([form, holds]) => `${form} (${holds})`),
    'lab.plots.elo().save("elo.svg")',
  );
  await refused(folder.path("html"), ".html");
  await refused(undefined, "nothing");
  await refused(7, "7");
  await refused("", ".html");
  await refused(folder.path("no/where.html"), folder.path("no"), "make it first");
  await refused(folder.path("file/x.html"), "is a file, and no folder");
  await refused(folder.path("folder.html"), "It is a folder");
  await refused(folder.path("a\0b.html"), "can't be");
  await refused(folder.path(`${"n".repeat(300)}.html`), "can't be");
  assert.deepEqual(await folder.names(), names);
});

Deno.test("two exports of the same commit are the same bytes", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  for (const form of Object.keys(FORMS)) {
    await lab.export(folder.path(`a${form}`));
    await lab.export(folder.path(`b${form}`));
    assert.equal(await folder.read(`a${form}`), await folder.read(`b${form}`), form);
  }
});

Deno.test("each form can be made of a session that has just begun, of a fork, and of one that is over", async () => {
  await using folder = await exportFolder();
  const fresh = await folder.session("fresh");
  const over = await folder.session("over");
  await over.runUntil({ matches: 3 });
  await over.finish();
  const fork = await over.fork({ name: "fork", at: 8 });
  try {
    for (const lab of [fresh, over, fork]) {
      for (const form of Object.keys(FORMS)) await lab.export(folder.path(`${lab.name}${form}`));
    }
  } finally {
    await fork.close();
  }
  assert.match(await folder.read("fresh.html"), /There is no overview yet/);
  assert.match(await folder.read("fork.html"), /Forked from[^]*?over[^]*?at its commit 8/);
  assert.match(await folder.read("over.html"), /O1, version 1 · final/);
});

Deno.test("a handle that is closed is refused", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.close();
  await assertRefused(() => lab.export(folder.path("a.md")), { code: "state", says: ["closed"] });
});

Deno.test("the form is the path's ending, whatever else the path holds", () => {
  for (const form of Object.keys(FORMS)) assert.equal(formOf(`/a.b/c d${form}`).form, form);
});

Deno.test("exports name cosci's own version", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("../../../deno.json", import.meta.url)));
  assert.equal(COSCI_VERSION, version);
});
