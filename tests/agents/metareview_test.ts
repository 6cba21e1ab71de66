import assert from "node:assert/strict";
import { metareview } from "../../agents/metareview.ts";
import { fences } from "../../lib/domain/text.ts";
import {
  feedback,
  hypothesis,
  makeTask,
  makeView,
  match,
  outcomeOf,
  review,
  runTask,
  settingsWith,
} from "./support.ts";

const task = makeTask("metareview", "system_feedback");
const synthesis = { narrative: "Be exact.", common_weaknesses: ["vague"] };

Deno.test("the newest reviews and rationales are read, so many and so long as set", async () => {
  const view = makeView({
    settings: settingsWith({
      metareview: { maxReviews: 2, maxRationales: 2, reviewChars: 40, rationaleChars: 10 },
    }),
    hypotheses: [hypothesis(1), hypothesis(2)],
    reviews: [1, 2, 3].map((n) => review(n, 1, { notes: `note${n} ${"long ".repeat(50)}` })),
    matches: [
      match(1, 1, 2),
      match(2, 1, 2),
      match(3, 1, 2, { verdict: "invalid" }),
      match(4, 2, 1, { verdict: "second" }),
    ],
    rationales: { mat_1: "first", mat_2: "second", mat_3: "unreadable", mat_4: "fourth is rather long" },
    feedback: [feedback("Earlier synthesis")],
  });
  const { outcome, context } = await runTask(metareview, view, task, { records: [synthesis] });
  const found = fences(context.sent[0]?.text ?? "");
  const texts = (tag: string) => found.filter((f) => f.tag === tag).map((f) => f.text);
  assert.equal(texts("REVIEW").length, 2);
  assert.ok(texts("REVIEW").every((text) => text.length <= 40));
  assert.deepEqual(texts("RATIONALE"), ["fourth is…", "second"]);
  assert.deepEqual(
    found.filter((f) => f.tag === "RATIONALE").map((f) => f.attributes["better"]),
    ["H1", "H1"],
  );
  assert.match(texts("FEEDBACK").join(), /Earlier synthesis/);
  const done = outcomeOf(outcome, "feedback_written");
  assert.equal(done.matchesSeen, 3);
  assert.equal(done.feedback.narrative, "Be exact.");
});

Deno.test("what one call said of a group is told once, with its ranking", async () => {
  const group = (n: number, first: number, second: number, verdict: "first" | "second") =>
    match(n, first, second, { mode: "kwise", group: "grp_1", verdict });
  const view = makeView({
    hypotheses: [hypothesis(1), hypothesis(2), hypothesis(3)],
    matches: [match(1, 1, 2), group(2, 3, 1, "second"), group(3, 3, 2, "first"), group(4, 1, 2, "first")],
    rationales: { mat_1: "a pair", mat_2: "a group", mat_3: "a group", mat_4: "a group" },
  });
  const { context } = await runTask(metareview, view, task, { records: [synthesis] });
  const told = fences(context.sent[0]?.text ?? "").filter(({ tag }) => tag === "RATIONALE");
  assert.deepEqual(told.map(({ text, attributes }) => [text, attributes["best_first"]]), [
    ["a group", "H1, H3, H2"],
    ["a pair", undefined],
  ]);
});

Deno.test("rationales are read from the store only as far as needed", () => {
  const read: string[] = [];
  const view = {
    ...makeView({
      settings: settingsWith({ metareview: { maxRationales: 3 } }),
      hypotheses: [hypothesis(1), hypothesis(2)],
      matches: Array.from({ length: 500 }, (_, i) => match(i, 1, 2)),
    }),
    rationale: (id: string) => {
      read.push(id);
      return "why";
    },
  };
  metareview.prepare(view, task, { kind: "none" });
  assert.deepEqual(read, ["mat_499", "mat_498", "mat_497"]);
});

Deno.test("before the first review and match there is nothing to learn from", () => {
  assert.equal(metareview.decide(makeView(), task, []).kind, "nothing");
  assert.equal(metareview.decide(makeView(), makeTask("metareview", "overview"), []).kind, "none");
});

Deno.test("text of quarantined hypotheses' reviews stays out", async () => {
  const view = makeView({
    hypotheses: [hypothesis(1), hypothesis(2, {}, { state: "quarantined" })],
    reviews: [review(1, 1), review(2, 2, { notes: "dangerous" })],
  });
  const { context } = await runTask(metareview, view, task, { records: [synthesis] });
  assert.doesNotMatch(context.sent[0]?.text ?? "", /dangerous/);
});
