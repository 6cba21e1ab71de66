/** A person's reviews, verdicts and results: what they do to states, rankings and requests; what voids and amends them. */
import assert from "node:assert/strict";
import { fences } from "../../lib/domain/text.ts";
import type { Standing } from "../../lib/store/view.ts";
import { replay } from "../../lib/tournament/elo.ts";
import type { Supervisor } from "../../mod.ts";
import { assertLedger } from "../engine/support/invariants.ts";
import { enter, small } from "../engine/support/session.ts";
import { assertRefused, lastCall, sent, writesOf } from "./support.ts";

const at = (lab: Supervisor, label: string): Standing =>
  lab.view().hypotheses.find(({ record }) => record.label === label) ?? assert.fail(`no ${label}`);

const calibration = (lab: Supervisor) => lab.judge.pooled.calibration;

/** A session in which several are in the tournament, and the labels of these, best first. */
async function tournament(matches = 4) {
  const lab = await enter(":memory:", { settings: small(1, { run: { initialIdeas: 4, maxIdeas: 8 } }) });
  await lab.runUntil({ matches });
  return { lab, labels: lab.view().leaderboard.map(({ record }) => record.label) };
}

// Reviews

Deno.test("a person's review of a draft brings it into the tournament, with its first match", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 1 });
  const card = lab.addReview("h1", {
    verdict: "missing_piece",
    notes: "Nobody explains the walls.",
    scores: { novelty: 0.9 },
    evidence: [{ claim: "Walls glow", url: "https://walls.example/1" }],
    author: "Ada",
    weight: 2,
  });
  assert.deepEqual([card.label, card.author, card.weight, card.kind, card.voided], [
    "V1",
    "Ada",
    2,
    "full",
    null,
  ]);
  assert.equal(at(lab, "H1").state, "in_tournament");
  const focus = lab.view().openTasks.filter(({ record }) => record.payload.focus !== undefined);
  assert.equal(focus.length, 1);
  assert.equal(lab.view().evidence[0]?.source, "https://walls.example/1");
  const made = lab.revisions.map(({ path, before, after }) => [path, before, after]);
  assert.deepEqual(made, [
    ["V1", null, { verdict: "missing_piece", weight: 2 }],
    ["H1", "draft", "in_tournament"],
  ]);
  const calls = lastCall(lab);
  await lab.runUntil({ matches: 2 });
  const readers = sent(lab, calls).filter(({ text }) => text.includes("Nobody explains the walls."));
  assert.ok(readers.some(({ agent }) => agent === "ranking"), "judges read it");
  assert.ok(
    readers.every(({ text }) =>
      fences(text).every(({ tag, attributes, text: said }) =>
        tag !== "REVIEW" || !said.includes("Nobody explains") || attributes["of"] === "H1"
      )
    ),
  );
});

Deno.test("a person's scores lean the ranking by their weight", async () => {
  const strengthWith = async (scores: number | null, weight = 1) => {
    const { lab, labels: [, , label = ""] } = await tournament();
    if (scores !== null) {
      lab.addReview(label, {
        notes: "n",
        scores: { novelty: scores, correctness: scores, testability: scores, feasibility: scores },
        weight,
      });
    }
    const strength = at(lab, label).strength ?? assert.fail();
    await lab.close();
    return strength;
  };
  const without = await strengthWith(null), high = await strengthWith(1), low = await strengthWith(0);
  const higher = await strengthWith(1, 20);
  assert.ok(low < without && without < high && high < higher, [low, without, high, higher].join(" < "));
});

Deno.test("disproved by a person takes it out, pinned or not; void, it comes back; amended, it follows", async () => {
  const { lab, labels: [label = ""] } = await tournament();
  lab.pin(label);
  const { label: review } = lab.addReview(label, {
    verdict: "disproved",
    notes: "It can't be.",
    author: "Ada",
  });
  assert.deepEqual([at(lab, label).state, at(lab, label).pinned], ["disproved", false]);
  assert.ok(lab.view().leaderboard.every(({ record }) => record.label !== label));
  const card = lab.voidReview(review, "it can", { author: "Bob" });
  assert.match(card.voided ?? "", /it can \(Bob\)/);
  assert.match(String(lab.inspect(review)), /Void, and counts no more: it can/);
  assert.equal(at(lab, label).state, "in_tournament");
  assert.deepEqual(lab.revisions.slice(-2).map(({ path, before, after }) => [path, before, after]), [
    [review, "counts", "void"],
    [label, "disproved", "in_tournament"],
  ]);
  await assertRefused(() => lab.voidReview(review, "again"), {
    code: "state",
    says: [`${review} is void already`],
  });
  const [model] = lab.view().reviewsOf(at(lab, label).record.id);
  const amended = lab.amendReview(model?.label ?? "", { verdict: "disproved", author: "Ada" });
  assert.deepEqual([amended.amends, amended.notes, amended.author], [model?.id, model?.notes, "Ada"]);
  assert.equal(at(lab, label).state, "disproved");
  lab.amendReview(amended.label, { verdict: "neutral" });
  assert.equal(at(lab, label).state, "in_tournament");
  assert.match(String(lab.inspect(model?.label ?? "")), /amended by V/);
  lab.undo();
  assert.equal(at(lab, label).state, "disproved", "undo takes the amendment and what followed back");
  await lab.close();
});

Deno.test("a void review is in no later request, and its scores lean nothing", async () => {
  const { lab, labels: [label = ""] } = await tournament();
  const { id } = at(lab, label).record;
  const [review] = lab.view().reviewsOf(id);
  const before = at(lab, label).strength;
  const notes = review?.notes ?? "";
  assert.ok(notes.length > 10);
  lab.addReview(label, { notes: "In its stead.", scores: { novelty: 0 } });
  lab.voidReview(review?.label ?? "", "cites what it did not read");
  assert.notEqual(at(lab, label).strength, before);
  const calls = lastCall(lab);
  await lab.reflect(label, "verification");
  await lab.metareview();
  await lab.rank(3);
  const later = sent(lab, calls);
  assert.ok(later.some(({ text }) => text.includes("In its stead.")));
  assert.ok(later.every(({ text }) => !text.includes(notes)), "nobody reads it any more");
  await lab.close();
});

Deno.test("whose only review is void gets another one: a disproved draft is a draft again", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 1 });
  lab.queue.cancel(lab.queue.list().find(({ action }) => action === "review")?.label ?? "");
  const { label } = lab.addReview("H1", { verdict: "disproved", notes: "No." });
  assert.equal(at(lab, "H1").state, "disproved");
  lab.voidReview(label, "too quick");
  assert.equal(at(lab, "H1").state, "draft");
  await lab.runUntil({ reviews: 2 });
  assert.equal(lab.view().reviewsOf(at(lab, "H1").record.id).length, 1);
});

// Verdicts

Deno.test("a verdict is a match that both ratings count, by its weight, in one commit", async () => {
  const { lab, labels } = await tournament();
  const [best = "", , , worst = ""] = labels;
  const before = { best: at(lab, best), worst: at(lab, worst) };
  const elo = before.worst.elo, strength = before.worst.strength ?? 0, seq = lab.view().seq;
  const card = lab.addVerdict(best, worst, worst.toLowerCase(), {
    rationale: "I saw it glow.",
    author: "Ada",
    weight: 3,
  });
  const view = lab.view();
  assert.equal(view.seq, seq + 1);
  assert.deepEqual([card.verdict, card.author, card.weight, card.k], ["second", "Ada", 3, 32]);
  const line = view.eloJournal.at(-1);
  assert.deepEqual([line?.weight, line?.matchId], [3, view.matches.at(-1)?.id]);
  assert.ok(at(lab, worst).elo - elo > 3 * 12);
  assert.ok((at(lab, worst).strength ?? 0) > strength);
  assert.match(String(card), /by Ada/);
  assertLedger(lab);
  const one = lab.addVerdict(worst, best, "tie");
  assert.deepEqual([one.verdict, one.weight], ["tie", 1]);
  lab.addVerdict(worst, best, "tie");
  assertLedger(lab);
  // What a person says is no judge's leaning, and learned from like any rationale.
  assert.equal(lab.judge.judges.reduce((sum, judge) => sum + judge.verdicts, 0), 4);
  const calls = lastCall(lab);
  await lab.metareview();
  assert.ok(sent(lab, calls).some(({ text }) => text.includes("I saw it glow.")));
  assert.ok(sent(lab, calls).every(({ text }) => !text.includes("Ada")));
  await lab.close();
});

Deno.test("a void verdict, a model's too, leaves the ratings as if it had not been", async () => {
  const { lab } = await tournament();
  const [m1, m2, ...others] = lab.view().matches;
  const epoch = lab.view().epoch;
  lab.voidVerdict(m1?.label ?? "", "wrong pair", { author: "Ada" });
  const view = lab.view();
  assert.equal(view.epoch, epoch + 1);
  assert.deepEqual(view.eloJournal.map(({ matchId }) => matchId), [m2, ...others].map((match) => match?.id));
  const ratings = replay(view.eloJournal, view.settings.ranking.eloInitial);
  for (const { record, elo } of view.hypotheses) assert.equal(elo, ratings.get(record.id) ?? 1200);
  assert.equal(view.counted.length, view.matches.length - 1);
  assert.match(String(lab.inspect(m1?.label ?? "")), /Void, and counts no more: wrong pair \(Ada\)/);
  await assertRefused(() => lab.voidVerdict(m1?.label ?? "", "again"), {
    code: "state",
    says: ["void already"],
  });
  const own = lab.addVerdict(m2?.firstId ?? "", m2?.secondId ?? "", "tie");
  lab.voidVerdict(own.label, "changed my mind");
  lab.undo();
  lab.undo("R1");
  assert.equal(lab.view().counted.length, lab.view().matches.length);
  await lab.close();
});

Deno.test("of a group that one call ranked, all matches are void together", async () => {
  await using lab = await enter(":memory:", {
    settings: small(1, {
      run: { initialIdeas: 4, maxIdeas: 8 },
      ranking: { judgedAtOnce: 3, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
    }),
  });
  await lab.runUntil({ matches: 3 });
  const [match] = lab.view().matches;
  const group = lab.view().matches.filter((each) => each.group === match?.group);
  assert.equal(group.length, 3);
  lab.voidVerdict(match?.label ?? "", "misread");
  assert.ok(group.every(({ id }) => lab.view().marked("void", id) !== null));
  assert.deepEqual(lab.revisions.map(({ path }) => path), group.map(({ label }) => label));
  assert.equal(lab.view().counted.length, lab.view().matches.length - 3);
});

// Results

Deno.test("results order the leaderboard before ratings, and reviewers, judges and evolution are told plainly", async () => {
  const { lab, labels } = await tournament();
  const [leader = "", second = "", , last = ""] = labels;
  const refuted = lab.addResult(leader, {
    outcome: "refuted",
    claim: "No glow in ten dark rooms.",
    source: "https://eln.example/7",
    author: "Ada",
  });
  lab.addResult(last, { outcome: "confirmed", claim: "It glowed in nine of ten.", kind: "computation" });
  assert.match(refuted.label, /^E\d+$/);
  assert.deepEqual([refuted.outcome, refuted.stance, refuted.together], [
    "refuted",
    "contradicts",
    "refuted",
  ]);
  assert.match(String(lab.inspect(refuted.label)), /refuted · by Ada/);
  const order = lab.view().leaderboard.map(({ record }) => record.label);
  assert.equal(order[0], last);
  assert.equal(order.at(-1), leader);
  const { leaderboard } = lab.inspect();
  assert.deepEqual([leaderboard[0]?.result, leaderboard.at(-1)?.result, leaderboard[1]?.result], [
    "confirmed",
    "refuted",
    null,
  ]);
  assert.match(String(lab.inspect()), /\[confirmed\]/);
  assert.match(String(lab.inspect(leader)), /Tested: refuted by results/);

  const calls = lastCall(lab);
  await lab.reflect(leader, "verification");
  await lab.rank(6);
  const told = (agent: string) =>
    sent(lab, calls).filter((call) =>
      call.agent === agent && call.text.includes("No glow in ten dark rooms.")
    );
  for (const agent of ["reflection", "ranking"]) {
    const [call] = told(agent);
    assert.ok(call !== undefined, agent);
    const source = fences(call.text).find(({ tag, text }) => tag === "SOURCE" && text.includes("No glow"));
    assert.deepEqual(
      [source?.attributes["result"], source?.attributes["by"], source?.attributes["kind"]],
      ["refuted", "Ada", "experiment"],
    );
  }
  // Evolution doesn't choose it by itself; named, it is told what came out.
  await lab.evolve("out_of_box");
  const chosen = sent(lab, calls).filter(({ agent }) => agent === "evolution");
  assert.ok(chosen.length > 0);
  for (const { text } of chosen) {
    const parents = fences(text).filter(({ tag }) => tag === "HYPOTHESIS").map(({ attributes }) =>
      attributes["label"]
    );
    assert.ok(
      parents.includes(last) && parents.includes(second) && !parents.includes(leader),
      parents.join(),
    );
    assert.match(text, /What tests of them showed[\s\S]*It glowed in nine of ten\./);
  }
  const named = lastCall(lab);
  await lab.evolve("feasibility", leader);
  const [asked] = sent(lab, named).filter(({ agent }) => agent === "evolution");
  assert.match(
    asked?.text ?? "",
    /What tests of it showed[\s\S]*result="refuted"[\s\S]*No glow in ten dark rooms/,
  );
  await lab.close();
});

Deno.test("the overview names what was confirmed and what was refuted, by a model and by the fallback", async () => {
  const { lab, labels: [leader = "", , , last = ""] } = await tournament();
  lab.addResult(leader, { outcome: "refuted", claim: "No glow in ten dark rooms.", author: "Ada" });
  lab.addResult(last, { outcome: "confirmed", claim: "It glowed in nine of ten." });
  lab.reject(leader, "refuted");
  const calls = lastCall(lab);
  await lab.overview();
  const [call] = sent(lab, calls).filter(({ prompt }) => prompt === "metareview.final");
  const tested = fences(call?.text ?? "").filter(({ tag, attributes }) =>
    tag === "HYPOTHESIS" && attributes["result"] !== undefined && attributes["standing"] === undefined
  );
  assert.deepEqual(
    tested.map(({ attributes }) => [attributes["label"], attributes["result"], attributes["state"]]),
    [
      [last, "confirmed", undefined],
      [leader, "refuted", "rejected"],
    ],
  );
  assert.match(call?.text ?? "", /No glow in ten dark rooms\./);
  lab.configure({ run: { budgetUsd: 0.000001 } });
  const { markdown, source } = await lab.overview();
  assert.equal(source, "fallback");
  assert.match(markdown, new RegExp(`Confirmed by a test:\\*\\*\\n\\n- \\[${last}\\][^\\n]*nine of ten`));
  assert.match(
    markdown,
    new RegExp(
      `Refuted by a test:\\*\\*\\n\\n- \\[${leader}\\][^\\n]*\\(rejected\\): refuted by experiment \\(Ada\\)`,
    ),
  );
  await lab.close();
});

Deno.test("results calibrate the judge card by their outcomes; void, they count nowhere", async () => {
  const { lab } = await tournament();
  const [match] = lab.view().matches.filter(({ verdict }) => verdict === "first" || verdict === "second");
  const [winner, loser] = match?.verdict === "first"
    ? [match.firstId, match.secondId]
    : [match?.secondId ?? "", match?.firstId ?? ""];
  assert.equal(calibration(lab), null);
  lab.addResult(winner, { outcome: "confirmed", claim: "It does." });
  const against = lab.addResult(loser, { outcome: "refuted", claim: "It doesn't.", weight: 2 });
  assert.ok((calibration(lab)?.of ?? 0) >= 1);
  const label = lab.view().hypothesis(loser)?.record.label ?? "";
  // Two results weigh each other up.
  lab.addResult(label, { outcome: "confirmed", claim: "It does, a little." });
  assert.equal(lab.view().hypothesis(loser)?.result, "refuted");
  lab.addResult(label, { outcome: "confirmed", claim: "It does, again." });
  assert.equal(lab.view().hypothesis(loser)?.result, null);
  assert.equal(calibration(lab), null, "level results decide nothing");
  lab.voidResult(against.label, "mislabelled tubes", { author: "Bob" });
  assert.equal(lab.view().hypothesis(loser)?.result, "confirmed");
  assert.match(String(lab.inspect(against.label)), /Void, and counts no more: mislabelled tubes \(Bob\)/);
  await assertRefused(() => lab.voidResult(against.label, "again"), {
    code: "state",
    says: ["void already"],
  });
  const calls = lastCall(lab);
  await lab.reflect(label, "verification");
  assert.ok(sent(lab, calls).every(({ text }) => !text.includes("It doesn't.")));
  lab.undo();
  assert.equal(lab.view().hypothesis(loser)?.result, null, "undo has it count again");
  await lab.close();
});

// What is refused

Deno.test("what is wrong with a review, verdict or result is said, and nothing is written", async () => {
  const { lab, labels: [a = "", b = ""] } = await tournament();
  await using other = await enter(":memory:");
  await other.runUntil({ hypotheses: 1 });
  const stranger = "hyp_0000000000000000";
  const review = lab.view().reviews[0]?.label ?? "";
  const wrong: readonly (readonly [string, readonly unknown[], "input" | "state", readonly string[]])[] = [
    ["addReview", ["H99", { notes: "n" }], "input", ['addReview: there is no "H99"', "hypotheses H1 to"]],
    ["addReview", [stranger, { notes: "n" }], "input", [`there is no "${stranger}"`]],
    ["addReview", [review, { notes: "n" }], "input", [`"${review}" is a review, not a hypothesis`]],
    ["addReview", [a, {}], "input", ["addReview: notes: nothing"]],
    ["addReview", [a], "input", ["addReview: nothing", "{ verdict:"]],
    ["addReview", [a, { notes: "n", verdict: "disprove" }], "input", ["addReview: verdict", "disproved"]],
    ["addReview", [a, { notes: "n", scores: { novelty: 7 } }], "input", [
      "addReview: scores.novelty: 7",
      "0 to 1",
    ]],
    ["addReview", [a, { notes: "n", scores: { novelti: 1 } }], "input", ["scores.novelti", 'mean "novelty"']],
    ["addReview", [a, { notes: "n", scores: { criteria: { cost: 1 } } }], "input", [
      "cost",
      "no criteria of its own",
    ]],
    ["addReview", [a, { notes: "n", weight: 0 }], "input", ["addReview: weight: 0", "above 0"]],
    ["addReview", [a, { notes: "n", kind: "deep" }], "input", ["addReview: kind", "verification"]],
    ["amendReview", [review, {}], "input", ["amendReview", "to be different"]],
    ["amendReview", ["V99", { notes: "n" }], "input", ['there is no "V99"']],
    ["amendReview", [a, { notes: "n" }], "input", ["is a hypothesis, not a review", "V1, V2"]],
    ["voidReview", [review], "input", ["voidReview: reason: nothing"]],
    ["voidReview", [review, "  "], "input", ["voidReview: reason"]],
    ["addVerdict", [a, b, "H99"], "input", ["addVerdict: winner", '"tie"']],
    ["addVerdict", [a, b], "input", ["addVerdict: winner: nothing"]],
    ["addVerdict", [a, a, a], "input", [`${a} can't be compared with itself`]],
    ["addVerdict", [a, "H99", a], "input", ['there is no "H99"']],
    ["addVerdict", [a, b, a, { weight: -1 }], "input", ["addVerdict: weight: -1"]],
    ["addVerdict", [a, b, a, { why: "x" }], "input", ['there is no option "why"']],
    ["voidVerdict", ["M99", "w"], "input", ['there is no "M99"']],
    ["voidVerdict", [a, "w"], "input", ["is a hypothesis, not a match"]],
    ["addResult", [a, { outcome: "confirm", claim: "c" }], "input", ["addResult: outcome", '"inconclusive"']],
    ["addResult", [a, { outcome: "confirmed" }], "input", ["addResult: claim: nothing"]],
    ["addResult", [a, { outcome: "confirmed", claim: "c", kind: "literature" }], "input", [
      "addResult: kind",
    ]],
    ["addResult", ["H99", { outcome: "confirmed", claim: "c" }], "input", ['there is no "H99"']],
    ["voidResult", ["E99", "w"], "input", ['there is no "E99"']],
    ["voidResult", [a, "w"], "input", ["is a hypothesis, not a result"]],
  ];
  const before = writesOf(lab);
  for (const [verb, given, code, says] of wrong) {
    await assertRefused(() => Reflect.apply(Reflect.get(lab, verb), lab, given), { code, says });
  }
  assert.deepEqual(writesOf(lab), before);

  lab.reject(a);
  const rejected = writesOf(lab);
  await assertRefused(() => lab.addReview(a, { notes: "n" }), {
    code: "state",
    says: [`${a} is rejected`, "restore("],
  });
  await assertRefused(() => lab.addVerdict(a, b, a), {
    code: "state",
    says: [`addVerdict: ${a} is rejected`],
  });
  assert.deepEqual(writesOf(lab), rejected);
  await lab.finish();
  const finished = writesOf(lab);
  for (
    const act of [
      () => lab.addReview(b, { notes: "n" }),
      () => lab.amendReview(review, { notes: "n" }),
      () => lab.voidReview(review, "w"),
      () => lab.addVerdict(b, a, "tie"),
      () => lab.voidVerdict("M1", "w"),
      () => lab.addResult(b, { outcome: "confirmed", claim: "c" }),
      () => lab.voidResult("E1", "w"),
    ]
  ) await assertRefused(act, { code: "state", says: ["the session is done", "reopen()"] });
  assert.deepEqual(writesOf(lab), finished);
  await lab.close();
});
