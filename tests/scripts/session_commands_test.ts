import assert from "node:assert/strict";
import { basename } from "node:path";
import { cosci, workFolder } from "./command_line.ts";

Deno.test("what is in a store can be listed, looked at, foreseen, exported, paused, resumed and aborted", async (t) => {
  await using folder = await workFolder();
  const on = (...args: string[]) => cosci(folder.path, ...args, "--store", "my.db");
  const made = await on(
    "run",
    "--goal",
    "What drives rents in small towns?",
    "--name",
    "rents",
    "--set",
    "run.maxIdeas=3",
    "--until",
    "matches=1",
  );
  assert.equal(made.code, 0, made.stderr);

  await t.step("list, status, inspect", async () => {
    const list = await on("list");
    assert.match(list.stdout, /rents \(SIMULATED\)\s+done/);
    const status = await on("status", "--name", "rents");
    assert.match(status.stdout, /^rents \(SIMULATED\)\n[^]*State: done/);
    const whole = await on("inspect");
    assert.match(whole.stdout, /SIMULATED[^]*What drives rents in small towns\?/);
    const one = await on("inspect", "H1");
    assert.match(one.stdout, /^H1 [^\n]*\(SIMULATED\)/);
    assert.partialDeepStrictEqual(JSON.parse((await on("inspect", "H1", "--json")).stdout), { label: "H1" });
    assert.equal((await on("inspect", "H99")).code, 2);
    const unknown = await on("status", "--name", "rent");
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /Did you mean "rents"\?/);
  });

  await t.step("estimate", async () => {
    const { stdout } = await on("estimate", "--until", "matches=10", "--json");
    const estimate = JSON.parse(stdout);
    assert.equal(estimate.until, "until 10 matches in all");
    assert.equal(
      estimate.rows.find((row: { action: string }) => row.action === "match").tasks,
      5,
      "all pairs, twice",
    );
  });

  await t.step("export, to a file by its ending or to the session's folder", async () => {
    const { code, stdout } = await on("export", "rents.json");
    assert.equal(code, 0);
    assert.equal(stdout.trim(), folder.file("rents.json"));
    assert.equal(JSON.parse(await folder.read("rents.json")).simulated, true);
    const all = await on("export", "--out", "elsewhere", "--json");
    const written: string[] = JSON.parse(all.stdout).files;
    assert.deepEqual(
      written.map((path) => basename(path)),
      [
        "report.html",
        "session.ipynb",
        "overview.md",
        "leaderboard.csv",
        "elo.svg",
        "lineage.svg",
        "run.json",
      ],
    );
    assert.deepEqual(await folder.list("elsewhere/rents"), written.map((path) => basename(path)).sort());
    const page = await on("export", "rents.HTML");
    assert.equal(page.code, 0, page.stderr);
    assert.match(await folder.read("rents.HTML"), /<title>rents \(SIMULATED\)<\/title>/);
    assert.equal((await on("export", "rents.pdf")).code, 2);
  });

  await t.step("a finished session costs nothing to resume, unless it is given more to do", async () => {
    const idle = await on("resume");
    assert.equal(idle.code, 0);
    assert.match(idle.stderr, /give it more to do/);
    const more = await on("resume", "--until", "matches=2", "--json");
    assert.equal(more.code, 0, more.stderr);
    assert.partialDeepStrictEqual(JSON.parse(more.stdout), {
      status: "done",
      counts: { matches: 2, overviews: 2 },
      overview: { version: 2 },
    });
  });

  await t.step("pause is refused for a finished session, and abort too", async () => {
    assert.equal((await on("pause")).code, 2);
    assert.equal((await on("abort")).code, 2);
  });
});
