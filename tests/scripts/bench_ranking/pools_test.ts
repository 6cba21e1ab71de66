import assert from "node:assert/strict";
import { join } from "node:path";
import { readReplicationProjects, replicationWorld } from "../../../scripts/bench/ranking/replication.ts";
import { VOTES } from "../../../scripts/bench/ranking/scenarios.ts";
import { readVotePools, voteWorld } from "../../../scripts/bench/ranking/votes.ts";

Deno.test("the pools of votes are complete", () => {
  const pools = readVotePools(VOTES);
  assert.equal(pools.length, 22);
  for (const { size, pairs } of pools) {
    assert.equal(pairs.length, size * (size - 1) / 2);
    assert.ok(pairs.every(({ votes }) => votes.length >= 4));
  }
});

Deno.test("a replay of votes: each that doesn't define the truth answers once, whoever is shown first", () => {
  const [pool] = readVotePools(VOTES);
  assert.ok(pool);
  const world = voteWorld(pool, 0);
  for (const { low, high, votes } of pool.pairs.slice(0, 40)) {
    const left = votes.length - 2;
    const asked = Array.from({ length: left }, (_, repeat): number => world.verdict(low, high, repeat));
    assert.deepEqual(
      asked.map((score) => 1 - score),
      asked.map((_, repeat) => world.verdict(high, low, repeat)),
    );
    // What is left is part of the votes.
    const all: number[] = [...votes];
    for (const score of asked) all.splice(all.indexOf(score), 1);
    assert.equal(all.length, 2);
    assert.equal(world.verdict(low, high, left), asked[0]);
  }
  assert.notDeepEqual(voteWorld(pool, 1).truth, world.truth);
  assert.deepEqual(voteWorld(pool, 0).truth, world.truth);
});

Deno.test("a file without the columns, or with no number in one, is refused", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const file = join(folder, "votes.csv");
    Deno.writeTextFileSync(file, "pool,a,b,win_a\n0,0,1,3\n");
    assert.throws(() => readVotePools(file), /no column win_b, equal/);
    Deno.writeTextFileSync(file, "pool,a,b,win_a,win_b,equal\n0,0,1,three,0,0\n");
    assert.throws(() => readVotePools(file), /win_a is "three", not a number/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("a replay of a replication project: one half judges, the other is the truth", () => {
  const projects = readReplicationProjects(join(VOTES, ".."));
  assert.deepEqual(projects.map(({ name, replicated }) => [name, replicated.length]), [
    ["RPP", 40],
    ["EERP", 18],
    ["SSRP", 21],
    ["ML2", 24],
  ]);
  for (const project of projects) {
    const world = replicationWorld(project, 0);
    assert.ok(world.truth.every((belief) => belief >= 0 && belief <= 1));
    assert.equal(world.verdict(0, 1, 0) + world.verdict(1, 0, 0), 1);
    assert.notDeepEqual(replicationWorld(project, 1).truth, world.truth);
  }
});
