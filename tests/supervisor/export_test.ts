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
  assert.match(
    markdown,
    /## Leaderboard \(SIMULATED\)\n\nToo few hypotheses[^\n]*\n\n\| rank \| hypothesis \| rating \(90 % interval\) \| in top 5 \| Elo \|/,
  );
  assert.match(markdown, /\n\| 1 \| H\d+ \| \d+ \(\d+–\d+\) \| – \| \d+ \| 2 \|/);

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
  assert.deepEqual(whole.snapshot.ranking, { by: "bradley_terry", topK: 5, expectedPrecision: null });
  const [leader] = whole.snapshot.leaderboard;
  assert.ok(leader.ratingLow < leader.rating && leader.rating < leader.ratingHigh);
  assert.deepEqual(
    [leader.topChance, leader.tier],
    [null, 1],
    "three can't be told apart from the best five",
  );

  const [head, ...rows] = (await s.read("a.csv")).trimEnd().split("\n");
  assert.equal(
    head,
    "rank,label,title,elo,rating,rating_low,rating_high,top_k_chance,tier,matches,won,lost,tied," +
      "verdict,strategy,generation,parents,folded_under,result,pinned,author,simulated",
  );
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
    pinned: false,
    result: null,
    author: "=1+1",
    stale: 0,
  };
  const csv = leaderboardCsv({ simulated: false, leaderboard: [row] });
  assert.match(csv, /^1,H1,"'=HYPERLINK\(""http:\/\/x""\)",1200\.00,,,,,,0,/m, "what isn't known is empty");
  assert.match(csv, /,'=1\+1,\n$/, "a live session bears no mark, and no name is a formula");
});

Deno.test("a leaderboard tells how sure it is, as CSV and as Markdown", async () => {
  await using s = await session();
  s.lab.configure({ ranking: { topK: 1 } });
  await s.lab.runUntil({ matches: 3 });
  const { leaderboard, ranking } = s.lab.inspect();
  const [leader] = leaderboard;
  assert.ok(ranking.expectedPrecision !== null && leader?.rating !== null && leader?.rating !== undefined);
  const row = leaderboardCsv(s.lab.inspect()).split("\n")[1] ?? "";
  assert.ok(
    row.includes(
      `,${leader.elo.toFixed(2)},${leader.rating.toFixed(2)},${leader.ratingLow?.toFixed(2)},${
        leader.ratingHigh?.toFixed(2)
      },${leader.topChance?.toFixed(4)},1,`,
    ),
    row,
  );
  const markdown = sessionMarkdown(s.lab.view());
  assert.match(markdown, /\n\nThe leader is the true best with a chance of [^\n]* %\.[^\n]*\n\n\| rank/);
  assert.match(markdown, /\| rating \(90 % interval\) \| in top 1 \| Elo \|/);
  assert.match(
    markdown,
    /Rating: Bradley-Terry on Elo's scale, with its 90 % interval\. In top 1: [^\n]*\n$/,
  );
  s.lab.configure({ ranking: { rating: "elo" } });
  assert.match(sessionMarkdown(s.lab.view()), /\| hypothesis \| Elo \| rating \(90 % interval\) \|/);
});
