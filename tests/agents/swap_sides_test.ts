import assert from "node:assert/strict";
import { swapNumbers, swapSides } from "../../agents/swap_sides.ts";

Deno.test("where a speech calls a hypothesis by its number, the number changes", () => {
  const table: [string, string][] = [
    ["I speak for hypothesis 1.", "I speak for hypothesis 2."],
    ["Hypothesis 2 fails; hypothesis #1 holds.", "Hypothesis 1 fails; hypothesis #2 holds."],
    ["Hypotheses 1 and 2 agree.", "Hypotheses 2 and 1 agree."],
    ["I prefer idea 1 over 2, and option no. 2 to 1.", "I prefer idea 2 over 1, and option no. 1 to 2."],
    ["The advocate of 2 concedes it.", "The advocate of 1 concedes it."],
    ["hypothesis 12 and hypothesis 1.5 are nobody's", "hypothesis 12 and hypothesis 1.5 are nobody's"],
    ["H1 at 1 mg and 2 h, in step 1 of 2", "H1 at 1 mg and 2 h, in step 1 of 2"],
    ["hypothesis 1 and 12 others", "hypothesis 2 and 12 others"],
  ];
  for (const [text, swapped] of table) {
    assert.equal(swapNumbers(text), swapped);
    assert.equal(swapNumbers(swapped), text, "and back again");
  }
});

Deno.test("the speakers change names with their texts", () => {
  assert.deepEqual(
    swapSides([
      { speaker: "advocate of 1", text: "Hypothesis 1 is new." },
      { speaker: "advocate of 2", text: "So is hypothesis 2." },
    ]),
    [
      { speaker: "advocate of 2", text: "Hypothesis 2 is new." },
      { speaker: "advocate of 1", text: "So is hypothesis 1." },
    ],
  );
});
