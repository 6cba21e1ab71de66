import assert from "node:assert/strict";
import { CosciError } from "../../lib/domain/errors.ts";
import { createModelClient, type SendOptions } from "../../lib/llm/client.ts";
import type { MessagesRequest } from "../../lib/llm/wire.ts";
import { readAnswer } from "../../lib/llm/wire.ts";
import { FakeClock, type Reply, ScriptedServer, text, use } from "./support.ts";

const REQUEST: MessagesRequest = {
  model: "claude-opus-4-7",
  max_tokens: 100,
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
};

async function send(reply: Reply, part: Partial<SendOptions> = {}, baseUrl = "http://models.test") {
  const server = new ScriptedServer([reply]);
  const client = createModelClient({
    baseUrl,
    apiKey: "sk-secret",
    clock: new FakeClock(),
    fetch: server.fetch,
  });
  const signal = new AbortController().signal;
  const sent = await client.send(REQUEST, {
    route: "ranking.pairwise",
    key: "call-key",
    signal,
    timeoutMs: 5000,
    stream: false,
    ...part,
  });
  return { sent, asked: server.received[0] };
}

Deno.test("a request goes out once, with key and call key, to the address as a person writes it", async () => {
  for (
    const url of [
      "http://models.test",
      "http://models.test/",
      "http://models.test/v1",
      "http://models.test/v1/",
    ]
  ) {
    const { sent, asked } = await send({ content: [text("hello")] }, {}, url);
    assert.equal(sent.kind, "answered");
    assert.equal(asked?.url, "http://models.test/v1/messages");
    assert.equal(asked?.headers.get("authorization"), "Bearer sk-secret");
    assert.equal(asked?.headers.get("x-cosci-call"), "call-key");
    assert.deepEqual(asked?.body, { ...REQUEST });
  }
});

Deno.test("a streamed answer is the same as one in a piece", async () => {
  const reply = { content: [text("hello"), use("t", { a: [1, 2] }, "toolu_x")], stop_reason: "tool_use" };
  const whole = await send(reply), streamed = await send(reply, { stream: true });
  assert.equal(streamed.asked?.body.stream, true);
  const bounds = { inputTokens: 1, tokensOf: () => 1 };
  const read = (sent: typeof whole.sent) =>
    sent.kind === "answered" ? readAnswer(sent.body, bounds, "id") : assert.fail(sent.kind);
  const a = read(whole.sent), b = read(streamed.sent);
  assert.deepEqual(a?.toolUses, b?.toolUses);
  assert.equal(a?.text, b?.text);
  assert.equal(a?.stopReason, b?.stopReason);
  assert.deepEqual(a?.usage, b?.usage);
});

Deno.test("a refusal comes back with status, the server's words and its wait, never with the key", async () => {
  const { sent } = await send({
    status: 429,
    error: "slow down, sk-secret",
    headers: { "retry-after": "7" },
  });
  assert.deepEqual(sent, {
    kind: "refused",
    status: 429,
    type: "some_error",
    message: "slow down, [key]",
    retryAfterMs: 7000,
  });
});

Deno.test("what was sent and not answered is lost; what never got out is unreached", async () => {
  assert.equal((await send({ throws: new TypeError("connection reset by peer") })).sent.kind, "lost");
  assert.equal(
    (await send({ throws: new TypeError("tcp connect error: Connection refused") })).sent.kind,
    "unreached",
  );
  assert.equal((await send({ raw: "<html>" })).sent.kind, "lost");
  assert.equal((await send({ hangs: true }, { timeoutMs: 20 })).sent.kind, "lost");
});

Deno.test("an abort by the caller is told from a time-out", async () => {
  const controller = new AbortController();
  const pending = send({ hangs: true }, { signal: controller.signal });
  queueMicrotask(() => controller.abort(new Error("enough")));
  assert.deepEqual((await pending).sent, { kind: "aborted", message: "enough" });
});

Deno.test("a tape's own error comes out as it is", async () => {
  const miss = new CosciError("tape", "not on the tape; timed out long ago");
  await assert.rejects(send({ throws: miss }), miss);
});

Deno.test("answers of servers that lack features are read, and what is missing is bounded and said so", () => {
  const bounds = { inputTokens: 500, tokensOf: (text: string) => text.length };
  const plain = readAnswer({ content: "just text", stop_reason: "end_turn" }, bounds, "id");
  assert.equal(plain?.text, "just text");
  assert.equal(plain?.estimated, true);
  assert.deepEqual(plain?.usage, {
    inputTokens: 500,
    cacheWriteTokens: 0,
    cacheReadTokens: 0,
    outputTokens: JSON.stringify("just text").length,
  });
  const odd = readAnswer(
    {
      content: [
        { type: "text", text: "  " },
        { type: "tool_use", name: "t", input: '{"a":1}' },
        { type: "tool_use", id: "x", name: "t", input: "{" },
        { type: "tool_use", id: "x", name: "t", input: null },
      ],
      usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: null },
    },
    bounds,
    "id",
  );
  assert.equal(odd?.estimated, false);
  assert.equal(odd?.content.length, 3);
  assert.deepEqual(odd?.toolUses.map(({ id, input }) => [id, input]), [["id_1", { a: 1 }], ["x", {}], [
    "id_3",
    {},
  ]]);
  assert.match(odd?.toolUses[1]?.broken ?? "", /not JSON/);
  assert.equal(readAnswer({ error: "x" }, bounds, "id"), null);
  assert.equal(readAnswer("text", bounds, "id"), null);
});
