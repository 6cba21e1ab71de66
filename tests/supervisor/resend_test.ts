/** A call asked again: another answer to look at, paid and kept like any call, and no record changed. */
import assert from "node:assert/strict";
import { enter, nowOf, small, wire, withStore } from "../engine/support/session.ts";
import { assertSound } from "../engine/support/invariants.ts";
import { openSession } from "../engine/support/sim_session.ts";
import { assertRefused, writesOf } from "./support.ts";

const HAIKU = "claude-haiku-4-5-20251001";
const SETTINGS = small(1, {
  run: { initialIdeas: 4, maxMatchesPerIdea: 20 },
  ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
});

Deno.test("resend asks the same question with another text of the prompt, and changes no record", async () => {
  const over = wire();
  await using lab = await enter(":memory:", { settings: SETTINGS, over });
  await lab.runUntil({ reviews: 4, matches: 2 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0];
  assert.ok(call !== undefined);
  const before = lab.view(),
    records = JSON.stringify([before.matches, before.hypotheses, before.revision, before.eloJournal]);
  const spent = lab.cost().total.usd, sent = over.sent.length;
  const prompt = lab.prompts.get("ranking.pairwise").text.replace(
    "Decide which",
    "Say with great care which",
  );
  const resent = await lab.resend(call.n, { prompt });
  assert.equal(over.sent.length, sent + 1);
  assert.equal(resent.was.n, call.n);
  const then: unknown = JSON.parse(resent.was.request), now: unknown = JSON.parse(resent.now.request);
  const replaced = JSON.stringify(then).replace("Decide which", "Say with great care which");
  assert.equal(JSON.stringify(now), replaced, "the same variables, system blocks and tools");
  assert.notEqual(resent.now.promptVersion, resent.was.promptVersion);
  assert.notEqual(resent.now.response, "");
  assert.deepEqual(resent.notes, []);
  assert.deepEqual(resent.text.filter(({ mark }) => mark !== " ").map(({ mark }) => mark), ["-", "+"]);
  assert.match(String(resent), /Then: call/);
  assert.match(String(resent), /Now: call/);
  const after = lab.view();
  assert.equal(JSON.stringify([after.matches, after.hypotheses, after.revision, after.eloJournal]), records);
  const last = lab.transcripts({ last: 1 })[0];
  assert.deepEqual([last?.n, last?.resendOf, last?.task, last?.seq], [
    resent.now.n,
    call.n,
    `resend of ${call.n}`,
    after.seq,
  ]);
  const cost = lab.cost();
  assert.ok(Math.abs(cost.total.usd - spent - resent.now.usd) < 1e-9 && resent.now.usd > 0);
  assert.deepEqual(cost.byCommit.at(-1)?.tasks, [`resend of ${call.n}`]);
  assert.ok(Math.abs(cost.total.usd - over.simulator.billed().microUsd / 1e6) < 1e-9);
  assert.equal(lab.prompts.list().find(({ name }) => name === "ranking.pairwise")?.earlierCalls, 0);
  assertSound(lab);
  await lab.runFor({ matches: 1 });
  assertSound(lab);
});

Deno.test("resend to another model", async () => {
  await using lab = await enter(":memory:", { settings: SETTINGS });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0];
  const resent = await lab.resend(call?.n ?? 0, { model: HAIKU, author: "Ada" });
  assert.deepEqual([resent.was.model, resent.now.model], [call?.model, HAIKU]);
  assert.deepEqual(resent.text, []);
  const messages = (request: string) => JSON.stringify(Object(JSON.parse(request))["messages"]);
  assert.equal(messages(resent.now.request), messages(resent.was.request));
});

Deno.test("a call is asked as its task's records stood, whatever has happened since", async () => {
  await using lab = await enter(":memory:", { settings: SETTINGS });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0];
  lab.prompts.set("session", "---\ninputs: goal\n---\nAnother session: {{ goal }}");
  await lab.reflect(["H1", "H2"]);
  const resent = await lab.resend(call?.n ?? 0);
  assert.equal(resent.now.request, resent.was.request);
  assert.deepEqual(resent.notes, []);
});

Deno.test("the opening call of every conversation of a task can be resent: speeches, verdicts, screens, generations", async () => {
  await using lab = await enter(":memory:", {
    settings: small(1, { run: { initialIdeas: 2 }, safety: { enabled: true }, ranking: { order: "both" } }),
  });
  await lab.runUntil({ matches: 2 });
  const done = new Set<string>();
  for (const call of lab.transcripts()) {
    const request: unknown = JSON.parse(lab.transcript(call.n).request);
    const messages: unknown = Object(request)["messages"];
    assert.ok(Array.isArray(messages));
    if (messages.length > 1) {
      await assertRefused(() => lab.resend(call.n), { code: "state", says: ["later turn", "opens"] });
      continue;
    }
    const resent = await lab.resend(call.n);
    assert.equal(resent.now.request, resent.was.request, `${call.n} ${call.prompt}`);
    assert.deepEqual(resent.notes, []);
    done.add(call.prompt);
  }
  for (
    const prompt of [
      "safety.screen",
      "parse_goal",
      "generation.literature",
      "generation.debate.turn",
      "generation.debate",
      "reflection.full",
      "ranking.debate.turn",
      "ranking.debate",
    ]
  ) assert.ok(done.has(prompt), prompt);
  assertSound(lab);
});

Deno.test("what can't be resent is said, and nothing is asked or written", async () => {
  const over = wire();
  await using lab = await enter(":memory:", { settings: SETTINGS, over });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0]?.n ?? 0;
  const again = await lab.resend(call);
  const before = writesOf(lab), sent = over.sent.length;
  const wrong: readonly [() => unknown, "input" | "state" | "prompt", (string | RegExp)[]][] = [
    [() => lab.resend(9999), "input", ["9999", "transcripts()"]],
    [() => lab.resend(1.5), "input", ["1.5"]],
    [() => Reflect.apply(lab.resend, lab, ["M1"]), "input", ["M1"]],
    [() => lab.resend(again.now.n), "state", [`resend(${call})`]],
    [() => lab.resend(call, { prompt: "{{ hypothesis }}" }), "prompt", ["hypothesis", "Did you mean"]],
    [() => lab.resend(call, { model: "" }), "input", ["model"]],
    [() => Reflect.apply(lab.resend, lab, [call, { modle: HAIKU }]), "input", ["modle", "model"]],
  ];
  for (const [act, code, says] of wrong) await assertRefused(act, { code, says });
  lab.pause();
  await assertRefused(() => lab.resend(call), { code: "state", says: ["paused", "resume()"] });
  lab.resume();
  assert.equal(over.sent.length, sent);
  assert.equal(writesOf(lab)["tasks"], before["tasks"]);
});

Deno.test("a resend that fails is paid and kept like any call, and says what failed", async () => {
  await using session = await openSession({ settings: SETTINGS });
  const { lab, server } = session;
  await lab.runUntil({ reviews: 4, matches: 1 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0]?.n ?? 0;
  const { seq } = lab.view();
  assert.ok(server.billed().calls > 0);
  await assertRefused(() => lab.resend(call, { model: "no-such-model" }), {
    code: "provider",
    says: ["no-such-model"],
  });
  const last = lab.transcripts({ last: 1 })[0];
  assert.equal(last?.resendOf, call);
  assert.notEqual(last?.error, "");
  assert.ok(last?.seq !== null && (last?.seq ?? 0) > seq);
  assertSound(lab);
});

Deno.test("resend goes on beside a run, and close waits for it", async () => {
  await using lab = await enter(":memory:", { settings: SETTINGS });
  await lab.runUntil({ reviews: 4, matches: 1 });
  const call = lab.transcripts({ prompt: "ranking.pairwise" })[0]?.n ?? 0;
  const run = lab.start({ matches: 4 });
  const resent = await lab.resend(call);
  assert.equal(resent.was.n, call);
  await run.done;
  assertSound(lab);
});

Deno.test("what a killed process had reserved for a resend comes to be booked as lost", () =>
  withStore(async (store) => {
    await using lab = await enter(store, { settings: SETTINGS });
    await lab.tick();
    const spent = nowOf(lab).spentUsd;
    lab.store.sql.run(
      "INSERT INTO budget_reservations (id, session, agent, task_id, owner, micro_usd, tokens, expires_at) " +
        "VALUES ('gone:1', ?, 'ranking', 'resend/7/9', 'gone', 40000, 9000, 9e15)",
      lab.view().session.id,
    );
    await lab.tick();
    const { reservedUsd, lostUsd, spentUsd } = nowOf(lab);
    assert.equal(reservedUsd, 0);
    assert.equal(lostUsd, 0.04);
    assert.ok(spentUsd >= spent + 0.04);
  }));
