import assert from "node:assert/strict";
import {
  BATCH_FACTOR,
  costOf,
  DEAREST_PRICE,
  effortFor,
  isKnownModel,
  modelRow,
  MODELS,
  PRESETS,
  type Usage,
} from "../../lib/llm/models.ts";

const usage = (part: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
  ...part,
});

Deno.test("models: ids and aliases are unique, prices and limits are finite and positive", () => {
  const ids = MODELS.flatMap((row) => [row.id, ...row.aliases]);
  assert.equal(new Set(ids).size, ids.length);
  for (const row of MODELS) {
    assert.ok(row.price !== null && row.price.input > 0 && row.price.output > 0, row.id);
    assert.ok(row.maxOutputTokens <= row.contextTokens, row.id);
  }
});

Deno.test("models: both presets name known models of the vendor", () => {
  for (const preset of Object.values(PRESETS)) {
    for (const id of Object.values(preset)) assert.ok(isKnownModel(id), id);
  }
});

Deno.test("models: an id matches exactly, never by a part of its name", () => {
  for (
    const id of ["gemini-9-pro", "my-haiku", "claude-opus-4-7 ", "Claude-opus-4-7", "toString", "__proto__"]
  ) {
    const row = modelRow(id);
    assert.equal(row.price, null, id);
    assert.equal(row.contextTokens, 200_000);
    assert.equal(row.maxOutputTokens, 8192);
    assert.equal(row.thinking, "none");
    assert.equal(row.sampling, "accepted");
  }
});

Deno.test("models: an alias gives the same terms under the id asked for", () => {
  const row = modelRow("claude-haiku-4-5");
  assert.equal(row.id, "claude-haiku-4-5");
  assert.deepEqual(row.price, modelRow("claude-haiku-4-5-20251001").price);
});

Deno.test("models: overrides apply by exact id; a price of zero is free, an absent one stays", () => {
  const free = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };
  const overrides = {
    mine: { price: free, contextTokens: 8000 },
    "claude-opus-4-7": { maxOutputTokens: 1000 },
  };
  assert.equal(costOf(modelRow("mine", overrides), usage({ inputTokens: 1e6, outputTokens: 1e6 })), 0);
  assert.equal(modelRow("mine", overrides).contextTokens, 8000);
  assert.equal(modelRow("claude-opus-4-7", overrides).maxOutputTokens, 1000);
  assert.equal(modelRow("claude-opus-4-7", overrides).price?.input, 5);
  assert.equal(modelRow("claude-opus-4-8", overrides).maxOutputTokens, 128_000);
});

Deno.test("models: costs are exact and rounded up once", () => {
  const opus = modelRow("claude-opus-4-7");
  assert.equal(costOf(opus, usage({ inputTokens: 1_000_000, outputTokens: 1_000_000 })), 30_000_000);
  assert.equal(costOf(opus, usage({ cacheReadTokens: 1 })), 1);
  assert.equal(costOf(opus, usage({ cacheReadTokens: 1, cacheWriteTokens: 1 })), 7);
  // 3 × 0.1 is 0.30000000000000004 in floating point: the ceiling must not see that.
  assert.equal(costOf(modelRow("claude-haiku-4-5"), usage({ cacheReadTokens: 30 })), 3);
  assert.equal(costOf(opus, usage({ inputTokens: 3, outputTokens: 1 }), BATCH_FACTOR), 20);
});

Deno.test("models: a long prompt costs the long rate in all its parts, a prompt at the limit does not", () => {
  const haiku = modelRow("claude-haiku-5-5");
  assert.equal(costOf(haiku, usage({ inputTokens: 100_000, outputTokens: 1000 })), 10_500);
  assert.equal(costOf(haiku, usage({ inputTokens: 100_001, outputTokens: 1000 })), 52_501);
  assert.equal(costOf(haiku, usage({ inputTokens: 1, cacheReadTokens: 100_000 })), 5001);
});

Deno.test("models: an unknown price is charged at the dearest known rate", () => {
  assert.equal(costOf(modelRow("nobody-knows"), usage({ outputTokens: 10 })), 10 * DEAREST_PRICE.output);
  for (const { price } of MODELS) {
    assert.ok(price !== null && price.input <= DEAREST_PRICE.input && price.output <= DEAREST_PRICE.output);
  }
});

Deno.test("models: an effort that a model doesn't take falls to the next weaker one", () => {
  assert.equal(effortFor(modelRow("claude-sonnet-4-6"), "xhigh"), "high");
  assert.equal(effortFor(modelRow("claude-opus-4-7"), "xhigh"), "xhigh");
  assert.equal(effortFor(modelRow("claude-haiku-4-5"), "high"), undefined);
});
