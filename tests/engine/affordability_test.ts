import assert from "node:assert/strict";
import { applyPatch } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../lib/config/settings.ts";
import { leastCalls } from "../../lib/engine/affordability.ts";

function least(ranking: Partial<Settings["ranking"]>) {
  const settings = applyPatch(DEFAULT_SETTINGS, { ranking });
  const calls = leastCalls(settings, { name: "anthropic", baseUrl: "", models: {} });
  const { microUsd, tokens } = calls.get("ranking") ?? { microUsd: NaN, tokens: NaN };
  return { microUsd, tokens, generation: calls.get("generation")?.microUsd ?? NaN };
}

Deno.test("what must be left for a match: one call, or both where it is judged in both orders", () => {
  const one = least({}), both = least({ order: "both" });
  assert.deepEqual([both.microUsd, both.tokens], [2 * one.microUsd, 2 * one.tokens]);
  assert.equal(both.generation, one.generation);
});

Deno.test("what must be left for a match is by the panel's cheapest member, concessions made", () => {
  const one = least({});
  // Both families come down to the same small model; one that is alone can't.
  assert.equal(least({ panel: ["claude-opus-4-7"] }).microUsd, one.microUsd);
  const alone = least({ panel: ["gpt-5"] });
  assert.ok(alone.microUsd > one.microUsd);
  assert.equal(least({ panel: ["gpt-5", "claude-opus-4-7"] }).microUsd, one.microUsd);
});
