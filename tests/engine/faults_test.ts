import assert from "node:assert/strict";
import type { StopReason } from "../../lib/domain/records.ts";
import type { Fault, FaultRule } from "../../lib/simulator/faults.ts";
import { assertNothingLost, LONG, nameOf, nowOf, type Opened, openSession } from "./support/sim_session.ts";

/** What comes of a fault that never ends: the service counts as gone, the work comes to nothing, or all goes on well. */
type Lasting = "provider" | "stalled" | "well";

const FAULTS: readonly { readonly fault: Fault; readonly lasting: Lasting }[] = [
  { fault: { kind: "status", status: 401 }, lasting: "provider" },
  { fault: { kind: "status", status: 404 }, lasting: "provider" },
  { fault: { kind: "status", status: 429, retryAfterSeconds: 7 }, lasting: "provider" },
  { fault: { kind: "status", status: 529 }, lasting: "provider" },
  { fault: { kind: "status", status: 500 }, lasting: "provider" },
  { fault: { kind: "timeout" }, lasting: "provider" },
  { fault: { kind: "timeout", billed: true }, lasting: "provider" },
  { fault: { kind: "reset" }, lasting: "provider" },
  { fault: { kind: "reset", billed: true }, lasting: "provider" },
  { fault: { kind: "malformed_json" }, lasting: "provider" },
  { fault: { kind: "truncated_tool" }, lasting: "stalled" },
  { fault: { kind: "refusal" }, lasting: "stalled" },
  { fault: { kind: "pause_turn" }, lasting: "stalled" },
  { fault: { kind: "unknown_tool" }, lasting: "stalled" },
  { fault: { kind: "wrong_arguments" }, lasting: "stalled" },
  { fault: { kind: "empty" }, lasting: "stalled" },
  { fault: { kind: "invented_citations" }, lasting: "well" },
];

/** Steps whose work the session can't do without. */
const NEEDED = ["parse_goal", "generation", "reflection", "ranking", "evolution"] as const;

/** In the quick tier each fault strikes at one step, another one for each. */
function stepsFor(i: number): readonly string[] {
  return LONG ? NEEDED : [NEEDED[(i + 1) % NEEDED.length] ?? "ranking"];
}

/** More calls than any of these sessions may make. */
const MANY_CALLS = 700;

/** A small session that does all there is to do: generation, reviews of each kind, matches, evolution. */
async function faulty(rules: readonly FaultRule[]): Promise<Opened> {
  const slow = rules.some(({ fault }) => fault.kind === "timeout");
  const seconds = rules.every((rule) => rule.step === undefined) ? 0.04 : 0.15;
  return await openSession({
    rules,
    settings: {
      run: { maxIdeas: 5, maxMatchesPerIdea: 3 },
      evolution: { minMature: 2, matureMatches: 2, everyMatches: 6 },
      retry: slow
        ? { perCallTimeoutSeconds: seconds, perCallTimeoutThinkingSeconds: seconds, maxAttemptsTimeout: 2 }
        : {},
    },
  });
}

/** Whether `inspect()` tells that something went wrong. */
function tells({ lab }: Opened): boolean {
  const { troubled, counts, screens } = lab.inspect();
  return nowOf(lab).faults.length > 0 || troubled.length > 0 || counts.invalidMatches > 0 ||
    counts.droppedCitations > 0 || screens.length > 0;
}

/** Ends that are no fault's doing. */
const GOOD_ENDS: readonly (StopReason | undefined)[] = ["idle", "elo_stable", "top_k_settled"];

async function assertEndsWell(session: Opened): Promise<void> {
  const { lab } = session;
  const run = await lab.runUntil();
  assert.ok(GOOD_ENDS.includes(run.stop?.reason), `${run.stop?.reason}: ${run.stop?.note}`);
  assert.ok(lab.inspect().counts.matches >= 3);
  assertNothingLost(session);
}

Deno.test("without faults inspect() tells of none, which makes the other tests worth something", async () => {
  await using session = await faulty([]);
  await assertEndsWell(session);
  assert.equal(tells(session), false);
  assert.equal((await session.lab.finish()).source, "model");
});

for (const [i, { fault }] of FAULTS.entries()) {
  for (const step of stepsFor(i)) {
    const name = `13.A fault once at ${step}: ${nameOf(fault)}${"billed" in fault ? ", billed" : ""}`;
    Deno.test(`${name}: the run ends well and tells of it`, async () => {
      // An address is invented where one is cited, which the first answers of a step don't do.
      const invented = fault.kind === "invented_citations";
      // And arguments can only be wrong where a tool is called: turns of a debate are prose.
      const tool = fault.kind === "wrong_arguments" && step === "ranking" ? { tool: "record_verdict" } : {};
      await using session = await faulty([{ fault, step, ...tool, times: invented ? 10 : 1 }]);
      const { lab, server } = session;
      // Only a refused key ends a run at once; when it is taken again, a second run goes on where the first one was.
      if (nameOf(fault) === "401") {
        const { stop } = await lab.runUntil();
        assert.ok(stop?.reason === "provider" || GOOD_ENDS.includes(stop?.reason), stop?.reason);
        assert.ok(tells(session));
        assertNothingLost(session);
      }
      await assertEndsWell(session);
      assert.ok(server.requests().some((request) => request.fault !== null), "it struck");
      assert.equal(tells(session), !invented || !["ranking", "parse_goal"].includes(step));
      const overview = await lab.finish();
      assert.equal(overview.source, "model");
      assert.equal(lab.inspect().status, "done");
      assert.ok(lab.inspect().leaderboard.length >= 2);
    });
  }
}

for (const [i, { fault, lasting }] of FAULTS.entries()) {
  if (!LONG && i % 2 === 1) continue;
  for (const step of stepsFor(i + 2)) {
    Deno.test(`13.A fault always at ${step}: ${nameOf(fault)} ends as ${lasting}`, async () => {
      await using session = await faulty([{ fault, step }]);
      const { lab, server } = session;
      const run = await lab.runUntil();
      if (lasting === "well") assert.ok(GOOD_ENDS.includes(run.stop?.reason));
      else assert.equal(run.stop?.reason, lasting, run.stop?.note);
      assert.ok(tells(session) || (lasting === "well" && (step === "ranking" || step === "parse_goal")));
      assert.ok(server.requests().length < MANY_CALLS, `${server.requests().length} calls`);
      assertNothingLost(session);
      // Nothing dies of an outage: when it is over, the same tasks are done.
      if (lasting === "provider") assert.deepEqual(lab.view().deadTasks, []);

      const { source, markdown } = await lab.finish();
      const { leaderboard, status, note, stopReason } = lab.inspect();
      assert.equal(status, "done");
      assert.equal(stopReason, run.stop?.reason ?? null, "a finished session still says what had stopped it");
      if (leaderboard.every((row) => row.matches === 0)) assert.match(note, /nothing was ranked/);
      // With hypotheses there, the overview's model has something to write about, and it does answer.
      assert.equal(source, lab.view().hypotheses.length > 0 ? "model" : "fallback");
      if (source === "fallback") assert.match(markdown, /no hypothesis/i);
    });
  }
}

for (const { fault, lasting } of FAULTS) {
  Deno.test(`13.A fault always and everywhere: ${nameOf(fault)} ends as ${lasting}`, async () => {
    await using session = await faulty([{ fault }]);
    const { lab, server } = session;
    const run = await lab.runUntil();
    const { status, stopReason } = lab.inspect();
    assert.equal(status, "stopped");
    assert.equal(stopReason, run.stop?.reason);
    assert.ok(tells(session));
    assertNothingLost(session);
    if (lasting === "well") return assert.ok(GOOD_ENDS.includes(run.stop?.reason));
    assert.equal(run.stop?.reason, lasting, run.stop?.note);
    assert.ok(server.requests().length <= 80, `${server.requests().length} calls`);
    const overview = await lab.finish();
    assert.equal(overview.source, "fallback");
    assert.match(lab.inspect().note, /without an overview by a model; nothing was ranked/);
  });
}

for (const [i, { fault, lasting }] of FAULTS.entries()) {
  if (lasting === "well" || (!LONG && i % 3 !== 1)) continue;
  Deno.test(`a safety screen that always fails (${nameOf(fault)}) is told, and counts as not screened`, async () => {
    await using session = await faulty([{ fault, step: "safety" }]);
    if (LONG) await assertEndsWell(session);
    else await session.lab.runUntil({ matches: 2 });
    const { screens, counts } = session.lab.inspect();
    assert.equal(screens.length, 1 + counts.hypotheses, "the goal's and each hypothesis's");
    assert.ok(screens.every(({ result, rationale }) => result === "failed" && rationale !== ""));
    assert.equal((await session.lab.finish()).source, "model");
  });
}

for (const [i, { fault, lasting }] of FAULTS.entries()) {
  if (!LONG && i % 3 !== 0) continue;
  Deno.test(`an overview whose model never answers (${nameOf(fault)}) is the fallback, and says so`, async () => {
    await using session = await faulty([{ fault, step: "metareview.final" }]);
    const { lab } = session;
    await lab.runUntil({ matches: 1 });
    const { source, notes, markdown } = await lab.finish();
    assertNothingLost(session);
    if (lasting === "provider") assert.equal(source, "fallback");
    if (source === "model") return;
    assert.match(notes.join(" "), /fallback/);
    assert.match(markdown, /H\d/);
    assert.match(lab.inspect().note, /without an overview by a model/);
  });
}

Deno.test("an outage of the service ends the run; when it is over, the same tasks are done and none is lost", async () => {
  const down: FaultRule = {
    fault: { kind: "status", status: 500 },
    calls: Array.from({ length: 700 }, (_, i) => 21 + i),
  };
  await using session = await faulty([down]);
  const { lab } = session;
  let runs = 0;
  for (;;) {
    const { stop } = await lab.runUntil();
    assertNothingLost(session);
    if (stop?.reason !== "provider") break;
    assert.deepEqual(lab.view().deadTasks, [], "however often it is run in vain");
    assert.ok(++runs < 100);
  }
  assert.ok(runs > 5, `it stopped for the outage ${runs} times`);
  assert.deepEqual(lab.view().deadTasks, []);
  await assertEndsWell(session);
});

Deno.test("a delisted model: its work goes down the chain, the transcripts say to which, and the run ends well", async () => {
  await using session = await faulty([{ fault: { kind: "status", status: 404 }, model: "claude-opus-4-7" }]);
  const { lab, server } = session;
  await assertEndsWell(session);
  assert.ok(nowOf(lab).faults.some(({ type }) => type === "call_degraded"));
  assert.ok(
    server.requests().some(({ model, step, status }) =>
      step.startsWith("generation") && model === "claude-sonnet-4-6" && status === 200
    ),
  );
  assert.equal((await lab.finish()).source, "model");
});

Deno.test("a hypothesis never cites an address that no tool returned", async () => {
  await using session = await faulty([{ fault: { kind: "invented_citations" } }]);
  await assertEndsWell(session);
  const view = session.lab.view();
  const urls = [
    ...view.hypotheses.flatMap(({ record }) => record.citations.map(({ url }) => url)),
    ...view.reviews.flatMap(({ evidence }) => evidence.map(({ url }) => url)),
    ...view.evidence.map(({ source }) => source),
  ];
  assert.ok(urls.length > 0);
  assert.deepEqual(urls.filter((url) => url.includes("invented")), []);
  assert.ok(view.hypotheses.every(({ record }) => record.droppedCitations > 0));
});
