import assert from "node:assert/strict";
import { lineageFrame } from "../../../lib/notebook/frames/lineage.ts";
import { hypothesisRecord, viewOf } from "../view_double.ts";

Deno.test("the lineage has every hypothesis with those of its parents that are there", () => {
  const rows = lineageFrame(viewOf([
    hypothesisRecord(1),
    hypothesisRecord(2, { parents: ["hyp_1", "hyp_elsewhere"], generation: 1, strategy: "combine" }),
  ]));
  assert.deepEqual(
    rows.map(({ label, parents, generation, strategy, matches, state, elo }) => ({
      label,
      parents,
      generation,
      strategy,
      matches,
      state,
      elo,
    })),
    [
      {
        label: "H1",
        parents: [],
        generation: 0,
        strategy: "literature",
        matches: 0,
        state: "in_tournament",
        elo: 1200,
      },
      {
        label: "H2",
        parents: ["hyp_1"],
        generation: 1,
        strategy: "combine",
        matches: 0,
        state: "in_tournament",
        elo: 1200,
      },
    ],
  );
});
