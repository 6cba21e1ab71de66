import assert from "node:assert/strict";
import { hypothesisDraft, recordHypothesis, recordVerdict } from "../../lib/domain/drafts.ts";
import { fence } from "../../lib/domain/text.ts";
import { costOf, modelRow } from "../../lib/llm/models.ts";
import { clientOf, GOAL, HELLO, offer, post, searchTool, simulate, testClock } from "./harness.ts";

const ask = {
  model: "claude-sonnet-4-6",
  max_tokens: 4000,
  system: "Step: generation.literature",
  messages: [{ role: "user" as const, content: `${fence("GOAL", GOAL)}\nAngle: 1` }],
  tools: [offer(recordHypothesis)],
  tool_choice: { type: "tool" as const, name: recordHypothesis.name },
};

Deno.test("protocol: the same request gives the same content, streamed or not, with or without breakpoints", async () => {
  const client = clientOf(simulate());
  const plain = await client.messages.create(ask);
  const streamed = await client.messages.stream(ask).finalMessage();
  const marked = await client.messages.create({
    ...ask,
    system: [{ type: "text", text: ask.system, cache_control: { type: "ephemeral" } }],
  });
  const elsewhere = await clientOf(simulate()).messages.create(ask);
  assert.equal(plain.stop_reason, "tool_use");
  assert.deepEqual(streamed.content, plain.content);
  assert.deepEqual(streamed.usage, plain.usage);
  assert.deepEqual(elsewhere.content, plain.content);
  assert.equal(marked.stop_reason, "tool_use");
  const other = await clientOf(simulate({ seed: "other" })).messages.create(ask);
  assert.notDeepEqual(other.content, plain.content);
});

Deno.test("protocol: the events of a stream come in the API's order", async () => {
  const client = clientOf(simulate());
  const seen: string[] = [];
  for await (const event of client.messages.stream({ ...HELLO, model: "claude-opus-5-5" })) {
    if (seen.at(-1) !== event.type) seen.push(event.type);
  }
  const block = ["content_block_start", "content_block_delta", "content_block_stop"];
  assert.deepEqual(seen, ["message_start", ...block, ...block, "message_delta", "message_stop"]);
});

Deno.test("protocol: an answer longer than max_tokens is cut, in a tool's JSON after its last whole key", async () => {
  const client = clientOf(simulate());
  const whole = await client.messages.create(ask);
  const cut = await client.messages.create({ ...ask, max_tokens: 150 });
  assert.equal(cut.stop_reason, "max_tokens");
  assert.equal(cut.usage.output_tokens, 150);
  assert.ok(whole.usage.output_tokens > 150);
  const call = cut.content[0];
  assert.ok(call?.type === "tool_use" && !hypothesisDraft.safeParse(call.input).success);
  assert.ok(Object.keys(Object(call.input)).length >= 1);
  const streamed = await client.messages.stream({ ...ask, max_tokens: 150 }).finalMessage();
  assert.equal(streamed.stop_reason, "max_tokens");

  const prose = await client.messages.create({ ...HELLO, max_tokens: 5 });
  assert.equal(prose.stop_reason, "max_tokens");
  const stopped = await client.messages.create({ ...HELLO, stop_sequences: ["simulated"] });
  assert.deepEqual([stopped.stop_reason, stopped.stop_sequence], ["stop_sequence", "simulated"]);
  const full = simulate({ models: { tiny: { contextTokens: 30, maxOutputTokens: 20 } } });
  const answer = Object(
    (await post(full, {
      ...HELLO,
      model: "tiny",
      max_tokens: 20,
      messages: [{ role: "user", content: "x".repeat(90) }],
    })).body,
  );
  assert.equal(answer.stop_reason, "model_context_window_exceeded");
});

Deno.test("protocol: thinking is counted, must come back unchanged, and may be dropped for a forced turn", async () => {
  const simulator = simulate();
  const client = clientOf(simulator);
  for (
    const [model, thinking] of [
      ["claude-haiku-4-5", { type: "enabled", budget_tokens: 2000 }],
      ["claude-opus-4-7", { type: "adaptive" }],
    ] as const
  ) {
    const request = {
      ...ask,
      model,
      max_tokens: 6000,
      thinking,
      tools: [searchTool("web_search"), offer(recordHypothesis)],
      tool_choice: { type: "auto" as const },
    };
    const first = await client.messages.create(request);
    const [thought] = first.content;
    assert.ok(thought?.type === "thinking" && thought.signature !== "");
    assert.equal(thought.thinking === "", model === "claude-opus-4-7", "omitted on recent models");
    assert.ok((first.usage.output_tokens_details?.thinking_tokens ?? 0) > 0);
    const results = first.content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "nothing" }]
        : []
    );
    assert.ok(results.length > 0);
    const follow = (content: readonly unknown[]) =>
      post(simulator, {
        ...request,
        messages: [...ask.messages, { role: "assistant", content }, { role: "user", content: results }],
      });
    assert.equal((await follow(first.content)).status, 200);
    assert.equal((await follow(first.content.slice(1))).status, 400, "left out");
    const changed = [{ ...thought, thinking: "something else" }, ...first.content.slice(1)];
    assert.equal((await follow(changed)).status, 400, "changed");
    const forced = await client.messages.create({
      ...ask,
      model,
      tools: request.tools,
      messages: [...ask.messages, { role: "assistant", content: first.content }, {
        role: "user",
        content: results,
      }],
    });
    assert.equal(forced.content.at(-1)?.type, "tool_use");
  }
});

Deno.test("protocol: an adaptive model that always thinks does so unasked, at a little effort if told", async () => {
  const client = clientOf(simulate());
  const request = { ...HELLO, model: "claude-opus-5-5" };
  const asked = await client.messages.create(request);
  const little = await client.messages.create({ ...request, output_config: { effort: "low" } });
  const tokens = (message: typeof asked) => message.usage.output_tokens_details?.thinking_tokens ?? 0;
  assert.ok(tokens(little) > 0 && tokens(little) < tokens(asked));
  const plain = await client.messages.create({ ...HELLO, model: "claude-opus-4-7" });
  assert.equal(plain.content[0]?.type, "text");
});

Deno.test("protocol: prefixes are cached from the model's minimum on, for five minutes, in the order of the API", async () => {
  const clock = testClock();
  const simulator = simulate({ clock });
  const mark = { type: "ephemeral" };
  const request = (question: string, words: number) => ({
    model: "claude-sonnet-4-6",
    max_tokens: 500,
    system: [{ type: "text", text: "w ".repeat(words), cache_control: mark }],
    messages: [{ role: "user", content: [{ type: "text", text: question, cache_control: mark }] }],
  });
  const usage = async (question: string, words = 6000) => {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = Object(
      (await post(simulator, request(question, words))).body,
    ).usage;
    return [input_tokens, cache_creation_input_tokens, cache_read_input_tokens];
  };
  assert.deepEqual(await usage("first question"), [0, 3007, 0]);
  assert.deepEqual(await usage("first question"), [0, 0, 3007], "the whole prompt is read");
  assert.deepEqual(await usage("other question!"), [0, 7, 3000], "the system text is read");
  clock.advance(200_000);
  assert.deepEqual(await usage("first question"), [0, 0, 3007], "reading refreshes");
  clock.advance(250_000);
  assert.deepEqual(await usage("first question"), [0, 0, 3007]);
  clock.advance(300_001);
  assert.deepEqual(await usage("first question"), [0, 3007, 0], "gone after five minutes");
  assert.deepEqual(await usage("short", 1000), [505, 0, 0], "too short a prefix is not cached");

  const row = modelRow("claude-sonnet-4-6");
  const [entry] = simulator.requests();
  assert.equal(
    entry?.microUsd,
    costOf(row, {
      inputTokens: 0,
      cacheWriteTokens: 3007,
      cacheReadTokens: 0,
      outputTokens: entry?.outputTokens ?? 0,
    }),
  );
  const sum = simulator.requests().reduce((total, item) => total + item.microUsd, 0);
  assert.equal(simulator.billed().microUsd, sum);
});

Deno.test("protocol: batches end after their time, unordered, at half the price, each request by itself", async () => {
  const clock = testClock();
  const simulator = simulate({ clock, batchMs: 60_000 });
  const client = clientOf(simulator);
  const params = { ...HELLO };
  const batch = await client.messages.batches.create({
    requests: [
      ...Array.from({ length: 8 }, (_, i) => ({
        custom_id: `r${i}`,
        params: { ...params, messages: [{ role: "user" as const, content: `question ${i}` }] },
      })),
      { custom_id: "bad", params: { ...params, max_tokens: 0 } },
    ],
  });
  assert.equal(batch.processing_status, "in_progress");
  assert.equal(batch.request_counts.processing, 9);
  await assert.rejects(async () => await client.messages.batches.results(batch.id));
  clock.advance(60_000);
  const ended = await client.messages.batches.retrieve(batch.id);
  assert.equal(ended.processing_status, "ended");
  assert.deepEqual([ended.request_counts.succeeded, ended.request_counts.errored], [8, 1]);
  const results = [];
  for await (const result of await client.messages.batches.results(batch.id)) results.push(result);
  assert.notDeepEqual(
    results.map((r) => r.custom_id),
    batch && [...Array.from({ length: 8 }, (_, i) => `r${i}`), "bad"],
  );
  const r3 = results.find((r) => r.custom_id === "r3")?.result;
  assert.ok(r3?.type === "succeeded");
  const direct = await client.messages.create({
    ...params,
    messages: [{ role: "user", content: "question 3" }],
  });
  assert.deepEqual(r3.message.content, direct.content);
  assert.equal(results.find((r) => r.custom_id === "bad")?.result.type, "errored");
  const [inBatch, alone] = [simulator.requests()[3], simulator.requests().at(-1)];
  assert.equal(inBatch?.microUsd, Math.ceil((alone?.microUsd ?? 0) / 2));

  const second = await client.messages.batches.create({ requests: [{ custom_id: "x", params }] });
  assert.equal((await client.messages.batches.cancel(second.id)).processing_status, "canceling");
  assert.equal((await client.messages.batches.retrieve(second.id)).request_counts.canceled, 1);
  const listed = [];
  for await (const item of client.messages.batches.list()) listed.push(item.id);
  assert.deepEqual(listed, [second.id, batch.id]);
  await client.messages.batches.delete(second.id);
  await assert.rejects(
    async () => await client.messages.batches.retrieve(second.id),
    /No such message batch/,
  );
});

Deno.test("protocol: structured outputs and unknown forced tools get values of their schema", async () => {
  const client = clientOf(simulate());
  const schema = {
    type: "object",
    properties: { label: { enum: ["a", "b"] }, score: { type: "integer", minimum: 1, maximum: 5 } },
    required: ["label", "score"],
  };
  const message = await client.messages.create({
    ...HELLO,
    output_config: { format: { type: "json_schema", schema } },
  });
  const [block] = message.content;
  const value = JSON.parse(block?.type === "text" ? block.text : "");
  assert.ok(["a", "b"].includes(value.label) && Number.isInteger(value.score));
  const forced = await client.messages.create({
    ...HELLO,
    tools: [{ name: "grade", input_schema: { ...schema, type: "object" } }],
    tool_choice: { type: "tool", name: "grade" },
  });
  assert.ok(forced.content[0]?.type === "tool_use" && forced.content[0].name === "grade");
});

Deno.test("protocol: a judged match takes little time", async () => {
  const simulator = simulate();
  const h = (slot: number) =>
    fence("HYPOTHESIS", `Statement: ${"some longer text ".repeat(60)}${slot}`, { slot });
  const body = {
    model: "claude-sonnet-4-6",
    max_tokens: 2000,
    system: "Step: ranking.pairwise",
    tools: [offer(recordVerdict)],
    tool_choice: { type: "tool", name: recordVerdict.name },
  };
  const answer = (i: number) =>
    post(simulator, { ...body, messages: [{ role: "user", content: `${i}\n${h(1)}\n${h(2)}` }] });
  for (let i = 0; i < 50; i++) await answer(i);
  const start = performance.now();
  for (let i = 0; i < 200; i++) await answer(1000 + i);
  const each = (performance.now() - start) / 200;
  assert.ok(each < 5, `${each} ms (typically below 1 on an idle machine)`);
});
