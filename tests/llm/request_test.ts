import assert from "node:assert/strict";
import fc from "fast-check";
import { ROUTES } from "../../lib/domain/agent.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { modelRow, MODELS } from "../../lib/llm/models.ts";
import { buildRequest, effortOf, type IntendedCall, type Turn } from "../../lib/llm/request.ts";
import { checkPairing } from "../../lib/simulator/pairing.ts";
import { createSigner, thinkingOf } from "../../lib/simulator/thinking.ts";
import { promptTokens } from "../../lib/simulator/usage_cache.ts";
import { checkRequest } from "../../lib/simulator/validate.ts";
import { messagesRequest, parseBody } from "../../lib/simulator/wire.ts";

const { efforts } = DEFAULT_SETTINGS;
const signer = createSigner("seed");
const tool = (name: string) => ({ name, description: name, input_schema: { type: "object" as const } });
const said = (words: string): Turn => ({ role: "user", content: [{ type: "text", text: words }] });

const intended = (part: Partial<IntendedCall> = {}): IntendedCall => ({
  route: "generation.literature",
  model: "claude-opus-4-7",
  maxTokens: 8192,
  thinkingTokens: 4000,
  system: ["You are an agent.", "The goal."],
  turns: [said("Propose.")],
  tools: [tool("search"), tool("record")],
  force: null,
  growing: true,
  ...part,
});
const build = (part: Partial<IntendedCall> = {}) => {
  const call = intended(part);
  return buildRequest(call, modelRow(call.model), efforts);
};

/** Turns of a tool loop with thinking that the simulator's signer made. */
function loopTurns(model: string, rounds: number, thought: boolean): Turn[] {
  const turns: Turn[] = [said("Propose.")];
  for (let i = 0; i < rounds; i++) {
    const key = `key${i}`.padEnd(16, "0").replaceAll(/[^0-9a-f]/g, "0");
    const id = signer.toolUseId(key + i, i, thought);
    turns.push({
      role: "assistant",
      content: [
        ...(thought ? [{ type: "thinking", thinking: "hm", signature: signer.sign(key, "hm") }] : []),
        { type: "tool_use", id, name: "search", input: { query: "x" } },
      ],
      model,
      outputTokens: 300,
    }, { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "found" }] });
  }
  return turns;
}

Deno.test("every call becomes a request that the strict simulator accepts, and its bound holds", () => {
  const calls = fc.record({
    route: fc.constantFrom(...ROUTES),
    model: fc.constantFrom(...MODELS.map(({ id }) => id), "some-local-model"),
    author: fc.constantFrom("same", "claude-haiku-4-5-20251001", "claude-opus-4-7"),
    maxTokens: fc.integer({ min: 1, max: 200_000 }),
    thinkingTokens: fc.constantFrom(0, 500, 4000, 6000, 12_000, 16_000, 300_000),
    system: fc.array(fc.constantFrom("", "  ", "text"), { maxLength: 3 }),
    rounds: fc.integer({ min: 0, max: 4 }),
    thought: fc.boolean(),
    force: fc.boolean(),
    growing: fc.boolean(),
  });
  fc.assert(
    fc.property(calls, ({ author, rounds, thought, force, ...rest }) => {
      const call = intended({
        ...rest,
        turns: loopTurns(author === "same" ? rest.model : author, rounds, thought),
        force: force ? "record" : null,
      });
      const row = modelRow(call.model);
      const { request, inputTokens, thinks } = buildRequest(call, row, efforts);
      const body = parseBody(messagesRequest, JSON.parse(JSON.stringify(request)));
      checkRequest(row, body, false);
      const plan = thinkingOf(row, body);
      checkPairing(body.messages, true, plan !== null, signer);
      assert.ok(inputTokens >= promptTokens(body));
      if (plan !== null && request.thinking?.type !== "between_tools") assert.ok(thinks);
    }),
    { numRuns: 400 },
  );
});

Deno.test("thinking is a budget where the model takes one, and an effort where it does not", () => {
  const haiku = build({ model: "claude-haiku-4-5-20251001" }).request;
  assert.deepEqual(haiku.thinking, { type: "enabled", budget_tokens: 4000 });
  assert.equal(haiku.max_tokens, 12_192);
  assert.equal(haiku.output_config, undefined);
  const opus = build().request;
  assert.deepEqual(opus.thinking, { type: "adaptive" });
  assert.deepEqual(opus.output_config, { effort: "medium" });
  assert.equal(opus.max_tokens, 12_192);
  const local = build({ model: "llama" }).request;
  assert.equal(local.thinking, undefined);
  assert.equal(local.max_tokens, 8192);
});

Deno.test("the table of efforts maps budgets as the settings say", () => {
  const cases = [[0, "low"], [1, "medium"], [4000, "medium"], [4001, "high"], [12_000, "xhigh"], [
    16_000,
    "max",
  ]];
  for (const [tokens, effort] of cases) assert.equal(effortOf(Number(tokens), efforts), effort);
});

Deno.test("no thinking wanted: the field is left out, and models that always think work as little as they can", () => {
  assert.equal(build({ thinkingTokens: 0 }).request.thinking, undefined);
  assert.equal(build({ thinkingTokens: 0 }).request.output_config, undefined);
  const always = build({ thinkingTokens: 0, model: "claude-opus-5-5", maxTokens: 1000 }).request;
  assert.equal(always.thinking, undefined);
  assert.deepEqual(always.output_config, { effort: "low" });
  assert.equal(always.max_tokens, 5000);
  const byDefault = build({ thinkingTokens: 0, model: "claude-sonnet-5-5" }).request;
  assert.deepEqual(byDefault.thinking, { type: "between_tools" });
});

Deno.test("a forced tool drops thinking", () => {
  for (const model of ["claude-haiku-4-5-20251001", "claude-opus-4-7", "claude-sonnet-4-6"]) {
    const { request } = build({ model, force: "record" });
    assert.equal(request.thinking, undefined);
    assert.deepEqual(request.tool_choice, { type: "tool", name: "record" });
    assert.equal(request.max_tokens, 8192);
  }
});

Deno.test("a budget that doesn't fit below max_tokens is lowered, and dropped where nothing useful is left", () => {
  const row = { ...modelRow("claude-haiku-4-5-20251001"), maxOutputTokens: 6000 };
  const { request } = buildRequest(
    intended({ model: row.id, maxTokens: 4000, thinkingTokens: 8000 }),
    row,
    efforts,
  );
  assert.deepEqual(request.thinking, { type: "enabled", budget_tokens: 3000 });
  assert.equal(request.max_tokens, 6000);
  const small = buildRequest(intended({ model: row.id }), { ...row, maxOutputTokens: 1500 }, efforts).request;
  assert.equal(small.thinking, undefined);
  assert.equal(small.max_tokens, 1500);
});

Deno.test("breakpoints stand on tools, system and the last two turns of a growing conversation, at most four", () => {
  const { request } = build({ turns: loopTurns("claude-opus-4-7", 3, false) });
  const marked = (item: { readonly cache_control?: unknown }) => item.cache_control !== undefined;
  assert.deepEqual(request.tools?.map(marked), [false, true]);
  assert.deepEqual(request.system?.map(marked), [false, true]);
  assert.deepEqual(request.messages.map(({ content }) => content.some(marked)), [
    false,
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
  assert.ok(!JSON.stringify(build({ growing: false }).request.messages).includes("cache_control"));
  assert.ok(!JSON.stringify(build({ model: "llama" }).request).includes("cache_control"));
});

Deno.test("another model's thinking is left out; one's own goes back unchanged and counts as input", () => {
  const turns = loopTurns("claude-opus-4-7", 1, true);
  const own = build({ turns });
  assert.deepEqual(own.request.messages[1]?.content, turns[1]?.content);
  const other = build({ turns, model: "claude-sonnet-4-6" });
  assert.deepEqual(other.request.messages[1]?.content.map(({ type }) => type), ["tool_use"]);
  assert.equal(other.request.thinking, undefined);
  assert.ok(own.inputTokens >= other.inputTokens + 300);
});

Deno.test("for a model that can't help thinking, another's tool calls and results are told as text", () => {
  const { request } = build({ turns: loopTurns("claude-opus-4-7", 1, true), model: "claude-opus-5-5" });
  assert.deepEqual(request.messages.map(({ content }) => content.map(({ type }) => type)), [
    ["text"],
    ["text"],
    ["text"],
  ]);
  assert.deepEqual(request.messages[1]?.content[0], {
    type: "text",
    text: 'I called search with {"query":"x"}.',
  });
  assert.deepEqual(request.thinking, { type: "adaptive" });
});
