/** Each change of a setting says what it changes from when; what comes too late says so. */
import assert from "node:assert/strict";
import { flatten } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../../lib/config/settings.ts";
import { effectOf } from "../../lib/supervisor/setting_effects.ts";
import type { Supervisor } from "../../mod.ts";
import { enter, small, wire } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

const effects = (lab: Supervisor, patch: SettingsPatch) =>
  lab.configure(patch).map(({ effect }) => effect ?? "");

Deno.test("every setting says from when a change of it holds", async () => {
  await using lab = await enter(":memory:");
  for (const [path, value] of flatten(DEFAULT_SETTINGS)) {
    const told = effectOf(lab.view(), { path, before: value, after: value }, []);
    if (/^simulator\.|^vectors\.(embedder|model|dimensions|baseUrl)$|^ranking\.eloInitial$/.test(path)) {
      continue;
    }
    assert.match(told, /^(At once\.|From the next |For tasks that are enqueued from now on\.)/, path);
  }
});

Deno.test("a change tells of past matches, and shows that with the change", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 2 });
  const changes = lab.configure({ ranking: { kFactorNew: 40 }, run: { budgetUsd: 30, concurrency: 2 } });
  assert.deepEqual(changes.map(({ path, effect }) => [path, effect]), [
    ["run.concurrency", "From the next run on. A run that goes on keeps its number of workers."],
    [
      "run.budgetUsd",
      "At once. It is compared with what was spent so far; tasks that waited for money try again.",
    ],
    [
      "ranking.kFactorNew",
      "From the next claimed task of ranking on. Past matches are unchanged; lab.rerate() shows the effect on them.",
    ],
  ]);
  assert.match(String(changes), /ranking\.kFactorNew: From the next claimed task of ranking on\./);
  // Looked at later it is a change like any other: the sentence was about that moment.
  assert.equal(lab.revisions[0]?.effect, undefined);
});

Deno.test("tasks in hand are named that keep the old value; those that don't read it aren't", async () => {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let hold = false;
  const over = wire({
    before: async () => {
      if (!hold) return;
      reached.resolve();
      await free.promise;
    },
  });
  await using lab = await enter(":memory:", { settings: small(1), over });
  await lab.runUntil({ matches: 1 });
  hold = true;
  const run = lab.start({ matches: 2 });
  await reached.promise;
  const [task] = lab.queue.list().filter(({ status }) => status === "in_progress");
  const [theirs = ""] = effects(lab, { toolLoop: { toolTimeoutSeconds: 20 } });
  assert.match(
    theirs,
    new RegExp(`on; ${task?.label} \\(${task?.action}\\), claimed before, keeps the old value\\.`),
  );
  const [others = ""] = effects(lab, { metareview: { maxReviews: 20 } });
  assert.ok(!others.includes("keeps"));
  hold = false;
  free.resolve();
  await run.done;
});

Deno.test("what has nothing left to act on, or isn't read, says so; what makes no sense any more is refused", async () => {
  await using lab = await enter(":memory:");
  await lab.tick();
  const { models } = lab.view().settings;
  assert.deepEqual(effects(lab, { models: { ...models, parse_goal: "claude-opus-4-7" } }), [
    "No effect any more: the research plan is made, and its goal is not parsed again.",
  ]);
  assert.match(effects(lab, { run: { initialIdeas: 3 } })[0] ?? "", /^From the next decision/);
  await lab.runUntil({ matches: 8 });
  assert.match(
    effects(lab, { run: { initialIdeas: 4 } })[0] ?? "",
    /^No effect any more: generation has made all/,
  );
  assert.match(
    effects(lab, { ranking: { pNew: 0.5 } })[0] ?? "",
    /It is not read at present: ranking\.pairing is "information", not "buckets"\./,
  );
  assert.match(
    effects(lab, { ranking: { pairing: "buckets", pNew: 0.4 } }).join("\n"),
    /^(?!.*not read at present)/s,
  );
  assert.match(effects(lab, { vectors: { usdPerMillionTokens: 1 } })[0] ?? "", /hash", which costs nothing/);
  const before = writesOf(lab);
  for (
    const [patch, says] of [
      [{ ranking: { eloInitial: 1000 } }, "started from the old value"],
      [{ vectors: { dimensions: 64 } }, "can't be compared"],
      [{ simulator: { judgeNoise: 1 } }, "made with the session"],
    ] as const
  ) await assertRefused(() => lab.configure(patch), { code: "state", says: [says] });
  assert.deepEqual(writesOf(lab), before);
});
