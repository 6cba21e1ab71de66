import assert from "node:assert/strict";
import { EVOLUTION_STRATEGIES } from "../../lib/domain/records.ts";
import { cosci, workFolder } from "./command_line.ts";

Deno.test("the demo uses every strategy and a meta-review, and ends with an overview, fresh each time", async () => {
  await using folder = await workFolder();
  await Deno.mkdir(folder.file("out/demo"), { recursive: true });
  await Deno.writeTextFile(folder.file("out/demo/demo.db"), "of an earlier time");
  const { code, stdout, stderr } = await cosci(folder.path, "demo");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^demo \(SIMULATED\)/);
  const run = JSON.parse(await folder.read("out/demo/run.json"));
  const strategies = new Set(run.leaderboard.map((row: { strategy: string }) => row.strategy));
  for (const strategy of [...EVOLUTION_STRATEGIES, "literature", "debate"]) {
    assert.ok(strategies.has(strategy), strategy);
  }
  assert.ok(run.counts.feedback >= 1);
  assert.equal(run.overview.source, "model");
});
