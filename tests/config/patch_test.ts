import assert from "node:assert/strict";
import {
  afterRecordedChange,
  applyPatch,
  changesBetween,
  flatten,
  mergePatches,
  patchAt,
  storedSettings,
  valueAt,
} from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS, settingsSchema } from "../../lib/config/settings.ts";

function refuses(patch: unknown, message: RegExp): void {
  assert.throws(() => applyPatch(DEFAULT_SETTINGS, patch), { code: "input", message });
}

Deno.test("the defaults are valid, also together", () => {
  assert.deepEqual(settingsSchema.parse(DEFAULT_SETTINGS), DEFAULT_SETTINGS);
  assert.deepEqual(applyPatch(DEFAULT_SETTINGS, {}), DEFAULT_SETTINGS);
  assert.equal(applyPatch(DEFAULT_SETTINGS, undefined), DEFAULT_SETTINGS);
});

Deno.test("a patch changes what it names and nothing else", () => {
  const patched = applyPatch(DEFAULT_SETTINGS, {
    ranking: { kFactorNew: 40 },
    models: { "ranking.pairwise": "m" },
  });
  assert.deepEqual(changesBetween(DEFAULT_SETTINGS, patched), [
    { path: "ranking.kFactorNew", before: 32, after: 40 },
    { path: "models.ranking.pairwise", before: DEFAULT_SETTINGS.models["ranking.pairwise"], after: "m" },
  ]);
  assert.equal(DEFAULT_SETTINGS.ranking.kFactorNew, 32);
  assert.deepEqual(
    changesBetween(
      DEFAULT_SETTINGS,
      applyPatch(DEFAULT_SETTINGS, { ranking: { kFactorNew: undefined }, run: undefined }),
    ),
    [],
  );
});

Deno.test("an unknown group or setting is refused, with the nearest", () => {
  refuses({ rankng: {} }, /settings\.rankng: "rankng".*Did you mean "ranking"\?.*Groups are run,/);
  refuses(
    { ranking: { kFactrNew: 40 } },
    /settings\.ranking\.kFactrNew.*Did you mean "kFactorNew"\?.*Settings of "ranking"/,
  );
  refuses({ ranking: { toString: 1 } }, /ranking\.toString/);
  refuses({ constructor: {} }, /constructor/);
  refuses({ models: { "ranking.pairwize": "m" } }, /Did you mean "ranking\.pairwise"\?/);
});

Deno.test("a value of the wrong type, or outside its range, is refused with what was expected", () => {
  refuses({ ranking: { kFactorNew: "40" } }, /settings\.ranking\.kFactorNew: "40".*expected number/);
  refuses({ run: { concurrency: 0 } }, /settings\.run\.concurrency: 0/);
  refuses({ run: { concurrency: 1.5 } }, /run\.concurrency: 1\.5/);
  refuses({ run: { budgetUsd: NaN } }, /run\.budgetUsd/);
  refuses({ run: { budgetUsd: Infinity } }, /run\.budgetUsd/);
  refuses(
    { safety: { blockCategories: ["weapon"] } },
    /safety\.blockCategories\.0: "weapon".*Did you mean "weapons"\?/,
  );
});

Deno.test("a word that isn't one of the choices is refused, with the nearest", () => {
  refuses({ ranking: { order: "cion" } }, /ranking\.order: "cion".*Did you mean "coin"\?/);
  refuses({ vectors: { index: "hsnw" } }, /Did you mean "hnsw"\?/);
});

Deno.test("what isn't an object of groups is refused", () => {
  for (const patch of [null, 1, "x", [], { run: 1 }, { run: null }, { run: [1] }]) {
    refuses(patch, /Give an object/);
  }
});

Deno.test("values that are wrong only together are refused together", () => {
  refuses({ budgetShares: { generation: 0.9 } }, /budgetShares: 1\.7.*may sum to 1/);
  refuses({ ranking: { pNew: 0, pClose: 0, pRandom: 0 } }, /At least one of pNew/);
  refuses({ ranking: { panel: ["a", "b", "a"] } }, /ranking\.panel: "a".*named twice/);
  refuses({ ranking: { order: "both", judgedAtOnce: 3 } }, /ranking\.judgedAtOnce: 3.*"both" is for pairs/);
  refuses({ efforts: { low: 5_000 } }, /efforts.*must not fall/);
  const shares = { generation: 0.4, reflection: 0, ranking: 0.25 };
  assert.equal(applyPatch(DEFAULT_SETTINGS, { budgetShares: shares }).budgetShares.generation, 0.4);
});

Deno.test("panel and groups: models by name, two to six at once", () => {
  const { ranking } = applyPatch(DEFAULT_SETTINGS, { ranking: { panel: ["a", "b"], judgedAtOnce: 6 } });
  assert.deepEqual([ranking.panel, ranking.judgedAtOnce], [["a", "b"], 6]);
  refuses({ ranking: { panel: [""] } }, /ranking\.panel\.0/);
  refuses({ ranking: { panel: "a" } }, /ranking\.panel/);
  for (const judgedAtOnce of [1, 7, 2.5]) refuses({ ranking: { judgedAtOnce } }, /ranking\.judgedAtOnce/);
  assert.deepEqual(patchAt("ranking.panel", '["a","b"]'), { ranking: { panel: ["a", "b"] } });
});

Deno.test("every setting has a path, and its value is found there", () => {
  for (const [path, value] of flatten(DEFAULT_SETTINGS)) {
    assert.deepEqual(valueAt(DEFAULT_SETTINGS, path), value);
  }
  assert.equal(
    valueAt(DEFAULT_SETTINGS, "models.ranking.pairwise"),
    DEFAULT_SETTINGS.models["ranking.pairwise"],
  );
  assert.equal(valueAt(DEFAULT_SETTINGS, "ranking"), undefined);
});

Deno.test("a path and a text make a patch: JSON where it is JSON, a text where the setting is one", () => {
  assert.deepEqual(patchAt("ranking.kFactorNew", "40"), { ranking: { kFactorNew: 40 } });
  assert.deepEqual(patchAt("ranking.order", "fixed"), { ranking: { order: "fixed" } });
  assert.deepEqual(patchAt("ranking.order", '"fixed"'), { ranking: { order: "fixed" } });
  assert.deepEqual(patchAt("safety.enabled", "false"), { safety: { enabled: false } });
  assert.deepEqual(patchAt("safety.warnCategories", '["cbrn"]'), { safety: { warnCategories: ["cbrn"] } });
  assert.deepEqual(patchAt("models.ranking.pairwise", "12"), { models: { "ranking.pairwise": "12" } });
  assert.deepEqual(patchAt("run.maxIdeas", "60"), { run: { maxIdeas: 60 } }, "the default, named");
  assert.throws(() => patchAt("ranking.kFactrNew", "40"), {
    code: "input",
    message: /Did you mean "ranking\.kFactorNew"/,
  });
  assert.throws(() => patchAt("ranking.kFactorNew", "many"), { code: "input", message: /"many"/ });
});

Deno.test("a share may be raised by its path where another one makes room", () => {
  const patch = mergePatches(
    patchAt("budgetShares.generation", "0.4"),
    patchAt("budgetShares.reflection", "0"),
  );
  assert.equal(applyPatch(DEFAULT_SETTINGS, patch).budgetShares.generation, 0.4);
  assert.throws(() => applyPatch(DEFAULT_SETTINGS, patchAt("budgetShares.generation", "0.9")), {
    code: "input",
  });
});

Deno.test("of two patches the second wins, setting by setting", () => {
  assert.deepEqual(
    mergePatches({ run: { maxIdeas: 5, concurrency: 2 }, ranking: { pNew: 1 } }, {
      run: { maxIdeas: 6 },
      safety: { enabled: false },
    }),
    { run: { maxIdeas: 6, concurrency: 2 }, ranking: { pNew: 1 }, safety: { enabled: false } },
  );
  assert.deepEqual(mergePatches({}, {}), {});
});

Deno.test("settings in a store are read whatever version wrote them", () => {
  const { ranking, ...others } = DEFAULT_SETTINGS;
  const { order: _, ...older } = ranking;
  const read = storedSettings({
    ...others,
    ranking: { ...older, kFactorNew: 48, formerly: 1 },
    gone: { a: 1 },
  });
  assert.deepEqual(read, { ...DEFAULT_SETTINGS, ranking: { ...ranking, kFactorNew: 48 } });
  assert.deepEqual(storedSettings({}), DEFAULT_SETTINGS);
  assert.throws(() => storedSettings({ run: { maxIdeas: "x" } }), { code: "store" });
});

Deno.test("a recorded change takes effect by itself, though it was right only with others", () => {
  const changed = afterRecordedChange(DEFAULT_SETTINGS, "budgetShares.generation", 0.9);
  assert.equal(changed.budgetShares.generation, 0.9);
  assert.equal(
    afterRecordedChange(DEFAULT_SETTINGS, "models.ranking.pairwise", "m").models["ranking.pairwise"],
    "m",
  );
  assert.equal(afterRecordedChange(DEFAULT_SETTINGS, "run.formerly", 1), DEFAULT_SETTINGS);
  assert.equal(afterRecordedChange(DEFAULT_SETTINGS, "formerly.x", 1), DEFAULT_SETTINGS);
});
