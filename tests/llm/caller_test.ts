import assert from "node:assert/strict";
import { CosciError } from "../../lib/domain/errors.ts";
import { Deferred } from "../../lib/llm/afford.ts";
import { ProviderError } from "../../lib/llm/model_call.ts";
import { worstCost } from "../../lib/llm/estimate.ts";
import { modelRow } from "../../lib/llm/models.ts";
import { bench, MemoryLedger, SESSION, settingsWith, text, thinking } from "./support.ts";

const OVERVIEW = {
  route: "metareview.final" as const,
  prompt: "metareview.final",
  variables: { hypotheses: "H1" },
  session: SESSION,
};
const hello = { content: [text("Hello.")], usage: { input_tokens: 1000, output_tokens: 200 } };

Deno.test("prose is asked for with the rendered prompts, and settled with transcript and journal at once", async () => {
  const { caller, server, ledger, events } = bench([hello]);
  const prose = await caller.ask(OVERVIEW);
  assert.equal(prose.text, "Hello.");
  assert.equal(prose.model, "claude-opus-4-7");
  assert.deepEqual(prose.concessions, []);

  const [asked] = server.received;
  assert.deepEqual(asked?.body.system?.map(({ text }) => text), [
    "You are metareview.\nStep: metareview.final",
    "Goal: cure\n\nprefer oral drugs",
  ]);
  assert.equal(asked?.body.messages[0]?.content[0]?.text, "Write about H1.");
  assert.equal(asked?.body.stream, true, "an answer that may grow long is streamed");

  const [settled] = ledger.settled;
  assert.deepEqual(settled?.settlement, {
    microUsd: 1000 * 5 + 200 * 25,
    inputTokens: 1000,
    outputTokens: 200,
    unconfirmed: false,
  });
  assert.equal(settled?.reservation.overview, true);
  assert.equal(settled?.reservation.agent, "metareview");
  const transcript = settled?.transcript;
  assert.deepEqual(transcript?.directives, ["dir_1"]);
  assert.equal(transcript?.revision, 3);
  assert.equal(transcript?.promptVersion, prose.promptVersion);
  assert.equal(transcript?.stopReason, "end_turn");
  assert.ok(!JSON.stringify(ledger.settled).includes("sk-secret"));
  assert.equal(ledger.open.size, 0);
  assert.equal(settled?.journal?.key, asked?.headers.get("x-cosci-call"));
  assert.equal(caller.callsMade, 1);
  assert.equal(events[0]?.kind, "answered");
});

Deno.test("a call that was answered before a crash is answered from the journal: nothing sent, nothing paid", async () => {
  const first = bench([hello]);
  const prose = await first.caller.ask(OVERVIEW);
  const second = first.again([]);
  assert.deepEqual(await second.caller.ask(OVERVIEW), prose);
  assert.equal(second.server.received.length, 0);
  assert.equal(first.ledger.settled.length, 1);
  assert.equal(second.events[0]?.kind === "answered" && second.events[0].from, "journal");
});

Deno.test("after a failed attempt calls count on, so that a retry asks anew", async () => {
  const first = bench([hello]);
  await first.caller.ask(OVERVIEW);
  const retry = first.again([hello], { ordinalBase: first.caller.callsMade });
  await retry.caller.ask(OVERVIEW);
  assert.equal(retry.server.received.length, 1);
  assert.equal(retry.caller.callsMade, 2);
});

Deno.test("the key is that of the intended call, whatever money makes of it", async () => {
  const rich = bench([hello]);
  await rich.caller.ask(OVERVIEW);
  const poor = bench([hello], {}, new MemoryLedger(120_000));
  const prose = await poor.caller.ask(OVERVIEW);
  assert.ok(prose.concessions.length > 0);
  assert.equal(prose.model, "claude-opus-4-7", "the overview keeps its model while anything else gives");
  assert.deepEqual(poor.ledger.settled[0]?.transcript.concessions, prose.concessions);
  assert.equal(
    poor.server.received[0]?.headers.get("x-cosci-call"),
    rich.server.received[0]?.headers.get("x-cosci-call"),
  );
  const replayed = poor.again([]);
  assert.deepEqual(await replayed.caller.ask(OVERVIEW), prose);
});

Deno.test("a wrong prompt fails before any call", async () => {
  const { caller, server, ledger } = bench([]);
  await assert.rejects(
    caller.ask({ ...OVERVIEW, variables: { hypothesis: "H1" } }),
    (error) => error instanceof CosciError && error.code === "prompt",
  );
  assert.equal(server.received.length + ledger.asked.length + caller.callsMade, 0);
});

Deno.test("passing failures are waited out; every send has its own reservation and transcript", async () => {
  const { caller, ledger, clock, events } = bench([
    { status: 429, error: "slow", headers: { "retry-after": "9" } },
    { status: 529, error: "busy" },
    { status: 500, error: "oops" },
    hello,
  ]);
  await caller.ask(OVERVIEW);
  assert.equal(ledger.asked.length, 4);
  assert.deepEqual(ledger.settled.map(({ settlement }) => settlement.microUsd), [0, 0, 0, 10_000]);
  assert.deepEqual(ledger.settled.map(({ transcript }) => transcript.error), [
    "HTTP 429 some_error: slow",
    "HTTP 529 some_error: busy",
    "HTTP 500 some_error: oops",
    "",
  ]);
  assert.equal(ledger.settled[0]?.journal, null);
  assert.equal(clock.sleeps.length, 3);
  assert.ok((clock.sleeps[0] ?? 0) >= 9000);
  assert.ok((clock.sleeps[1] ?? 0) <= 2000 && (clock.sleeps[2] ?? 0) <= 1000);
  assert.deepEqual(events.map(({ kind }) => kind), ["retried", "retried", "retried", "answered"]);
});

Deno.test("each kind of failure has its own number of tries", async () => {
  for (const [status, tries] of [[429, 6], [500, 5], [408, 3], [400, 1], [401, 1]]) {
    const { caller, ledger } = bench(Array.from({ length: 9 }, () => ({ status: status ?? 0, error: "no" })));
    await assert.rejects(
      caller.ask(OVERVIEW),
      (error) =>
        error instanceof ProviderError && error.code === "provider" && error.status === status &&
        /no/.test(error.message),
    );
    assert.equal(ledger.settled.length, tries, `${status}`);
  }
});

Deno.test("a call that got no answer after sending is settled in full, unconfirmed, and tried again at its own cost", async () => {
  const { caller, ledger } = bench([{ throws: new TypeError("connection reset") }, hello]);
  await caller.ask(OVERVIEW);
  const [lost, answered] = ledger.settled;
  assert.equal(lost?.settlement.unconfirmed, true);
  assert.equal(lost?.settlement.microUsd, lost?.reservation.microUsd);
  assert.equal(
    (lost?.settlement.inputTokens ?? 0) + (lost?.settlement.outputTokens ?? 0),
    lost?.reservation.tokens,
  );
  assert.match(lost?.transcript.error ?? "", /may have been billed/);
  assert.equal(answered?.settlement.unconfirmed, false);
});

Deno.test("a server that can't be reached costs nothing, however often it is tried", async () => {
  const down = { throws: new TypeError("tcp connect error: Connection refused") };
  const { caller, ledger } = bench([down, down, down]);
  await assert.rejects(caller.ask(OVERVIEW), /can't be reached/);
  assert.equal(ledger.spent, 0);
  assert.equal(ledger.settled.length, 3);
});

Deno.test("a model that isn't there, or stays overloaded, is replaced down the chain for the rest of the task", async () => {
  const { caller, server, events } = bench([{ status: 404, error: "model: claude-opus-4-7" }, hello, hello]);
  const prose = await caller.ask(OVERVIEW);
  assert.equal(prose.model, "claude-sonnet-4-6");
  assert.match(prose.concessions[0] ?? "", /claude-sonnet-4-6 instead of claude-opus-4-7 \(unavailable\)/);
  await caller.ask(OVERVIEW);
  assert.equal(server.received[2]?.body.model, "claude-sonnet-4-6");
  assert.deepEqual(events.map(({ kind }) => kind), ["degraded", "answered", "answered"]);

  const busy = bench([...Array.from({ length: 8 }, () => ({ status: 529 })), hello]);
  assert.equal((await busy.caller.ask(OVERVIEW)).model, "claude-sonnet-4-6");

  const gone = bench([{ status: 404 }, { status: 404 }, { status: 404 }]);
  await assert.rejects(
    gone.caller.ask(OVERVIEW),
    (error) => error instanceof ProviderError && error.status === 404,
  );
});

Deno.test("money that others have reserved puts the call off, unsent", async () => {
  const { caller, server } = bench([], {}, new MemoryLedger(1e6, 0.9e6));
  await assert.rejects(caller.ask(OVERVIEW), Deferred);
  assert.equal(server.received.length, 0);
});

Deno.test("an abort while a call is out settles it in full and says so", async () => {
  const controller = new AbortController();
  const { caller, ledger } = bench([{ hangs: true }], { signal: controller.signal });
  const pending = caller.ask(OVERVIEW);
  setTimeout(() => controller.abort(new Error("interrupted")), 10);
  await assert.rejects(pending, (error) => error instanceof CosciError && error.code === "aborted");
  assert.equal(ledger.settled[0]?.settlement.unconfirmed, true);
  assert.equal(ledger.open.size, 0);
});

Deno.test("a call that takes too long counts as lost", async () => {
  const settings = settingsWith({
    retry: { perCallTimeoutThinkingSeconds: 0.02, maxAttemptsTimeout: 2 },
  });
  const { caller, ledger } = bench([{ hangs: true }, { hangs: true }], { settings });
  await assert.rejects(caller.ask(OVERVIEW), /no answer (within|in time)/);
  assert.deepEqual(ledger.settled.map(({ settlement }) => settlement.unconfirmed), [true, true]);
});

Deno.test("cut prose is asked for once more with twice the room; a pause is sent back; a refusal is an error", async () => {
  const cut = { content: [text("Half")], stop_reason: "max_tokens" };
  const whole = bench([cut, hello]);
  assert.equal((await whole.caller.ask(OVERVIEW)).text, "Hello.");
  assert.equal(whole.server.received[1]?.body.max_tokens, 2 * 8192 + 16_000);

  const twice = bench([cut, cut]);
  const prose = await twice.caller.ask(OVERVIEW);
  assert.equal(prose.text, "Half");
  assert.match(prose.concessions.join(), /cut off/);

  const paused = bench([{ content: [thinking("hm"), text("One.")], stop_reason: "pause_turn" }, hello]);
  assert.equal((await paused.caller.ask(OVERVIEW)).text, "One.\n\nHello.");
  assert.deepEqual(paused.server.received[1]?.body.messages[1]?.content, [thinking("hm"), text("One.")]);

  const refused = bench([{ content: [text("I can't.")], stop_reason: "refusal" }]);
  await assert.rejects(refused.caller.ask(OVERVIEW), /refused. I can't/);
  await assert.rejects(bench([{ content: [] }, { content: [] }]).caller.ask(OVERVIEW), /empty, twice/);
  assert.equal((await bench([{ content: [] }, hello]).caller.ask(OVERVIEW)).text, "Hello.");
});

Deno.test("where the server gives no usage, the bound is booked and said to be one", async () => {
  const { caller, ledger, events } = bench([{ content: "plain string", usage: undefined }], {
    settings: settingsWith({ thinking: { ...settingsWith().thinking, "metareview.final": 0 } }),
  });
  assert.equal((await caller.ask(OVERVIEW)).text, "plain string");
  const [settled] = ledger.settled;
  assert.ok((settled?.settlement.inputTokens ?? 0) > 50);
  assert.ok((settled?.settlement.microUsd ?? 0) > 0);
  assert.equal(events[0]?.kind === "answered" && events[0].estimated, true);
});

Deno.test("a reservation is never below what the call can cost", async () => {
  const { caller, server, ledger } = bench([hello]);
  await caller.ask(OVERVIEW);
  const max = server.received[0]?.body.max_tokens ?? 0;
  const [reservation] = ledger.asked;
  assert.ok((reservation?.microUsd ?? 0) >= worstCost(modelRow("claude-opus-4-7"), 100, max));
  assert.ok((reservation?.tokens ?? 0) > max);
});

Deno.test("a call that names its model goes there, with the route's length and thinking", async () => {
  const call = {
    route: "ranking.pairwise" as const,
    prompt: "ranking.pairwise",
    variables: { hypothesis_1: "A", hypothesis_2: "B" },
    session: SESSION,
  };
  const { maxTokens } = settingsWith();
  const settings = settingsWith({ maxTokens: { ...maxTokens, "ranking.pairwise": 1500 } });
  const { caller, server, ledger } = bench([hello, hello], { settings });
  const own = await caller.ask(call);
  const other = await caller.ask({ ...call, model: "claude-haiku-4-5-20251001" });
  assert.deepEqual([own.model, other.model], ["claude-sonnet-4-6", "claude-haiku-4-5-20251001"]);
  assert.deepEqual(server.received.map(({ body }) => body.model), [own.model, other.model]);
  assert.deepEqual(server.received[1]?.body.thinking, { type: "enabled", budget_tokens: 4000 });
  assert.equal(server.received[1]?.body.max_tokens, 1500 + 4000);
  assert.deepEqual(ledger.settled.map(({ transcript }) => transcript.route), [
    "ranking.pairwise",
    "ranking.pairwise",
  ]);
});
