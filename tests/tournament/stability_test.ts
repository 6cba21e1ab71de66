import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import type { EloSnapshot } from "../../lib/store/view.ts";
import { eloStable, leadersStandStill, snapshotDue, takeSnapshot } from "../../lib/tournament/stability.ts";

const TERMINATION = DEFAULT_SETTINGS.termination;

function snapshot(leaders: Record<string, number>, pool = 20): EloSnapshot {
  return { matches: 0, ids: Object.keys(leaders), elos: Object.values(leaders), pool };
}

Deno.test("stable: the same leaders in the last three snapshots, none moved by 25 points or more", () => {
  const still = [
    snapshot({ x: 1500, b: 1290 }),
    snapshot({ a: 1300, b: 1290 }),
    snapshot({ b: 1310, a: 1305 }),
    snapshot({ a: 1324.9, b: 1314.9 }),
  ];
  assert.equal(eloStable(still, TERMINATION), true);
  assert.equal(leadersStandStill(still, 3), true);
  assert.equal(leadersStandStill(still, 4), false);
});

Deno.test("not stable: too few snapshots, another leader, or a drift of 25 points", () => {
  const same = snapshot({ a: 1300, b: 1290 });
  assert.equal(eloStable([], TERMINATION), false);
  assert.equal(eloStable([same, same], TERMINATION), false);
  assert.equal(eloStable([same, snapshot({ a: 1300, c: 1290 }), same], TERMINATION), false);
  assert.equal(eloStable([same, snapshot({ a: 1300 }), same], TERMINATION), false);
  assert.equal(eloStable([same, snapshot({ a: 1325, b: 1290 }), same], TERMINATION), false);
  // The middle counts, not only first and last.
  assert.equal(eloStable([same, snapshot({ a: 1300, b: 1400 }), same], TERMINATION), false);
});

Deno.test("a pool no larger than k is compared as a whole; a single hypothesis never counts as stable", () => {
  const pair = snapshot({ a: 1210, b: 1190 }, 2);
  assert.equal(eloStable([pair, pair, pair], TERMINATION), true);
  assert.equal(eloStable([pair, pair, snapshot({ a: 1210, b: 1190, c: 1200 }, 3)], TERMINATION), false);
  const one = snapshot({ a: 1200 }, 1), none = snapshot({}, 0);
  assert.equal(eloStable([one, one, one], TERMINATION), false);
  assert.equal(eloStable([none, none, none], TERMINATION), false);
  assert.equal(leadersStandStill([one, one, one], 3), false);
});

Deno.test("a snapshot holds the first k of the leaderboard", () => {
  const leaderboard = ["a", "b", "c"].map((id, i) => ({
    elo: 1300 - i,
    record: {
      id,
      seq: i,
      label: `H${i}`,
      version: 1,
      strategy: "literature" as const,
      parents: [],
      citations: [],
      droppedCitations: 0,
      author: "model",
      generation: 0,
      model: "claude-opus-4-7",
      taskId: null,
      title: "",
      statement: "",
      mechanism: "",
      entities: [],
      anticipatedOutcomes: "",
      noveltyArgument: "",
    },
  }));
  assert.deepEqual(takeSnapshot(12, leaderboard, 2), {
    matches: 12,
    ids: ["a", "b"],
    elos: [1300, 1299],
    pool: 3,
  });
  assert.deepEqual(takeSnapshot(0, [], 5), { matches: 0, ids: [], elos: [], pool: 0 });
});

Deno.test("a snapshot is due when a multiple of the interval was reached or passed", () => {
  const table: [matches: number, last: number, due: boolean][] = [
    [0, 0, false],
    [9, 0, false],
    [10, 0, true],
    [13, 0, true],
    [19, 13, false],
    [20, 13, true],
    [45, 20, true],
    [20, 20, false],
  ];
  for (const [matches, last, due] of table) {
    assert.equal(snapshotDue(matches, last, 10), due, `${matches}, ${last}`);
  }
});
