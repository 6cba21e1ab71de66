import assert from "node:assert/strict";
import {
  hypothesisDraft,
  planDraft,
  rankingFromText,
  recordRanking,
  reviewDraft,
  safetyDraft,
  verdictDraft,
  verdictFromText,
} from "../../lib/domain/drafts.ts";

Deno.test("a verdict is read from the last line that gives one", () => {
  const table: [string, "1" | "2" | "tie" | null][] = [
    ["better idea: 1", "1"],
    ["Better idea: 2.", "2"],
    ["BETTER HYPOTHESIS: 2", "2"],
    ["better hyp: 1", "1"],
    ["better option: (2)", "2"],
    ["**Better idea: 1**", "1"],
    ["better idea: **2**", "2"],
    ["better idea: *1*", "1"],
    ["better idea: `2`", "2"],
    ["better idea: #1", "1"],
    ['better idea: "2"', "2"],
    ["better idea: idea 2", "2"],
    ["better idea: hypothesis **1**", "1"],
    ["better idea is: 2", "2"],
    ["better idea: tie", "tie"],
    ["better idea: **Tie**", "tie"],
    ["better idea: 1\nbetter idea: 2", "2"],
    ["better idea: 1\n\nI am sure.\n", "1"],
    ["Reasons.\r\nbetter idea: 2\r\n", "2"],
    ["I weighed both.\n\n**Better idea: 2**\n", "2"],
    ["better idea: <2>", "2"],
    ["better idea: 1 (2 rests on a single study)", "1"],
    ["better idea: 12", null],
    ["better idea: 1.5", null],
    ["better idea: 1 or 2", null],
    ["better idea: 1/2", null],
    ["better idea: **12**", null],
    ["better idea: 21", null],
    ["better idea: 3", null],
    ["better idea: 0", null],
    ["better idea: 1st", null],
    ["better idea: one", null],
    ["better idea: tied", null],
    ["better idea:", null],
    ["better idea:\n1", null],
    ["betters idea: 1", null],
    ["The better idea is 1", null],
    ["idea: 1", null],
    ["", null],
  ];
  for (const [prose, winner] of table) {
    assert.equal(verdictFromText(prose)?.winner ?? null, winner, JSON.stringify(prose));
  }
});

Deno.test("the verdict's rationale is the whole prose, and it is valid by its schema", () => {
  const verdict = verdictFromText("  Because.\nbetter idea: 2 ");
  assert.deepEqual(verdict, { winner: "2", rationale: "Because.\nbetter idea: 2" });
  assert.ok(verdictDraft.safeParse(verdict).success);
});

Deno.test("what a model leaves out has its default, and what must be there is asked for", () => {
  assert.deepEqual(planDraft.parse({ objective: " o ", preferences: [] }), {
    objective: "o",
    preferences: [],
    constraints: [],
    idea_attributes: [],
  });
  assert.equal(planDraft.safeParse({ objective: " ", preferences: [] }).success, false);
  const whole = {
    title: "t",
    statement: "s",
    mechanism: "m",
    anticipated_outcomes: "a",
    novelty_argument: "n",
  };
  assert.deepEqual(hypothesisDraft.parse(whole), { ...whole, entities: [], citations: [] });
  for (const field of Object.keys(whole)) {
    assert.equal(hypothesisDraft.safeParse({ ...whole, [field]: "" }).success, false, field);
  }
  assert.equal(hypothesisDraft.safeParse({ ...whole, title: "x".repeat(301) }).success, false);
});

Deno.test("scores outside 0 to 1, unknown verdicts and NaN are refused", () => {
  assert.ok(reviewDraft.safeParse({ verdict: "neutral", novelty: 1 }).success);
  for (
    const wrong of [{ verdict: "fine" }, { verdict: "neutral", novelty: 1.1 }, {
      verdict: "neutral",
      novelty: NaN,
    }]
  ) {
    assert.equal(reviewDraft.safeParse(wrong).success, false);
  }
  assert.equal(safetyDraft.safeParse({ categories: [], confidence: 1 }).success, false);
  assert.equal(safetyDraft.safeParse({ categories: ["none"], confidence: Infinity }).success, false);
});

Deno.test("a ranking is read from the last line that gives one, or from the named list below it", () => {
  const table: [string, number[] | null][] = [
    ["ranking: 3 > 1 > 2", [3, 1, 2]],
    ["Ranking: 3, 1, 2.", [3, 1, 2]],
    ["**Ranking:** **3** > **1** > **2**", [3, 1, 2]],
    ["ranking: Hypothesis 3 > hypothesis 1 > hyp. 2", [3, 1, 2]],
    ["ranking (best first): #3 → #1 → #2", [3, 1, 2]],
    ["ranking: [3, 1, 2]", [3, 1, 2]],
    ["ranking: 1 > 2 > 3\nNo:\nranking: 3 > 1 > 2\nI am sure.", [3, 1, 2]],
    ["Ranking:\n1. Hypothesis 3\n2. **Hypothesis 1**: well tested\n3. Hypothesis 2", [3, 1, 2]],
    ["ranking: 12 > 1 > 2", [12, 1, 2]],
    ["ranking: 3 > 1 = 2", null],
    ["ranking: 3 > 1 or 2", null],
    ["ranking: 3", null],
    ["Ranking:\n1. 3\n2. 1\n3. 2", null],
    ["ranking: they are all good", null],
    ["3 > 1 > 2", null],
    ["", null],
  ];
  for (const [prose, ranking] of table) {
    assert.deepEqual(rankingFromText(prose)?.ranking ?? null, ranking, JSON.stringify(prose));
  }
});

Deno.test("a ranking names each number exactly once; what is missing or named twice is said", () => {
  const { schema } = recordRanking(4);
  assert.deepEqual(schema.parse({ ranking: [2, 4, 1, 3] }), { ranking: [2, 4, 1, 3], rationale: "" });
  for (
    const ranking of [[1, 2, 3], [1, 2, 3, 5], [1, 2, 3, 4, 4], [0, 1, 2, 3], [1.5, 2, 3, 4], ["1", 2, 3, 4]]
  ) {
    assert.equal(schema.safeParse({ ranking }).success, false, JSON.stringify(ranking));
  }
  const wrong = schema.safeParse({ ranking: [1, 2, 2, 4] });
  assert.match(wrong.error?.issues[0]?.message ?? "", /missing: 3; more than once: 2/);
  assert.equal(recordRanking(4), recordRanking(4), "one tool a size");
});
