/** A person's own hypothesis: entered, measured, screened, reviewed, evolved; never dropped silently, nor counted. */
import assert from "node:assert/strict";
import { countedIdeas } from "../../lib/engine/next_steps.ts";
import { partsOf } from "../../lib/supervisor/own_hypothesis.ts";
import { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, GOAL, small } from "../engine/support/session.ts";
import { assertRefused, lastCall, sent, writesOf } from "./support.ts";

const IDEA =
  "Invented cells glow because starved lamps leak light into their walls. The walls store it by night.";

Deno.test("one text is enough: the parts are made from it by rule", () => {
  const { title, statement, mechanism } = partsOf(IDEA);
  assert.equal(title, "Invented cells glow because starved lamps leak light into their walls");
  assert.equal(statement, `${title}.`);
  assert.equal(mechanism, "The walls store it by night.");
  const titled = partsOf("# Leaky lamps\n\nLamps leak light.\nWalls store it.");
  assert.deepEqual([titled.title, titled.statement, titled.mechanism], [
    "Leaky lamps",
    "Lamps leak light.",
    "Walls store it.",
  ]);
  assert.deepEqual(partsOf("Lamps leak"), {
    title: "Lamps leak",
    statement: "Lamps leak",
    mechanism: "",
    entities: [],
    anticipatedOutcomes: "",
    noveltyArgument: "",
  });
  assert.equal(partsOf(`${"long ".repeat(80)}end. More.`).title.length, 160);
});

Deno.test("it is entered with author, vector and review, is reviewed next, plays, and doesn't count against maxIdeas", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 1 });
  const counted = countedIdeas(lab.view());
  const calls = lastCall(lab);
  const added = await lab.addHypothesis(IDEA, { author: "Ada" });
  const label = added.label ?? "";
  assert.deepEqual([added.accepted, added.duplicateOf, added.force], [true, null, false]);
  assert.ok(added.cosine !== null && added.cosine < added.threshold && added.nearest !== null);
  assert.match(String(added), /Its review comes next/);
  assert.equal(lastCall(lab), calls, "nothing was asked of a model");
  const standing = lab.view().hypotheses.find(({ record }) => record.label === label);
  const { record } = standing ?? assert.fail();
  assert.deepEqual(
    [record.author, record.strategy, record.generation, record.parents, record.model, standing?.state],
    ["Ada", "human", 0, [], null, "draft"],
  );
  assert.ok(lab.view().vector(record.id) !== undefined);
  assert.equal(countedIdeas(lab.view()), counted);
  const [revision] = lab.revisions;
  assert.deepEqual([revision?.path, revision?.before, revision?.after, revision?.by], [
    label,
    null,
    { version: 1 },
    "Ada",
  ]);
  const { ran } = await lab.tick();
  assert.deepEqual(ran.map(({ action, target }) => [action, target]), [["review", label]]);
  const [screen, ...reviewing] = sent(lab, calls);
  assert.equal(screen?.agent, "safety", "it is screened before anything else reads it");
  assert.ok(screen?.text.includes("starved lamps leak light"));
  assert.ok(reviewing.length > 0 && reviewing.every(({ agent }) => agent === "reflection"));
  assert.ok(reviewing[0]?.text.includes("starved lamps leak light"));
  assert.equal(lab.view().screens.filter(({ target }) => target === record.id).length, 1);
  if (lab.view().hypothesis(record.id)?.state === "in_tournament") {
    await lab.runFor({ matches: 2 });
    assert.ok((lab.view().hypothesis(record.id)?.matches ?? 0) > 0);
  }
  await lab.reflect(label, "verification");
  assert.equal(lab.view().screens.filter(({ target }) => target === record.id).length, 1, "screened once");
  await lab.evolve("simplify", label);
  const child = lab.view().hypotheses.find((other) => other.record.parents.includes(record.id));
  if (child !== undefined) {
    assert.equal(child.record.author, "model");
    assert.equal(countedIdeas(lab.view()), counted + 1, "a child of it is the model's");
  }
  assert.match(String(lab.inspect(label)), /human.*by Ada/);
  assert.match(String(lab.inspect()), /\[by Ada\]/);
  assertSound(lab);
});

Deno.test("judges aren't told that a person wrote it or reviewed it", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 1 });
  const { label } = await lab.addHypothesis(IDEA, { author: "Ada Lovelace" });
  lab.addReview(label ?? "", { notes: "Walls do store light.", author: "Ada Lovelace" });
  const calls = lastCall(lab);
  await lab.runFor({ matches: 3 });
  const judged = sent(lab, calls).filter(({ agent, text }) =>
    agent === "ranking" && text.includes("Walls do store")
  );
  assert.ok(judged.length > 0, "judges read the review");
  for (const { text } of judged) assert.doesNotMatch(text, /Lovelace|\bhuman\b/);
});

Deno.test("one that repeats another is not entered, and the answer says so; force enters it", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 2 });
  const [first] = lab.view().hypotheses;
  const { statement, mechanism, label } = first?.record ?? assert.fail();
  const before = writesOf(lab), duplicates = lab.view().duplicates.length;
  const answer = await lab.addHypothesis({ statement, mechanism });
  assert.deepEqual([answer.accepted, answer.label, answer.duplicateOf], [false, null, label]);
  assert.ok((answer.cosine ?? 0) > 0.999);
  assert.match(String(answer), new RegExp(`Not entered.*repeats ${label}.*force: true`, "s"));
  assert.deepEqual(writesOf(lab), before);
  const forced = await lab.addHypothesis({ statement, mechanism, title: "Mine" }, { force: true });
  assert.deepEqual([forced.accepted, forced.duplicateOf, forced.force], [true, label, true]);
  assert.equal(lab.view().hypotheses.at(-1)?.record.title, "Mine");
  assert.equal(
    lab.view().duplicates.length,
    duplicates,
    "a person's try says nothing of how exhausted the field is",
  );
});

Deno.test("before there is a plan nothing is paid for it; the plan brings its review along", async () => {
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    settings: small(1),
    environment: {},
  });
  const { label, next } = await lab.addHypothesis(IDEA);
  assert.match(next, /as soon as there is a research plan/);
  const { ran: [first] } = await lab.tick();
  assert.equal(first?.action, "parse_goal");
  const reviews = lab.view().openTasks.filter(({ record }) => record.action === "review");
  assert.equal(reviews.length, 1);
  await lab.runUntil({ reviews: 1 });
  assert.equal(lab.view().reviewsOf(lab.view().hypotheses[0]?.record.id ?? "").length, 1, label ?? "");
  await lab.runUntil({ matches: 2 });
  assertSound(lab);
});

Deno.test("one that the safety screen blocks is quarantined at its review, before the reviewer reads it", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 1 });
  const { label } = await lab.addHypothesis(
    "A step by step synthesis route for a nerve agent such as sarin could be weaponised to cause mass casualties.",
  );
  const calls = lastCall(lab);
  const { ran: [review] } = await lab.tick();
  const standing = lab.view().hypotheses.find(({ record }) => record.label === label);
  assert.equal(standing?.state, "quarantined", String(review?.gist));
  assert.deepEqual(sent(lab, calls).map(({ agent }) => agent), ["safety"]);
  assert.equal(lab.view().reviewsOf(standing?.record.id ?? "").length, 0);
  await assertRefused(() => lab.restore(label ?? ""), { code: "state", says: ["quarantined", "stays out"] });
  await assertRefused(() => lab.addReview(label ?? "", { notes: "fine" }), {
    code: "state",
    says: ["quarantined", "stays out"],
  });
  assertSound(lab);
});

Deno.test("a server's embedding is paid from the budget, and its cost belongs to a commit, whatever came of it", async () => {
  const asked: string[] = [];
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    environment: {},
    settings: small(1),
    fetch: embeddingServer(asked),
  });
  lab.configure({
    vectors: {
      embedder: "openai",
      model: "m",
      dimensions: 8,
      baseUrl: "https://vectors.example/v1",
      usdPerMillionTokens: 1000,
    },
  });
  const added = await lab.addHypothesis(IDEA);
  assert.equal(added.accepted, true);
  const again = await lab.addHypothesis(IDEA);
  assert.deepEqual([again.accepted, again.duplicateOf], [false, "H1"]);
  assert.equal(asked.length, 2);
  assert.ok(lab.cost().total.usd > 0);
  assert.ok(lab.view().costByAgent.get("proximity")?.calls === 2, "both calls are booked");
  assert.deepEqual(
    lab.transcripts().map(({ agent, seq }) => [agent, typeof seq]),
    [["proximity", "number"], ["proximity", "number"]],
  );
});

/** An embedder behind the Embeddings API: the same vector for every text. */
function embeddingServer(asked: string[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    asked.push(await request.text());
    return Response.json({
      object: "list",
      model: "m",
      data: [{ object: "embedding", index: 0, embedding: [1, 0, 0, 0, 0, 0, 0, 0] }],
      usage: { prompt_tokens: 20, total_tokens: 20 },
    });
  };
}

Deno.test("what can't be a hypothesis is refused with what helps, and nothing is written", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 1 });
  const before = writesOf(lab);
  const add = (...given: readonly unknown[]) => Reflect.apply(lab.addHypothesis, lab, given);
  const refused: readonly (readonly [readonly unknown[], readonly string[]])[] = [
    [[""], ["addHypothesis", "1 to 20000"]],
    [["x"], ["3 to 20000"]],
    [[7], ["addHypothesis: 7", "{ statement:"]],
    [[undefined], ["addHypothesis: nothing"]],
    [[{ title: "only" }], ["addHypothesis: statement", "claim"]],
    [[{ statement: "Lamps leak.", mechanisn: "m" }], ['Did you mean "mechanism"?']],
    [[{ statement: "Lamps leak.", entities: "lamp" }], ["addHypothesis: entities", "list of names"]],
    [[{ statement: "Lamps leak.", citations: [{}] }], ["citations", "url"]],
    [[IDEA, { force: "yes" }], ["addHypothesis: force", '"yes"']],
    [[IDEA, { author: "engine" }], ["addHypothesis: author", "engine"]],
  ];
  for (const [given, says] of refused) {
    await assertRefused(() => add(...given), { code: "input", says });
  }
  assert.deepEqual(writesOf(lab), before);
  await lab.finish();
  const finished = writesOf(lab);
  await assertRefused(() => add(IDEA), { code: "state", says: ["the session is done", "reopen()"] });
  assert.deepEqual(writesOf(lab), finished);
});
