/** Gates: a run stops before a kind of step until a person says yes or no; what was said is in the requests afterwards. */
import assert from "node:assert/strict";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { SIMULATED_MARK } from "../../lib/domain/simulated_mark.ts";
import type { GateKind } from "../../lib/domain/records.ts";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { Supervisor } from "../../mod.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { enter, GOAL, NAME, SEED, SMALL, small, wire, withStore } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** The small session with gates. */
async function gated(gates: readonly GateKind[], more: SettingsPatch = {}): Promise<Supervisor> {
  return await enter(":memory:", {
    settings: small(1, { ...more, run: { ...more.run, gates: [...gates] } }),
  });
}

/** The requests of a prompt, as the model got them, oldest first. */
function requests(lab: Supervisor, prompt: string): string[] {
  return lab.transcripts({ prompt }).map(({ n }) => lab.transcript(n).request);
}

/** Runs until a gate opens. */
async function toGate(lab: Supervisor, kind: GateKind): Promise<void> {
  const run = await lab.runUntil();
  assert.equal(run.endedBy, "gate");
  assert.equal(lab.gate.kind, kind);
}

Deno.test("without gates none opens, and lab.gate says so", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ hypotheses: 2 });
  assert.deepEqual([lab.gate.open, lab.gate.label, lab.gate.kind], [false, null, null]);
  assert.match(String(lab.gate), /No gate of glow is open[^]*run\.gates/);
  assert.equal(lab.view().gates.length, 0);
});

Deno.test("create takes gates for short, and refuses other words", async () => {
  const create = (gates: unknown) =>
    Reflect.apply(Supervisor.create, Supervisor, [{
      goal: GOAL,
      store: ":memory:",
      seed: SEED,
      environment: {},
      gates,
    }]);
  await assertRefused(() => create(["plam"]), {
    code: "input",
    says: ["create: gates", "plam", "plan, feedback"],
  });
  await assertRefused(() => create("plan"), { code: "input", says: ["create: gates", "Give a list"] });
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    seed: SEED,
    environment: {},
    gates: ["plan", "finish"],
  });
  assert.deepEqual(lab.view().settings.run.gates, ["plan", "finish"]);
});

Deno.test("plan: it waits, nothing else runs, and an edited plan is in the prompts that follow", async () => {
  await using lab = await gated(["plan"]);
  const tick = await lab.tick();
  assert.deepEqual(tick.ran.map(({ action, status }) => [action, status]), [["parse_goal", "done"]]);
  assert.deepEqual(tick.gate, { label: "G1", kind: "plan" });
  assert.match(String(tick), /Gate G1 is open[^]*lab\.accept/);
  assert.equal(lab.view().plan, null);
  assert.ok(lab.gate.proposal?.kind === "plan");
  assert.match(
    String(lab.gate),
    /G1 research plan of glow waits[^]*Objective: [^]*Constraints:[^]*lab\.refuse/,
  );
  assert.deepEqual(lab.peek().lines.slice(0, 2), [
    "G1 (plan) waits for your yes: lab.gate shows what is proposed.",
    "After lab.accept(): the first 2 hypotheses are generated.",
  ]);
  assert.equal(lab.peek().maxUsd, 0);
  assert.deepEqual(lab.inspect().gate, { label: "G1", kind: "plan" });

  const before = writesOf(lab);
  const run = await lab.runUntil({ matches: 3 });
  assert.deepEqual([run.endedBy, run.stop, run.cost.calls], ["gate", null, 0]);
  assert.match(String(run), /Ended by: gate[^]*lab\.accept/);
  assert.deepEqual((await lab.tick()).ran, []);
  assert.equal(writesOf(lab)["commits"], before["commits"], "nothing is written while it waits");
  await assertRefused(() => lab.generate(1), {
    code: "state",
    says: ["generate", "waits at G1", "lab.accept()"],
  });

  const answered = lab.accept({
    objective: "What makes the invented cells dim?",
    constraints: ["No knock-outs"],
  }, {
    author: "Ada",
  });
  assert.deepEqual(answered.answer?.edited, ["objective", "constraints"]);
  assert.match(String(answered), /Accepted with changes of objective, constraints by Ada/);
  assert.match(
    String(answered),
    /Objective: What makes the invented cells dim\?[^]*No knock-outs/,
    "what it shows is what is in force",
  );
  assert.equal(lab.view().plan?.objective, "What makes the invented cells dim?");
  assert.deepEqual(
    lab.view().revisions.map(({ kind, target, before, after, author }) => ({
      kind,
      target,
      before,
      after,
      author,
    })),
    [{ kind: "gate", target: "G1", before: "open", after: { accepted: true, reason: "" }, author: "Ada" }],
  );
  assert.equal((await lab.runUntil({ matches: 1 })).endedBy, "until");
  const asked = [...requests(lab, "generation.literature"), ...requests(lab, "reflection.full")];
  assert.ok(asked.length > 1);
  for (const request of asked) {
    assert.match(request, /Objective: What makes the invented cells dim\?/);
    assert.match(request, /No knock-outs/);
  }
  assert.match(String(lab.inspect("g1")), /Accepted/);
  assertSound(lab);
});

Deno.test("plan: an accepted plan makes the session that there would have been without the gate", async () => {
  await using plain = await enter(":memory:");
  await using lab = await gated(["plan"]);
  await lab.tick();
  lab.accept();
  await lab.runUntil({ matches: 3 });
  await plain.runUntil({ matches: 3 });
  const told = (of: Supervisor) =>
    of.view().hypotheses.map(({ record, elo }) => [record.id, record.statement, elo]);
  assert.deepEqual(told(lab), told(plain));
});

Deno.test("plan: refused, the goal is read again with the reason in the request, and screened no second time", async () => {
  await using lab = await gated(["plan"]);
  await lab.tick();
  assert.equal(requests(lab, "safety.screen").length, 1);
  lab.refuse("Leave zebrafish out of it", { author: "Ada" });
  assert.match(lab.peek().lines[0] ?? "", /parse goal/);
  const { ran, gate } = await lab.tick();
  assert.deepEqual(ran.map(({ action }) => action), ["parse_goal"]);
  assert.deepEqual(gate, { label: "G2", kind: "plan" });
  const [first = "", second = ""] = requests(lab, "parse_goal");
  assert.doesNotMatch(first, /zebrafish/);
  assert.match(second, /<DIRECTIVE label=\\"G1\\" kind=\\"refused\\">[^]*zebrafish/);
  assert.equal(requests(lab, "safety.screen").length, 1);
  assert.deepEqual(lab.transcripts({ prompt: "parse_goal" }).map(({ directives }) => directives), [[], [
    "G1",
  ]]);
  lab.accept();
  await lab.runUntil({ hypotheses: 1 });
  assert.doesNotMatch(requests(lab, "generation.literature")[0] ?? "", /kind=\\"refused\\"/);
  assertSound(lab);
});

Deno.test("feedback: no prompt carries it before the yes; edited, they carry the edit", async () => {
  await using lab = await gated(["feedback"]);
  await toGate(lab, "feedback");
  assert.equal(lab.view().feedback.length, 0);
  const { proposal } = lab.gate;
  assert.ok(proposal?.kind === "feedback");
  assert.ok(String(lab.gate).includes(proposal.narrative.slice(0, 40)));
  const answered = lab.accept({
    narrative: "Name the enzyme, always.",
    focusAreas: ["the kinase of the tail"],
  });
  assert.match(String(answered), /Name the enzyme, always\.[^]*the kinase of the tail/);
  const [feedback] = lab.view().feedback;
  assert.deepEqual([feedback?.narrative, feedback?.matchesSeen], [
    "Name the enzyme, always.",
    proposal.matchesSeen,
  ]);
  await lab.generate(1);
  const asked = requests(lab, "generation.literature").concat(requests(lab, "generation.debate"));
  assert.match(asked.at(-1) ?? "", /Name the enzyme, always\.[^]*the kinase of the tail/);
  assert.doesNotMatch(asked[0] ?? "", /Name the enzyme/);
  assertSound(lab);
});

Deno.test("feedback: refused, it is dropped, comes when the next is due and not before, and knows why", async () => {
  await using lab = await gated(["feedback"], { run: { maxIdeas: 8, maxMatchesPerIdea: 6 } });
  await toGate(lab, "feedback");
  const round = () => Math.floor(lab.view().validMatches / (SMALL.metareview?.everyMatches ?? 1));
  const seen = round();
  lab.refuse("It praises what only looks like a strength");
  assert.equal(lab.view().feedback.length, 0);
  const again = await lab.runUntil();
  assert.equal(again.endedBy, "gate");
  assert.ok(round() > seen, "not at once");
  assert.equal(lab.gate.label, "G2");
  const [first = "", second = ""] = requests(lab, "metareview.system");
  assert.doesNotMatch(first, /only looks like a strength/);
  assert.match(second, /G1[^]*only looks like a strength/);
  lab.accept();
  assert.equal(lab.view().feedback.length, 1);
  assertSound(lab);
});

Deno.test("feedback: asked for by metareview(), it waits as well; refused, the one that is due doesn't follow at once", async () => {
  await using lab = await gated(["feedback"], { metareview: { everyMatches: 4 } });
  await lab.runUntil({ matches: 3 });
  await lab.rank(1);
  assert.ok(lab.view().validMatches >= 4);
  const run = await lab.metareview();
  assert.equal(run.endedBy, "until");
  assert.equal(lab.gate.kind, "feedback");
  lab.refuse("no");
  await lab.runFor({ matches: 1 });
  assert.equal(lab.gate.open, false);
  assert.equal(requests(lab, "metareview.system").length, 1);
});

Deno.test("evolution: a round waits with its parents; kept strategies and other parents are what is asked", async () => {
  await using lab = await gated(["evolution"]);
  let peeked: readonly string[] = [];
  for (let i = 0; i < 200 && !lab.gate.open; i++) {
    peeked = lab.peek().lines;
    await lab.tick();
  }
  assert.match(peeked[0] ?? "", /A gate opens: a round of evolution/);
  const { proposal } = lab.gate;
  assert.ok(proposal?.kind === "evolution");
  assert.ok(proposal.tasks.length > 1);
  assert.match(String(lab.gate), /strategy +from[^]*H\d/);
  assert.ok(!lab.view().openTasks.some(({ record }) => record.action === "evolve"));
  const seq = lab.view().seq;
  const labels = lab.view().hypotheses.map(({ record }) => record.label);
  const wrong: [unknown, string[]][] = [
    [{ strategies: ["combnie"] }, ['"combnie"', 'Did you mean "combine"?']],
    [{ strategies: [] }, ["strategies", "refuse(reason)"]],
    [{ strategy: ["combine"] }, ['Did you mean "strategies"?']],
    [{ parents: { combine: ["H1"] } }, ["combine works from at least 2"]],
    [{ parents: { combine: ["H1", "H99"] } }, ['there is no "H99"']],
    [{ strategies: ["feasibility"], parents: { combine: ["H1", "H2"] } }, [
      "Strategies that are kept are feasibility",
    ]],
  ];
  for (const [edit, says] of wrong) {
    await assertRefused(() => Reflect.apply(lab.accept, lab, [edit]), { code: "input", says });
  }
  assert.equal(lab.view().seq, seq);

  const parent =
    labels.find((label) =>
      !proposal.tasks.some(({ strategy, parents }) =>
        strategy === "feasibility" && parents[0]?.label === label
      )
    ) ?? "";
  const answered = lab.accept({ strategies: ["feasibility"], parents: { feasibility: parent } });
  assert.deepEqual(answered.answer?.edited, ["strategies", "parents"]);
  assert.ok(answered.proposal?.kind === "evolution");
  assert.deepEqual(
    answered.proposal.tasks.map(({ strategy, parents }) => [strategy, parents.map(({ label }) => label)]),
    [["feasibility", [parent]]],
    "what it shows is what will be done",
  );
  const open = lab.view().openTasks.map(({ record }) => record.payload.strategy);
  assert.deepEqual(open, ["feasibility"]);
  await lab.runUntil({ evolved: 1 });
  const child = lab.view().hypotheses.find(({ record }) => record.strategy === "feasibility");
  const made = child?.record.parents.map((id) => lab.view().hypothesis(id)?.record.label);
  assert.deepEqual(made, [parent]);
  assert.match(
    requests(lab, "evolution.feasibility")[0] ?? "",
    new RegExp(`<HYPOTHESIS label=\\\\"${parent}\\\\"`),
  );
  assert.equal(requests(lab, "evolution.combine").length, 0);
  assertSound(lab);
});

Deno.test("evolution: a refused round is not proposed again, and the next one is told why", async () => {
  await using lab = await gated(["evolution"], { run: { maxIdeas: 8, maxMatchesPerIdea: 8 } });
  await toGate(lab, "evolution");
  const { gates: [first] } = lab.view();
  lab.refuse("Too early: nothing has been tested");
  const again = await lab.runUntil();
  assert.equal(again.endedBy, "gate");
  const [, second] = lab.view().gates;
  assert.notEqual(Object(first?.proposal).round, Object(second?.proposal).round);
  assert.equal(lab.view().hypotheses.filter(({ record }) => record.parents.length > 0).length, 0);
  lab.accept();
  await lab.runUntil({ evolved: 1 });
  const asked = () => lab.transcripts().filter(({ prompt }) => prompt.startsWith("evolution."));
  const told = () =>
    asked().filter(({ n }) => lab.transcript(n).request.includes("nothing has been tested")).length;
  const round = asked().length;
  assert.ok(round > 0);
  assert.equal(told(), round);
  lab.configure({ run: { maxIdeas: 16 } });
  while ((await lab.runUntil()).endedBy === "gate" && lab.gate.label !== "G3") lab.accept();
  const before = asked().length;
  assert.equal(told(), before);
  lab.accept();
  await lab.runFor({ evolved: 1 });
  assert.ok(asked().length > before);
  assert.equal(told(), before, "what was heeded is not told for ever");
  assertSound(lab);
});

Deno.test("evolution: what was refused stands in the request of an evolution that a person asks for", async () => {
  await using lab = await gated(["evolution"]);
  await toGate(lab, "evolution");
  lab.refuse("Keep away from the tail kinase");
  const run = await lab.evolve("out_of_box");
  assert.equal(run.endedBy, "until", "asked for, it is no surprise and passes");
  assert.match(requests(lab, "evolution.out_of_box")[0] ?? "", /G1[^]*Keep away from the tail kinase/);
});

Deno.test("with a gate open a person's stages go on, and settings can be changed", async () => {
  await using lab = await gated(["evolution"]);
  await toGate(lab, "evolution");
  const { reviews, matchCount } = lab.view();
  const before = reviews.length;
  await lab.reflect("H1");
  assert.equal(lab.view().reviews.length, before + 1);
  await lab.generate(1);
  await lab.evolve("simplify");
  assert.ok(lab.view().matchCount >= matchCount);
  lab.configure({ run: { gates: [] } });
  assert.equal((await lab.runUntil()).endedBy, "gate", "one that is open stays until it is answered");
  assert.equal(lab.gate.label, "G1");
  lab.refuse("no more");
  assert.notEqual((await lab.runUntil()).endedBy, "gate");
});

Deno.test("finish: a draft waits; accepted, the session is done without a further call", async () => {
  await using lab = await gated(["finish"]);
  await lab.runUntil({ matches: 2 });
  const { status } = lab.view();
  const draft = await lab.finish();
  assert.deepEqual([draft.final, draft.gate], [false, "G1"]);
  assert.match(String(draft), /draft that waits at G1/);
  assert.equal(lab.view().status, status);
  const calls = lab.transcripts().length;
  assert.equal((await lab.finish()).label, draft.label, "asked for again, it is the draft that waits");
  assert.equal((await lab.runUntil()).endedBy, "gate");
  assert.match(String(lab.gate), /Executive summary/);
  lab.accept();
  assert.equal(lab.transcripts().length, calls);
  const view = lab.view();
  assert.equal(view.status, "done");
  assert.deepEqual(view.overviews.map(({ final }) => final), [false, true]);
  assert.equal(view.overviews[1]?.markdown, view.overviews[0]?.markdown);
  assert.equal((await lab.finish()).label, "O2");
  await assertRefused(() => lab.accept(), { code: "state", says: ["accept", "done", "reopen()"] });
  assertSound(lab);
});

Deno.test("finish: a person's text closes the session, and is marked as simulated all the same", async () => {
  await using lab = await gated(["finish"]);
  await lab.runUntil({ matches: 2 });
  await lab.finish();
  const answered = lab.accept({ markdown: "# What we found\n\nCells glow." }, { author: "Ada" });
  assert.match(String(answered), /# What we found/);
  const last = lab.view().overviews.at(-1);
  assert.equal(last?.markdown, `${SIMULATED_MARK}\n\n# What we found\n\nCells glow.\n`);
  assert.ok(last?.notes.some((note) => /Edited by Ada/.test(note)));
});

Deno.test("finish: refused, the session is as it was, and the next writer is told why", async () => {
  await using lab = await gated(["finish"]);
  await lab.runUntil();
  const { status, stopReason } = lab.view();
  assert.equal(status, "stopped");
  await lab.finish();
  // Running on changes nothing while it waits.
  assert.equal((await lab.runUntil()).endedBy, "gate");
  lab.refuse("Say more about the caveats");
  assert.deepEqual([lab.view().status, lab.view().stopReason], [status, stopReason]);
  const again = await lab.finish();
  assert.deepEqual([again.label, again.gate], ["O2", "G2"]);
  const [first = "", second = ""] = requests(lab, "metareview.final");
  assert.doesNotMatch(first, /Say more about the caveats/);
  assert.match(second, /G1[^]*Say more about the caveats/);
  lab.accept();
  assert.equal(lab.view().status, "done");
});

Deno.test("finish with another gate open says which, and writes nothing", async () => {
  await using lab = await gated(["evolution", "finish"]);
  await toGate(lab, "evolution");
  const before = writesOf(lab);
  await assertRefused(() => lab.finish(), {
    code: "state",
    says: ["finish", "G1 (evolution)", "lab.refuse(reason)"],
  });
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("what can't be answered is refused, and nothing is written", async () => {
  await using lab = await gated(["plan"]);
  const nothing = { code: "state", says: ["nothing waits for an answer", "lab.gate"] } as const;
  await assertRefused(() => lab.accept(), nothing);
  await assertRefused(() => lab.refuse("why"), nothing);
  await lab.tick();
  const before = writesOf(lab);
  const calls: [() => unknown, string[]][] = [
    [() => Reflect.apply(lab.accept, lab, [{ objectve: "x" }]), ['"objectve"', 'Did you mean "objective"?']],
    [() => lab.accept({ objective: " " }), ["objective", "research question"]],
    [() => Reflect.apply(lab.accept, lab, [{ constraints: "none" }]), ["constraints", "list of texts"]],
    [() => Reflect.apply(lab.accept, lab, ["yes"]), ["accept", '"yes"', "object"]],
    [() => Reflect.apply(lab.accept, lab, [{ author: "Ada" }]), ["author goes behind the edit"]],
    [() => lab.accept({}, { author: "model" }), ["accept: author", '"model"']],
    [() => Reflect.apply(lab.accept, lab, [{}, { autor: "Ada" }]), ['"autor"', 'Did you mean "author"?']],
    [() => Reflect.apply(lab.refuse, lab, []), ["refuse: reason", "Say why"]],
    [() => lab.refuse("  "), ["refuse: reason"]],
  ];
  for (const [act, says] of calls) await assertRefused(act, { code: "input", says });
  await assertRefused(() => lab.accept({}, { gate: "G7" }), {
    code: "state",
    says: ["G7 is not open; G1 (plan) is"],
  });
  assert.deepEqual(writesOf(lab), before);
  lab.accept({}, { gate: "G1" });
  await assertRefused(() => lab.accept(), { code: "state", says: ["G1 was answered already"] });
});

Deno.test("a gate is in the store: another handle sees it and answers, and the second answer is refused", () =>
  withStore(async (store) => {
    const settings = small(1, { run: { gates: ["plan"] } });
    {
      await using lab = await enter(store, { settings });
      await lab.tick();
    }
    await using one = await Supervisor.open({ store, session: NAME, environment: {}, fetch: wire().fetch });
    await using other = await Supervisor.open({ store, session: NAME, environment: {}, fetch: wire().fetch });
    assert.equal(one.gate.label, "G1");
    assert.equal(other.gate.label, "G1");
    one.accept({ objective: "Why do they glow?" });
    await assertRefused(() => other.refuse("no"), { code: "state", says: ["G1 was answered already"] });
    assert.equal(other.view().plan?.objective, "Why do they glow?");
    assert.equal(
      canonicalExport(one.store, one.view().session.id),
      canonicalExport(other.store, other.view().session.id),
    );
    await other.runUntil({ hypotheses: 1 });
    assertSound(other);
  }));

Deno.test("what is in hand when a gate opens is finished and committed", async () => {
  await using lab = await enter(":memory:", {
    settings: small(4, {
      run: { gates: ["feedback", "evolution"], maxIdeas: 12, initialIdeas: 6, maxMatchesPerIdea: 8 },
    }),
  });
  let gates = 0;
  for (;;) {
    const run = await lab.runUntil();
    assertSound(lab);
    if (run.endedBy !== "gate") break;
    gates++;
    assert.equal(lab.gate.open, true);
    if (gates % 2 === 0) lab.refuse("not this one");
    else lab.accept();
    assert.ok(gates < 60);
  }
  assert.ok(gates >= 2, `${gates} gates`);
  assert.ok(lab.view().gates.every(({ id }) => lab.view().marked("answered", id) !== null));
});

Deno.test("views at old seqs know the gate as it stood", async () => {
  await using lab = await gated(["plan"]);
  await lab.tick();
  const { seq } = lab.view();
  lab.accept();
  assert.equal(lab.view(seq).openGate?.label, "G1");
  assert.equal(lab.view(seq - 1).openGate, null);
  assert.equal(lab.view().openGate, null);
});

Deno.test("step by step, the steps end at a gate; a run in the background does, too", async () => {
  await using lab = await gated(["plan"]);
  const ticks = await Array.fromAsync(lab.ticks());
  assert.deepEqual(ticks.map(({ gate }) => gate?.label), ["G1"]);
  assert.equal((await lab.start({ matches: 1 }).done).endedBy, "gate");
  assert.equal(
    lab.estimate().rows.find(({ action }) => action === "parse_goal"),
    undefined,
    "it was read already",
  );
});

Deno.test("a gate that opens behind another one waits its turn", async () => {
  await using lab = await gated(["evolution", "feedback"]);
  await toGate(lab, "evolution");
  await lab.metareview();
  assert.deepEqual([lab.gate.label, lab.gate.behind], ["G1", ["G2"]]);
  assert.match(String(lab.gate), /G2 waits behind it/);
  lab.refuse("no");
  assert.deepEqual([lab.gate.label, lab.gate.kind], ["G2", "feedback"]);
  await assertRefused(() => lab.accept({}, { gate: "G1" }), { code: "state", says: ["G1 is not open; G2"] });
  lab.accept();
  assert.equal(lab.view().feedback.length, 1);
  assert.equal(lab.gate.open, false);
});
