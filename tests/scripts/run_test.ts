import assert from "node:assert/strict";
import { cosci, serve, start, workFolder } from "./command_line.ts";

const GOAL = "Which coatings could keep ships free of barnacles?";
/** As little as makes an overview. */
const SMALL = ["--set", "run.maxIdeas=3", "--until", "matches=1"];
/** Failures are met at once. */
const IMPATIENT = ["--set", "lease.backoffSeconds=0", "--set", "retry.baseMs=0"];

async function listed(folder: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await cosci(folder, "list", "--json");
  return stdout.trim().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

Deno.test("run leaves its files beside the caller, marks them as simulated, and answers 0", async () => {
  await using folder = await workFolder();
  const { code, stdout, stderr } = await cosci(
    folder.path,
    "run",
    "--goal",
    GOAL,
    "--name",
    "../ships & barnacles",
    ...SMALL,
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /SIMULATED/);
  assert.match(stdout, /nothing was paid/);
  assert.match(
    stderr,
    /\(SIMULATED\): planning · 0% · 0 of 1 matches · \$0\.0000 of \$25\.00/,
    "plain lines of progress",
  );
  assert.match(stderr, /SIMULATED · run of [^\n]*ships & barnacles: finished · \d+ tasks in \d+ s · \$/);

  const [result = ""] = await folder.list("out");
  assert.match(result, /^ships-barnacles-[0-9a-f]{6}$/, "no path leads out of the folder");
  const file = (name: string) => folder.read(`out/${result}/${name}`);
  assert.match(
    await file("overview.md"),
    /\*\*SIMULATED\.\*\*[^]*# Research overview[^]*## Leaderboard \(SIMULATED\)/,
  );
  assert.match(
    await file("leaderboard.csv"),
    /^rank,label,title,elo,[^\n]*,simulated\n1,H\d+,[^\n]*,SIMULATED\n/,
  );
  assert.match(await file("report.html"), /^<!doctype html>[^]*SIMULATED[^]*<h2 id="overview">/);
  const notebook: unknown = JSON.parse(await file("session.ipynb"));
  assert.partialDeepStrictEqual(notebook, { nbformat: 4, metadata: { cosci: { simulated: true } } });
  assert.match(
    await file("session.ipynb"),
    /store: \\"\.\.\/\.\.\/cosci\.db\\"/,
    "the store is named from where the notebook is",
  );
  assert.match(await file("elo.svg"), /SIMULATED/);
  assert.match(await file("lineage.svg"), /SIMULATED/);
  const run: unknown = JSON.parse(await file("run.json"));
  assert.partialDeepStrictEqual(run, {
    session: "../ships & barnacles",
    simulated: true,
    goal: GOAL,
    status: "done",
    exitCode: 0,
    ranking: { by: "bradley_terry", topK: 5 },
    overview: { source: "model" },
    settings: { run: { maxIdeas: 3 } },
  });
  assert.ok((await folder.list()).includes("cosci.db"), "the store is beside the caller, too");
});

Deno.test("the same run again shows what it came to, and spends nothing", async () => {
  await using folder = await workFolder();
  const first = await cosci(folder.path, "run", "--goal", GOAL, ...SMALL, "--json");
  const again = await cosci(folder.path, "run", "--goal", GOAL, ...SMALL, "--json");
  assert.equal(again.code, 0);
  assert.match(again.stderr, /is done already/);
  assert.deepEqual(JSON.parse(again.stdout), JSON.parse(first.stdout));
});

Deno.test("with --json, stdout is one object a goal of the CSV file", async () => {
  await using folder = await workFolder();
  await Deno.writeTextFile(
    folder.file("goals.csv"),
    '\uFEFFgoal,name,preferences\n"Which coatings, if any, keep ships clean?",ships,cheap ones\nWhat drives rents in small towns?,,\n',
  );
  const { code, stdout, stderr } = await cosci(
    folder.path,
    "run",
    "--goals",
    "goals.csv",
    ...SMALL,
    "--json",
  );
  assert.equal(code, 0, stderr);
  const results = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(results.length, 2);
  assert.partialDeepStrictEqual(results[0], {
    session: "ships",
    goal: "Which coatings, if any, keep ships clean?",
  });
  assert.match(results[1].session, /^session-[0-9a-f]{8}$/, "a nameless one gets a name that holds no goal");
  assert.deepEqual((await listed(folder.path)).map((row) => row["name"]), ["ships", results[1].session]);
});

Deno.test("wrong input is told with the nearest right one, answered with 2, and leaves nothing behind", async () => {
  await using folder = await workFolder();
  await Deno.writeTextFile(folder.file("bad.csv"), "goal,nam\nx,y\n");
  await Deno.writeTextFile(folder.file("bad.json"), '{"rankin": {"topK": 1}}');
  const cases: [RegExp, ...string[]][] = [
    [/--goal: " " can't be used/, "run", "--goal", " "],
    [/Give one of --goal/, "run"],
    [/Did you mean "ranking\.kFactorNew"\?/, "run", "--goal", GOAL, "--set", "ranking.kFactrNew=40"],
    [/Did you mean "matches"\?/, "run", "--goal", GOAL, "--until", "matchs=4"],
    [/Did you mean "ranking"\?/, "run", "--goal", GOAL, "--config", "bad.json"],
    [/Did you mean "name"\?/, "run", "--goals", "bad.csv"],
    [/Did you mean "anthropic"\?/, "run", "--goal", GOAL, "--models", "antropic"],
    [/Did you mean --goal\?/, "run", "--gaol", GOAL],
    [/Add --usd 5/, "run", "--goal", GOAL, "--models", "anthropic"],
    [/there is no file/, "status", "--store", "nowhere.db"],
  ];
  await Promise.all(cases.map(async ([message, ...args]) => {
    const { code, stdout, stderr } = await cosci(folder.path, ...args);
    assert.match(stderr, message);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
  }));
  assert.deepEqual(await folder.list(), [
    "bad.csv",
    "bad.json",
  ]);
});

Deno.test("a dry run of live models tells what they would cost, without a key, a store or a call", async () => {
  await using folder = await workFolder();
  const { code, stdout } = await cosci(
    folder.path,
    "run",
    "--goal",
    GOAL,
    "--models",
    "anthropic",
    "--dry-run",
    "--json",
  );
  assert.equal(code, 0);
  const estimate = JSON.parse(stdout);
  assert.equal(estimate.simulated, false);
  assert.ok(estimate.usd > 1 && estimate.maxUsd > estimate.usd);
  assert.deepEqual(await folder.list(), []);
});

Deno.test("a budget that lets no model write the overview is answered with 3", async () => {
  await using folder = await workFolder();
  const refused = await cosci(folder.path, "run", "--goal", GOAL, "--usd", "0.001");
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /budget\.usd: 0\.001 can't be used. Even the smallest overview may cost/);
  const { code, stdout } = await cosci(folder.path, "run", "--goal", GOAL, "--usd", "0.01", "--json");
  assert.equal(code, 3);
  assert.partialDeepStrictEqual(JSON.parse(stdout), { reason: "budget", overview: { source: "fallback" } });
});

Deno.test("a session whose work comes to nothing is answered with 4", async () => {
  await using folder = await workFolder();
  await using server = serve({
    faults: { rules: [{ fault: { kind: "prose_instead_of_tool" }, step: "generation" }] },
  });
  const { code, stdout, stderr } = await cosci(
    folder.path,
    "run",
    "--goal",
    GOAL,
    "--models",
    server.url,
    "--usd",
    "20",
    ...IMPATIENT,
    "--json",
  );
  assert.equal(code, 4, stderr);
  assert.partialDeepStrictEqual(JSON.parse(stdout), {
    simulated: false,
    reason: "stalled",
    overview: { source: "fallback" },
  });
});

Deno.test("a key that is refused is answered with 5; nothing is spent", async () => {
  await using folder = await workFolder();
  await using server = serve({ apiKey: "the right one" });
  const models = JSON.stringify({ baseUrl: server.url, apiKey: "a wrong one" });
  const { code, stdout, stderr } = await cosci(
    folder.path,
    "run",
    "--goal",
    GOAL,
    "--models",
    models,
    "--usd",
    "2",
    ...IMPATIENT,
    "--json",
  );
  assert.equal(code, 5, stderr);
  assert.partialDeepStrictEqual(JSON.parse(stdout), { reason: "provider", cost: { usd: 0 } });
  assert.doesNotMatch(
    await folder.read("cosci.db"),
    /a wrong one/,
    "the key is kept nowhere",
  );
});

Deno.test("Ctrl+C pauses with what there is and answers 130; resume ends it with an overview", async () => {
  await using folder = await workFolder();
  const child = start(
    folder.path,
    "run",
    "--goal",
    GOAL,
    "--name",
    "ships",
    "--set",
    "simulator.latencyMs=50",
    "--json",
  );
  let said = "";
  const [, out] = await Promise.all([
    child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({
        write: (text) => {
          if (said === "") child.kill("SIGINT");
          said += text;
        },
      }),
    ),
    new Response(child.stdout).text(),
  ]);
  assert.equal((await child.status).code, 130, said);
  assert.match(said, /Pausing when what is in hand is done; Ctrl\+C again aborts/);
  assert.partialDeepStrictEqual(JSON.parse(out), { status: "paused", exitCode: 130, overview: null });
  assert.match(await folder.read("out/ships/overview.md"), /There is no overview yet/);

  const resumed = await cosci(
    folder.path,
    "resume",
    "--set",
    "run.maxIdeas=3",
    "--until",
    "matches=1",
    "--json",
  );
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.partialDeepStrictEqual(JSON.parse(resumed.stdout), {
    status: "done",
    overview: { source: "model" },
  });
});

Deno.test("a second Ctrl+C aborts; no further call is made", async () => {
  await using folder = await workFolder();
  const child = start(folder.path, "run", "--goal", GOAL, "--set", "simulator.latencyMs=60000", "--json");
  let said = "";
  const out = new Response(child.stdout).text();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (said === "") child.kill("SIGINT");
    said += chunk.value;
    // The second press comes when the first was heard; nearer ones count as the same.
    if (/Pausing/.test(chunk.value)) setTimeout(() => child.kill("SIGINT"), 400);
  }
  assert.equal((await child.status).code, 130);
  assert.match(said, /Aborting/);
  assert.partialDeepStrictEqual(JSON.parse(await out), { status: "aborted", cost: { calls: 0 } });
});
