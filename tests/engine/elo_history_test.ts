import assert from "node:assert/strict";
import { openSession } from "./support/sim_session.ts";

const UNSETTLED = { topKPrecision: 0, minMatches: 1000 };

Deno.test("an epoch that leaves a match out keeps each other one's K; a rerating gives all of them its own, until it is undone", async () => {
  await using session = await openSession({
    settings: {
      run: { maxIdeas: 6, maxMatchesPerIdea: 8 },
      ranking: { kFactorNew: 32, kFactorWarm: 32 },
      termination: UNSETTLED,
    },
  });
  const { lab } = session;
  await lab.runUntil({ matches: 5 });
  lab.configure({ ranking: { kFactorNew: 64, kFactorWarm: 64 } });
  await lab.runFor({ matches: 4 });
  const ks = () => new Map(lab.view().eloJournal.map(({ matchId, k }) => [matchId, k]));
  const before = ks(), matches = lab.view().matches.filter(({ verdict }) => verdict !== "invalid");
  assert.deepEqual([...new Set(before.values())].sort(), [32, 64]);

  lab.voidVerdict(matches[1]?.label ?? "", "misjudged");
  for (const [id, k] of ks()) assert.equal(k, before.get(id));
  assert.equal(ks().size, before.size - 1);

  await lab.rerate({ exclude: [matches[2]?.label ?? ""], apply: true });
  assert.deepEqual(
    [...new Set(ks().values())],
    [64],
    "a rerating is of all matches under the present settings",
  );
  lab.undo();
  for (const [id, k] of ks()) assert.equal(k, before.get(id));
});
