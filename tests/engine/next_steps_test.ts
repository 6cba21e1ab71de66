import assert from "node:assert/strict";
import { recordId } from "../../lib/domain/ids.ts";
import type { AgentName, ReviewKind } from "../../lib/domain/records.ts";
import {
  countedIdeas,
  firstGenerations,
  generationQuota,
  generationTask,
  mature,
  nextSteps,
  pairsLeft,
  type Situation,
} from "../../lib/engine/next_steps.ts";
import { pairsAmong } from "../../lib/tournament/group.ts";
import { hypothesisId } from "../store/fixture.ts";
import { FREE, roundRobin, Table } from "./support/table.ts";

/** The actions of the next steps, each with what tells it from others of its kind. */
function steps(table: Table, situation: Partial<Situation> = {}): string[] {
  return nextSteps(table.view, { ...FREE, ...situation }).map(({ key, action, payload }) =>
    action === "match" ? "match" : payload?.strategy === undefined ? key : `${action} ${payload.strategy}`
  );
}

const without = (...agents: readonly AgentName[]): Partial<Situation> => ({
  affordable: (agent) => !agents.includes(agent),
});

/** No generation, no evolution: what is left are reviews, feedback and matches. */
const GROWN = { run: { maxIdeas: 2 } } as const;

Deno.test("without a plan the plan comes first, once", () => {
  using table = new Table({}, false);
  assert.deepEqual(steps(table), [], "it is in the queue already");
  table.end("plan", "dead");
  assert.deepEqual(steps(table), [], "a dead plan is not enqueued again under the same key");
});

Deno.test("the first round: initialIdeas, but no more than generation may make", () => {
  const cases = [
    { run: { initialIdeas: 3, maxIdeas: 60 }, n: 3 },
    { run: { initialIdeas: 10, maxIdeas: 8 }, n: 4 },
    { run: { initialIdeas: 3, maxIdeas: 1 }, n: 1 },
    { run: { initialIdeas: 3, maxIdeas: 2, keptForEvolution: 1 }, n: 2 },
  ];
  for (const { run, n } of cases) {
    using table = new Table({ run });
    const tasks = firstGenerations(table.view);
    assert.equal(tasks.length, n);
    assert.deepEqual(tasks.map(({ key }) => key), Array.from({ length: n }, (_, i) => `generate/${i}`));
  }
});

Deno.test("the quota of generation is what evolution leaves of maxIdeas, at least two where there is room for two", () => {
  const cases: readonly (readonly [number, number, number])[] = [
    [60, 0.5, 30],
    [61, 0.5, 31],
    [60, 0, 60],
    [60, 1, 2],
    [3, 0.5, 2],
    [1, 0.5, 1],
  ];
  for (const [maxIdeas, keptForEvolution, quota] of cases) {
    using table = new Table({ run: { maxIdeas, keptForEvolution } });
    assert.equal(generationQuota(table.view), quota, `${maxIdeas}, ${keptForEvolution}`);
  }
});

Deno.test("every n-th generation is a debate; 0 is never; each has an angle of its own", () => {
  for (const [debateEvery, debates] of [[4, [3, 7, 11]], [1, [0, 1, 2, 3, 4]], [0, []]] as const) {
    using table = new Table({ generation: { debateEvery } });
    const made = Array.from({ length: debateEvery === 1 ? 5 : 12 }, (_, i) => generationTask(table.view, i));
    assert.deepEqual(made.flatMap(({ payload }, i) => payload?.mode === "debate" ? [i] : []), debates);
    assert.deepEqual(made.map(({ payload }) => payload?.angle), made.map((_, i) => i));
  }
});

Deno.test("generation's pace: one more for each matchesPerIdea matches, while matches can be played", () => {
  using table = new Table({ run: { maxIdeas: 20, initialIdeas: 3 }, generation: { matchesPerIdea: 2 } });
  table.hypotheses(["a", "b", "c"]);
  assert.deepEqual(steps(table), ["match"]);
  table.play("a", "b");
  assert.deepEqual(steps(table), ["match"]);
  table.play("b", "c");
  assert.deepEqual(steps(table, { freeWorkers: 2 }), ["generate/3", "match"]);
  table.task({ key: "generate/3", action: "generate" });
  assert.deepEqual(steps(table), ["match"], "what is in flight counts");
});

Deno.test("a pace of 0 is no pace; and where no match can be played, nobody waits for one", () => {
  using unpaced = new Table({ run: { maxIdeas: 20 }, generation: { matchesPerIdea: 0 } });
  unpaced.hypotheses(["a", "b", "c"]);
  assert.deepEqual(steps(unpaced), ["generate/3"]);

  using poor = new Table({ run: { maxIdeas: 20 } });
  poor.hypotheses(["a", "b", "c"]);
  assert.deepEqual(steps(poor, without("ranking", "evolution")), ["generate/3"]);
});

Deno.test("generation ends at its quota, at maxIdeas with all in flight, and where the field gives nothing but duplicates", () => {
  using table = new Table({ run: { maxIdeas: 6 }, generation: { matchesPerIdea: 0 } });
  table.hypotheses(["a", "b"]);
  assert.ok(steps(table).includes("generate/2"));
  table.task({ key: "generate/2", action: "generate" });
  assert.ok(
    !steps(table).some((step) => step.startsWith("generate")),
    "two and one in flight are the quota of three",
  );

  using crowded = new Table({ run: { maxIdeas: 4, keptForEvolution: 0 }, generation: { matchesPerIdea: 0 } });
  crowded.hypotheses(["a", "b", "c"]);
  crowded.task({ key: "evolve/m0/combine", action: "evolve", payload: { strategy: "combine" } });
  assert.ok(
    !steps(crowded).some((step) => step.startsWith("generate")),
    "an evolution in flight counts as well",
  );

  using exhausted = new Table({ run: { maxIdeas: 20 }, generation: { matchesPerIdea: 0 } });
  exhausted.hypotheses(["a", "b"]);
  exhausted.duplicates("a", 4);
  assert.ok(steps(exhausted).some((step) => step.startsWith("generate")));
  exhausted.duplicates("a", 1);
  assert.ok(!steps(exhausted).some((step) => step.startsWith("generate")));
});

Deno.test("a person's own hypotheses don't count against maxIdeas", () => {
  using table = new Table({ run: { maxIdeas: 4, keptForEvolution: 0 }, generation: { matchesPerIdea: 0 } });
  table.hypotheses(["mine", "mine too", "and mine", "and mine as well"], "in_tournament", { author: "Ada" });
  assert.equal(countedIdeas(table.view), 0);
  assert.ok(steps(table).some((step) => step.startsWith("generate")));
});

Deno.test("where fewer than two are left to be ranked or evolved, evolution's part of maxIdeas is generation's", () => {
  using table = new Table({ run: { maxIdeas: 4 } });
  table.hypotheses(["a"], "disproved");
  table.hypotheses(["b"]);
  assert.equal(generationQuota(table.view), 2);
  assert.deepEqual(steps(table), ["generate/2"]);
  table.task({ key: "generate/2", action: "generate" });
  assert.deepEqual(steps(table), [], "one at a time");
  table.end("generate/2");
  table.hypotheses(["c"]);
  assert.deepEqual(steps(table), ["match"]);
});

/** A review as a record. */
function review(table: Table, name: string, kind: ReviewKind, version = 1): void {
  table.add({
    kind: "review",
    record: {
      id: recordId("rev", `${name} ${kind}`),
      hypothesisId: hypothesisId(name),
      hypothesisVersion: version,
      kind,
      verdict: "neutral",
      scores: {},
      assumptions: [],
      evidence: [],
      droppedEvidence: 0,
      notes: "",
      author: "model",
      weight: 1,
      amends: null,
      taskId: null,
    },
  });
}

Deno.test("verification is for mature leaders that lack one, best first, and observation for those with sources after it", () => {
  using table = new Table({ ...GROWN, reflection: { verifyTop: 2 }, evolution: { matureMatches: 2 } });
  table.hypotheses(["a", "b"]);
  table.hypotheses(["bare"], "in_tournament", { citations: [] });
  const of = (name: string, kind: ReviewKind) => `review/${hypothesisId(name)}/1/${kind}`;
  assert.deepEqual(steps(table, without("ranking")), [], "nobody is mature");
  table.play("a", "b");
  table.play("a", "bare");
  table.play("bare", "b");
  assert.deepEqual(mature(table.view).length, 3);
  assert.deepEqual(steps(table, without("ranking")), [of("a", "verification")]);
  review(table, "a", "verification");
  assert.deepEqual(steps(table, without("ranking")), [of("a", "observation")]);
  review(table, "a", "observation");
  assert.deepEqual(steps(table, without("ranking")), [of("bare", "verification")], "the second of two");
  review(table, "bare", "verification");
  assert.deepEqual(
    steps(table, without("ranking")),
    [],
    "nothing is observed where no source was read; b is third",
  );
});

Deno.test("a review that died or was done is not enqueued again, and verifyTop 0 is none", () => {
  using table = new Table({ ...GROWN, evolution: { matureMatches: 1 } });
  table.hypotheses(["a", "b"]);
  table.play("a", "b");
  const key = `review/${hypothesisId("a")}/1/verification`;
  table.task({ key, action: "review", targetId: hypothesisId("a"), payload: { kind: "verification" } });
  table.end(key, "dead");
  assert.ok(!steps(table).includes(key));

  using none = new Table({ ...GROWN, evolution: { matureMatches: 1 }, reflection: { verifyTop: 0 } });
  none.hypotheses(["a", "b"]);
  none.play("a", "b");
  assert.deepEqual(steps(none), ["match"]);
});

const ALL = ["evolve combine", "evolve simplify", "evolve out_of_box", "evolve feasibility"];

/** A pool of four with room for evolution and none for generation. */
function pool(settings: { minMature?: number; everyMatches?: number; maxIdeas?: number } = {}): Table {
  const { maxIdeas = 8, ...evolution } = settings;
  const table = new Table({
    run: { maxIdeas },
    evolution: { matureMatches: 3, ...evolution },
    reflection: { verifyTop: 0 },
    metareview: { everyMatches: 1000 },
  });
  table.hypotheses(["a", "b", "c", "d"]);
  return table;
}

function evolutions(table: Table, situation: Partial<Situation> = {}): string[] {
  return steps(table, situation).filter((step) => step.startsWith("evolve"));
}

Deno.test("evolution begins when minMature hypotheses are mature, with each strategy a task of its own", () => {
  using table = pool({ minMature: 4 });
  assert.deepEqual(evolutions(table), []);
  roundRobin(table, ["a", "b", "c", "d"]);
  assert.equal(mature(table.view).length, 4);
  assert.deepEqual(evolutions(table).sort(), [...ALL].sort());
});

Deno.test("evolution begins when the leaders stand still, however few are mature", () => {
  using table = pool({ minMature: 20 });
  table.play("a", "b");
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(evolutions(table), [], `${i} snapshots`);
    table.snapshot();
  }
  assert.equal(evolutions(table).length, 4);
});

Deno.test("evolution begins when every pair has met as often as it may, for then only new hypotheses help", () => {
  using table = pool({ minMature: 20 });
  roundRobin(table, ["a", "b", "c", "d"], 2);
  assert.deepEqual(steps(table).sort(), [...ALL].sort());
});

Deno.test("a round of evolution comes once in everyMatches matches, and not while one goes on", () => {
  using table = pool({ minMature: 4, everyMatches: 10, maxIdeas: 30 });
  table.hypotheses(["e"]);
  const names = ["a", "b", "c", "d", "e"];
  roundRobin(table, names);
  const round = nextSteps(table.view, FREE).filter(({ action }) => action === "evolve");
  assert.deepEqual(round.map(({ key }) => key.split("/").slice(0, 2).join("/")), Array(4).fill("evolve/m10"));
  for (const task of round) table.task(task);
  assert.deepEqual(evolutions(table), [], "while it is open");
  for (const { key } of round) table.end(key);
  assert.deepEqual(evolutions(table), [], "nor in the same ten matches");
  for (const other of names.slice(1)) table.play("a", other);
  assert.deepEqual(evolutions(table), []);
  for (const [first, second] of [["b", "c"], ["b", "d"], ["b", "e"], ["c", "d"], ["c", "e"]] as const) {
    table.play(first, second);
  }
  assert.deepEqual(evolutions(table), []);
  table.play("d", "e");
  assert.deepEqual(evolutions(table).length, 4, "the twentieth match opens the next round");
});

Deno.test("evolution keeps to the room that maxIdeas leaves, and turns who comes first", () => {
  for (const [maxIdeas, room] of [[4, 0], [5, 1], [6, 2], [8, 4], [40, 4]] as const) {
    using table = pool({ minMature: 4, maxIdeas });
    roundRobin(table, ["a", "b", "c", "d"]);
    // Generation has filled its part, or has no money: what is left is evolution's.
    assert.equal(evolutions(table, without("generation")).length, room, `maxIdeas ${maxIdeas}`);
  }
  using five = pool({ minMature: 4, maxIdeas: 6 });
  five.hypotheses(["e"]);
  roundRobin(five, ["a", "b", "c", "d", "e"]);
  using six = pool({ minMature: 4, maxIdeas: 7 });
  six.hypotheses(["e", "f"]);
  roundRobin(six, ["a", "b", "c", "d", "e", "f"]);
  const [first] = evolutions(five, without("generation")), [second] = evolutions(six, without("generation"));
  assert.notEqual(first, second);
});

Deno.test("evolution doesn't take what generation may still make, unless the field is exhausted or money gone", () => {
  using table = pool({ minMature: 4, maxIdeas: 10 });
  roundRobin(table, ["a", "b", "c", "d"]);
  assert.equal(generationQuota(table.view), 5, "one is generation's");
  assert.equal(evolutions(table).length, 4);
  using tight = pool({ minMature: 4, maxIdeas: 8 });
  tight.hypotheses(["e"], "in_tournament", {
    strategy: "combine",
    parents: [hypothesisId("a"), hypothesisId("b")],
  });
  roundRobin(tight, ["a", "b", "c", "d", "e"]);
  assert.equal(evolutions(tight).length, 3);
});

Deno.test("evolution needs two to work from, and money of its own", () => {
  using table = pool({ minMature: 4 });
  roundRobin(table, ["a", "b", "c", "d"]);
  assert.deepEqual(evolutions(table, without("evolution")), []);
  using lone = new Table({ run: { maxIdeas: 8 }, evolution: { minMature: 1, matureMatches: 1 } });
  lone.hypotheses(["a"]);
  assert.deepEqual(evolutions(lone), []);
});

Deno.test("system feedback comes when a multiple of everyMatches was reached or passed, each multiple once", () => {
  using table = new Table({
    ...GROWN,
    metareview: { everyMatches: 3 },
    reflection: { verifyTop: 0 },
    ranking: { maxMatchesPerPair: 50 },
  });
  table.hypotheses(["a", "b"]);
  const seen: number[] = [];
  for (let matches = 1; matches <= 12; matches++) {
    table.play("a", "b");
    // The fourth and fifth match come before anybody asks: the crossing is not missed.
    if (matches === 4) continue;
    const task = nextSteps(table.view, FREE).find(({ action }) => action === "system_feedback");
    if (task === undefined) continue;
    seen.push(matches);
    table.task(task);
    assert.ok(!steps(table).some((step) => step.startsWith("feedback")), "while it is open");
    table.end(task.key);
    table.add({
      kind: "feedback",
      record: {
        id: recordId("fbk", task.key),
        narrative: "Name the effect",
        weaknesses: [],
        strengths: [],
        focusAreas: [],
        matchesSeen: matches,
        taskId: null,
      },
    });
  }
  assert.deepEqual(seen, [3, 6, 9, 12]);
  assert.ok(!steps(table, without("metareview")).some((step) => step.startsWith("feedback")));
});

Deno.test("matches are for the free workers, as far as pairs are left", () => {
  using table = new Table({ ...GROWN, reflection: { verifyTop: 0 }, evolution: { minMature: 50 } });
  table.hypotheses(["a", "b", "c"]);
  const matches = (situation: Partial<Situation> = {}) =>
    steps(table, situation).filter((step) => step === "match").length;
  assert.equal(matches({ freeWorkers: 1 }), 1);
  assert.equal(matches({ freeWorkers: 3 }), 3);
  assert.equal(matches({ freeWorkers: 16 }), 3, "three pairs, each once at a time");
  assert.equal(matches({ freeWorkers: 0 }), 0);
  assert.equal(matches({ freeWorkers: 16, busyPairs: [[hypothesisId("b"), hypothesisId("a")]] }), 2);
  assert.equal(matches({ freeWorkers: 16, ...without("ranking") }), 0);
  table.task({ key: "match/open", action: "match" });
  assert.equal(matches({ freeWorkers: 16 }), 2, "an open match will take a pair");
});

Deno.test("where groups are judged, a task is enqueued for each group's worth of pairs, and one for what is less", () => {
  using table = new Table({
    ...GROWN,
    reflection: { verifyTop: 0 },
    evolution: { minMature: 50 },
    ranking: { judgedAtOnce: 4, maxMatchesPerPair: 1 },
  });
  const matches = (situation: Partial<Situation> = {}) =>
    steps(table, { freeWorkers: 16, ...situation }).filter((step) => step === "match").length;
  table.hypotheses(["a", "b", "c"]);
  assert.equal(matches(), 1, "three pairs");
  table.hypotheses(["d", "e", "f"]);
  assert.equal(matches(), 2, "fifteen pairs");
  assert.equal(matches({ freeWorkers: 1 }), 1);
  const busyPairs = pairsAmong(["a", "b", "c", "d"].map(hypothesisId));
  table.task({ key: "match/open", action: "match" });
  assert.equal(matches({ busyPairs }), 0, "of the nine left the open one may take six");
});

Deno.test("a pair meets maxMatchesPerPair times at most; matches without a verdict don't count", () => {
  using table = new Table({ ...GROWN, ranking: { maxMatchesPerPair: 2 }, reflection: { verifyTop: 0 } });
  table.hypotheses(["a", "b"]);
  for (let i = 0; i < 5; i++) table.playInvalid("a", "b");
  table.play("a", "b");
  assert.deepEqual(steps(table), ["match"]);
  table.play("b", "a");
  assert.deepEqual(steps(table), []);
  assert.equal(pairsLeft(table.view, [], 10), 0);
});

Deno.test("maxMatchesPerIdea bounds all matches", () => {
  using table = new Table({
    run: { maxIdeas: 2, maxMatchesPerIdea: 2 },
    ranking: { maxMatchesPerPair: 50 },
    reflection: { verifyTop: 0 },
  });
  table.hypotheses(["a", "b"]);
  for (let i = 0; i < 4; i++) {
    assert.equal(steps(table, { freeWorkers: 9 }).length, Math.min(1, 4 - i));
    table.play("a", "b");
  }
  assert.deepEqual(steps(table, { freeWorkers: 9 }), []);
});

Deno.test("folded and disproved hypotheses are not drawn", () => {
  using table = new Table({ ...GROWN, reflection: { verifyTop: 0 } });
  table.hypotheses(["a", "twin", "c"]);
  table.hypotheses(["wrong"], "disproved");
  table.add({
    kind: "proximity",
    record: {
      id: recordId("prx", "1"),
      clusters: [[hypothesisId("a"), hypothesisId("twin")]],
      matchesSeen: 0,
      vectors: 3,
    },
  });
  assert.equal(pairsLeft(table.view, [], 10), 1, "a against c");
});

Deno.test("asking twice gives the same tasks under the same keys: two processes never enqueue the same work twice", () => {
  using table = pool({ minMature: 4, maxIdeas: 20 });
  roundRobin(table, ["a", "b", "c", "d"]);
  const once = nextSteps(table.view, { ...FREE, freeWorkers: 8 });
  assert.deepEqual(nextSteps(table.view, { ...FREE, freeWorkers: 8 }), once);
  assert.equal(new Set(once.map(({ key }) => key)).size, once.length);
  assert.ok(once.length > 5);
});

Deno.test("with no money for anybody there is nothing to do", () => {
  using table = pool({ minMature: 4, maxIdeas: 20 });
  roundRobin(table, ["a", "b", "c", "d"]);
  assert.deepEqual(steps(table, { freeWorkers: 8, affordable: () => false }), []);
});
