import assert from "node:assert/strict";
import { sessionExport } from "../../../lib/supervisor/export/json.ts";
import { readSessionJson } from "./read_session_json.ts";
import { exportFolder, PLAIN, steered } from "./sessions.ts";

/** Plain data without the fields that are absent: what JSON can say of it, if it is plain. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) {
    assert.ok(typeof value !== "number" || Number.isFinite(value), `${value} is no number of JSON`);
    return value;
  }
  assert.equal(
    Object.getPrototypeOf(value),
    Object.prototype,
    "an instance of a class would lose its nature",
  );
  return Object.fromEntries(
    Object.entries(value).filter(([, content]) => content !== undefined).map((
      [name, content],
    ) => [name, plain(content)]),
  );
}

Deno.test("a session in one object says everything, and comes back from JSON as it went", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await steered(lab);
  await lab.export(folder.path("a.json"));
  const text = await folder.read("a.json"), read = readSessionJson(text);
  assert.deepEqual(JSON.parse(text), plain(sessionExport(lab)));

  const view = lab.view();
  assert.equal(read.simulated, true);
  assert.equal(read.session.goal, view.session.goal);
  assert.equal(read.session.createdAt, new Date(view.session.createdAt).toISOString());
  assert.deepEqual(
    [read.hypotheses, read.reviews, read.matches, read.revisions, read.overviews, read.feedback].map((list) =>
      list.length
    ),
    [view.hypotheses, view.reviews, view.matches, view.revisions, view.overviews, view.feedback].map((list) =>
      list.length
    ),
  );
  assert.ok(read.matches.every(({ rationale, verdict }) => verdict === "invalid" || rationale !== ""));
  assert.ok(read.hypotheses.every(({ version, versions }) => versions.length === version));
  assert.ok(read.evidence.some(({ claim, outcome }) => claim === PLAIN.claim && outcome === "confirmed"));
  assert.equal(read.settings.ranking.kFactorNew, 24);
  assert.equal(read.session.settingsAtCreation.ranking.kFactorNew, 32);
  assert.equal(read.costs.total.calls, lab.cost().total.calls);
  assert.ok(read.prompts.some(({ name, version }) => name === "ranking.pairwise" && version !== null));
});

Deno.test("the shape is the same of a session that has just begun, and of a fork", async () => {
  await using folder = await exportFolder();
  const fresh = await folder.session("fresh"), lab = await folder.session("ships");
  await lab.runUntil({ matches: 3 });
  await using fork = await lab.fork({ name: "fork", at: 8 });
  for (const each of [fresh, lab, fork]) {
    await each.export(folder.path("a.json"));
    const { session, hypotheses } = readSessionJson(await folder.read("a.json"));
    assert.equal(session.name, each.name);
    assert.equal(hypotheses.length, each.view().hypotheses.length);
  }
});

Deno.test("the keys of blind sheets are left out: a reader may be asked to judge blindly", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  await lab.runUntil({ matches: 3 });
  const { code } = await lab.blindSheet({ pairs: 2, path: folder.path("sheet") });
  await lab.export(folder.path("a.json"));
  assert.ok(!(await folder.read("a.json")).includes(code));
});
