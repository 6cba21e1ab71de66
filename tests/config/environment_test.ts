import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentVariables, readEnvironment, variableName } from "../../lib/config/environment.ts";
import { flatten } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";

Deno.test("every setting has a variable of its own, read back to its path", () => {
  const names = flatten(DEFAULT_SETTINGS).map(([path]) => variableName(path));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Z_]+__[A-Z0-9_]+$/);
  assert.equal(variableName("run.maxIdeas"), "RUN__MAX_IDEAS");
  assert.equal(variableName("ranking.kFactorNew"), "RANKING__K_FACTOR_NEW");
  assert.equal(variableName("models.ranking.pairwise"), "MODELS__RANKING_PAIRWISE");
  assert.equal(variableName("budgetShares.generation"), "BUDGET_SHARES__GENERATION");
});

Deno.test("settings are read from GROUP__NAME; other programs' variables are left alone", () => {
  const { patch } = readEnvironment({
    RUN__MAX_IDEAS: "12",
    MODELS__RANKING_PAIRWISE: "claude-haiku-4-5-20251001",
    RANKING__ORDER: "fixed",
    SAFETY__ENABLED: "false",
    OTHER__THING: "x",
    RUN_MAX_IDEAS: "13",
    HOME: "/root",
  });
  assert.deepEqual(patch, {
    run: { maxIdeas: 12 },
    models: { "ranking.pairwise": "claude-haiku-4-5-20251001" },
    ranking: { order: "fixed" },
    safety: { enabled: false },
  });
});

Deno.test("shares are read one by one, whatever their sum with the defaults", () => {
  const { patch } = readEnvironment({ BUDGET_SHARES__GENERATION: "0.5", BUDGET_SHARES__RANKING: "0.1" });
  assert.deepEqual(patch, { budgetShares: { generation: 0.5, ranking: 0.1 } });
});

Deno.test("an unknown variable of a group of ours is refused by name, with the nearest", () => {
  assert.throws(() => readEnvironment({ RUN__MAX_IDEA: "12" }), {
    code: "input",
    message: /"RUN__MAX_IDEA".*Did you mean "RUN__MAX_IDEAS"\?/,
  });
});

Deno.test("a value that can't be one is refused by the variable's name", () => {
  assert.throws(() => readEnvironment({ RUN__MAX_IDEAS: "many" }), {
    code: "input",
    message: /environment variable RUN__MAX_IDEAS.*"many"/,
  });
});

Deno.test("one variable names the model of every route", () => {
  assert.equal(readEnvironment({ LLM__MAIN_MODEL: "m" }).mainModel, "m");
  assert.equal(readEnvironment({ LLM__MAIN_MODEL: "" }).mainModel, undefined);
  assert.deepEqual(readEnvironment({ LLM__MAIN_MODEL: "m" }).patch, {});
});

Deno.test("keys are read by well-known names; the form with a group wins; empty is none", () => {
  assert.deepEqual(
    readEnvironment({ ANTHROPIC_API_KEY: "a", VOYAGE_API_KEY: "v", OPENAI_API_KEY: "o" }).credentials,
    {
      anthropicApiKey: "a",
      voyageApiKey: "v",
      openaiApiKey: "o",
    },
  );
  assert.equal(
    readEnvironment({ ANTHROPIC_API_KEY: "a", SERVICES__ANTHROPIC_API_KEY: "b" }).credentials.anthropicApiKey,
    "b",
  );
  assert.equal(
    readEnvironment({ ANTHROPIC_API_KEY: "a", SERVICES__ANTHROPIC_API_KEY: "" }).credentials.anthropicApiKey,
    "a",
  );
  assert.equal(readEnvironment({ ANTHROPIC_API_KEY: "" }).credentials.anthropicApiKey, undefined);
});

Deno.test("a folder's .env is read under the process's own variables", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cosci-env-"));
  Deno.env.set("COSCI_TEST_VARIABLE", "process");
  try {
    writeFileSync(
      join(folder, ".env"),
      'COSCI_TEST_VARIABLE=file\nCOSCI_TEST_OTHER="a b" # a remark\n\n# nothing\n',
    );
    const variables = await environmentVariables(folder);
    assert.equal(variables["COSCI_TEST_VARIABLE"], "process");
    assert.equal(variables["COSCI_TEST_OTHER"], "a b");
    assert.equal((await environmentVariables(join(folder, "none")))["COSCI_TEST_OTHER"], undefined);
  } finally {
    Deno.env.delete("COSCI_TEST_VARIABLE");
    rmSync(folder, { recursive: true, force: true });
  }
});

Deno.test({
  name: "without permissions nothing is read, and nothing fails",
  permissions: { env: false, read: false },
  fn: async () => assert.deepEqual(await environmentVariables("."), {}),
});
