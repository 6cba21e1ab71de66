import assert from "node:assert/strict";
import { HELLO, post, simulate } from "./harness.ts";

const tool = { name: "look", input_schema: { type: "object" } };
const user = { role: "user", content: "go" };
const use = (id: string, name = "look") => ({ type: "tool_use", id, name, input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "found" });
const marked = { type: "text", text: "x", cache_control: { type: "ephemeral" } };
const thinking = { type: "enabled", budget_tokens: 1024 };

const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  ["max_tokens missing", { max_tokens: undefined }, /max_tokens: Field required/],
  ["max_tokens below 1", { max_tokens: 0 }, /^max_tokens/],
  ["max_tokens above the model's", { max_tokens: 64_001 }, /max_tokens: 64001 > 64000/],
  ["an unknown field", { colour: "red" }, /colour: Extra inputs are not permitted/],
  ["no messages", { messages: [] }, /at least one message/],
  [
    "first message not from the user",
    { messages: [{ role: "assistant", content: "hi" }, user] },
    /first message/,
  ],
  ["an unknown role", { messages: [{ role: "system", content: "hi" }] }, /messages\.0\.role/],
  [
    "an empty text block",
    { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
    /non-empty/,
  ],
  ["text of white space", { messages: [{ role: "user", content: " \n" }] }, /non-whitespace/],
  ["a blank system block", { system: [{ type: "text", text: " " }] }, /system: text content blocks/],
  [
    "an empty turn in the middle",
    { messages: [user, { role: "assistant", content: [] }, user] },
    /non-empty content/,
  ],
  ["a prefill on a recent model", { messages: [user, { role: "assistant", content: "So" }] }, /prefill/],
  [
    "trailing white space at the end",
    { messages: [user, { role: "assistant", content: "So " }] },
    /trailing whitespace/,
  ],
  ["a bad tool name", { tools: [{ ...tool, name: "no spaces" }] }, /tools\.0\.name/],
  ["a tool name that is too long", { tools: [{ ...tool, name: "x".repeat(129) }] }, /tools\.0\.name/],
  ["two tools of one name", { tools: [tool, tool] }, /unique/],
  [
    "a schema that is no object",
    { tools: [{ name: "look", input_schema: { type: "string" } }] },
    /input_schema/,
  ],
  [
    "a tool choice that isn't offered",
    { tools: [tool], tool_choice: { type: "tool", name: "leap" } },
    /'leap' not found/,
  ],
  ["a tool choice without tools", { tool_choice: { type: "auto" } }, /while providing tools/],
  ["five breakpoints", { system: [marked, marked, marked, marked, marked] }, /maximum of 4 .* Found 5/],
  ["a breakpoint on an empty block", { system: [{ ...marked, text: "" }] }, /non-empty/],
  ["a blank stop sequence", { stop_sequences: ["ok", "\n"] }, /non-whitespace/],
  ["temperature beside top_p", { temperature: 0.5, top_p: 0.9 }, /cannot both be specified/],
  ["temperature above 1", { temperature: 1.5 }, /^temperature/],
  [
    "temperature on a model that refuses it",
    { model: "claude-opus-4-7", temperature: 0.5 },
    /temperature.*not supported/,
  ],
  ["top_k on a model that refuses it", { model: "claude-opus-5-5", top_k: 5 }, /top_k.*not supported/],
  [
    "a budget on an adaptive model",
    { model: "claude-opus-4-7", max_tokens: 9000, thinking },
    /"thinking.type.enabled" is not supported/,
  ],
  [
    "adaptive on a budget model",
    { model: "claude-haiku-4-5", thinking: { type: "adaptive" } },
    /adaptive thinking is not/,
  ],
  [
    "a budget below 1,024",
    { max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 1000 } },
    /budget_tokens/,
  ],
  ["a budget not below max_tokens", { max_tokens: 1024, thinking }, /greater than `thinking.budget_tokens`/],
  ["temperature beside a budget", { max_tokens: 9000, thinking, temperature: 0.2 }, /temperature.*thinking/],
  ["a forced tool beside a budget", {
    max_tokens: 9000,
    thinking,
    tools: [tool],
    tool_choice: { type: "any" },
  }, /forces tool use/],
  [
    "`disabled` where thinking is always on",
    { model: "claude-opus-5-5", thinking: { type: "disabled" } },
    /disabled/,
  ],
  ["`between_tools` elsewhere", { thinking: { type: "between_tools" } }, /between_tools/],
  [
    "thinking on a model that can't",
    { model: "claude-3-5-haiku-20241022", max_tokens: 8000, thinking },
    /does not support thinking/,
  ],
  [
    "effort on a model without it",
    { model: "claude-haiku-4-5", output_config: { effort: "high" } },
    /effort/,
  ],
  ["a tool_use without a result", {
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a")] }, user],
  }, /without `tool_result` blocks immediately after: a/],
  ["a tool_use at the end", {
    model: "claude-haiku-4-5",
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a")] }],
  }, /without `tool_result`/],
  ["one of two results missing", {
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a"), use("b")] }, {
      role: "user",
      content: [result("a")],
    }],
  }, /after: b/],
  [
    "a result that nobody asked for",
    { tools: [tool], messages: [{ role: "user", content: [result("a")] }] },
    /unexpected `tool_use_id`/,
  ],
  ["two results for one id", {
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a")] }, {
      role: "user",
      content: [result("a"), result("a")],
    }],
  }, /single result/],
  ["a result after other content", {
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a")] }, {
      role: "user",
      content: [{ type: "text", text: "see" }, result("a")],
    }],
  }, /must come before/],
  ["two calls with one id", {
    tools: [tool],
    messages: [user, { role: "assistant", content: [use("a"), use("a")] }, {
      role: "user",
      content: [result("a")],
    }],
  }, /ids must be unique/],
  ["tool blocks without tools", {
    messages: [user, { role: "assistant", content: [use("a")] }, { role: "user", content: [result("a")] }],
  }, /must define tools/],
  ["thinking that was not sent", {
    messages: [user, {
      role: "assistant",
      content: [{ type: "thinking", thinking: "hm", signature: "simabc" }, { type: "text", text: "so" }],
    }, user],
  }, /signature/],
  ["a prompt longer than the context", {
    model: "claude-haiku-4-5",
    messages: [{ role: "user", content: "word ".repeat(170_000) }],
  }, /prompt is too long: 2\d{5} tokens > 200000 maximum/],
];

Deno.test("strict: each request that the API refuses is refused with its status and body", async () => {
  const simulator = simulate();
  for (const [what, change, message] of REFUSED) {
    const answer = await post(simulator, { ...HELLO, ...change });
    assert.equal(answer.status, 400, `${what}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    const { type, error, request_id: id, ...rest } = Object(answer.body);
    assert.deepEqual([type, error.type, rest], ["error", "invalid_request_error", {}], what);
    assert.match(error.message, message, what);
    assert.equal(id, answer.headers.get("request-id"), what);
  }
  assert.deepEqual(simulator.billed(), { microUsd: 0, inputTokens: 0, outputTokens: 0, calls: 0 });
  assert.equal(simulator.requests().length, REFUSED.length);
});

Deno.test("strict: keys, versions, methods, paths, models and sizes have statuses of their own", async () => {
  const simulator = simulate({ apiKey: "key" });
  const url = "http://simulator.invalid/v1/messages";
  const status = async (init: RequestInit, at = url) => {
    const response = await simulator.fetch(at, init);
    const body = Object(await response.json());
    return [response.status, body.error.type];
  };
  const version = { "anthropic-version": "2023-06-01" };
  const body = JSON.stringify(HELLO);
  assert.deepEqual(await status({ method: "POST", headers: version, body }), [401, "authentication_error"]);
  assert.deepEqual(
    await status({ method: "POST", headers: { ...version, "x-api-key": "other" }, body }),
    [401, "authentication_error"],
  );
  const headers = { ...version, "x-api-key": "key" };
  assert.deepEqual(
    await status({ method: "POST", headers: { "x-api-key": "key" }, body }),
    [400, "invalid_request_error"],
  );
  assert.deepEqual(await status({ method: "GET", headers }), [405, "invalid_request_error"]);
  assert.deepEqual(await status({ method: "POST", headers, body }, `${url}/nowhere`), [
    404,
    "not_found_error",
  ]);
  assert.deepEqual(await status({ method: "POST", headers, body: "{" }), [400, "invalid_request_error"]);
  const unknown = JSON.stringify({ ...HELLO, model: "claude-unheard-of" });
  assert.deepEqual(await status({ method: "POST", headers, body: unknown }), [404, "not_found_error"]);
  const huge = " ".repeat(32 * 1024 * 1024 + 1);
  assert.deepEqual(await status({ method: "POST", headers, body: huge }), [413, "request_too_large"]);
});

Deno.test("strict: what is valid for a model is accepted", async () => {
  const simulator = simulate({ models: { "house-model": { contextTokens: 10_000 } } });
  const accepted: readonly object[] = [
    {},
    { model: "house-model" },
    { model: "claude-haiku-4-5", messages: [user, { role: "assistant", content: "So" }] },
    { temperature: 0.2, stop_sequences: ["END"], metadata: { user_id: "u" } },
    { max_tokens: 9000, thinking, tools: [tool], tool_choice: { type: "auto" } },
    { model: "claude-opus-4-7", thinking: { type: "adaptive" }, output_config: { effort: "xhigh" } },
    { model: "claude-opus-5-5", tools: [tool], tool_choice: { type: "tool", name: "look" } },
    { model: "claude-sonnet-5-5", thinking: { type: "between_tools" } },
    { system: [marked], tools: [{ ...tool, strict: true, cache_control: { type: "ephemeral", ttl: "1h" } }] },
    {
      tools: [tool],
      messages: [user, { role: "assistant", content: [use("a"), use("b")] }, {
        role: "user",
        content: [result("b"), result("a"), { type: "text", text: "go on" }],
      }],
    },
  ];
  for (const change of accepted) {
    const answer = await post(simulator, { ...HELLO, ...change });
    assert.equal(answer.status, 200, JSON.stringify([change, answer.body]));
  }
});

Deno.test("strict: tokens never exceed the bytes of the request, and count_tokens tells the same number", async () => {
  const simulator = simulate();
  const texts = ["a", "plain words", "ünïcödé", "日本語の文", "👩‍🔬👩‍🔬", "x".repeat(5000)];
  for (const text of texts) {
    const request = { ...HELLO, messages: [{ role: "user", content: text }], tools: [tool] };
    const counted = Object(
      (await post(simulator, { ...request, max_tokens: undefined }, "/v1/messages/count_tokens")).body,
    );
    const answered = Object((await post(simulator, request)).body);
    assert.equal(counted.input_tokens, answered.usage.input_tokens);
    assert.ok(counted.input_tokens <= new TextEncoder().encode(JSON.stringify(request)).length);
  }
});
