import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../../lib/config/settings.ts";
import { budgetFrame } from "../../../lib/notebook/frames/budget.ts";
import { revisionRecord } from "../view_double.ts";

const capped = (budgetUsd: number) => ({
  ...DEFAULT_SETTINGS,
  run: { ...DEFAULT_SETTINGS.run, budgetUsd },
});

/** A change of the cap. */
function change(number: number, seq: number, before: number, after: number) {
  return { ...revisionRecord(number, seq), target: "run.budgetUsd", before, after };
}

Deno.test("spending adds up by agent and in all, in dollars, at the time of the last call", () => {
  const rows = budgetFrame({ settings: capped(5), revisions: [] }, [
    { seq: 1, at: 1000, agent: "planning", microUsd: 1_500 },
    { seq: 2, at: 61_000, agent: "generation", microUsd: 20_000 },
    { seq: 2, at: 62_000, agent: "safety", microUsd: 500 },
    { seq: 7, at: 90_000, agent: "generation", microUsd: 30_000 },
    { seq: null, at: 95_000, agent: "ranking", microUsd: 1_000 },
  ]);
  assert.deepEqual(
    rows.map((
      { seq, agent, usd, agentUsd, totalUsd, capUsd },
    ) => [seq, agent, usd, agentUsd, totalUsd, capUsd]),
    [
      [1, "planning", 0.0015, 0.0015, 0.0015, 5],
      [2, "generation", 0.02, 0.02, 0.0215, 5],
      [2, "safety", 0.0005, 0.0005, 0.022, 5],
      [7, "generation", 0.03, 0.05, 0.052, 5],
      [null, "ranking", 0.001, 0.001, 0.053, 5],
    ],
  );
  assert.equal(rows[1]?.at, "1970-01-01T00:01:01.000Z");
});

Deno.test("each row has the cap that was in force at its commit", () => {
  const revisions = [
    revisionRecord(1, 3),
    change(2, 4, 2, 3),
    change(3, 8, 3, 1),
  ];
  const at = (seq: number | null) => ({ seq, at: 0, agent: "ranking" as const, microUsd: 1 });
  const rows = budgetFrame({ settings: capped(1), revisions }, [at(3), at(4), at(7), at(8), at(null)]);
  assert.deepEqual(rows.map(({ capUsd }) => capUsd), [2, 3, 3, 1, 1]);
});

Deno.test("without calls there are no rows", () => {
  assert.deepEqual(budgetFrame({ settings: capped(1), revisions: [] }, []), []);
});
