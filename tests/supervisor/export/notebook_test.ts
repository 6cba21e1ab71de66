import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionNotebook } from "../../../lib/supervisor/export/notebook.ts";
import { HOSTILE } from "../../notebook/hostile_corpus.ts";
import { readNotebook } from "./read_notebook.ts";
import { exportFolder, PLAIN, steered } from "./sessions.ts";

const joined = (content: string | readonly string[] | undefined) =>
  content === undefined ? "" : typeof content === "string" ? content : content.join("");

Deno.test("a notebook opens the session from where it lies, and shows it with what each cell showed", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  await Deno.mkdir(folder.path("shared/reports"), { recursive: true });
  await lab.export(folder.path("shared/reports/ships.ipynb"));
  const cells = readNotebook(await folder.read("shared/reports/ships.ipynb"));
  const [introduction, opening, ...others] = cells;
  assert.match(
    introduction?.source ?? "",
    /^# ships\n\n> Which coatings[^]*\*\*SIMULATED\.\*\*[^]*To run it again/,
  );
  assert.equal(
    opening?.source,
    'import { Supervisor } from "cosci";\n\nconst lab = await Supervisor.open({\n  store: "../../store.db",\n  session: "ships",\n});',
  );
  assert.deepEqual([opening?.outputs, opening?.count], [[], 1]);

  const code = others.filter(({ type }) => type === "code");
  assert.deepEqual(code.map(({ count }) => count), code.map((_, i) => i + 2));
  assert.ok(code.every(({ outputs }) => outputs.length === 1 && joined(outputs[0]?.["text/plain"]) !== ""));
  const shown = (source: string) => code.find((cell) => cell.source === source)?.outputs[0];
  assert.equal(joined(shown("lab.inspect()")?.["text/plain"]), String(lab.inspect()));
  assert.equal(joined(shown("lab.plots.elo()")?.["image/svg+xml"]), lab.plots.elo().svg());
  assert.match(joined(shown("lab.plots.elo()")?.["image/png"]), /^iVBORw0KGgo[A-Za-z0-9+/]+=*$/);
  assert.match(joined(shown("lab.directives")?.["text/html"]), new RegExp(PLAIN.directive));
  const leader = lab.inspect().leaderboard[0]?.label ?? "";
  assert.match(joined(shown(`lab.inspect("${leader}")`)?.["text/html"]), /SIMULATED/);
  assert.match(joined(shown('lab.inspect("O1")')?.["text/markdown"]), /# Research overview/);
});

Deno.test("no cell of it moves the session or spends", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  const cells = readNotebook(await sessionNotebook(lab, folder.path("a.ipynb")));
  for (const { source } of cells.filter(({ type }) => type === "code").slice(1)) {
    assert.match(
      source,
      /^lab\.(?:inspect\((?:"[A-Z]\d+")?\)|plots\.\w+\(\)|judge|criteria|directives|revisions|settings|cost\(\)|prompts\.list\(\))$/,
    );
  }
});

Deno.test("a session in memory can be shown and not be run again, and its notebook says so", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships", { inMemory: true });
  await lab.runUntil({ matches: 2 });
  const written = await lab.export(folder.path("a.ipynb"));
  assert.match(written.notes.join(), /in memory/);
  const [introduction, opening, ...others] = readNotebook(await folder.read("a.ipynb"));
  assert.match(
    introduction?.source ?? "",
    /can't be run again: the session was in memory[^]*store: "my\.db"/,
  );
  assert.match(opening?.source ?? "", /^throw new Error\(/);
  assert.deepEqual([opening?.outputs, opening?.count], [[], null]);
  assert.ok(others.some(({ source, outputs }) => source === "lab.plots.lineage()" && outputs.length === 1));
});

Deno.test("a session that has just begun is shown without empty figures", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  const cells = readNotebook(await sessionNotebook(lab, folder.path("a.ipynb")));
  assert.ok(cells.every(({ source }) => !source.includes("lab.plots")));
  assert.match(cells.map(({ source }) => source).join("\n"), /There is none yet: `await lab\.overview\(\)`/);
});

Deno.test("whatever people write, the notebook stays one, and its code cells hold only code of ours", async () => {
  await using folder = await exportFolder();
  const store = join(folder.path("."), "store.db");
  let tried = 0;
  for (const { name, text } of HOSTILE) {
    if (text.trim() === "" || text.length > 5000) continue;
    const lab = await folder.session(text.slice(0, 200), { goal: text });
    tried++;
    const cells = readNotebook(await sessionNotebook(lab, folder.path("a.ipynb")));
    const opening = cells[1]?.source ?? "";
    assert.match(
      opening,
      /^[\x20-\x7e\n\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u,
      `${name}: marks that act are written as escapes`,
    );
    const literal = /\n {2}session: (".*"),\n\}\);$/.exec(opening)?.[1] ?? "";
    assert.equal(new Function(`return ${literal}`)(), lab.name, name);
    const [introduction] = cells;
    assert.doesNotMatch(introduction?.source ?? "", /(?<!\\)<(?:script|img|svg|a|iframe|details)/i, name);
    assert.ok(cells.every(({ source }) => source.isWellFormed()), name);
    await lab.close();
  }
  assert.ok(tried > 20, store);
});
