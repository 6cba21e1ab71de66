import assert from "node:assert/strict";
import { NO_COST } from "../../lib/domain/records.ts";
import { estimate, pastWork } from "../../lib/engine/estimate.ts";
import { readCommits } from "../../lib/store/load.ts";
import { workCosts } from "../../lib/store/work_costs.ts";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import type { Settings, SettingsPatch } from "../../lib/config/settings.ts";
import type { ModelsChoice } from "../../lib/supervisor/models.ts";
import { Supervisor } from "../../mod.ts";

async function session(settings: SettingsPatch, models: ModelsChoice = "simulator") {
  return await Supervisor.create({
    goal: "Which coatings could keep ships free of barnacles?",
    name: "ships",
    store: ":memory:",
    models,
    budget: { usd: 25 },
    settings,
    environment: { ANTHROPIC_API_KEY: "unused" },
  });
}

Deno.test("what is estimated for a whole session comes near to what it then takes, in tasks and in money", async () => {
  for (
    const settings of [{ run: { maxIdeas: 16 } }, { run: { maxIdeas: 24 }, evolution: { minMature: 4 } }]
  ) {
    await using lab = await session(settings);
    const before = lab.estimate();
    await lab.runUntil({ matches: 12 });
    const midway = lab.estimate();
    const spentMidway = lab.inspect().cost.usd;
    await lab.runUntil({});
    await lab.finish();
    const spent = lab.inspect().cost.usd;
    // Typical calls are those of live models, which read and think more than the simulator does.
    assert.ok(before.usd > spent / 3 && before.usd < spent * 3, `${before.usd} was expected, ${spent} spent`);
    const total = spentMidway + midway.usd;
    assert.ok(total > spent / 2 && total < spent * 2, `${total} was expected in all, ${spent} spent`);
    assert.ok(midway.rows.some((row) => row.basis === "measured"));
    assert.ok(spent < before.maxUsd);
  }
});

Deno.test("totals bound the work: no more than they ask for is estimated, and nothing where they are reached", async () => {
  await using lab = await session({ run: { maxIdeas: 8 } });
  const tasks = (until: Parameters<typeof lab.estimate>[0], action: string) =>
    lab.estimate(until).rows.find((row) => row.action === action)?.tasks ?? 0;
  assert.equal(tasks({ matches: 7 }, "match"), 7);
  assert.equal(tasks({ hypotheses: 2 }, "generate"), 2);
  assert.equal(tasks({ hypotheses: 2 }, "match"), 0);
  assert.equal(tasks({ matches: 1_000_000 }, "match"), tasks({}, "match"), "never more than can be played");
  assert.ok(lab.estimate({ usd: 1 }).usd < lab.estimate({ usd: 3 }).usd);
  await lab.runUntil({ matches: 3 });
  assert.deepEqual(lab.estimate({ matches: 3 }).rows.map((row) => row.action), ["overview"]);
});

Deno.test("a session that goes on past the matches at which such sessions rest is estimated up to what is asked", async () => {
  await using lab = await session({
    run: { maxIdeas: 8 },
    evolution: { minMature: 3 },
    ranking: { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
    termination: { topKPrecision: 0 },
  });
  await lab.runUntil({ matches: 30 });
  const { leaderboard } = lab.inspect();
  const matches = (until: Parameters<typeof lab.estimate>[0]) =>
    lab.estimate(until).rows.find((row) => row.action === "match")?.tasks ?? 0;
  assert.equal(matches({ matches: 34 }), 4);
  const most = leaderboard.length * (leaderboard.length - 1) / 2 * DEFAULT_SETTINGS.ranking.maxMatchesPerPair;
  assert.equal(matches({ matches: 1_000_000 }), most - 30, "never more than can be played");
});

Deno.test("agents' parts sum to the whole; the worst is never below what is expected", async () => {
  await using lab = await session({}, "anthropic");
  const whole = lab.estimate();
  const agents = Object.values(whole.byAgent);
  const sum = (of: "expected" | "worst") => agents.reduce((total, agent) => total + agent[of].usd, 0);
  assert.ok(Math.abs(sum("expected") - whole.usd) < 1e-6);
  assert.ok(Math.abs(sum("worst") - whole.maxUsd) < 1e-6);
  for (const row of whole.rows) assert.ok(row.maxUsd >= row.usd, row.action);
  assert.ok(whole.worst.calls >= whole.expected.calls);
});

Deno.test("an estimate that passes what is left of the budget says so, and what to do", async () => {
  await using lab = await session({ run: { maxIdeas: 60 } });
  const { exceedsBudget, notes, usd, leftUsd } = lab.estimate();
  assert.ok(usd > leftUsd && exceedsBudget);
  assert.match(notes.join("\n"), /more than the \$25\.00 that is left of the budget[^]*Raise run\.budgetUsd/);
  assert.equal(lab.estimate({ matches: 2 }).exceedsBudget, false);
});

Deno.test("a model without a known price is counted at the dearest rate, and named", async () => {
  await using dear = await session({}, { baseUrl: "http://127.0.0.1:1", model: "homemade" });
  await using free = await session({}, {
    baseUrl: "http://127.0.0.1:1",
    model: "homemade",
    price: { inputUsd: 0, outputUsd: 0 },
  });
  assert.match(dear.estimate().notes.join("\n"), /The price of homemade is unknown/);
  assert.equal(free.estimate().usd, 0);
});

Deno.test("two verdicts cost more than one, a group less than its matches, a panel what its members cost", async () => {
  const matchesFor = async (ranking: Partial<Settings["ranking"]>) => {
    await using lab = await session({ run: { maxIdeas: 20 }, ranking }, "anthropic");
    const row = lab.estimate({ matches: 60 }).rows.find(({ action }) => action === "match");
    assert.ok(row !== undefined);
    return { ...row, each: row.usd / row.tasks, worst: row.maxUsd / row.tasks };
  };
  const pairs = { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 };
  const one = await matchesFor(pairs), both = await matchesFor({ ...pairs, order: "both" });
  assert.equal(one.tasks, 60);
  assert.equal(both.tasks, 60);
  assert.ok(Math.abs(both.each / one.each - 2) < 0.01, `${both.each} and ${one.each}`);
  assert.ok(both.worst >= 2 * one.worst);
  const debate = { debateWhenMatchesLt: 1000 };
  const debated = await matchesFor(debate), twice = await matchesFor({ ...debate, order: "both" });
  assert.ok(twice.each > debated.each && twice.each < 1.5 * debated.each, "the debate is held once");
  const groups = await matchesFor({ ...pairs, judgedAtOnce: 4 });
  assert.equal(groups.tasks, 10, "six matches a call");
  assert.ok(groups.each > one.each && groups.usd < one.usd / 2);
  const opus = await matchesFor({ ...pairs, panel: ["claude-opus-4-7"] });
  const haiku = await matchesFor({ ...pairs, panel: ["claude-haiku-4-5-20251001"] });
  const mixed = await matchesFor({ ...pairs, panel: ["claude-haiku-4-5-20251001", "claude-opus-4-7"] });
  assert.ok(haiku.each < one.each && one.each < opus.each);
  assert.ok(Math.abs(mixed.each - (haiku.each + opus.each) / 2) < 1e-4);
  assert.equal(mixed.worst, opus.worst);
  await using unpriced = await session({ ranking: { panel: ["homemade"] } }, "anthropic");
  assert.match(unpriced.estimate().notes.join("\n"), /The price of homemade is unknown/);
});

Deno.test("history counts tasks, not attempts, and passes over those that needed no call", async () => {
  await using lab = await session({ run: { initialIdeas: 3 } });
  await lab.runUntil({ matches: 4 });
  const [stretch] = lab.store.stretches(lab.view().session.id);
  assert.ok(stretch !== undefined);
  const past = pastWork(workCosts(lab.store.sql, stretch));
  const commits = readCommits(lab.store.sql, stretch);
  for (const [action, { tasks, cost }] of past) {
    const own = commits.filter(({ kind, taskId, cost: { calls } }) =>
      kind === action && taskId !== null && calls > 0
    );
    assert.equal(tasks, new Set(own.map(({ taskId }) => taskId)).size, action);
    assert.equal(cost.microUsd, own.reduce((sum, commit) => sum + commit.cost.microUsd, 0), action);
  }
  assert.ok((past.get("match")?.tasks ?? 0) >= 4);
  const cost = (microUsd: number, calls: number) => ({ ...NO_COST, microUsd, calls });
  const joined = pastWork([
    { action: "match", tasks: 2, cost: cost(40, 2) },
    { action: "match", tasks: 1, cost: cost(20, 1) },
  ]);
  assert.deepEqual([...joined], [["match", { tasks: 3, cost: cost(60, 3) }]]);
});

Deno.test("looking ahead is pure: the same records give the same estimate", async () => {
  await using lab = await session({});
  assert.deepEqual(estimate(lab.view(), {}, new Map()), estimate(lab.view(), {}, new Map()));
  assert.throws(() => lab.estimate({ matches: -1 }), { code: "input" });
});
