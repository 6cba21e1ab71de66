import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { ROUTES } from "../../lib/domain/agent.ts";
import { CosciError } from "../../lib/domain/errors.ts";
import { type Rng, rng } from "../../lib/domain/rng.ts";
import type { Fault, FaultRule } from "../../lib/simulator/faults.ts";
import {
  assertNothingLost,
  LONG,
  nowOf,
  type Opened,
  openSession,
  type SimSession,
} from "./support/sim_session.ts";

/** Models of the table of each kind: thinking always, by budget, not at all; dear and cheap; and one it doesn't know. */
const MODELS = [
  "claude-opus-4-7",
  "claude-sonnet-4-6",
  "claude-haiku-4-5-20251001",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
  "gpt-4o",
  "gemini-2.5-flash",
  "a-model-nobody-knows",
];

/** Everything that can go wrong with money: answers that are billed and never come, refusals, wrong and cut answers. */
const FAULTS: readonly Fault[] = [
  { kind: "reset", billed: true },
  { kind: "reset" },
  { kind: "malformed_json" },
  { kind: "status", status: 429, retryAfterSeconds: 3 },
  { kind: "status", status: 500 },
  { kind: "status", status: 529 },
  { kind: "truncated_tool" },
  { kind: "refusal" },
  { kind: "empty" },
  { kind: "wrong_arguments" },
];

/** All steps but the overview's. */
const STEPS = [
  "parse_goal",
  "generation",
  "reflection",
  "ranking",
  "evolution",
  "metareview.system",
  "safety",
];

function randomRules(chance: Rng, steps: readonly string[]): FaultRule[] {
  const probability = chance.next() < 0.3 ? 0 : 0.04 * chance.next();
  return steps.flatMap((step) => FAULTS.map((fault) => ({ fault, step, probability })));
}

/** A session with everything drawn by lot: prices, latencies, failures, concurrency, and a budget from tiny to ample. */
function randomSession(chance: Rng, seed: string): { readonly session: SimSession; usd: number } {
  const usd = Math.exp(chance.next() * Math.log(400)) * 0.02;
  const tokens = chance.next() < 0.3 ? 60_000 + chance.int(400_000) : 5_000_000;
  const latencies = rng(seed, "latency", "test");
  const longest = chance.pick([0, 200, 30_000]);
  const settings: SettingsPatch = {
    run: {
      concurrency: 1 + chance.int(16),
      maxIdeas: 2 + chance.int(6),
      initialIdeas: 1 + chance.int(4),
      maxMatchesPerIdea: 1 + chance.int(4),
    },
    evolution: {
      minMature: 2 + chance.int(3),
      matureMatches: 1 + chance.int(2),
      everyMatches: 4 + chance.int(8),
    },
    metareview: { everyMatches: 4 + chance.int(6) },
  };
  const common = {
    seed,
    rules: randomRules(chance, STEPS),
    simulator: { latencyMs: () => Math.floor(latencies.next() * longest) },
  };
  if (chance.next() < 0.5) {
    const models = Object.fromEntries(ROUTES.map((route) => [route, chance.pick(MODELS)]));
    return {
      session: {
        ...common,
        settings: { ...settings, models },
        simulator: { ...common.simulator, models: { "a-model-nobody-knows": {} } },
        create: { budget: { usd, tokens } },
      },
      usd,
    };
  }
  const price = { inputUsd: chance.next() * 12, outputUsd: chance.next() * 60 };
  const row = {
    price: {
      input: price.inputUsd,
      output: price.outputUsd,
      cacheWrite: price.inputUsd,
      cacheRead: price.inputUsd,
    },
  };
  return {
    session: {
      ...common,
      settings,
      simulator: { ...common.simulator, models: { local: row } },
      create: {
        budget: { usd, tokens },
        models: { baseUrl: "http://server.invalid", model: "local", price },
      },
    },
    usd,
  };
}

/** Opens a session, with twice the budget for as long as `create` calls it too small for anything. */
async function openAffordable(
  make: (usd: number) => SimSession,
  usd: number,
): Promise<Opened & { usd: number }> {
  for (;;) {
    try {
      return Object.assign(await openSession(make(usd)), { usd });
    } catch (error) {
      if (!(error instanceof CosciError && /^budget\.(usd|tokens)/.test(error.message))) throw error;
      usd *= 2;
    }
  }
}

function assertWithinBudget({ lab, server }: Opened): void {
  const { budgetUsd, budgetTokens } = lab.view().settings.run;
  const { microUsd, inputTokens, outputTokens } = server.billed();
  const { spentUsd, spentTokens } = nowOf(lab);
  assert.ok(microUsd <= budgetUsd * 1e6, `billed $${microUsd / 1e6} of $${budgetUsd}`);
  assert.ok(inputTokens + outputTokens <= budgetTokens, `billed ${inputTokens + outputTokens} tokens`);
  assert.ok(spentUsd * 1e6 >= microUsd - 1e-6, "the ledger knows of all that was billed");
  assert.ok(spentTokens >= inputTokens + outputTokens);
  assert.ok(spentUsd <= budgetUsd + 1e-9);
}

const RUNS = LONG ? 300 : 25;

Deno.test(`13.D in ${RUNS} sessions by lot the server never bills more than the cap, and a model writes the overview`, async (t) => {
  const ends = new Map<string, number>();
  for (let i = 0; i < RUNS; i++) {
    const seed = `budget ${i}`;
    await t.step(seed, async () => {
      const chance = rng(seed, "session", "test");
      const { session, usd } = randomSession(chance, seed);
      await using opened = await openAffordable(
        (usd) => ({ ...session, create: { ...session.create, budget: { ...session.create?.budget, usd } } }),
        usd,
      );
      const { lab, server } = opened;
      const run = await lab.runUntil();
      assert.equal(run.endedBy, "stopped");
      ends.set(run.stop?.reason ?? "none", (ends.get(run.stop?.reason ?? "none") ?? 0) + 1);
      assertWithinBudget(opened);
      assertNothingLost(opened);
      const calls = server.requests().length;
      const { source, notes } = await lab.finish();
      assertWithinBudget(opened);
      assertNothingLost(opened);
      const asked = server.requests().slice(calls).filter(({ step }) => step === "metareview.final");
      if (lab.view().hypotheses.length > 0) {
        assert.ok(asked.length > 0, `the overview's model was asked: ${notes.join("; ")}`);
        assert.equal(source, "model", notes.join("; "));
      } else assert.equal(source, "fallback");
    });
  }
  // Budgets that end a session and such that don't are both among them.
  assert.ok((ends.get("budget") ?? 0) > RUNS / 10, JSON.stringify([...ends]));
  const completed = ["idle", "elo_stable", "top_k_settled"].reduce(
    (sum, end) => sum + (ends.get(end) ?? 0),
    0,
  );
  assert.ok(completed > RUNS / 10, JSON.stringify([...ends]));
});

const CHOICES = ["simulator", "anthropic", "current"] as const;
const SEEDS = Array.from({ length: LONG ? 20 : 1 }, (_, i) => `small ${i}`);

for (const models of CHOICES) {
  Deno.test(`13.D.1 $2 with three ideas (${models}): all three are made, ranked, and a model writes the overview`, async () => {
    for (const seed of SEEDS) {
      await using session = await openSession({
        seed,
        settings: { run: { maxIdeas: 3 } },
        create: { models, budget: { usd: 2 } },
      });
      const { lab } = session;
      await lab.runUntil();
      const { source, notes } = await lab.finish();
      assert.equal(source, "model", notes.join("; "));
      assert.ok(
        lab.inspect().counts.hypotheses === 3,
        `${seed}: ${lab.inspect().counts.hypotheses} hypotheses`,
      );
      assert.ok(lab.inspect().counts.matches > 0, `${seed}: ranked`);
      assertWithinBudget(session);
      assertNothingLost(session);
    }
  });

  Deno.test(`13.D.2 $0.30 (${models}): money goes round, hypotheses are ranked, and a model writes the overview`, async () => {
    for (const seed of SEEDS) {
      await using session = await openSession({ seed, create: { models, budget: { usd: 0.3 } } });
      const { lab } = session;
      const run = await lab.runUntil();
      assert.equal(run.stop?.reason, "budget", run.stop?.note);
      const { source, notes } = await lab.finish();
      assert.equal(source, "model", notes.join("; "));
      assert.ok(
        lab.inspect().counts.hypotheses >= 2,
        `${seed}: ${lab.inspect().counts.hypotheses} hypotheses`,
      );
      assert.ok(lab.inspect().counts.matches > 0, `${seed}: ranked`);
      assertWithinBudget(session);
      assertNothingLost(session);
    }
  });
}

Deno.test("13.D an unpriced local model is held by the token cap, and still writes the overview", async () => {
  for (const tokens of LONG ? [60_000, 90_000, 150_000, 300_000, 600_000] : [90_000, 300_000]) {
    await using session = await openSession({
      simulator: { models: { local: {} } },
      // It counts at the dearest known rate, so that the money must be ample for the tokens to be what ends it.
      create: { models: { baseUrl: "http://server.invalid", model: "local" }, budget: { usd: 1000, tokens } },
    });
    const { lab, server } = session;
    const run = await lab.runUntil();
    assert.equal(run.stop?.reason, "budget", run.stop?.note);
    assertWithinBudget(session);
    assert.equal((await lab.finish()).source, "model");
    assertWithinBudget(session);
    assertNothingLost(session);
    const { inputTokens, outputTokens } = server.billed();
    assert.ok(inputTokens + outputTokens > tokens / 4, "it was used, too");
  }
});

Deno.test("13.D an unpriced model is never free: its money is counted at the dearest known rate", async () => {
  await using session = await openSession({
    simulator: { models: { local: {} } },
    create: { models: { baseUrl: "http://server.invalid", model: "local" }, budget: { usd: 3 } },
  });
  const { lab } = session;
  assert.equal((await lab.runUntil()).stop?.reason, "budget");
  assert.equal((await lab.finish()).source, "model");
  assert.ok(nowOf(lab).spentUsd > 1);
  assertWithinBudget(session);
});

Deno.test("a price of 0 is free: it costs nothing, and only tokens and matches end it", async () => {
  const free = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 };
  await using session = await openSession({
    simulator: { models: { local: { price: free } } },
    settings: { run: { maxIdeas: 4, maxMatchesPerIdea: 2 } },
    create: {
      models: { baseUrl: "http://server.invalid", model: "local", price: { inputUsd: 0, outputUsd: 0 } },
      budget: { usd: 0.01 },
    },
  });
  const { lab } = session;
  const run = await lab.runUntil();
  assert.ok(["idle", "elo_stable", "top_k_settled"].includes(run.stop?.reason ?? ""), run.stop?.note);
  assert.equal((await lab.finish()).source, "model");
  assert.equal(nowOf(lab).spentUsd, 0);
  assert.equal(session.server.billed().microUsd, 0);
});

Deno.test("notices at 50 and at 80 % of the budget are events, each once, with what was spent", async () => {
  await using session = await openSession({ create: { budget: { usd: 4 } } });
  const { lab } = session;
  await lab.runUntil();
  const notices = lab.events().filter(({ type }) => type === "budget_notice").map(({ payload }) => payload);
  assert.deepEqual(notices.map(({ part }) => part), [0.5, 0.8].slice(0, notices.length));
  assert.ok(notices.length >= 1);
  for (const { part, spentUsd, capUsd } of notices) {
    assert.equal(capUsd, 4);
    assert.ok(Number(spentUsd) >= Number(part) * 4);
  }

  // A raised budget starts anew: half of what it is now is another half.
  lab.configure({ run: { budgetUsd: 10 } });
  await lab.runUntil();
  const later = lab.events().filter(({ type, payload }) => type === "budget_notice" && payload.capUsd === 10);
  assert.equal(later[0]?.payload.part, 0.5);
});

Deno.test("13.D.5 what is put aside for the overview is nobody else's, even where answers are billed and lost", async () => {
  await using session = await openSession({
    create: { budget: { usd: 3 } },
    settings: { run: { concurrency: 16 } },
    rules: [{ fault: { kind: "reset", billed: true }, probability: 0.1 }],
  });
  const { lab } = session;
  assert.equal((await lab.runUntil()).stop?.reason, "budget");
  assert.ok(nowOf(lab).spentUsd > 0.75, `the rest was used: ${nowOf(lab).spentUsd}`);
  assert.ok(nowOf(lab).spentUsd <= 0.75 * 3, "a quarter was put aside, and all of that is still there");
  assert.equal((await lab.finish()).source, "model");
  assertWithinBudget(session);
});
