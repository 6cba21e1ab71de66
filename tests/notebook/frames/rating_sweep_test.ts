import assert from "node:assert/strict";
import { ratingSweepFrame } from "../../../lib/notebook/frames/rating_sweep.ts";

Deno.test("each combination has a row for each leading hypothesis, with its place and rating there", () => {
  const row = { tau: 1, farthest: null, entered: [], left: [], top: ["H1"] };
  assert.deepEqual(
    ratingSweepFrame({
      settings: [{ name: "kFactorNew", values: [16, 32], inForce: 32 }],
      by: "elo",
      topK: 1,
      rows: [{ ...row, values: [16], inForce: false }, { ...row, values: [32], inForce: true }],
      lines: [{ label: "H1", title: "One", places: [1, 2], ratings: [1216, 1232] }, {
        label: "H2",
        title: "Two",
        places: [2, null],
        ratings: [1184, null],
      }],
    }).map((each) => Object.values(each)),
    [
      [1, ["kFactorNew = 16"], false, "H1", "One", 1, 1216],
      [1, ["kFactorNew = 16"], false, "H2", "Two", 2, 1184],
      [2, ["kFactorNew = 32"], true, "H1", "One", 2, 1232],
      [2, ["kFactorNew = 32"], true, "H2", "Two", null, null],
    ],
  );
});
