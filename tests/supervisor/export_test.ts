import assert from "node:assert/strict";
import { join } from "node:path";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { leaderboardCsv, sessionMarkdown } from "../../lib/supervisor/export.ts";
import { Supervisor } from "../../mod.ts";

async function session() {
  const lab = await Supervisor.create({
    goal: "Which coatings could keep ships free of barnacles?",
    name: "ships",
    store: ":memory:",
    settings: { run: { maxIdeas: 3 } },
    environment: {},
  });
  const folder = await Deno.makeTempDir({ prefix: "cosci-export-" });
  return {
    lab,
    path: (name: string) => join(folder, name),
    read: (name: string) => Deno.readTextFile(join(folder, name)),
    names: () => Array.fromAsync(Deno.readDir(folder), (entry) => entry.name),
    async [Symbol.asyncDispose]() {
      await lab.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("the ending of the path decides what is written", async () => {
  await using s = await session();
  await s.lab.runUntil({ matches: 2 });
  await s.lab.finish();
  for (const name of ["a.md", "a.json", "a.csv", "a.jsonl"]) await s.lab.export(s.path(name));

  const markdown = await s.read("a.md");
  assert.ok(markdown.startsWith(s.lab.view().overviews.at(-1)?.markdown.trimEnd() ?? "no overview"));
  assert.match(markdown, /## Leaderboard \(SIMULATED\)\n\n\| rank \|/);

  const whole = JSON.parse(await s.read("a.json"));
  assert.equal(whole.simulated, true);
  assert.equal(whole.session.goal, "Which coatings could keep ships free of barnacles?");
  assert.deepEqual(
    whole.matches.map((match: { rationale: string }) => match.rationale === ""),
    [false, false],
    "rationales come along",
  );
  assert.equal(whole.hypotheses.length, s.lab.inspect().counts.hypotheses);
  assert.equal(whole.overviews.length, 1);

  const [head, ...rows] = (await s.read("a.csv")).trimEnd().split("\n");
  assert.match(head ?? "", /^rank,label,title,elo,/);
  assert.equal(rows.length, s.lab.inspect().leaderboard.length);
  assert.ok(rows.every((row) => row.endsWith(",SIMULATED")));

  assert.equal(await s.read("a.jsonl"), canonicalExport(s.lab.store, s.lab.view().session.id));
});

Deno.test("before there is an overview, the Markdown says so, and has the leaderboard", async () => {
  await using s = await session();
  assert.match(
    sessionMarkdown(s.lab.view()),
    /SIMULATED[^]*There is no overview yet\.[^]*No hypothesis is in the tournament/,
  );
});

Deno.test("another ending, and a folder that isn't there, are refused before anything is written", async () => {
  await using s = await session();
  await assert.rejects(s.lab.export(s.path("a.pdf")), {
    code: "input",
    message: /a\.pdf" can't be used\. Give a file name that ends in \.md .*\.json .*\.csv .*\.jsonl/,
  });
  await assert.rejects(s.lab.export(s.path("no/where.md")), {
    code: "input",
    message: /Its folder doesn't exist/,
  });
  assert.deepEqual(await s.names(), []);
});

Deno.test("a model's title is data: no formula in a spreadsheet, no cell or link in Markdown", () => {
  const row = {
    rank: 1,
    label: "H1",
    title: '=HYPERLINK("http://x")',
    rating: null,
    ratingLow: null,
    ratingHigh: null,
    topChance: null,
    tier: null,
    elo: 1200,
    matches: 0,
    won: 0,
    lost: 0,
    tied: 0,
    verdict: null,
    strategy: "literature" as const,
    generation: 0,
    parents: [],
    foldedUnder: null,
    trajectory: [],
  };
  const csv = leaderboardCsv({ simulated: false, leaderboard: [row] });
  assert.match(csv, /^1,H1,"'=HYPERLINK\(""http:\/\/x""\)",1200\.00,/m);
  assert.match(csv, /,\n$/, "a live session bears no mark");
});
