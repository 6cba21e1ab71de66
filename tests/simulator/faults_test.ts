import { APIConnectionError, RateLimitError } from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { hypothesisDraft, recordHypothesis, recordReview, recordVerdict } from "../../lib/domain/drafts.ts";
import { fence } from "../../lib/domain/text.ts";
import type { Fault, FaultRule } from "../../lib/simulator/faults.ts";
import { clientOf, GOAL, HELLO, offer, post, simulate } from "./harness.ts";

const ask = {
  model: "claude-opus-4-7",
  max_tokens: 4000,
  system: "Step: generation.literature",
  messages: [{ role: "user" as const, content: fence("GOAL", GOAL) }],
  tools: [offer(recordHypothesis)],
  tool_choice: { type: "tool" as const, name: recordHypothesis.name },
};
const faulty = (fault: Fault, rest: Omit<FaultRule, "fault"> = {}) =>
  simulate({ faults: { rules: [{ fault, ...rest }] } });

Deno.test("faults: a rule strikes by number of the call, step, tool, model and times, and then no more", async () => {
  const fault: Fault = { kind: "status", status: 529 };
  const statuses = async (rest: Omit<FaultRule, "fault">, body: object = ask) => {
    const simulator = faulty(fault, rest);
    return [(await post(simulator, body)).status, (await post(simulator, body)).status];
  };
  assert.deepEqual(await statuses({ calls: [2] }), [200, 529]);
  assert.deepEqual(await statuses({ times: 1 }), [529, 200]);
  assert.deepEqual(await statuses({ step: "generation" }), [529, 529]);
  assert.deepEqual(await statuses({ step: "gener" }), [200, 200]);
  assert.deepEqual(await statuses({ tool: recordHypothesis.name }), [529, 529]);
  assert.deepEqual(await statuses({ tool: recordHypothesis.name }, HELLO), [200, 200]);
  assert.deepEqual(await statuses({ model: "claude-opus-5" }), [200, 200]);
});

Deno.test("faults: with a probability, the same calls fail in every run of a seed", async () => {
  const run = async () => {
    const simulator = faulty({ kind: "status", status: 500 }, { probability: 0.3 });
    const statuses = [];
    for (let i = 0; i < 60; i++) statuses.push((await post(simulator, HELLO)).status);
    return statuses;
  };
  const first = await run();
  assert.deepEqual(await run(), first);
  const failed = first.filter((status) => status === 500).length;
  assert.ok(failed > 6 && failed < 32, String(failed));
});

Deno.test("faults: errors of the API have its body, cost nothing, and say when to come back", async () => {
  for (const status of [401, 403, 404, 408, 413, 429, 500, 504, 529] as const) {
    const simulator = faulty({ kind: "status", status, retryAfterSeconds: 7 });
    const answer = await post(simulator, HELLO);
    assert.equal(answer.status, status);
    assert.equal(Object(answer.body).type, "error");
    assert.equal(answer.headers.get("retry-after"), "7");
    assert.equal(simulator.billed().microUsd, 0);
  }
  const client = clientOf(faulty({ kind: "status", status: 429 }));
  await assert.rejects(async () => await client.messages.create(HELLO), RateLimitError);
});

Deno.test("faults: a timeout and a reset never answer, and may be charged", async () => {
  for (const billed of [false, true]) {
    const slow = faulty({ kind: "timeout", billed });
    const abort = new AbortController();
    const waiting = clientOf(slow).messages.create(HELLO, { signal: abort.signal });
    setTimeout(() => abort.abort(), 5);
    await assert.rejects(async () => await waiting);
    assert.equal(slow.billed().microUsd > 0, billed);
    const broken = faulty({ kind: "reset", billed });
    await assert.rejects(async () => await clientOf(broken).messages.create(HELLO), APIConnectionError);
    assert.equal(broken.billed().calls, billed ? 1 : 0);
    assert.equal(broken.requests()[0]?.fault, "reset");
  }
});

Deno.test("faults: malformed JSON breaks off an answer or a stream", async () => {
  const simulator = faulty({ kind: "malformed_json" });
  await assert.rejects(async () => await clientOf(simulator).messages.create(HELLO));
  await assert.rejects(async () => await clientOf(simulator).messages.stream(HELLO).finalMessage());
});

Deno.test("faults: what a model may do wrong, it does", async () => {
  const answer = async (fault: Fault, body: object = ask) => Object((await post(faulty(fault), body)).body);
  const truncated = await answer({ kind: "truncated_tool" });
  assert.equal(truncated.stop_reason, "max_tokens");
  assert.ok(!hypothesisDraft.safeParse(truncated.content.at(-1).input).success);
  const refusal = await answer({ kind: "refusal" });
  assert.deepEqual([refusal.stop_reason, refusal.content], ["refusal", []]);
  const empty = await answer({ kind: "empty" });
  assert.deepEqual([empty.stop_reason, empty.content], ["end_turn", []]);
  const unknown = await answer({ kind: "unknown_tool" });
  assert.equal(unknown.content[0].name, "consult_oracle");
  const wrong = await answer({ kind: "wrong_arguments" });
  assert.equal(wrong.stop_reason, "tool_use");
  assert.ok(!hypothesisDraft.safeParse(wrong.content[0].input).success);
  const invented = hypothesisDraft.parse((await answer({ kind: "invented_citations" })).content[0].input);
  assert.match(invented.citations[0]?.url ?? "", /^https:\/\/journal\.example/);
  const prose = await answer({ kind: "prose_instead_of_tool" });
  assert.deepEqual([prose.stop_reason, prose.content[0].type], ["end_turn", "text"]);
});

Deno.test("faults: evidence is invented too, and prose in place of a verdict can be read", async () => {
  const hypothesis = fence("HYPOTHESIS", "Statement: it is so", { label: "H1", slot: 1 });
  const other = fence("HYPOTHESIS", "Statement: it is not so", { label: "H2", slot: 2 });
  const body = (tool: Parameters<typeof offer>[0], user: string) => ({
    ...ask,
    system: "",
    messages: [{ role: "user", content: user }],
    tools: [offer(tool)],
    tool_choice: { type: "tool", name: tool.name },
  });
  const review = Object(
    (await post(faulty({ kind: "invented_citations" }), body(recordReview, hypothesis))).body,
  );
  assert.match(recordReview.schema.parse(review.content[0].input).evidence[0]?.url ?? "", /^https:/);
  const prose = Object(
    (await post(faulty({ kind: "prose_instead_of_tool" }), body(recordVerdict, `${hypothesis}\n${other}`)))
      .body,
  );
  assert.notEqual(recordVerdict.fromText?.(prose.content[0].text), null);
});

Deno.test("faults: a paused turn goes on when it is sent back as it is", async () => {
  const simulator = faulty({ kind: "pause_turn" }, { times: 1 });
  const first = Object((await post(simulator, ask)).body);
  assert.equal(first.stop_reason, "pause_turn");
  const messages = [...ask.messages, { role: "assistant", content: first.content }];
  const second = await post(simulator, { ...ask, messages });
  assert.equal(Object(second.body).stop_reason, "tool_use");
  const other = [...ask.messages, { role: "assistant", content: "I never said this" }];
  assert.equal((await post(simulator, { ...ask, messages: other })).status, 400);
});

Deno.test("faults: latency is waited for, and giving up ends it", async () => {
  const simulator = simulate({
    latencyMs: (call) => 10 * call,
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          if (signal?.aborted) reject(signal.reason);
        }),
    },
  });
  await assert.rejects(async () => await clientOf(simulator).messages.create(HELLO, { timeout: 20 }));
  assert.equal(simulator.billed().calls, 0);
});
