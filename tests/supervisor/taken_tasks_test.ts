/** A queued review or match done by hand: taken, shown, answered or given back; runs go on without it. */
import assert from "node:assert/strict";
import type { HypothesisRecord, TaskAction } from "../../lib/domain/records.ts";
import type { Entry } from "../../lib/store/records.ts";
import { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, NAME, SMALL, small, wire, withStore } from "../engine/support/session.ts";
import { openSession } from "../engine/support/sim_session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** Ticks until a task of this action is ready and nobody works on it; its label. */
async function queued(lab: Supervisor, action: TaskAction): Promise<string> {
  for (let i = 0; i < 60; i++) {
    const row = lab.queue.list().find((each) => each.action === action && each.status === "pending");
    if (row !== undefined && (action !== "match" || lab.view().drawable.length > 1)) return row.label;
    await lab.tick();
  }
  throw new Error(`no ${action} was ever queued`);
}

Deno.test("a taken match: the pair as a judge would see it, answered by its label, rated like any other", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "match");
  const taken = lab.queue.take(label.toLowerCase(), { author: "Ada" });
  assert.deepEqual([taken.label, taken.action, taken.by, taken.sides.length], [label, "match", "Ada", 2]);
  for (const { texts } of taken.sides) {
    assert.equal(texts[0]?.what, "hypothesis");
    assert.ok(texts.some(({ what }) => what === "review"));
    assert.ok(texts.every(({ text }) => !text.includes("Scores:")), "judges don't see the scores");
  }
  const [first = "", second = ""] = taken.sides.map((side) => side.label);
  assert.match(String(taken), new RegExp(`${label} match of ${first} – ${second}[^]*Title: [^]*winner`));
  assert.deepEqual(
    lab.queue.list().filter((row) => row.label === label).map(({ status, reason }) => [status, reason]),
    [["waiting", "with Ada"]],
  );
  assert.match(String(lab.inspect(label)), /waiting[^]*with Ada/);
  const seq = lab.view().seq;
  assert.deepEqual(
    lab.queue.take(label, { author: "Ada" }).sides,
    taken.sides,
    "taken again it is shown again",
  );
  assert.equal(lab.view().seq, seq);

  const elo = (of: string) => lab.view().hypotheses.find(({ record }) => record.label === of)?.elo ?? 0;
  const strength = (of: string) =>
    lab.view().hypotheses.find(({ record }) => record.label === of)?.strength ?? 0;
  const before = [elo(second), strength(second)];
  const match = lab.queue.answer(label, { winner: second, rationale: "It can be tested." }, { weight: 2 });
  assert.ok("verdict" in match && match.verdict === "second");
  const record = lab.view().matches.at(-1);
  assert.deepEqual(
    [record?.author, record?.weight, record?.judge, record?.panelist, record?.taskId],
    ["Ada", 2, null, null, lab.view().taskLabelled(label)?.record.id],
  );
  assert.equal(lab.view().rationale(record?.id ?? ""), "It can be tested.");
  assert.equal(lab.view().eloJournal.at(-1)?.weight, 2);
  assert.ok(elo(second) > (before[0] ?? 0) && strength(second) > (before[1] ?? 0), "both ratings moved");
  assert.equal(lab.view().taskLabelled(label)?.status, "done");
  assert.deepEqual(
    lab.view().revisions.map(({ kind, target, after, author }) => [kind, target, after, author]),
    [["queue", label, "take", "Ada"], ["queue", label, "answer", "Ada"]],
  );
  assert.equal(lab.transcripts({ task: label }).length, 0, "no model was asked");
  await lab.runUntil();
  assertSound(lab);
});

Deno.test("a taken review: the person's is the hypothesis's review, and stands in the prompts of its judges", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "review");
  const { sides: [side], kind } = lab.queue.take(label);
  assert.equal(kind, "full");
  assert.equal(side?.texts[0]?.what, "hypothesis");
  const card = lab.queue.answer(label, {
    verdict: "missing_piece",
    novelty: 0.9,
    notes: "Nobody has looked at the membrane.",
    evidence: [{ claim: "It was seen once", url: "https://example.org/1" }],
  });
  assert.ok("droppedEvidence" in card && card.author === "person");
  const standing = lab.view().hypotheses.find(({ record }) => record.label === side?.label);
  assert.equal(standing?.state, "in_tournament");
  assert.deepEqual(lab.view().evidence.map(({ claim }) => claim), ["It was seen once"]);
  await lab.runUntil({ matches: 2 });
  const judged = lab.transcripts().filter(({ prompt }) => prompt.startsWith("ranking."))
    .map(({ n }) => lab.transcript(n).request);
  assert.ok(judged.some((request) => /Nobody has looked at the membrane/.test(request)));
  assertSound(lab);
});

Deno.test("a verdict on a pair, or a review, answers the task that its author took; others' don't", async () => {
  await using lab = await enter(":memory:");
  const match = await queued(lab, "match");
  const [first = "", second = ""] = lab.queue.take(match, { author: "Ada" }).sides.map(({ label }) => label);
  lab.addVerdict(first, second, "tie", { author: "Bo" });
  assert.equal(lab.view().taskLabelled(match)?.status, "pending", "Bo didn't take it");
  lab.addVerdict(second, first, first, { author: "Ada" });
  assert.equal(lab.view().taskLabelled(match)?.status, "done");
  assert.equal(lab.view().matches.filter(({ author }) => author === "Ada").length, 1);
  lab.undo();
  assert.equal(lab.view().taskLabelled(match)?.status, "done", "what was answered stays so");
  assert.equal(lab.view().counted.filter(({ author }) => author === "Ada").length, 0);

  const review = await queued(lab, "review");
  const { sides: [side] } = lab.queue.take(review);
  const { kind } = lab.view().taskLabelled(review)?.record.payload ?? {};
  lab.addReview(side?.label ?? "", { notes: "Read.", kind });
  assert.equal(lab.view().taskLabelled(review)?.status, "done");
  await lab.runUntil();
  assertSound(lab);
});

Deno.test("a review that finds it disproved keeps the hypothesis out, as a model's does", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "review");
  const { sides: [side] } = lab.queue.take(label);
  lab.queue.answer(label, { verdict: "disproved" });
  assert.equal(lab.view().hypotheses.find(({ record }) => record.label === side?.label)?.state, "disproved");
});

Deno.test("runs go on without a taken task, and end idle, naming it; answered, they take up what followed", async () => {
  await using lab = await enter(":memory:", { settings: small(2) });
  const label = await queued(lab, "match");
  lab.queue.take(label, { author: "Ada" });
  const run = await lab.runUntil();
  assert.deepEqual([run.endedBy, run.stop?.reason], ["stopped", "idle"]);
  assert.match(run.stop?.note ?? "", new RegExp(`${label} \\(match\\) waits for Ada`));
  assert.match(String(run), new RegExp(`${label} \\(match\\) waits for Ada`));
  assert.equal(lab.peek().stop?.reason, "idle");
  assert.ok(lab.view().hypotheses.some(({ record }) => record.parents.length > 0), "evolution went on, too");
  assertSound(lab);
  const { sides: [side] } = lab.queue.take(label, { author: "Ada" });
  lab.queue.answer(label, { winner: side?.label });
  assert.notEqual((await lab.runUntil()).stop?.note.includes(label), true);
  await lab.finish();
  assert.equal(lab.view().status, "done");
});

Deno.test("with every review in a person's hands a session ends idle, not stalled", async () => {
  await using lab = await enter(":memory:");
  for (let i = 0; i < 40; i++) {
    for (const { label, action, status } of lab.queue.list()) {
      if (action === "review" && status === "pending") lab.queue.take(label);
    }
    const { stop } = await lab.tick();
    if (stop === null) continue;
    assert.equal(stop.reason, "idle");
    assert.match(stop.note, /\(review\) waits for person/);
    return;
  }
  assert.fail("it never stopped");
});

Deno.test("given back, a task is in the queue as before and the machine does it", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "match");
  lab.queue.take(label);
  const changes = lab.queue.giveBack(label);
  assert.deepEqual(changes.map(({ path, after }) => [path, after]), [[label, "giveBack"]]);
  assert.equal(lab.queue.list().find((row) => row.label === label)?.status, "pending");
  const item = lab.store.queue(lab.view().session.id).item(lab.view().taskLabelled(label)?.record.id ?? "");
  assert.deepEqual(
    [item?.decision, item?.claimSeq, item?.owner],
    [null, null, null],
    "decided anew when it is claimed",
  );
  await lab.runUntil({ matches: 1 });
  assert.equal(lab.view().taskLabelled(label)?.status, "done");
  assert.equal(lab.view().matches[0]?.author, "model");
  assertSound(lab);
});

Deno.test("what an attempt had fixed stays fixed through taking and giving back", async () => {
  await using session = await openSession({
    rules: [{ fault: { kind: "status", status: 500 }, step: "ranking.debate", times: 100 }, {
      fault: { kind: "status", status: 500 },
      step: "ranking.pairwise",
      times: 100,
    }],
    settings: { ...SMALL, retry: { maxAttempts5xx: 1 } },
  });
  const { lab } = session;
  let deferred: string | undefined;
  for (let i = 0; i < 40 && deferred === undefined; i++) {
    await lab.tick();
    deferred = lab.queue.list().find(({ action, status }) => action === "match" && status === "deferred")
      ?.label;
  }
  assert.ok(deferred !== undefined);
  const item = () =>
    lab.store.queue(lab.view().session.id).item(lab.view().taskLabelled(deferred ?? "")?.record.id ?? "");
  const pinned = item();
  assert.ok(pinned?.decision?.kind === "match");
  lab.queue.take(deferred);
  assert.deepEqual(item()?.decision, pinned.decision);
  lab.queue.giveBack(deferred);
  assert.deepEqual([item()?.decision, item()?.claimSeq], [pinned.decision, pinned.claimSeq]);
  const { sides: [side] } = lab.queue.take(deferred);
  lab.queue.answer(deferred, { winner: side?.label });
  assert.equal(lab.view().validMatches, 1);
});

Deno.test("a taken task survives a restart, and other handles leave it alone", () =>
  withStore(async (store) => {
    let label: string;
    {
      await using lab = await enter(store);
      label = await queued(lab, "match");
      lab.queue.take(label, { author: "Ada" });
    }
    await using lab = await Supervisor.open({ store, session: NAME, environment: {}, fetch: wire().fetch });
    await lab.runUntil({ matches: 2 });
    assert.equal(lab.queue.list().find((row) => row.label === label)?.status, "waiting");
    const { sides: [side] } = lab.queue.take(label, { author: "Ada" });
    lab.queue.answer(label, { winner: side?.label }, { author: "Ada" });
    assert.equal(lab.view().matches.at(-1)?.author, "Ada");
    assertSound(lab);
  }));

/** What a person may do to a hypothesis meanwhile, as its records. */
const CHANGES: Readonly<Record<string, (record: HypothesisRecord) => Entry>> = {
  "is rejected": ({ id }) => ({
    kind: "hypothesisState",
    record: { hypothesisId: id, state: "rejected", reason: "" },
  }),
  "was edited": (record) => ({
    kind: "hypothesis",
    record: { ...record, version: record.version + 1, statement: "Another one" },
  }),
};

for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`a task whose hypothesis ${what} meanwhile is void: an answer is not used, no rating moves`, async () => {
    await using lab = await enter(":memory:");
    const label = await queued(lab, "match");
    const { sides: [side] } = lab.queue.take(label);
    const standing = lab.view().hypotheses.find(({ record }) => record.label === side?.label);
    assert.ok(standing !== undefined);
    lab.store.commit(lab.view().session.id, () => ({
      kind: "change",
      author: "person",
      progress: 0,
      entries: [change(standing.record)],
    }));
    const card = lab.queue.answer(label, { winner: side?.label });
    assert.match(String(card), new RegExp(`void[^]*${what}`));
    assert.deepEqual([lab.view().matchCount, lab.view().eloJournal.length], [0, 0]);
    assert.equal(lab.view().endedTasks.void, 1);
  });
}

Deno.test("a taken task that nobody answers and that came to nothing doesn't stay: the run ends it as void", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "review");
  const { sides: [side] } = lab.queue.take(label);
  const id = lab.view().hypotheses.find(({ record }) => record.label === side?.label)?.record.id ?? "";
  lab.store.commit(lab.view().session.id, () => ({
    kind: "reject",
    author: "person",
    progress: 0,
    entries: [{ kind: "hypothesisState", record: { hypothesisId: id, state: "rejected", reason: "" } }],
  }));
  const run = await lab.runUntil();
  assert.equal(lab.view().taskLabelled(label)?.status, "void");
  assert.doesNotMatch(run.stop?.note ?? "", new RegExp(label));
  assertSound(lab);
});

Deno.test("a group is taken and answered as a ranking", async () => {
  await using lab = await enter(":memory:", {
    settings: small(1, {
      run: { maxIdeas: 8, initialIdeas: 4 },
      ranking: { judgedAtOnce: 3, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
    }),
  });
  await lab.runUntil({ reviews: 4 });
  let taken = null;
  for (let i = 0; i < 40 && taken === null; i++) {
    const row = lab.queue.list().find(({ action, status }) => action === "match" && status === "pending");
    if (row !== undefined) {
      const shown = lab.queue.take(row.label);
      if (shown.sides.length > 2) taken = shown;
      else lab.queue.giveBack(row.label);
    }
    if (taken === null) await lab.tick();
  }
  assert.ok(taken !== null);
  const labels = taken.sides.map((side) => side.label).toReversed();
  await assertRefused(() => lab.queue.answer(taken.label, { ranking: labels.slice(1) }), {
    code: "input",
    says: ["ranking", "best first"],
  });
  const before = lab.view().validMatches;
  lab.queue.answer(taken.label, { ranking: labels });
  const made = lab.view().matches.slice(-3);
  assert.equal(lab.view().validMatches, before + 3);
  assert.ok(made.every(({ author, verdict }) => author === "person" && verdict === "second"));
  assertSound(lab);
});

Deno.test("what can't be taken, answered or given back is refused, and nothing is written", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "match");
  const ended = lab.view().taskLabelled("T1")?.record.label ?? "";
  const before = writesOf(lab);
  const refused: [() => unknown, "input" | "state", (string | RegExp)[]][] = [
    [() => lab.queue.take("T99"), "input", ['there is no "T99"']],
    [() => lab.queue.take("H1"), "input", ['"H1" is a hypothesis, not a task']],
    [() => lab.queue.take(ended), "input", ["parse_goal", "can't be done by hand", label]],
    [() => lab.queue.take("T4"), "state", [/T4 is done and not open/, label]],
    [() => lab.queue.take(label, { author: "" }), "input", ["queue.take: author"]],
    [() => Reflect.apply(lab.queue.take, lab.queue, [label, { by: "Ada" }]), "input", [
      '"by"',
      "Options are author",
    ]],
    [() => lab.queue.answer(label, { winner: "H1" }), "state", [label, "in nobody's hands", "queue.take"]],
    [() => lab.queue.giveBack(label), "state", [label, "in nobody's hands"]],
  ];
  for (const [act, code, says] of refused) await assertRefused(act, { code, says });
  assert.deepEqual(writesOf(lab), before);

  const { sides } = lab.queue.take(label, { author: "Ada" });
  const taken = writesOf(lab);
  const [first = ""] = sides.map((side) => side.label);
  const answers: [() => unknown, "input" | "state", (string | RegExp)[]][] = [
    [() => lab.queue.take(label, { author: "Ben" }), "state", [`${label} is with Ada already`]],
    [() => lab.queue.answer(label, { winner: first }, { author: "Ben" }), "state", [
      "with Ada, not with Ben",
    ]],
    [() => lab.queue.giveBack(label, { author: "Ben" }), "state", ["with Ada, not with Ben"]],
    [() => lab.queue.promote(label), "state", ["with Ada", "giveBack"]],
    [() => lab.queue.answer(label, {}), "input", ["winner", "tie"]],
    [() => lab.queue.answer(label, { winner: "H99" }), "input", ["winner", '"H99"', first]],
    [() => lab.queue.answer(label, { winner: first }, { weight: 0 }), "input", ["queue.answer: weight"]],
    [() => lab.queue.answer(label, { verdict: "neutral" }), "input", ['"verdict"', "Options are winner"]],
  ];
  for (const [act, code, says] of answers) await assertRefused(act, { code, says });
  assert.deepEqual(writesOf(lab), taken);
  lab.queue.cancel(label);
  assert.equal(lab.view().taskLabelled(label)?.status, "cancelled");
});

Deno.test("a task in progress can't be taken", async () => {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let hold = false;
  const over = wire({
    before: async () => {
      if (!hold) return;
      reached.resolve();
      await free.promise;
    },
  });
  await using lab = await enter(":memory:", { over });
  while (!/reflection: review/.test(lab.peek().lines[0] ?? "")) await lab.tick();
  hold = true;
  const step = lab.tick();
  await reached.promise;
  const [inHand] = lab.queue.list().filter(({ status }) => status === "in_progress");
  assert.equal(inHand?.action, "review");
  const before = writesOf(lab);
  await assertRefused(() => lab.queue.take(inHand?.label ?? ""), {
    code: "state",
    says: ["in progress already"],
  });
  assert.deepEqual(writesOf(lab), before);
  hold = false;
  free.resolve();
  assert.deepEqual((await step).ran.map(({ status }) => status), ["done"]);
});

Deno.test("a finished session's tasks can't be taken", async () => {
  await using lab = await enter(":memory:");
  const label = await queued(lab, "match");
  await lab.finish();
  await assertRefused(() => lab.queue.take(label), {
    code: "state",
    says: ["queue.take", "the session is done"],
  });
  await assertRefused(() => lab.queue.cancel(label), {
    code: "state",
    says: ["queue.cancel", "the session is done"],
  });
});
