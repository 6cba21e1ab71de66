import assert from "node:assert/strict";
import { Bench } from "../../../scripts/bench/ranking/figures.ts";
import { gatesTable } from "../../../scripts/bench/ranking/gates.ts";
import { runJob, scenarioOf } from "../../../scripts/bench/ranking/jobs.ts";
import { BASE, fixedWorld, growingWorld, type World } from "../../../scripts/bench/ranking/oracle.ts";
import { POLICIES, policyOf } from "../../../scripts/bench/ranking/policies.ts";
import type { Policy, ShownPair } from "../../../scripts/bench/ranking/policy.ts";
import { mapScores, ReferencePosterior } from "../../../scripts/bench/ranking/reference_posterior.ts";
import { Results } from "../../../scripts/bench/ranking/results.ts";
import { Match, scoresAt } from "../../../scripts/bench/ranking/run.ts";
import { VOTES } from "../../../scripts/bench/ranking/scenarios.ts";
import { meansTable } from "../../../scripts/bench/ranking/tables.ts";

/** A world that notes what it is asked. */
function noting(world: World) {
  const asked: [number, number, number][] = [], groups: { shown: readonly number[]; repeat: number }[] = [];
  return {
    asked,
    groups,
    world: {
      ...world,
      verdict: (first: number, second: number, repeat: number) => {
        asked.push([first, second, repeat]);
        return world.verdict(first, second, repeat);
      },
      ranking: (shown: readonly number[], repeat: number) => {
        groups.push({ shown, repeat });
        return world.ranking?.(shown, repeat) ?? [];
      },
    },
  };
}

for (const policy of POLICIES.values()) {
  Deno.test(`${policy.name}: plays a growing pool, the same each time, no question more than twice`, () => {
    const growing = growingWorld(5, { from: 8, to: 16, by: 4, callsEach: 3, drift: 0.1 }, BASE);
    const { world, asked, groups } = noting(growing);
    const scores = scoresAt(policy, world, 5, [10, 48]);
    // A group costs as many calls as pairs of the same number of texts.
    const calls = groups.reduce((sum, { shown }) => sum + shown.length / 2, asked.length);
    assert.ok(calls >= 48 && calls < 50);
    assert.ok(groups.every(({ repeat }) => repeat < 2));
    assert.ok(asked.every(([, , repeat]) => repeat < 2));
    assert.deepEqual(scores.map((each) => each.length), [8, 16]);
    assert.ok(scores.every((each) => each.every(Number.isFinite)));
    assert.deepEqual(scoresAt(policy, growing, 5, [10, 48]), scores);
    const expected = new Match(policy, growing, 5);
    expected.playTo(20);
    const precision = expected.player.expectedPrecision?.() ?? 0.5;
    assert.ok(precision > 0 && precision <= 1);
  });
}

/** A policy that hands out whole batches of what it is given. */
function scripted(batch: number, pairs: (live: number) => readonly ShownPair[]): {
  readonly policy: Policy;
  readonly heard: string[];
} {
  const heard: string[] = [];
  return {
    heard,
    policy: {
      name: "scripted",
      open: () => {
        let live = 0;
        return {
          batch,
          arrive: (ids) => {
            live += ids.length;
            heard.push(`arrive ${ids.join(",")}`);
          },
          next: (n) => {
            heard.push(`next ${n}`);
            return pairs(live).slice(0, n);
          },
          tell: (first, second) => {
            heard.push(`tell ${first},${second}`);
          },
          scores: () => new Float64Array(live),
        };
      },
    },
  };
}

Deno.test("a batch is a share of the live pool, goes on over a checkpoint, and is cut short by newcomers", () => {
  const world = growingWorld(1, { from: 4, to: 6, by: 2, callsEach: 1, drift: 0 }, BASE);
  const { policy, heard } = scripted(0.75, () => [[0, 1], [1, 2], [2, 3]]);
  const match = new Match(policy, world, 2);
  match.playTo(2);
  assert.deepEqual(heard, ["arrive 0,1,2,3", "next 3", "tell 0,1", "tell 1,2"]);
  match.playTo(5);
  assert.deepEqual(heard.slice(4), ["tell 2,3", "next 3", "tell 0,1", "arrive 4,5", "next 5", "tell 0,1"]);
});

Deno.test("a pair outside the pool is refused, and so is none while some have never met", () => {
  const world = fixedWorld(1, 4, BASE);
  assert.throws(() => new Match(scripted(1, () => [[0, 4]]).policy, world, 2).playTo(1), RangeError);
  assert.throws(() => new Match(scripted(1, () => [[2, 2]]).policy, world, 2).playTo(1), RangeError);
  assert.throws(() => new Match(scripted(1, () => []).policy, world, 2).playTo(1), /no pair/);
});

Deno.test("the posterior: the gradient is 0 at its mean, and a step comes near a fit", () => {
  const world = fixedWorld(9, 6, BASE);
  const stepped = new ReferencePosterior({ s0: 1, order: true });
  stepped.grow(6);
  const verdicts = Array.from({ length: 14 }, (_, n) => {
    const first = n % 6, second = (first + 1 + n % 5) % 6;
    return { first, second, score: world.verdict(first, second, n) };
  });
  for (const verdict of verdicts.slice(0, -2)) stepped.addWithoutStep(verdict);
  stepped.fit();
  for (const verdict of verdicts.slice(-2)) stepped.add(verdict);
  const near = stepped.scores();
  stepped.fit();
  const { mean, covariance } = stepped;
  assert.ok(stepped.scores().every((score, i) => Math.abs(score - (near[i] ?? 0)) < 0.05));
  const gradient = Array.from(mean, (x) => -x);
  const p = (first: number, second: number) =>
    1 / (1 + Math.exp((mean[second + 1] ?? 0) - (mean[first + 1] ?? 0) - (mean[0] ?? 0)));
  const hessian = Array.from(
    { length: 7 },
    (_, i) => Array.from({ length: 7 }, (_, j): number => i === j ? 1 : 0),
  );
  for (const { first, second, score } of verdicts) {
    const row = [1, 0, 0, 0, 0, 0, 0], q = p(first, second);
    row[first + 1] = 1;
    row[second + 1] = -1;
    for (const [i, x] of row.entries()) {
      gradient[i] = (gradient[i] ?? 0) + x * (score - q);
      const of = hessian[i] ?? [];
      for (const [j, y] of row.entries()) of[j] = (of[j] ?? 0) + x * y * q * (1 - q);
    }
  }
  assert.ok(gradient.every((slope) => Math.abs(slope) < 1e-9), `${gradient}`);
  for (const [i, row] of hessian.entries()) {
    for (let j = 0; j < 7; j++) {
      const product = row.reduce((sum, x, k) => sum + x * (covariance[k * 7 + j] ?? 0), 0);
      assert.ok(Math.abs(product - (i === j ? 1 : 0)) < 1e-6);
    }
  }
  assert.deepEqual([...mapScores(2, [{ first: 0, second: 1, score: 0.5 }], 1)], [0, 0]);
});

Deno.test("figures, tables and gates of a small run", () => {
  const names = ["b1.n40", "b2", "b3.SSRP", "b1.order.0", "b1.order.2", "calibration.1.2"];
  const scenarios = names.map((name) => scenarioOf(name, VOTES)), results = new Results();
  for (const { name } of scenarios) {
    for (const policy of ["reference_f8", "random_elo"]) {
      const job = { scenario: name, policy, from: 0, to: 2, firstReplay: 0, replays: 1, votes: VOTES };
      const { samples, seconds } = runJob(job);
      results.add(name, policy, 0, samples, seconds);
    }
  }
  const bench = new Bench(scenarios, results);
  bench.speeds.set("reference_f8", 12.5);
  const { baselines } = bench.figures(["reference_f8", "random_elo"]);
  const figures = baselines["reference_f8"];
  assert.ok(figures);
  assert.deepEqual(Object.keys(figures), ["b1", "b2", "b3", "callsTo70", "calibration", "speedMs"]);
  assert.deepEqual(Object.keys(figures.b1 ?? {}), ["n40", "order"]);
  assert.equal(figures.b1?.["n40"]?.p5.length, 3);
  assert.ok(Object.hasOwn(figures.b1?.["order"] ?? {}, "tauLoss"));
  assert.deepEqual(Object.keys(figures.b3?.auc ?? {}), ["SSRP"]);
  assert.match(gatesTable(bench, { top: "reference_f8", whole: "random_elo" }), /B1 N=40 P@5 +reference_f8/);
  const [first] = scenarios;
  assert.ok(first);
  assert.match(meansTable(first, ["reference_f8"], results), /p5 2N +p5 5N +p5 10N/);
});

Deno.test("a job is the same, whatever else runs", () => {
  const job = { scenario: "b1.growing", policy: "reference_f8", firstReplay: 0, replays: 1, votes: VOTES };
  const { samples } = runJob({ ...job, from: 0, to: 2 });
  assert.deepEqual(runJob({ ...job, from: 1, to: 2 }).samples, samples.slice(1));
});

Deno.test("an unknown policy is refused by name", () => {
  assert.throws(() => policyOf("luck"), /no policy luck; there are .*seed/);
});
