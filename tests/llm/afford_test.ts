import assert from "node:assert/strict";
import { CosciError } from "../../lib/domain/errors.ts";
import {
  admitFirst,
  chainOf,
  Deferred,
  ladder,
  plannedOverview,
  smallestOverview,
} from "../../lib/llm/afford.ts";
import { worstCost } from "../../lib/llm/estimate.ts";
import { modelRow } from "../../lib/llm/models.ts";
import type { IntendedCall } from "../../lib/llm/request.ts";
import { MemoryLedger, PROVIDER, settingsWith } from "./support.ts";

const settings = settingsWith();
const call = (route: IntendedCall["route"], model = settings.models[route]): IntendedCall => ({
  route,
  model,
  maxTokens: settings.maxTokens[route],
  thinkingTokens: settings.thinking[route],
  system: [],
  turns: [{ role: "user", content: [{ type: "text", text: "x" }] }],
  tools: [],
  force: null,
  growing: false,
});
const steps = (route: IntendedCall["route"], unavailable: string[] = []) =>
  ladder(call(route), settings.efforts, new Set(unavailable))
    .map(({ call }) => [call.model, call.thinkingTokens, call.maxTokens]);

Deno.test("most routes walk down the chain of models, then shorten the answer to what is still of use", () => {
  assert.deepEqual(steps("generation.literature"), [
    ["claude-opus-4-7", 4000, 8192],
    ["claude-sonnet-4-6", 4000, 8192],
    ["claude-haiku-4-5-20251001", 4000, 8192],
    ["claude-haiku-4-5-20251001", 0, 8192],
    ["claude-haiku-4-5-20251001", 0, 4096],
    ["claude-haiku-4-5-20251001", 0, 2048],
  ]);
});

Deno.test("never-degraded routes give up effort, then length, then the model", () => {
  assert.deepEqual(steps("reflection.verification").slice(0, 8), [
    ["claude-opus-4-7", 12_000, 6144],
    ["claude-opus-4-7", 8000, 6144],
    ["claude-opus-4-7", 4000, 6144],
    ["claude-opus-4-7", 0, 6144],
    ["claude-opus-4-7", 0, 3072],
    ["claude-opus-4-7", 0, 2048],
    ["claude-sonnet-4-6", 12_000, 6144],
    ["claude-sonnet-4-6", 8000, 6144],
  ]);
});

Deno.test("a model that is unavailable is passed over, and a model of no preset has no chain", () => {
  assert.equal(steps("metareview.final", ["claude-opus-4-7"])[0]?.[0], "claude-sonnet-4-6");
  assert.deepEqual(chainOf("llama"), ["llama"]);
  assert.deepEqual(chainOf("claude-sonnet-5-5"), ["claude-sonnet-5-5", "claude-haiku-5-5"]);
  assert.deepEqual(chainOf("claude-haiku-4-5-20251001"), ["claude-haiku-4-5-20251001"]);
});

Deno.test("the first rung that fits what is left is taken, and says what it gave up", () => {
  const rungs = ladder(call("generation.literature"), settings.efforts);
  const rich = admitFirst(rungs, new MemoryLedger(10e6), settings, PROVIDER, "t");
  assert.deepEqual(rich.concessions, []);
  const poor = admitFirst(rungs, new MemoryLedger(250_000), settings, PROVIDER, "t");
  assert.equal(poor.row.id, "claude-sonnet-4-6");
  assert.deepEqual(poor.concessions, ["claude-sonnet-4-6 instead of claude-opus-4-7"]);
  const poorest = admitFirst(rungs, new MemoryLedger(12_000), settings, PROVIDER, "t");
  assert.equal(poorest.request.max_tokens, 2048);
  assert.match(poorest.concessions.join(), /no thinking.*at most 2048 tokens instead of 8192/);
});

Deno.test("a verification stays with its model while effort and length still give", () => {
  const rungs = ladder(call("reflection.verification"), settings.efforts);
  const granted = admitFirst(rungs, new MemoryLedger(160_000), settings, PROVIDER, "t");
  assert.equal(granted.row.id, "claude-opus-4-7");
  assert.equal(granted.request.thinking, undefined);
});

Deno.test("money that is only reserved by others is waited for, and nothing is given up for it", () => {
  const ledger = new MemoryLedger(400_000, 300_000);
  const rungs = ladder(call("generation.literature"), settings.efforts);
  assert.throws(
    () => admitFirst(rungs, ledger, settings, PROVIDER, "t"),
    (error) => error instanceof Deferred && error.code === "budget" && error.retry === "later",
  );
  assert.equal(ledger.asked.length, 1);
});

Deno.test("where no rung fits, the error says what the cheapest would cost and what is left", () => {
  const rungs = ladder(call("ranking.pairwise"), settings.efforts);
  assert.throws(
    () => admitFirst(rungs, new MemoryLedger(500), settings, PROVIDER, "t"),
    (error) =>
      error instanceof CosciError && !(error instanceof Deferred) && error.code === "budget" &&
      /claude-haiku.*\$0\.0005 is left.*run\.budgetUsd/.test(error.message),
  );
});

Deno.test("every rung of a ladder costs no more than the one before, model by model", () => {
  for (const route of ["generation.debate", "metareview.final", "ranking.debate"] as const) {
    const cheapest = ladder(call(route), settings.efforts).at(-1);
    assert.ok(cheapest !== undefined);
    assert.ok(cheapest.call.maxTokens < settings.maxTokens[route]);
  }
});

Deno.test("what an overview is planned to cost is its worst case with the prompt of ten hypotheses", () => {
  const max = 8192 + 16_000;
  assert.deepEqual(plannedOverview(settings, PROVIDER), {
    microUsd: worstCost(modelRow("claude-opus-4-7"), 40_000, max),
    tokens: 40_000 + max,
  });
  const free = { ...PROVIDER, models: { "claude-opus-4-7": { inputUsd: 0, outputUsd: 0 } } };
  assert.equal(plannedOverview(settings, free).microUsd, 0);
});

Deno.test("the smallest overview is short, by the cheapest model of its chain, and carries the goal twice", () => {
  const haiku = modelRow("claude-haiku-4-5-20251001");
  assert.equal(smallestOverview(settings, PROVIDER, "").microUsd, worstCost(haiku, 12_000, 3072));
  assert.equal(smallestOverview(settings, PROVIDER, "ab ".repeat(500)).tokens, 12_000 + 2 * 500 + 2 + 3072);
});
