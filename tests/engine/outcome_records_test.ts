import assert from "node:assert/strict";
import type { Outcome, ProposedHypothesis } from "../../lib/domain/agent.ts";
import { hypothesisDraft, reviewDraft } from "../../lib/domain/drafts.ts";
import { recordId } from "../../lib/domain/ids.ts";
import type { HypothesisState, MatchVerdict, ReviewVerdict, ScreenRecord } from "../../lib/domain/records.ts";
import { applyPatch } from "../../lib/config/patch.ts";
import type { NewTask } from "../../lib/engine/new_task.ts";
import { matchesMade, reclusterDue } from "../../lib/engine/match_records.ts";
import { settle } from "../../lib/engine/outcome_records.ts";
import { failed, type Settled, type Work } from "../../lib/engine/settled.ts";
import type { Entry, RecordKind, RecordOf } from "../../lib/store/records.ts";
import type { Unsaved } from "../../lib/store/table.ts";
import { eloDelta, replay } from "../../lib/tournament/elo.ts";
import { placingOf } from "../../lib/tournament/placings.ts";
import { hypothesisId } from "../store/fixture.ts";
import { roundRobin, Table } from "./support/table.ts";

/** What the engine hands to `settle` for a task just claimed. */
function workOn(table: Table, task: NewTask, more: Partial<Work> = {}): Work {
  const record = table.task(task);
  const { settings, revision } = table.view;
  return {
    task: record,
    decision: { kind: "none" },
    attempts: 0,
    settings,
    revision,
    nearest: null,
    clusters: null,
    claimSeq: Number.MAX_SAFE_INTEGER,
    embedder: "hash",
    ...more,
  };
}

/** Settles an outcome and commits what came of it. */
function commit(table: Table, outcome: Outcome, work: Work): Settled {
  const settled = settle(outcome, work, table.view);
  table.add(...settled.entries);
  return settled;
}

interface EntryOf<K extends RecordKind> {
  readonly kind: K;
  readonly record: Unsaved<RecordOf<K>>;
}

function isOf<K extends RecordKind>(entry: Entry, kind: K): entry is Entry & EntryOf<K> {
  return entry.kind === kind;
}

/** The records of one kind. */
function recordsOf<K extends RecordKind>(settled: Settled, kind: K): Unsaved<RecordOf<K>>[] {
  const found: Unsaved<RecordOf<K>>[] = [];
  for (const entry of settled.entries) if (isOf(entry, kind)) found.push(entry.record);
  return found;
}

const kinds = (settled: Settled) => settled.entries.map((entry) => entry.kind);
const events = (settled: Settled) => settled.events.map(({ type }) => type);

type Screen = Omit<ScreenRecord, "seq" | "id">;

function screened(result: Screen["result"], more: Partial<Screen> = {}): Screen {
  return { target: "goal", result, categories: ["none"], confidence: 1, rationale: "", ...more };
}

const PLAN: NewTask = { key: "plan again", action: "parse_goal" };
const GENERATE: NewTask = {
  key: "generate/0",
  action: "generate",
  payload: { mode: "literature", angle: 0 },
};

function proposal(more: Partial<ProposedHypothesis> = {}): Outcome {
  return {
    kind: "hypothesis_proposed",
    proposal: {
      draft: hypothesisDraft.parse({
        title: "On light",
        statement: "Light glows",
        mechanism: "By glowing",
        entities: ["light"],
        anticipated_outcomes: "Glow",
        novelty_argument: "New",
      }),
      strategy: "literature",
      parents: [],
      citations: [],
      droppedCitations: 2,
      model: "claude-opus-4-7",
      vector: Float32Array.of(1, 0),
      screen: null,
      ...more,
    },
  };
}

Deno.test("a plan: recorded with its screen, and the first round of generation is enqueued", () => {
  using table = new Table({ run: { initialIdeas: 2 } }, false);
  const settled = commit(table, {
    kind: "plan_parsed",
    plan: { objective: "Glow", preferences: ["safe"], constraints: [], idea_attributes: ["new"] },
    screen: screened("clear"),
  }, workOn(table, PLAN));
  assert.deepEqual([settled.status, settled.progress], ["done", 1]);
  assert.deepEqual(kinds(settled), ["screen", "plan", "task", "task", "taskState"]);
  assert.deepEqual(recordsOf(settled, "task").map(({ key }) => key), ["generate/0", "generate/1"]);
  assert.deepEqual(events(settled), ["plan_recorded", "task_completed"]);
  assert.equal(table.view.plan?.objective, "Glow");
  assert.deepEqual(table.view.plan?.ideaAttributes, ["new"]);
});

Deno.test("a blocked goal: the session stops with the screen's words, and nothing else is enqueued", () => {
  using table = new Table({}, false);
  const screen = screened("blocked", { categories: ["weapons"], rationale: "It asks for a weapon" });
  const settled = commit(table, { kind: "goal_blocked", screen }, workOn(table, PLAN));
  assert.deepEqual([settled.status, settled.progress], ["done", -1]);
  assert.deepEqual(kinds(settled), ["screen", "sessionState", "taskState"]);
  assert.deepEqual([table.view.status, table.view.stopReason], ["stopped", "blocked"]);
  assert.match(table.view.note, /It asks for a weapon/);
});

Deno.test("a hypothesis: a draft with its vector, and its full review is enqueued in the same commit", () => {
  using table = new Table();
  const settled = commit(table, proposal(), workOn(table, GENERATE));
  const id = recordId("hyp", "generate/0");
  assert.deepEqual([settled.status, settled.progress, settled.gist], ["done", 1, "On light"]);
  const standing = table.view.hypothesis(id);
  assert.deepEqual([standing?.state, standing?.record.generation, standing?.record.droppedCitations], [
    "draft",
    0,
    2,
  ]);
  assert.equal(standing?.record.model, "claude-opus-4-7");
  assert.deepEqual([...(table.view.vector(id) ?? [])], [1, 0]);
  assert.deepEqual(
    recordsOf(settled, "task").map(({ key, targetId, payload }) => [key, targetId, payload]),
    [[`review/${id}/1/full`, id, { kind: "full" }]],
  );
  assert.deepEqual(events(settled), ["hypothesis_created", "task_completed"]);
});

Deno.test("a child is one generation further than its oldest parent", () => {
  using table = new Table();
  table.hypotheses(["a"]);
  table.hypotheses(["b"], "in_tournament", { generation: 4 });
  const parents = [hypothesisId("a"), hypothesisId("b"), hypothesisId("nobody")];
  const [record] = recordsOf(
    settle(proposal({ strategy: "combine", parents }), workOn(table, GENERATE), table.view),
    "hypothesis",
  );
  assert.equal(record?.generation, 5);
  assert.deepEqual(record?.parents, parents.slice(0, 2), "who is not there is nobody's parent");
});

Deno.test("a duplicate at the commit is recorded as one, and is no hypothesis", () => {
  const cases = [[0.92, "duplicate"], [0.9199, "hypothesis"], [1, "duplicate"]] as const;
  for (const [cosine, kind] of cases) {
    using table = new Table();
    table.hypotheses(["a"]);
    const settled = commit(
      table,
      proposal(),
      workOn(table, GENERATE, { nearest: { id: hypothesisId("a"), cosine } }),
    );
    assert.ok(kinds(settled).includes(kind), `${cosine}`);
    assert.equal(table.view.hypotheses.length, kind === "duplicate" ? 1 : 2);
    assert.equal(settled.progress, kind === "duplicate" ? -1 : 1);
    if (kind === "duplicate") {
      assert.equal(table.view.duplicates[0]?.duplicateOf, hypothesisId("a"));
      assert.match(settled.gist, /repeats H1/);
      assert.deepEqual(recordsOf(settled, "task"), [], "no review");
    }
  }
});

Deno.test("a blocked hypothesis is quarantined: kept, visible, and neither reviewed nor ranked", () => {
  using table = new Table();
  const screen = screened("blocked", { target: "h", categories: ["cbrn"] });
  const settled = commit(table, proposal({ screen }), workOn(table, GENERATE));
  const standing = table.view.hypotheses[0];
  assert.deepEqual([standing?.state, standing?.stateReason], ["quarantined", "safety screen: cbrn"]);
  assert.deepEqual(recordsOf(settled, "task"), []);
  assert.equal(table.view.screens[0]?.target, standing?.record.id, "the screen names the hypothesis");
  assert.equal(settled.progress, -1);
  assert.equal(table.view.leaderboard.length, 0);
});

for (const result of ["clear", "warned", "failed"] as const) {
  Deno.test(`a hypothesis whose screen is ${result} goes on to its review`, () => {
    using table = new Table();
    const settled = commit(table, proposal({ screen: screened(result) }), workOn(table, GENERATE));
    assert.equal(table.view.hypotheses[0]?.state, "draft");
    assert.equal(recordsOf(settled, "task").length, 1);
    assert.equal(table.view.screens[0]?.result, result);
  });
}

function reviewed(name: string, verdict: ReviewVerdict, evidence = 0): Outcome {
  return {
    kind: "review_completed",
    hypothesisId: hypothesisId(name),
    hypothesisVersion: 1,
    reviewKind: "full",
    review: reviewDraft.parse({ verdict, evidence: [], notes: "n" }),
    evidence: Array.from({ length: evidence }, (_, i) => ({ claim: `c${i}`, url: `sim:${i}`, excerpt: "e" })),
    droppedEvidence: 1,
    screen: null,
  };
}

function reviewOf(name: string): NewTask {
  return { key: `review/${name}`, action: "review", targetId: hypothesisId(name), payload: { kind: "full" } };
}

const MOVES: readonly (readonly [HypothesisState, ReviewVerdict, HypothesisState, boolean])[] = [
  ["draft", "neutral", "in_tournament", true],
  ["draft", "missing_piece", "in_tournament", true],
  ["draft", "already_explained", "in_tournament", true],
  ["draft", "disproved", "disproved", false],
  ["reviewed", "neutral", "in_tournament", true],
  ["in_tournament", "neutral", "in_tournament", false],
  ["in_tournament", "disproved", "disproved", false],
  ["disproved", "neutral", "disproved", false],
  ["disproved", "disproved", "disproved", false],
];

for (const [before, verdict, after, focus] of MOVES) {
  Deno.test(`a review of a ${before} hypothesis finds it ${verdict}: ${after}${focus ? ", with a first match" : ""}`, () => {
    using table = new Table();
    table.hypotheses(["a"], before);
    const settled = commit(table, reviewed("a", verdict, 2), workOn(table, reviewOf("a")));
    assert.deepEqual([settled.status, settled.progress], ["done", 1]);
    assert.equal(table.view.hypothesis(hypothesisId("a"))?.state, after);
    assert.deepEqual(
      recordsOf(settled, "task").map(({ key, payload, priority }) => [key, payload.focus, priority]),
      focus ? [[`match/focus/${hypothesisId("a")}/1`, hypothesisId("a"), 120]] : [],
    );
    assert.equal(
      recordsOf(settled, "hypothesisState").length,
      before === after ? 0 : 1,
      "no state is recorded twice",
    );
    assert.equal(table.view.reviewsOf(hypothesisId("a")).length, 1);
    assert.deepEqual(table.view.evidence.map(({ source }) => source), ["sim:0", "sim:1"]);
    assert.equal(table.view.reviews[0]?.droppedEvidence, 1);
  });
}

for (const [before, after] of [["draft", "in_tournament"], ["in_tournament", "in_tournament"]] as const) {
  Deno.test(`a model finds a pinned ${before} hypothesis disproved: it is told, and stays in play`, () => {
    using table = new Table();
    table.hypotheses(["a"], before);
    table.add({ kind: "mark", record: { targetId: hypothesisId("a"), mark: "pinned", value: true } });
    const settled = commit(table, reviewed("a", "disproved"), workOn(table, reviewOf("a")));
    assert.equal(table.view.hypothesis(hypothesisId("a"))?.state, after);
    assert.equal(table.view.reviews[0]?.verdict, "disproved");
    assert.match(settled.gist, /disproved, but it is pinned and stays in play/);
  });
}

Deno.test("a person's text that is blocked at its review is quarantined, and not reviewed", () => {
  using table = new Table();
  table.hypotheses(["a"], "draft", { author: "Ada" });
  const outcome: Outcome = {
    kind: "hypothesis_blocked",
    hypothesisId: hypothesisId("a"),
    screen: screened("blocked"),
  };
  const settled = commit(table, outcome, workOn(table, reviewOf("a")));
  assert.deepEqual([settled.status, settled.progress], ["done", -1]);
  assert.deepEqual(kinds(settled), ["screen", "hypothesisState", "taskState"]);
  const standing = table.view.hypothesis(hypothesisId("a"));
  assert.equal(standing?.state, "quarantined");
  assert.match(standing?.stateReason ?? "", /safety screen: /);
});

for (const state of ["rejected", "quarantined", "merged"] as const) {
  Deno.test(`a review of a hypothesis that was ${state} meanwhile is void: kept as a cost, not used`, () => {
    using table = new Table();
    table.hypotheses(["a"], state);
    const settled = commit(table, reviewed("a", "neutral"), workOn(table, reviewOf("a")));
    assert.deepEqual([settled.status, settled.progress], ["void", 0]);
    assert.deepEqual(kinds(settled), ["taskState"]);
    assert.deepEqual(events(settled), ["task_void"]);
    assert.match(settled.gist, new RegExp(`H1 is ${state}`));
    assert.equal(table.view.reviews.length, 0);
  });
}

const MATCH: NewTask = { key: "match/1", action: "match" };

function judged(first: string, second: string, verdict: MatchVerdict): Outcome {
  return {
    kind: "match_judged",
    firstId: hypothesisId(first),
    secondId: hypothesisId(second),
    mode: "pairwise",
    verdict,
    bothOrders: null,
    rationale: "because",
    judge: "judge",
    promptVersion: "p1",
  };
}

for (const [verdict, delta] of [["first", 16], ["second", -16], ["tie", 0]] as const) {
  Deno.test(`a match: ${verdict} moves equals by ${delta}, in one commit with its line in the ledger`, () => {
    using table = new Table();
    table.hypotheses(["a", "b"]);
    const settled = commit(table, judged("a", "b", verdict), workOn(table, MATCH));
    assert.deepEqual(kinds(settled), ["match", "elo", "taskState"]);
    assert.equal(settled.progress, 1);
    assert.equal(table.view.hypothesis(hypothesisId("a"))?.elo, 1200 + delta);
    assert.equal(table.view.hypothesis(hypothesisId("b"))?.elo, 1200 - delta);
    assert.equal(table.view.validMatches, 1);
    assert.equal(table.view.rationale(recordId("mat", "match/1")), "because");
    assert.deepEqual(events(settled), ["match_complete", "task_completed"]);
  });
}

Deno.test("a match without a verdict is recorded, rates nobody, and came to nothing", () => {
  using table = new Table();
  table.hypotheses(["a", "b"]);
  const settled = commit(table, judged("a", "b", "invalid"), workOn(table, MATCH));
  assert.deepEqual(kinds(settled), ["match", "taskState"]);
  assert.deepEqual([settled.status, settled.progress, settled.gist], ["done", -1, "H1 – H2: no verdict"]);
  assert.deepEqual([table.view.matches.length, table.view.validMatches], [1, 0]);
  assert.deepEqual(table.view.eloJournal, []);
});

Deno.test("13.A1 ratings are the newest ones, whatever they were at the claim; K is the claim's", () => {
  using table = new Table();
  table.hypotheses(["a", "b", "c"]);
  const settings = applyPatch(table.view.settings, { ranking: { kFactorNew: 40 } });
  const work = workOn(table, MATCH, { settings });
  // While the match is judged, others are committed and the settings change.
  for (let i = 0; i < 3; i++) table.play("a", "c");
  const before = table.view.hypothesis(hypothesisId("a"))?.elo ?? NaN;
  const [line] = recordsOf(commit(table, judged("a", "b", "first"), work), "elo");
  assert.equal(line?.firstBefore, before);
  assert.equal(line?.secondBefore, 1200);
  assert.equal(line?.k, 40);
  assert.equal(table.view.hypothesis(hypothesisId("a"))?.elo, before + (line?.delta ?? NaN));
});

Deno.test("K is the warm one when both have played kSwitchMatches, by the matches as they stand now", () => {
  using table = new Table({ ranking: { kSwitchMatches: 2 } });
  table.hypotheses(["a", "b"]);
  const work = workOn(table, MATCH);
  const kNow = () => recordsOf(settle(judged("a", "b", "tie"), work, table.view), "elo")[0]?.k;
  assert.equal(kNow(), 32);
  table.play("a", "b", "tie");
  assert.equal(kNow(), 32);
  table.play("a", "b", "tie");
  assert.equal(kNow(), 16);
});

for (const state of ["rejected", "quarantined", "disproved"] as const) {
  Deno.test(`a match with one that was ${state} meanwhile is void and rates nobody`, () => {
    using table = new Table();
    table.hypotheses(["a", "b"]);
    const work = workOn(table, MATCH);
    table.add({ kind: "hypothesisState", record: { hypothesisId: hypothesisId("b"), state, reason: "" } });
    const settled = commit(table, judged("a", "b", "first"), work);
    assert.deepEqual([settled.status, settled.progress], ["void", 0]);
    assert.deepEqual(kinds(settled), ["taskState"]);
    assert.equal(table.view.matches.length, 0);
    assert.equal(table.view.hypothesis(hypothesisId("a"))?.elo, 1200);
  });
}

Deno.test("a snapshot of the leaders joins the match that reaches or passes a multiple of matchSnapshotEvery", () => {
  using table = new Table({ termination: { matchSnapshotEvery: 3, eloStabilityK: 2 } });
  table.hypotheses(["a", "b", "c"]);
  const taken: number[] = [];
  for (let i = 1; i <= 7; i++) {
    const settled = commit(
      table,
      judged("a", "b", "first"),
      workOn(table, { key: `match/${i}`, action: "match" }),
    );
    for (const snapshot of recordsOf(settled, "eloSnapshot")) {
      taken.push(snapshot.matches);
      const top = table.view.leaderboard.slice(0, 2);
      assert.deepEqual(snapshot.ids, top.map(({ record }) => record.id), "as they stand after the match");
      assert.deepEqual(snapshot.elos, top.map(({ elo }) => elo));
      assert.equal(snapshot.pool, 3);
    }
  }
  assert.deepEqual(taken, [3, 6]);
});

Deno.test("13.B6 clusters join the match that reaches or passes a multiple, and twins are folded under their best", () => {
  using table = new Table({ vectors: { reclusterEveryMatches: 3 } });
  table.hypotheses(["a", "twin", "c"]);
  const clusters = { clusters: [[hypothesisId("a"), hypothesisId("twin")]], vectors: 3 };
  const next = (key: string) =>
    commit(table, judged("twin", "c", "first"), workOn(table, { key, action: "match" }, { clusters }));
  assert.deepEqual(recordsOf(next("match/1"), "proximity"), [], "one match is no multiple of three");
  assert.deepEqual(recordsOf(next("match/2"), "proximity"), []);
  const third = next("match/3");
  assert.equal(recordsOf(third, "proximity")[0]?.matchesSeen, 3);
  assert.ok(events(third).includes("proximity_updated"));
  assert.equal(
    table.view.hypothesis(hypothesisId("a"))?.foldedUnder,
    hypothesisId("twin"),
    "who has won is the best",
  );
  assert.deepEqual(table.view.drawable.map(({ record }) => record.id), [
    hypothesisId("twin"),
    hypothesisId("c"),
  ]);
  assert.equal(reclusterDue(table.view, 4, 4), false);
  assert.equal(reclusterDue(table.view, 7, 4), true, "passed, not only met");
  assert.equal(reclusterDue(table.view, 7, 3), false, "the same vectors give the same clusters");
  assert.equal(reclusterDue(table.view, 7, 1), false);
});

function ranked(ids: readonly string[], ranking: readonly string[] | null): Outcome {
  return {
    kind: "group_judged",
    ids: ids.map(hypothesisId),
    ranking: ranking?.map(hypothesisId) ?? null,
    rationale: "because",
    judge: "judge",
    promptVersion: "p1",
  };
}

Deno.test("a ranked group is all its pairs as matches of one commit, half of a match's weight each, zero-sum", () => {
  using table = new Table();
  table.hypotheses(["a", "b", "c", "d"]);
  const settled = commit(table, ranked(["c", "a", "d", "b"], ["a", "b", "c", "d"]), workOn(table, MATCH));
  assert.deepEqual([settled.status, settled.progress, settled.gist], ["done", 1, "H1 > H2 > H3 > H4"]);
  assert.deepEqual(events(settled), ["group_complete", "task_completed"]);
  const { matches, eloJournal, validMatches, leaderboard } = table.view;
  assert.equal(validMatches, 6);
  assert.deepEqual(
    matches.map(({ seq }) => seq),
    Array.from({ length: 6 }, () => table.view.seq),
    "one commit",
  );
  assert.deepEqual(
    matches.map(({ mode, weight, group, verdict, bothOrders }) => [mode, weight, group, verdict, bothOrders]),
    ["second", "first", "second", "first", "first", "second"].map((verdict) => [
      "kwise",
      0.5,
      recordId("grp", "match/1"),
      verdict,
      null,
    ]),
  );
  assert.equal(new Set(matches.map(({ id }) => id)).size, 6);
  assert.deepEqual(placingOf(matches)?.ids, ["a", "b", "c", "d"].map(hypothesisId));
  assert.deepEqual(placingOf(matches)?.slots, [1, 3, 0, 2]);
  assert.deepEqual(
    eloJournal.map(({ matchId, weight, k }) => [matchId, weight, k]),
    matches.map(({ id }) => [id, 0.5, 32]),
  );
  assert.deepEqual(leaderboard.map(({ record }) => record.label), ["H1", "H2", "H3", "H4"]);
  assert.ok(Math.abs(leaderboard.reduce((sum, { elo }) => sum + elo, 0) - 4800) < 1e-9);
  assert.deepEqual(replay(eloJournal, 1200), new Map(leaderboard.map(({ record, elo }) => [record.id, elo])));
  assert.match(
    table.view.rationale(matches[3]?.id ?? ""),
    /^As shown \(1 is H3, 2 is H1, 3 is H4, 4 is H2\): because$/,
  );
});

Deno.test("each line of a group's ledger follows from the ratings before it, and K from the matches before it", () => {
  using table = new Table({ ranking: { kSwitchMatches: 2 } });
  table.hypotheses(["a", "b", "c"]);
  table.play("a", "b");
  commit(table, ranked(["a", "b", "c"], ["c", "b", "a"]), workOn(table, MATCH));
  const lines = table.view.eloJournal.slice(1);
  assert.deepEqual(lines.map(({ k }) => k), [32, 32, 32], "one of the two is new in each");
  for (const { firstBefore, secondBefore, score, k, weight, delta } of lines) {
    assert.equal(delta, eloDelta({ first: firstBefore, second: secondBefore, score, k, weight }));
  }
  commit(table, ranked(["a", "b", "c"], ["c", "b", "a"]), workOn(table, { key: "match/2", action: "match" }));
  assert.deepEqual(table.view.eloJournal.slice(4).map(({ k }) => k), [16, 16, 16]);
});

Deno.test("who left the tournament meanwhile is left out of the group, and the rest counts as the smaller group", () => {
  using table = new Table();
  table.hypotheses(["a", "b", "c", "d"]);
  const work = workOn(table, MATCH);
  const reject = (name: string) =>
    table.add({
      kind: "hypothesisState",
      record: { hypothesisId: hypothesisId(name), state: "rejected", reason: "" },
    });
  reject("b");
  const settled = settle(ranked(["c", "a", "d", "b"], ["a", "b", "c", "d"]), work, table.view);
  assert.equal(settled.gist, "H1 > H3 > H4");
  assert.deepEqual(recordsOf(settled, "match").map(({ weight }) => weight), [2 / 3, 2 / 3, 2 / 3]);
  reject("c");
  assert.equal(settle(ranked(["c", "a", "d", "b"], ["a", "b", "c", "d"]), work, table.view).gist, "H1 > H4");
  reject("d");
  const none = settle(ranked(["c", "a", "d", "b"], ["a", "b", "c", "d"]), work, table.view);
  assert.deepEqual([none.status, kinds(none)], ["void", ["taskState"]]);
});

Deno.test("a group without a ranking is one invalid match of the first two shown, and rates nobody", () => {
  using table = new Table();
  table.hypotheses(["a", "b", "c"]);
  const settled = commit(table, ranked(["c", "a", "b"], null), workOn(table, MATCH));
  assert.deepEqual(kinds(settled), ["match", "taskState"]);
  assert.deepEqual([settled.progress, events(settled)[0]], [-1, "match_invalid"]);
  const [only] = table.view.matches;
  assert.deepEqual(
    [only?.firstId, only?.secondId, only?.mode, only?.verdict],
    [hypothesisId("c"), hypothesisId("a"), "kwise", "invalid"],
  );
  assert.deepEqual([table.view.validMatches, table.view.eloJournal.length], [0, 0]);
  assert.equal(table.view.met(hypothesisId("a"), hypothesisId("c")).total, 0);
});

Deno.test("one snapshot and one clustering join the group that passes a multiple, however far", () => {
  using table = new Table({
    termination: { matchSnapshotEvery: 4, eloStabilityK: 2 },
    vectors: { reclusterEveryMatches: 4 },
  });
  table.hypotheses(["a", "b", "c", "d"]);
  const clusters = { clusters: [], vectors: 4 };
  const settled = commit(
    table,
    ranked(["a", "b", "c", "d"], ["d", "c", "b", "a"]),
    workOn(table, MATCH, { clusters }),
  );
  const [snapshot] = recordsOf(settled, "eloSnapshot");
  assert.deepEqual([recordsOf(settled, "eloSnapshot").length, snapshot?.matches], [1, 6]);
  assert.deepEqual(snapshot?.ids, table.view.leaderboard.slice(0, 2).map(({ record }) => record.id));
  assert.deepEqual(snapshot?.elos, table.view.leaderboard.slice(0, 2).map(({ elo }) => elo));
  assert.deepEqual(recordsOf(settled, "proximity").map(({ matchesSeen }) => matchesSeen), [6]);
  assert.equal(matchesMade(ranked(["a", "b", "c", "d"], ["d", "c", "b", "a"])), 6);
  assert.equal(matchesMade(ranked(["a", "b", "c"], null)), 0);
  assert.equal(matchesMade(judged("a", "b", "tie")), 1);
});

Deno.test("a match keeps both verdicts, and whose turn it was in the panel", () => {
  using table = new Table();
  table.hypotheses(["a", "b"]);
  const decision = {
    kind: "match",
    firstId: hypothesisId("a"),
    secondId: hypothesisId("b"),
    mode: "pairwise",
    bucket: "new",
    judge: "member",
  } as const;
  const outcome = judged("a", "b", "tie");
  if (outcome.kind !== "match_judged") return;
  commit(table, { ...outcome, bothOrders: ["first", "second"] }, workOn(table, MATCH, { decision }));
  const [match] = table.view.matches;
  assert.deepEqual([match?.bothOrders, match?.judge, match?.panelist], [
    ["first", "second"],
    "judge",
    "member",
  ]);
});

Deno.test("system feedback is recorded with the matches that it has seen", () => {
  using table = new Table();
  const settled = commit(table, {
    kind: "feedback_written",
    feedback: {
      narrative: "Name the effect",
      common_weaknesses: ["vague"],
      common_strengths: [],
      suggested_focus_areas: ["size"],
    },
    matchesSeen: 50,
  }, workOn(table, { key: "feedback/1", action: "system_feedback" }));
  assert.deepEqual(kinds(settled), ["feedback", "taskState"]);
  const [feedback] = table.view.feedback;
  assert.deepEqual(
    [feedback?.label, feedback?.narrative, feedback?.weaknesses, feedback?.focusAreas, feedback?.matchesSeen],
    ["F1", "Name the effect", ["vague"], ["size"], 50],
  );
  assert.equal(settled.events[0]?.payload.narrative, "Name the effect");
});

function overview(source: "model" | "fallback", screen: Screen | null = null): Outcome {
  return {
    kind: "overview_written",
    source,
    markdown: "# It glows",
    notes: [],
    model: source === "model" ? "opus" : null,
    screen,
  };
}

function overviewTask(final: boolean): NewTask {
  return { key: `overview/${final}`, action: "overview", payload: { final } };
}

Deno.test("an overview that was only drafted leaves the session as it is; a final one ends it", () => {
  using table = new Table();
  commit(table, overview("model"), workOn(table, overviewTask(false)));
  assert.equal(table.view.status, "running");
  const settled = commit(table, overview("model"), workOn(table, overviewTask(true)));
  assert.equal(table.view.status, "done");
  assert.deepEqual(table.view.overviews.map(({ version, final }) => [version, final]), [[1, false], [
    2,
    true,
  ]]);
  assert.deepEqual(events(settled), ["overview_written", "session_done", "task_completed"]);
});

Deno.test("a finished session says what had stopped it, and what is missing", () => {
  using table = new Table();
  table.add({ kind: "sessionState", record: { status: "stopped", reason: "budget", note: "It is spent." } });
  commit(table, overview("fallback"), workOn(table, overviewTask(true)));
  assert.deepEqual([table.view.status, table.view.stopReason], ["done", "budget"]);
  assert.equal(table.view.note, "finished, without an overview by a model; nothing was ranked; It is spent.");

  using ranked = new Table();
  ranked.hypotheses(["a", "b"]);
  roundRobin(ranked, ["a", "b"]);
  commit(ranked, overview("model"), workOn(ranked, overviewTask(true)));
  assert.deepEqual([ranked.view.note, ranked.view.stopReason], ["finished", null]);
});

Deno.test("a blocked overview is withheld, and says so in its place", () => {
  using table = new Table();
  commit(table, overview("model", screened("blocked")), workOn(table, overviewTask(true)));
  const [written] = table.view.overviews;
  assert.doesNotMatch(written?.markdown ?? "", /glows/);
  assert.match(written?.markdown ?? "", /withheld/);
  assert.match(written?.notes.join() ?? "", /blocked/);
  assert.equal(table.view.screens[0]?.target, "overview");
});

Deno.test("nothing to do is done, with its reason, and came to nothing", () => {
  using table = new Table();
  const settled = commit(table, { kind: "nothing", reason: "All have met." }, workOn(table, MATCH));
  assert.deepEqual([settled.status, settled.progress, settled.gist], ["done", -1, "All have met."]);
  assert.deepEqual(kinds(settled), ["taskState"]);
});

Deno.test("a failed attempt is put off with its reason; the last one is a death that came to nothing", () => {
  using table = new Table();
  const { task } = workOn(table, MATCH);
  for (
    const [attempts, status, progress] of [[0, "deferred", 0], [1, "deferred", 0], [2, "dead", -1]] as const
  ) {
    const settled = failed({ task, attempts }, "the judge fell asleep");
    assert.deepEqual([settled.status, settled.progress], [status, progress]);
    table.add(...settled.entries);
    assert.deepEqual(
      [table.view.task(task.id)?.attempts, table.view.task(task.id)?.reason],
      [attempts + 1, "the judge fell asleep"],
    );
    assert.deepEqual(events(settled), status === "dead" ? ["task_failed", "task_dead"] : ["task_failed"]);
  }
  assert.deepEqual(table.view.deadTasks.map(({ record }) => record.id), [task.id]);
  assert.ok(!table.view.openTasks.some(({ record }) => record.id === task.id));
});

Deno.test("settling is pure: the same outcome on the same view gives the same records", () => {
  using table = new Table();
  table.hypotheses(["a", "b"]);
  const work = workOn(table, MATCH);
  const { seq } = table.view;
  assert.deepEqual(
    settle(judged("a", "b", "first"), work, table.view),
    settle(judged("a", "b", "first"), work, table.view),
  );
  assert.equal(table.view.seq, seq);
});
