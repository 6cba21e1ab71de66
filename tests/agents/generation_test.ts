import assert from "node:assert/strict";
import { angleOf, ANGLES } from "../../agents/angles.ts";
import { differFrom } from "../../agents/differ_from.ts";
import { generation } from "../../agents/generation.ts";
import { embeddingText, fences } from "../../lib/domain/text.ts";
import { recordId } from "../../lib/domain/ids.ts";
import {
  directive,
  draft,
  feedback,
  hypothesis,
  makeTask,
  makeView,
  outcomeOf,
  runTask,
  settingsWith,
} from "./support.ts";

const literature = makeTask("generation", "generate", { mode: "literature", angle: 3 });
const debate = makeTask("generation", "generate", { mode: "debate", angle: 3 });

Deno.test("the prompt carries the angle, the titles to differ from, and all five research tools", async () => {
  const view = makeView({ hypotheses: [hypothesis(1), hypothesis(2)] });
  const { context } = await runTask(generation, view, literature, { records: [draft()] });
  const [sent] = context.sent;
  assert.equal(sent?.call.route, "generation.literature");
  assert.match(sent?.text ?? "", new RegExp(`^Angle: ${angleOf("seed", 3)}$`, "m"));
  assert.equal(
    fences(sent?.text ?? "").find(({ tag }) => tag === "DIFFER_FROM")?.text,
    "Title 1\nTitle 2",
  );
  assert.equal(sent?.tools?.length, 5);
  assert.equal(sent?.maxTurns, 8);
});

Deno.test("feedback, directives for this agent, plan and preferences stand in the session block", async () => {
  const view = makeView({
    session: { preferences: "Cheap" },
    plan: {
      seq: 1,
      id: "pln",
      objective: "Halve the wear",
      preferences: ["quiet"],
      constraints: [],
      ideaAttributes: ["bold"],
    },
    feedback: [feedback("old"), feedback("Say how large the effect is")],
    directives: [
      directive(1, "Only oils"),
      directive(2, "Judge mildly", ["ranking"]),
      directive(3, "Think small", ["generation"]),
    ],
  });
  const { context } = await runTask(generation, view, literature, { records: [draft()] });
  const session = fences(context.sent[0]?.session ?? "");
  assert.deepEqual(session.map(({ tag }) => tag), [
    "GOAL",
    "PREFERENCES",
    "PLAN",
    "FEEDBACK",
    "DIRECTIVE",
    "DIRECTIVE",
  ]);
  assert.match(session[2]?.text ?? "", /Halve the wear[\s\S]*quiet[\s\S]*bold/);
  assert.match(session[3]?.text ?? "", /Say how large[\s\S]*vague steps[\s\S]*boundary cases/);
  assert.deepEqual(session.slice(4).map(({ text }) => text), ["Only oils", "Think small"]);
  assert.deepEqual(context.sent[0]?.call.session.directives.map(({ id }) => id), ["dir_1", "dir_3"]);
});

Deno.test("a citation stands only for what a tool returned; the others are dropped and counted", async () => {
  const citation = (url: string) => ({ url, title: "T" });
  const { outcome } = await runTask(generation, makeView(), literature, {
    records: [draft({ citations: [citation("https://a.org/1"), citation("https://made.up/2")] })],
    seen: [{ url: "https://a.org/1", title: "T", text: "" }],
  });
  const { proposal } = outcomeOf(outcome, "hypothesis_proposed");
  assert.deepEqual(proposal.citations.map(({ url }) => url), ["https://a.org/1"]);
  assert.equal(proposal.droppedCitations, 1);
});

Deno.test("a duplicate is given back with the title that it repeats, and a different one is taken", async () => {
  const same = draft({ title: "Again" }), other = draft({ title: "Other", statement: "Other statement." });
  const vectors = {
    [embeddingText({ statement: "New statement.", mechanism: "New mechanism." })]: [1, 0],
    [embeddingText({ statement: "Other statement.", mechanism: "New mechanism." })]: [0, 1],
  };
  const { outcome, context } = await runTask(generation, makeView(), literature, {
    records: [same, other, other],
    vectors,
    nearest: (vector) => ({ id: "hyp_1", title: "Known title", cosine: vector[0] === 1 ? 0.92 : 0.3 }),
  });
  assert.equal(context.reconsidered.length, 1);
  assert.match(context.reconsidered[0] ?? "", /0\.92[\s\S]*Known title[\s\S]*different hypothesis/);
  const { proposal } = outcomeOf(outcome, "hypothesis_proposed");
  assert.equal(proposal.draft.title, "Other");
  assert.deepEqual([...proposal.vector], [0, 1]);
  assert.equal(context.embedded.length, 2, "the accepted draft isn't embedded twice");
});

Deno.test("the screen looks at the text under the id that the hypothesis will have", async () => {
  const { context } = await runTask(generation, makeView(), literature, { records: [draft()] });
  assert.equal(context.screened[0]?.target, recordId("hyp", literature.key));
  assert.match(context.screened[0]?.text ?? "", /Statement: New statement\./);
});

Deno.test("a debate is an exchange of calls, each of which reads all before it, and ends in a record", async () => {
  const view = makeView({ settings: settingsWith({ generation: { debateTurns: 5 } }) });
  const { outcome, context } = await runTask(generation, view, debate, {
    prose: ["one", "two", "three", "four", "five"],
    records: [draft()],
  });
  const turns = context.sent.map(({ text }) =>
    fences(text).filter(({ tag }) => tag === "TURN").map((turn) => turn.text)
  );
  assert.deepEqual(turns, [[], ["one"], ["one", "two"], ["one", "two", "three"], [
    "one",
    "two",
    "three",
    "four",
  ], ["one", "two", "three", "four", "five"]]);
  const last = fences(context.sent.at(-1)?.text ?? "").filter(({ tag }) => tag === "TURN");
  assert.deepEqual(last.map(({ attributes }) => attributes["speaker"]), [
    "proposer",
    "sceptic",
    "methodologist",
    "proposer",
    "synthesiser",
  ]);
  assert.deepEqual(context.sent.map(({ call }) => call.prompt).slice(-2), [
    "generation.debate.turn",
    "generation.debate",
  ]);
  assert.equal(outcomeOf(outcome, "hypothesis_proposed").proposal.strategy, "debate");
});

Deno.test("a session takes its angles in an order of its own; a second round pairs them", () => {
  const angles = Array.from({ length: ANGLES.length }, (_, i) => angleOf("a", i));
  assert.deepEqual(new Set(angles), new Set(ANGLES));
  assert.notDeepEqual(angles, Array.from({ length: ANGLES.length }, (_, i) => angleOf("b", i)));
  const many = Array.from({ length: 500 }, (_, i) => angleOf("a", i));
  assert.equal(new Set(many).size, many.length);
  assert.ok(many.every((angle) => !angle.includes("\n")));
});

Deno.test("of many titles the best, the newest and those nearest to them are named, in the order of birth", () => {
  const near = Array.from({ length: 500 }, (_, i) => hypothesis(i + 1, {}, { elo: i === 99 ? 1500 : 1200 }));
  const vectors = Object.fromEntries(near.map((h, i) => {
    const angle = i === 99 || i > 400 || (i > 200 && i < 210) ? 0 : Math.PI / 2;
    return [h.record.id, [Math.cos(angle), Math.sin(angle)]];
  }));
  const titles = differFrom(makeView({ hypotheses: near, vectors }), 40);
  assert.equal(titles.length, 40);
  assert.ok(titles.includes("Title 100"), "the leader");
  assert.ok(titles.includes("Title 500"), "the newest");
  const numbers = titles.map((title) => Number(title.slice(6)));
  assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
  // The rest are near the anchors, not among the many that are not.
  assert.equal(numbers.filter((n) => n > 401).length >= 29, true);
});

Deno.test("rejected hypotheses are named too, quarantined ones never", () => {
  const titles = differFrom(
    makeView({
      hypotheses: [hypothesis(1, {}, { state: "rejected" }), hypothesis(2, {}, { state: "quarantined" })],
    }),
    40,
  );
  assert.deepEqual(titles, ["Title 1"]);
});

Deno.test("preparing the same task twice gives the same input", () => {
  const view = makeView({ hypotheses: [hypothesis(1)] });
  const task = makeTask("generation", "generate");
  const input = () => generation.prepare(view, task, { kind: "none" });
  assert.deepEqual(input(), input());
  assert.equal(input().mode, "literature");
});
