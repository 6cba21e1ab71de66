import assert from "node:assert/strict";
import { reflection } from "../../agents/reflection.ts";
import type { ReviewKind } from "../../lib/domain/records.ts";
import { fences } from "../../lib/domain/text.ts";
import { evidence, feedback, hypothesis, makeTask, makeView, outcomeOf, review, runTask } from "./support.ts";

const task = (kind: ReviewKind) => makeTask("reflection", "review", { kind }, "hyp_1");
const answer = (...urls: string[]) => ({
  verdict: "neutral",
  evidence: urls.map((url) => ({ claim: "c", url, excerpt: "e" })),
});

Deno.test("a full review reads the newest version and what is recorded about it, results first", async () => {
  const view = makeView({
    hypotheses: [hypothesis(1, {
      version: 2,
      statement: "Second wording.",
      citations: [{ url: "https://c.org", title: "Cited" }],
    })],
    evidence: [
      evidence(1, 1),
      evidence(2, 1, { kind: "experiment", source: "bench", stance: "contradicts" }),
      evidence(3, 9),
    ],
    feedback: [feedback("not for reviewers")],
  });
  const { outcome, context } = await runTask(reflection, view, task("full"), { records: [answer()] });
  const [sent] = context.sent;
  const found = fences(sent?.text ?? "");
  assert.equal(found[0]?.attributes["label"], "H1");
  assert.match(found[0]?.text ?? "", /Second wording/);
  assert.deepEqual(found.slice(1).map(({ attributes }) => [attributes["n"], attributes["url"]]), [
    ["1", "bench"],
    ["2", "https://example.org/1"],
    ["3", "https://c.org"],
  ]);
  assert.equal(sent?.tools?.length, 5);
  assert.doesNotMatch(sent?.session ?? "", /not for reviewers/);
  const done = outcomeOf(outcome, "review_completed");
  assert.deepEqual([done.hypothesisId, done.hypothesisVersion, done.reviewKind], ["hyp_1", 2, "full"]);
});

Deno.test("evidence is kept if a tool returned it now or the records hold it; the rest is counted", async () => {
  const view = makeView({ hypotheses: [hypothesis(1)], evidence: [evidence(1, 1)] });
  const { outcome } = await runTask(reflection, view, task("full"), {
    records: [answer("https://example.org/1", "https://new.org", "https://made.up")],
    seen: [{ url: "https://new.org", title: "", text: "" }],
  });
  const done = outcomeOf(outcome, "review_completed");
  assert.deepEqual(done.evidence.map(({ url }) => url), ["https://example.org/1", "https://new.org"]);
  assert.equal(done.droppedEvidence, 1);
});

Deno.test("a verification goes assumption by assumption and knows the earlier reviews", async () => {
  const view = makeView({ hypotheses: [hypothesis(1)], reviews: [review(1, 1)] });
  const { context } = await runTask(reflection, view, task("verification"), { records: [answer()] });
  assert.equal(context.sent[0]?.call.route, "reflection.verification");
  assert.match(context.sent[0]?.text ?? "", /assumption/);
  assert.equal(
    fences(context.sent[0]?.text ?? "").find(({ tag }) => tag === "REVIEW")?.attributes["of"],
    "H1",
  );
});

Deno.test("an observation review reads the sources on record and may fetch them, no more", async () => {
  const view = makeView({
    hypotheses: [hypothesis(1)],
    evidence: [evidence(1, 1), evidence(2, 1, { kind: "expert", source: "Ada" })],
  });
  const { context } = await runTask(reflection, view, task("observation"), { records: [answer()] });
  assert.deepEqual(context.sent[0]?.tools, ["web_fetch"]);
  assert.deepEqual(
    fences(context.sent[0]?.text ?? "").filter(({ tag }) => tag === "SOURCE").map((s) => s.attributes["url"]),
    ["https://example.org/1"],
  );
});

Deno.test("there is nothing to do for an observation without sources, or for what is out of play", () => {
  const decide = (kind: ReviewKind, state: "in_tournament" | "rejected" | "quarantined") =>
    reflection.decide(makeView({ hypotheses: [hypothesis(1, {}, { state })] }), task(kind), []);
  assert.equal(decide("observation", "in_tournament").kind, "nothing");
  assert.equal(decide("full", "rejected").kind, "nothing");
  assert.equal(decide("full", "quarantined").kind, "nothing");
  assert.equal(decide("full", "in_tournament").kind, "none");
});

Deno.test("a review task for a hypothesis that doesn't exist says so", () => {
  assert.equal(reflection.decide(makeView(), task("full"), []).kind, "nothing");
  assert.throws(() => reflection.prepare(makeView(), task("full"), { kind: "none" }), /No hypothesis hyp_1/);
});
