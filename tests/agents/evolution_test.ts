import assert from "node:assert/strict";
import { evolution } from "../../agents/evolution.ts";
import type { Decision } from "../../lib/domain/agent.ts";
import type { EvolutionStrategy, TaskPayload } from "../../lib/domain/records.ts";
import { EVOLUTION_STRATEGIES } from "../../lib/domain/records.ts";
import { fences } from "../../lib/domain/text.ts";
import {
  directive,
  draft,
  evidence,
  feedback,
  hypothesis,
  makeTask,
  makeView,
  outcomeOf,
  review,
  runTask,
  settingsWith,
  type ViewParts,
} from "./support.ts";

/** Leaders H1, H2, H3, H4 in this order; H1 and H4 are the most distant. */
const leaders = [1, 2, 3, 4].map((n) => hypothesis(n, {}, { elo: 1300 - n }));
const vectors = { hyp_1: [1, 0], hyp_2: [0.8, 0.6], hyp_3: [0.6, 0.8], hyp_4: [0, 1] };

function task(strategy: EvolutionStrategy, payload: TaskPayload = {}) {
  return makeTask("evolution", "evolve", { strategy, ...payload }, null, `evolution::${strategy}`);
}

function parents(strategy: EvolutionStrategy, parts: ViewParts = {}, busy: Decision[] = [], payload = {}) {
  const view = makeView({ hypotheses: leaders, vectors, ...parts });
  const decision = evolution.decide(view, task(strategy, payload), busy);
  return decision.kind === "evolve" ? decision.parents : decision.kind === "nothing" ? decision.reason : "";
}

/** H9, made from some by a strategy at a seq. */
const child = (strategy: EvolutionStrategy, from: number[], seq = 50) =>
  hypothesis(9, { strategy, parents: from.map((n) => `hyp_${n}`) }, { bornSeq: seq, elo: 1000 });

Deno.test("combine takes the leaders that are most distant in their ideas", () => {
  assert.deepEqual(parents("combine"), ["hyp_1", "hyp_4"]);
  const topTwo = settingsWith({ evolution: { topK: 2 } });
  assert.deepEqual(parents("combine", { settings: topTwo }), ["hyp_1", "hyp_2"]);
});

Deno.test("combine doesn't repeat a pair in the same versions, but does after an edit", () => {
  const hypotheses = [...leaders, child("combine", [1, 4])];
  const topFour = settingsWith({ evolution: { topK: 4 } });
  assert.deepEqual(parents("combine", { hypotheses, settings: topFour }), ["hyp_1", "hyp_3"]);
  const edited = hypotheses.map((h) =>
    h.record.label === "H4" ? { ...h, record: { ...h.record, version: 2, seq: 60 } } : h
  );
  assert.deepEqual(parents("combine", { hypotheses: edited, settings: topFour }), ["hyp_1", "hyp_4"]);
});

Deno.test("simplify takes the best leader not yet simplified in its newest version", () => {
  assert.deepEqual(parents("simplify"), ["hyp_1"]);
  assert.deepEqual(parents("simplify", { hypotheses: [...leaders, child("simplify", [1])] }), ["hyp_2"]);
  assert.deepEqual(parents("feasibility", { hypotheses: [...leaders, child("simplify", [1])] }), ["hyp_1"]);
  const edited = hypothesis(1, { version: 2, seq: 60 }, { elo: 1400, bornSeq: 1 });
  assert.deepEqual(
    parents("simplify", { hypotheses: [edited, ...leaders.slice(1), child("simplify", [1])] }),
    ["hyp_1"],
  );
});

Deno.test("a simplification that ended as a duplicate of its parent isn't tried again", () => {
  const tried = task("simplify");
  const duplicates = [{
    seq: 60,
    id: "dup_1",
    title: "t",
    statement: "s",
    duplicateOf: "hyp_1",
    cosine: 0.95,
    taskId: tried.id,
  }];
  assert.deepEqual(parents("simplify", { duplicates, tasks: [tried] }), ["hyp_2"]);
  assert.deepEqual(parents("feasibility", { duplicates, tasks: [tried] }), ["hyp_1"]);
});

Deno.test("what another task is evolving comes after the other leaders", () => {
  const busy: Decision[] = [{ kind: "evolve", parents: ["hyp_1"] }];
  assert.deepEqual(parents("simplify", {}, busy), ["hyp_2"]);
  assert.deepEqual(parents("simplify", { hypotheses: leaders.slice(0, 1) }, busy), ["hyp_1"]);
});

Deno.test("out_of_box starts from up to five leaders, near-duplicates left out", () => {
  const many = Array.from(
    { length: 9 },
    (_, i) => hypothesis(i + 1, {}, { elo: 1300 - i, foldedUnder: i === 1 ? "hyp_1" : null }),
  );
  const settings = settingsWith({ evolution: { topK: 8 } });
  assert.deepEqual(parents("out_of_box", { hypotheses: many, settings }), [
    "hyp_1",
    "hyp_3",
    "hyp_4",
    "hyp_5",
    "hyp_6",
  ]);
});

Deno.test("the hypotheses that a person named win", () => {
  assert.deepEqual(parents("combine", {}, [], { parents: ["hyp_3", "hyp_2"] }), ["hyp_3", "hyp_2"]);
  assert.deepEqual(parents("simplify", {}, [], { parents: ["hyp_4"] }), ["hyp_4"]);
});

Deno.test("with too few, too many or unknown ones there is nothing to do, and the reason says why", () => {
  assert.match(
    String(parents("combine", { hypotheses: leaders.slice(0, 1) })),
    /at least 2.*is 1 hypothesis/,
  );
  assert.match(String(parents("simplify", { hypotheses: [] })), /at least 1.*0 hypotheses/);
  assert.match(String(parents("simplify", {}, [], { parents: ["hyp_1", "hyp_2"] })), /2 were named/);
  assert.match(String(parents("combine", {}, [], { parents: ["hyp_1", "hyp_1"] })), /at least 2/);
  assert.match(String(parents("combine", {}, [], { parents: ["hyp_1", "hyp_77"] })), /no hypothesis hyp_77/);
  assert.match(
    String(parents("simplify", { hypotheses: [leaders[0] ?? hypothesis(1), child("simplify", [1])] })),
    /^hyp_9$/,
    "the child may be simplified in its turn",
  );
});

for (const strategy of EVOLUTION_STRATEGIES) {
  Deno.test(`${strategy}: parents, reviews, feedback and directives reach the prompt; parents are recorded`, async () => {
    const view = makeView({
      hypotheses: leaders,
      vectors,
      reviews: [review(1, 1, { notes: "Weak second step" })],
      evidence: [evidence(1, 1)],
      feedback: [feedback("Name the effect size")],
      directives: [directive(1, "Stay cheap", ["evolution"]), directive(2, "Not for you", ["reflection"])],
    });
    const { outcome, context, decision } = await runTask(evolution, view, task(strategy), {
      records: [draft()],
    });
    const [sent] = context.sent;
    assert.equal(sent?.call.prompt, `evolution.${strategy}`);
    const found = fences(sent?.text ?? "");
    const { proposal } = outcomeOf(outcome, "hypothesis_proposed");
    assert.deepEqual(proposal.parents, decision.kind === "evolve" ? decision.parents : null);
    assert.equal(proposal.strategy, strategy);
    assert.deepEqual(
      found.filter(({ tag }) => tag === "HYPOTHESIS").map(({ attributes }) => attributes["label"]),
      proposal.parents.map((id) => id.replace("hyp_", "H")),
    );
    assert.match(found.find(({ tag }) => tag === "REVIEW")?.text ?? "", /Weak second step/);
    assert.match(sent?.session ?? "", /Name the effect size[\s\S]*Stay cheap/);
    assert.doesNotMatch(sent?.session ?? "", /Not for you/);
    assert.equal(sent?.maxTurns, 6);
  });
}

Deno.test("a draft that repeats its own parent is told to change in substance", async () => {
  const view = makeView({ hypotheses: leaders, vectors });
  const { context } = await runTask(evolution, view, task("simplify"), {
    records: [draft(), draft({ statement: "Other." })],
    nearest: () => ({ id: "hyp_1", title: "Title 1", cosine: 0.97 }),
  });
  assert.match(context.reconsidered[0] ?? "", /asked to work from/);
});

Deno.test("a child may lean on what its parents' records lean on, and on nothing that nobody saw", async () => {
  const view = makeView({ hypotheses: leaders, vectors, evidence: [evidence(1, 1)] });
  const known = view.evidence[0]?.source ?? "";
  const { outcome } = await runTask(evolution, view, task("simplify"), {
    records: [
      draft({
        citations: [{ url: known, title: "Known" }, { url: "https://invented.test/", title: "Invented" }],
      }),
    ],
  });
  const { proposal } = outcomeOf(outcome, "hypothesis_proposed");
  assert.deepEqual(proposal.citations.map(({ url }) => url), [known]);
  assert.equal(proposal.droppedCitations, 1);
});
