/** Pin, reject, restore, merge: what they do at once, to what is open, to what is in hand, and to the ranking. */
import assert from "node:assert/strict";
import type { Standing } from "../../lib/store/view.ts";
import type { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, small } from "../engine/support/session.ts";
import { assertRefused, held, lastCall, sent, writesOf } from "./support.ts";

const at = (lab: Supervisor, label: string): Standing =>
  lab.view().hypotheses.find(({ record }) => record.label === label) ?? assert.fail(`no ${label}`);

const SETTINGS = small(1, { run: { initialIdeas: 4, maxIdeas: 8 } });

/** A session in which four are in the tournament, and their labels, best first. */
async function tournament(matches = 4) {
  const lab = await enter(":memory:", { settings: SETTINGS });
  await lab.runUntil({ matches });
  return { lab, labels: lab.view().leaderboard.map(({ record }) => record.label) };
}

// Pin

Deno.test("a pinned one is in the overview however it ranks, marked wherever it is shown, until it is unpinned", async () => {
  const { lab, labels: [, , , last = ""] } = await tournament();
  lab.configure({ metareview: { topHypotheses: 1 } });
  const shown = async () => {
    const calls = lastCall(lab);
    await lab.overview();
    return sent(lab, calls).some(({ prompt, text }) =>
      prompt === "metareview.final" && text.includes(`label="${last}" standing=`)
    );
  };
  assert.equal(await shown(), false);
  const [change] = lab.pin(last, { author: "Ada" });
  assert.deepEqual([change?.path, change?.before, change?.after, change?.by], [last, false, true, "Ada"]);
  assert.equal(await shown(), true);
  assert.match(String(lab.inspect(last)), /in tournament, pinned/);
  assert.match(String(lab.inspect()), /\[pinned\]/);
  assert.equal(lab.pin(last).length, 0, "it is pinned already");
  assert.equal(lab.unpin(last).length, 1);
  assert.equal(lab.unpin(last).length, 0);
  assert.equal(await shown(), false);
  lab.undo();
  assert.equal(at(lab, last).pinned, true);
  await lab.close();
});

// Reject

Deno.test("a rejection takes it out at once, cancels what is open about it, and no later request is about it", async () => {
  await using lab = await enter(":memory:", { settings: SETTINGS });
  await lab.runUntil({ hypotheses: 3 });
  const about = () =>
    lab.view().openTasks.filter(({ record }) =>
      record.targetId === at(lab, "H2").record.id || record.payload.focus === at(lab, "H2").record.id
    );
  assert.equal(about().length, 1, "its review");
  const changes = lab.reject("h2", "too dear", { author: "Ada" });
  assert.deepEqual(changes.map(({ path, before, after }) => [path, before, after]), [[
    "H2",
    "draft",
    "rejected",
  ]]);
  assert.deepEqual([at(lab, "H2").state, at(lab, "H2").stateReason], ["rejected", "too dear"]);
  assert.deepEqual(about(), []);
  assert.ok(
    lab.events().some(({ type, payload }) =>
      type === "task_cancelled" && payload.reason === "H2 was rejected"
    ),
  );
  const calls = lastCall(lab);
  await lab.runUntil({ matches: 4 });
  const named = sent(lab, calls).filter(({ text }) => /<HYPOTHESIS label="H2"/.test(text));
  assert.deepEqual(named, []);
  assertSound(lab);

  lab.restore("H2");
  assert.equal(at(lab, "H2").state, "draft", "it was never reviewed");
  assert.equal(about().length, 1, "its review is to come again");
  await lab.runUntil({ reviews: lab.view().reviews.length + 1 });
  assert.equal(lab.view().reviewsOf(at(lab, "H2").record.id).length, 1);
  assertSound(lab);
});

Deno.test("restoring one that was reviewed puts it back into the tournament, with its rating", async () => {
  const { lab, labels: [best = ""] } = await tournament();
  const { elo, matches } = at(lab, best);
  lab.pin(best);
  assert.deepEqual(lab.reject(best).map(({ path, after }) => [path, after]), [[best, "rejected"], [
    best,
    false,
  ]]);
  assert.deepEqual([at(lab, best).pinned, at(lab, best).stateReason], [false, "rejected by person"]);
  assert.ok(lab.inspect().leaderboard.every(({ label }) => label !== best));
  lab.restore(best, { author: "Ada" });
  assert.deepEqual([at(lab, best).state, at(lab, best).stateReason], ["in_tournament", "restored by Ada"]);
  assert.deepEqual([at(lab, best).elo, at(lab, best).matches], [elo, matches]);
  lab.undo();
  lab.undo();
  assert.deepEqual([at(lab, best).state, at(lab, best).pinned], ["in_tournament", true]);
  await lab.close();
});

Deno.test("a match whose hypothesis is rejected while it is judged costs what it costs and moves no rating", async () => {
  const { over, hold, reached, letGo } = held();
  await using lab = await enter(":memory:", { settings: SETTINGS, over });
  await lab.runUntil({ matches: 2 });
  while (!/ranking: match/.test(lab.peek().lines[0] ?? "")) await lab.tick();
  hold();
  const step = lab.tick();
  await reached;
  const [item] = lab.store.queue(lab.view().session.id).list().filter(({ status }) =>
    status === "in_progress"
  );
  const pair = item?.decision?.kind === "match" ? item.decision : assert.fail("a match is in hand");
  const before = lab.view().hypotheses.map(({ record, elo, matches }) => [record.label, elo, matches]);
  const spent = lab.cost().total.usd;
  lab.reject(lab.view().hypothesis(pair.firstId)?.record.label ?? "");
  letGo();
  const { ran: [ran] } = await step;
  assert.equal(ran?.status, "void");
  assert.match(ran?.gist ?? "", /is rejected: the result is not used/);
  assert.deepEqual(
    lab.view().hypotheses.map(({ record, elo, matches }) => [record.label, elo, matches]),
    before,
  );
  assert.ok(lab.cost().total.usd > spent && (ran?.cost.microUsd ?? 0) > 0, "its cost is kept");
  assertSound(lab);
});

Deno.test("a review in hand of one that is rejected is void; its follow-ups never come", async () => {
  const { over, hold, reached, letGo } = held();
  await using lab = await enter(":memory:", { settings: SETTINGS, over });
  while (!/reflection: review/.test(lab.peek().lines[0] ?? "")) await lab.tick();
  hold();
  const step = lab.tick();
  await reached;
  const [item] = lab.store.queue(lab.view().session.id).list().filter(({ status }) =>
    status === "in_progress"
  );
  const task = lab.view().task(item?.taskId ?? "")?.record;
  const label = lab.view().hypothesis(task?.targetId ?? "")?.record.label ?? "";
  lab.reject(label);
  letGo();
  const { ran: [ran] } = await step;
  assert.deepEqual([ran?.status, ran?.target], ["void", label]);
  assert.equal(lab.view().reviews.length, 0);
  assert.equal(at(lab, label).state, "rejected");
  assertSound(lab);
});

// Merge

Deno.test("a merge gives one the matches, results and reviews' history of both; the other is out, its tasks cancelled", async () => {
  const { lab, labels: [a = "", b = "", c = ""] } = await tournament(6);
  lab.addVerdict(b, c, b, { rationale: "seen" });
  lab.addVerdict(a, b, a);
  lab.addResult(b, { outcome: "confirmed", claim: "It glowed." });
  lab.pin(b);
  const kept = at(lab, a).record.id, given = at(lab, b).record.id;
  const between = (x: string, y: string) =>
    lab.view().matches.filter(({ firstId, secondId, verdict }) =>
      verdict !== "invalid" && [x, y].includes(firstId) && [x, y].includes(secondId)
    ).length;
  const own = at(lab, a).matches + at(lab, b).matches - 2 * between(kept, given);
  const epoch = lab.view().epoch;
  const changes = lab.merge(a, b, { author: "Ada" });
  assert.deepEqual(changes.map(({ path, before, after }) => [path, before, after]), [
    [b, { state: "in_tournament" }, { into: a }],
    [b, true, false],
    [a, false, true],
  ]);
  const [survivor, gone] = [at(lab, a), at(lab, b)];
  assert.deepEqual([gone.state, gone.mergedInto, gone.stateReason], ["merged", kept, `into ${a}`]);
  assert.deepEqual([survivor.matches, survivor.result, survivor.pinned], [own, "confirmed", true]);
  assert.equal(lab.view().epoch, epoch + 1);
  assert.ok(lab.view().eloJournal.every(({ firstId, secondId }) => firstId !== given && secondId !== given));
  assert.ok(lab.view().leaderboard.every(({ record }) => record.label !== b));
  const sum = lab.view().hypotheses.reduce((total, { elo }) => total + elo, 0);
  assert.ok(Math.abs(sum - 1200 * lab.view().hypotheses.length) < 1e-6);
  const card = String(lab.inspect(a));
  assert.match(card, new RegExp(`Merged: +${b} `));
  assert.match(card, new RegExp(`by person, as ${b}`));
  assert.match(card, /confirmed by experiment \(person\): It glowed\./);
  assert.match(String(lab.inspect(b)), new RegExp(`merged into ${a}`));
  // What is said of the one that stays tells what was found of the other.
  const calls = lastCall(lab);
  await lab.reflect(a, "verification");
  assert.ok(sent(lab, calls).some(({ text }) => text.includes("It glowed.")));

  // A chain: what stood for two is merged itself.
  lab.merge(c, a, { keep: c });
  assert.equal(at(lab, a).mergedInto, at(lab, c).record.id);
  assert.equal(at(lab, c).result, "confirmed");
  const merged = /Merged: ([\s\S]*?)\n\n/.exec(String(lab.inspect(c)))?.[1] ?? "";
  assert.ok(merged.includes(`${a} `) && merged.includes(`${b} `), merged);
  await assertRefused(() => lab.merge(c, b), {
    code: "state",
    says: [`${b} is merged (into ${a})`, "undo()"],
  });
  lab.undo();
  lab.undo();
  assert.deepEqual([at(lab, a).state, at(lab, b).state], ["in_tournament", "in_tournament"]);
  assert.deepEqual([at(lab, a).result, at(lab, b).result, at(lab, b).pinned], [null, "confirmed", true]);
  assertSound(lab);
  await lab.runFor({ matches: 1 });
  await lab.close();
});

Deno.test("a draft that takes in one of the tournament enters it; by default the one in the tournament stays", async () => {
  const { lab, labels: [best = ""] } = await tournament();
  const { label: mine = "" } = JSON.parse(
    JSON.stringify(await lab.addHypothesis("Lamps leak into walls.", {})),
  );
  lab.merge(mine, best);
  assert.equal(at(lab, mine).state, "merged");
  assert.deepEqual(
    lab.view().openTasks.filter(({ record }) => record.targetId === at(lab, mine).record.id),
    [],
    "its review is cancelled",
  );
  lab.undo();
  assert.equal(at(lab, mine).state, "draft");
  assert.equal(
    lab.view().openTasks.filter(({ record }) => record.targetId === at(lab, mine).record.id).length,
    1,
    "and is to come again",
  );
  const matches = at(lab, best).matches;
  const changes = lab.merge(best, mine, { keep: mine });
  assert.deepEqual(changes.map(({ path, after }) => [path, after]), [[best, { into: mine }], [
    mine,
    "in_tournament",
  ]]);
  assert.equal(at(lab, mine).matches, matches);
  assert.ok(at(lab, mine).strength !== null);
  await lab.runFor({ matches: 2 });
  assertSound(lab);
  await lab.close();
});

Deno.test("a match in hand of one that is merged meanwhile is void, and so is an evolution from it", async () => {
  for (const work of ["match", "evolve"] as const) {
    const { over, hold, reached, letGo } = held();
    const lab = await enter(":memory:", { settings: SETTINGS, over });
    await lab.runUntil({ matches: 3 });
    hold();
    const run = work === "match" ? lab.rank(1) : lab.evolve("simplify");
    await reached;
    const [item] = lab.store.queue(lab.view().session.id).list().filter(({ status }) =>
      status === "in_progress"
    );
    const decision = item?.decision;
    const id = decision?.kind === "match"
      ? decision.secondId
      : decision?.kind === "evolve"
      ? decision.parents[0]
      : undefined;
    const label = lab.view().hypothesis(id ?? "")?.record.label ?? assert.fail();
    const into = lab.view().leaderboard.find(({ record }) => record.label !== label)?.record.label ?? "";
    lab.merge(into, label);
    const before = lab.view().hypotheses.map(({ record, elo }) => [record.label, elo]);
    letGo();
    await run;
    const task = lab.view().task(item?.taskId ?? "");
    assert.equal(task?.status, "void", work);
    assert.match(task?.reason ?? "", new RegExp(`${label} is merged`));
    assert.deepEqual(lab.view().hypotheses.map(({ record, elo }) => [record.label, elo]), before);
    assertSound(lab);
    await lab.close();
  }
});

Deno.test("children keep the labels of their parents when these are merged", async () => {
  const { lab, labels: [a = "", b = ""] } = await tournament();
  await lab.evolve("simplify", b);
  const child = lab.view().hypotheses.find(({ record }) => record.parents.includes(at(lab, b).record.id));
  lab.merge(a, b);
  if (child !== undefined) {
    assert.match(String(lab.inspect(child.record.label)), new RegExp(`Parents: +${b} `));
  }
  assert.match(String(lab.plots.lineage().toString()), /./);
  await lab.close();
});

// What is refused

Deno.test("what can't be pinned, rejected, restored or merged is refused with what helps, and nothing is written", async () => {
  const { lab, labels: [a = "", b = "", c = "", d = ""] } = await tournament();
  lab.reject(c);
  lab.merge(a, b);
  const wrong: readonly (readonly [string, readonly unknown[], "input" | "state", readonly string[]])[] = [
    ["pin", ["H99"], "input", ['pin: there is no "H99"', "hypotheses H1 to"]],
    ["pin", ["hyp_0000000000000000"], "input", ["there is no"]],
    ["pin", ["V1"], "input", ['"V1" is a review, not a hypothesis']],
    ["pin", [], "input", ["pin: nothing", 'label such as "H7"']],
    ["pin", [a, { author: "" }], "input", ["pin: author"]],
    ["pin", [a, { autor: "x" }], "input", ['Did you mean "author"?']],
    ["pin", [c], "state", [`pin: ${c} is rejected`, `restore("${c}")`]],
    ["pin", [b], "state", [`${b} is merged`, "stands for both"]],
    ["unpin", ["H99"], "input", ['unpin: there is no "H99"']],
    ["reject", ["H99"], "input", ['reject: there is no "H99"']],
    ["reject", [c], "state", [`${c} is rejected`, "out already"]],
    ["reject", [b], "state", [`${b} is merged`]],
    ["reject", [a, ""], "input", ["reject: reason"]],
    ["reject", [a, 7], "input", ["reject: reason: 7"]],
    ["restore", [a], "state", [`${a} is in tournament`, "in play already"]],
    ["restore", [b], "state", [`${b} is merged`, "undo() takes a merge back"]],
    ["merge", [a, a], "input", [`${a} can't be merged into itself`]],
    ["merge", [a, c], "state", [`merge: ${c} is rejected`, `restore("${c}")`]],
    ["merge", [d, b], "state", [`merge: ${b} is merged`]],
    ["merge", [a, d, { keep: c }], "input", ["merge: keep", `${a} or ${d}`]],
    ["merge", [a, d, { kept: a }], "input", ['Did you mean "keep"?']],
    ["merge", [a], "input", ["merge: nothing"]],
  ];
  const before = writesOf(lab);
  for (const [verb, given, code, says] of wrong) {
    await assertRefused(() => Reflect.apply(Reflect.get(lab, verb), lab, given), { code, says });
  }
  assert.deepEqual(writesOf(lab), before);
  await lab.finish();
  const finished = writesOf(lab);
  for (
    const act of [
      () => lab.pin(a),
      () => lab.unpin(a),
      () => lab.reject(a),
      () => lab.restore(c),
      () => lab.merge(a, d),
    ]
  ) await assertRefused(act, { code: "state", says: ["the session is done", "reopen()"] });
  assert.deepEqual(writesOf(lab), finished);
  await lab.close();
});
