import assert from "node:assert/strict";
import fc from "fast-check";
import { countTextTokens } from "../../lib/simulator/tokens.ts";
import { inputBound, tokenBound, worstCost } from "../../lib/llm/estimate.ts";
import { costOf, DEAREST_PRICE, modelRow } from "../../lib/llm/models.ts";
import { rowFor } from "../../lib/llm/provider.ts";

Deno.test("the bound holds for the simulator's tokenizer and never passes one token a byte", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
    const bound = tokenBound(text);
    assert.ok(bound >= countTextTokens(text), JSON.stringify(text));
    assert.ok(bound <= new TextEncoder().encode(text).length + 1);
  }));
});

Deno.test("English counts two to three times its tokens; digits, punctuation and foreign scripts count in full", () => {
  assert.equal(tokenBound("hypothesis"), 5);
  assert.equal(tokenBound("a b"), 2);
  assert.equal(tokenBound("12345"), 5);
  assert.equal(tokenBound("!?;"), 3);
  assert.equal(tokenBound("\n\n   x"), 6);
  assert.equal(tokenBound("白血病"), 9);
  assert.equal(tokenBound("α"), 2);
  assert.equal(tokenBound("🧬"), 4);
});

Deno.test("a request's bound grows with every part, and counts hidden thinking", () => {
  const base = {
    model: "m",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }],
  };
  const bare = inputBound(base);
  assert.ok(inputBound({ ...base, system: [{ type: "text", text: "be kind" }] }) > bare);
  assert.ok(
    inputBound({ ...base, tools: [{ name: "t", description: "d", input_schema: { type: "object" } }] }) >
      bare + 500,
  );
  assert.equal(inputBound(base, 4000), bare + 4000);
});

Deno.test("the worst cost takes input at the cache-write price and all of max_tokens", () => {
  const opus = modelRow("claude-opus-4-7");
  assert.equal(worstCost(opus, 1000, 1000), 6250 + 25_000);
  fc.assert(
    fc.property(
      fc.nat(200_000),
      fc.nat(64_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (input, output, part) => {
        for (const id of ["claude-opus-4-7", "claude-haiku-5-5", "gpt-4o", "unknown"]) {
          const row = modelRow(id), cached = Math.floor(input * part);
          const real = costOf(row, {
            inputTokens: input - cached,
            cacheWriteTokens: cached,
            cacheReadTokens: 0,
            outputTokens: output,
          });
          assert.ok(worstCost(row, input, output) >= real - 1, id);
        }
      },
    ),
  );
});

Deno.test("an unknown price is the dearest known one; a price of 0 is free; one side said keeps the other", () => {
  const of = (models: Parameters<typeof rowFor>[1]["models"]) => rowFor("local", { models });
  assert.equal(worstCost(of({}), 1, 0), Math.ceil(DEAREST_PRICE.cacheWrite));
  assert.equal(worstCost(of({ local: { contextTokens: 9 } }), 0, 10), DEAREST_PRICE.output * 10);
  assert.equal(worstCost(of({ local: { inputUsd: 0, outputUsd: 0 } }), 1e6, 1e6), 0);
  assert.equal(worstCost(of({ local: { inputUsd: 0 } }), 1000, 10), DEAREST_PRICE.output * 10);
  const cheaper = rowFor("claude-opus-4-7", { models: { "claude-opus-4-7": { inputUsd: 1 } } });
  assert.deepEqual(cheaper.price, { input: 1, output: 25, cacheWrite: 1.25, cacheRead: 0.1 });
  assert.equal(of({ local: { maxOutputTokens: 77 } }).maxOutputTokens, 77);
});
