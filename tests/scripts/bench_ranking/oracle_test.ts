import assert from "node:assert/strict";
import { hashOf, mulberry32, normalOf, uniformOf } from "../../../scripts/bench/ranking/chance.ts";
import {
  BASE,
  fixedWorld,
  FROZEN,
  growingWorld,
  growth,
  simulationSeed,
} from "../../../scripts/bench/ranking/oracle.ts";

/** What the reference's own generator gives for repetition 1 at s = 1.2. */
const GOLDEN = [0.6022433591578601, 0.8173781089941146, -1.4241490842981046];

Deno.test("true qualities are the reference's, bit by bit", () => {
  const { truth } = fixedWorld(simulationSeed(1), 3, BASE);
  assert.deepEqual([...truth], GOLDEN);
  const stream = mulberry32(simulationSeed(1));
  assert.equal(1.2 * stream.normal(), GOLDEN[0]);
});

Deno.test("a verdict depends on seed, pair, order and repeat, and on nothing else", () => {
  const world = fixedWorld(1, 12, BASE), again = fixedWorld(1, 12, BASE), other = fixedWorld(2, 12, BASE);
  const ask = (of: typeof world, repeat: number) =>
    Array.from({ length: 132 }, (_, n) => of.verdict(n % 12, (n % 12 + 1 + n % 11) % 12, repeat));
  assert.deepEqual(ask(world, 0), ask(again, 0));
  assert.deepEqual(ask(world, 0), ask(world, 0));
  assert.notDeepEqual(ask(world, 0), ask(world, 1));
  assert.notDeepEqual(ask(world, 0), ask(other, 0));
});

Deno.test("the judge wins as often as its model says", () => {
  const world = fixedWorld(3, 2, BASE);
  const wins = Array.from({ length: 20_000 }, (_, repeat): number => world.verdict(0, 1, repeat))
    .reduce((sum, score) => sum + score, 0) / 20_000;
  const logit = (world.truth[0] ?? 0) - (world.truth[1] ?? 0) + 0.5;
  const expected = 0.025 + 0.95 / (1 + Math.exp(-logit));
  assert.ok(Math.abs(wins - expected) < 0.015, `${wins} against ${expected}`);
});

Deno.test("the frozen judge: 13 % of repeats go against the majority, 75 % of pairs keep their verdict when swapped", () => {
  let against = 0, kept = 0;
  const n = 2000, repeats = 21;
  for (let seed = 0; seed < n; seed++) {
    const world = fixedWorld(hashOf(seed), 2, FROZEN);
    let wins = 0;
    for (let repeat = 0; repeat < repeats; repeat++) wins += world.verdict(0, 1, repeat);
    against += Math.min(wins, repeats - wins) / repeats;
    if (world.verdict(0, 1, 0) !== world.verdict(1, 0, 1)) kept++;
  }
  assert.ok(Math.abs(against / n - 0.131) < 0.015, `${against / n}`);
  assert.ok(Math.abs(kept / n - 0.75) < 0.03, `${kept / n}`);
});

Deno.test("a growing pool: who joins when, and by how much later ones are better", () => {
  const world = growingWorld(1, growth(5), BASE), level = growingWorld(1, growth(5, 0), BASE);
  assert.deepEqual(world.arrivals.map(({ atCall }) => atCall), [0, 80, 120, 160, 200, 240, 280, 320, 360]);
  assert.equal(world.arrivals.reduce((sum, { count }) => sum + count, 0), 80);
  const ahead = [15, 16, 23, 24, 79].map((i) => ((world.truth[i] ?? 0) - (level.truth[i] ?? 0)) / 1.2);
  assert.deepEqual(ahead.map((by) => Math.round(by * 1000) / 1000), [0, 0.1, 0.1, 0.2, 0.8]);
});

Deno.test("hashed numbers are spread evenly", () => {
  const n = 20_000;
  const uniform = Array.from({ length: n }, (_, i) => uniformOf(1, i % 50, Math.floor(i / 50)));
  const normal = Array.from({ length: n }, (_, i) => normalOf(2, i % 50, Math.floor(i / 50)));
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  assert.ok(Math.abs(mean(uniform) - 0.5) < 0.01);
  assert.ok(Math.abs(mean(uniform.map((x) => (x - 0.5) ** 2)) - 1 / 12) < 0.003);
  assert.ok(Math.abs(mean(normal)) < 0.03);
  assert.ok(Math.abs(mean(normal.map((x) => x * x)) - 1) < 0.05);
  // Neighbours in either word have nothing to do with each other.
  const lagged = uniform.slice(1).map((x, i) => (x - 0.5) * ((uniform[i] ?? 0) - 0.5));
  assert.ok(Math.abs(mean(lagged)) < 0.003);
});
