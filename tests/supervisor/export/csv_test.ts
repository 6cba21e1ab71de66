import assert from "node:assert/strict";
import { leaderboardCsv } from "../../../lib/supervisor/export/csv.ts";
import { leaderboard } from "../../notebook/display_data.ts";
import { exportFolder } from "./sessions.ts";

Deno.test("the leaderboard as CSV: a row a hypothesis, best first, each marked as simulated", async () => {
  await using folder = await exportFolder();
  const lab = await folder.session("ships");
  lab.configure({ ranking: { topK: 1 } });
  await lab.runUntil({ matches: 3 });
  await lab.export(folder.path("a.csv"));
  const [head, ...rows] = (await folder.read("a.csv")).trimEnd().split("\n");
  assert.equal(
    head,
    "rank,label,title,elo,rating,rating_low,rating_high,top_k_chance,tier,matches,won,lost,tied," +
      "verdict,strategy,generation,parents,folded_under,result,pinned,author,simulated",
  );
  const { leaderboard } = lab.inspect();
  assert.equal(rows.length, leaderboard.length);
  assert.ok(rows.every((row) => row.endsWith(",SIMULATED")));
  const [leader] = leaderboard;
  assert.ok(leader?.rating !== null && leader?.rating !== undefined);
  assert.ok(
    rows[0]?.includes(
      `,${leader.elo.toFixed(2)},${leader.rating.toFixed(2)},${leader.ratingLow?.toFixed(2)},${
        leader.ratingHigh?.toFixed(2)
      },${leader.topChance?.toFixed(4)},1,`,
    ),
    rows[0],
  );
});

Deno.test("a model's title is data: no formula in a spreadsheet", () => {
  const row = leaderboard(1).map((each) => ({
    ...each,
    title: '=HYPERLINK("http://x")',
    rating: null,
    ratingLow: null,
    ratingHigh: null,
    topChance: null,
    tier: null,
    author: "=1+1",
  }));
  const csv = leaderboardCsv({ simulated: false, leaderboard: row });
  assert.match(csv, /^1,H1,"'=HYPERLINK\(""http:\/\/x""\)",[\d.]+,,,,,,/m, "what isn't known is empty");
  assert.match(csv, /,'=1\+1,\n$/, "a live session bears no mark, and no name is a formula");
});
