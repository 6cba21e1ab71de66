import assert from "node:assert/strict";
import { ChangeList } from "../../lib/notebook/values/change_list.ts";

Deno.test("a list of changes says what kind each is, in words and not in JSON, and what it takes back", () => {
  const base = { by: "Ada", seq: 7, undoes: null };
  const text = String(
    new ChangeList({
      session: "aml",
      simulated: false,
      rows: [
        { ...base, revision: "R1", kind: "configure", path: "ranking.kFactorNew", before: 32, after: 40 },
        { ...base, revision: "R2", kind: "pin", path: "H7", before: false, after: true },
        {
          ...base,
          revision: "R3",
          kind: "result",
          path: "E4",
          before: null,
          after: { outcome: "refuted", weight: 2 },
        },
        { ...base, revision: "R4", kind: "prompt", path: "system", before: "Be brief.", after: null },
        { ...base, revision: "R5", kind: "pin", path: "H7", before: true, after: false, undoes: "R2" },
      ],
    }),
  );
  for (
    const part of [
      /R1 .*ranking\.kFactorNew +32 +40/,
      /R2 .*pin H7 +no +yes/,
      /R3 .*result E4 +– +outcome refuted, weight 2/,
      /R4 .*prompt system +Be brief\. +the shipped text/,
      /R5 .*by Ada, undoing R2/,
    ]
  ) assert.match(text, part);
});
