// Each known fault of the seed's own code (pipeline.md, section 13.A to 13.D) with the test that it is not here. Where a
// fault has a whole file of tests (crash_test, budget_test, faults_test …) this one shows the gist under the fault's name.
import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { buildRequest } from "../../lib/llm/request.ts";
import { isKnownModel, modelRow } from "../../lib/llm/models.ts";
import { migrate } from "../../lib/store/migrate.ts";
import { Sql } from "../../lib/store/database.ts";
import { openDatabase } from "../../lib/store/driver.ts";
import { MIGRATIONS } from "../../lib/store/schema.ts";
import { Store } from "../../lib/store/store.ts";
import { assertNothingLost, type Opened, openSession } from "./support/sim_session.ts";

/** Settings under which a session has everything in it and is soon over. */
const BRISK = {
  run: { maxIdeas: 10, initialIdeas: 3, concurrency: 4 },
  evolution: { minMature: 4, everyMatches: 6 },
  metareview: { everyMatches: 12 },
  vectors: { dimensions: 256, reclusterEveryMatches: 5 },
} as const;

/** Tasks that ended, by action and mode or kind. */
function finished({ lab }: Opened): string[] {
  return lab.store.sql.all("SELECT action, payload FROM tasks").map((row) => {
    const payload: unknown = JSON.parse(String(row["payload"]));
    const detail = Object.entries(Object(payload)).find(([key]) => ["mode", "kind", "strategy"].includes(key))
      ?.[1];
    return `${row["action"]}${detail === undefined ? "" : ` ${detail}`}`;
  });
}

Deno.test("13.A1 no Elo update is lost: ratings are read and written in the commit, and the ledger gives them", async () => {
  await using opened = await openSession({ settings: { ...BRISK, run: { ...BRISK.run, concurrency: 16 } } });
  await opened.lab.runUntil({ matches: 60 });
  assertNothingLost(opened);
});

Deno.test("13.A2 no commit takes another's half with it: what throws in a transaction leaves nothing", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ matches: 5 });
  const { store } = opened.lab;
  const session = opened.lab.view().session.id;
  const before = opened.lab.view().seq;
  assert.throws(() =>
    store.commit(session, () => ({
      kind: "broken",
      author: "test",
      progress: 0,
      entries: [
        { kind: "hypothesisState", record: { hypothesisId: "hyp_x", state: "rejected", reason: "" } },
        {
          kind: "elo",
          record: {
            epoch: -1,
            matchId: "m",
            firstId: "a",
            secondId: "b",
            k: 1,
            weight: 1,
            score: 1,
            firstBefore: 0,
            secondBefore: 0,
            delta: 0,
          },
        },
      ],
    }))
  );
  assert.equal(opened.lab.view().seq, before);
  assert.equal(store.sql.all("SELECT * FROM hypothesis_states WHERE hypothesis_id = 'hyp_x'").length, 0);
  await opened.lab.runFor({ matches: 5 });
  assertNothingLost(opened);
});

Deno.test("13.A3 no match is an orphan: match and ledger are one commit, and a retry judges the same pair", async () => {
  await using opened = await openSession({
    settings: BRISK,
    rules: [{ fault: { kind: "status", status: 500 }, tool: "record_verdict", probability: 0.5, times: 60 }],
  });
  await opened.lab.runUntil({ matches: 12 });
  const view = opened.lab.view();
  for (const row of view.eloJournal) {
    assert.equal(view.matches.find((match) => match.id === row.matchId)?.seq, row.seq);
  }
  assertNothingLost(opened);
});

Deno.test("13.A4 no worker dies silently: an unexpected error ends the attempt, visibly", async () => {
  await using opened = await openSession({
    settings: BRISK,
    create: {
      fetch: () =>
        Promise.resolve(
          Object.defineProperty(new Response("{}"), "text", {
            value: () => Promise.reject(new RangeError("odd")),
          }),
        ),
    },
  });
  const run = await opened.lab.runUntil({});
  assert.equal(run.endedBy, "stopped");
  assert.ok(run.failures > 0);
  assert.ok(opened.lab.inspect().now.faults.length > 0);
  assert.equal(opened.lab.store.queue(opened.lab.view().session.id).counts(opened.clock.now()).inProgress, 0);
});

Deno.test("13.A5 follow-ups are part of the commit: no hypothesis without its review's task", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ hypotheses: 5 });
  const { sql } = opened.lab.store;
  for (const { record } of opened.lab.view().hypotheses) {
    const task = sql.get(
      "SELECT seq FROM tasks WHERE target_id = ? AND action = 'review' ORDER BY seq LIMIT 1",
      record.id,
    );
    assert.equal(task?.["seq"], record.seq, record.label);
  }
});

Deno.test("13.A6 no vector is lost, and check and insert are one commit: of two equal proposals one is a duplicate", async () => {
  await using opened = await openSession({
    settings: { ...BRISK, vectors: { ...BRISK.vectors, dedupCosineThreshold: 0.2 } },
  });
  await opened.lab.runUntil({});
  const view = opened.lab.view();
  assert.ok(view.duplicates.length > 0, "at this threshold most proposals repeat others");
  for (const { record } of view.hypotheses) {
    assert.ok(view.vector(record.id), `${record.label} has its vector`);
  }
});

Deno.test("13.A7 a migration that fails changes nothing and says so", () => {
  const sql = new Sql(openDatabase(":memory:"));
  migrate(sql, "test", 0);
  const broken = [...MIGRATIONS, {
    version: 99,
    name: "broken",
    sql: "CREATE TABLE fresh (a); ALTER TABLE sessions ADD COLUMN name TEXT;",
  }];
  assert.throws(() => migrate(sql, "test", 0, broken), /duplicate column/);
  assert.equal(sql.get("SELECT count(*) AS n FROM sqlite_master WHERE name = 'fresh'")?.["n"], 0);
  sql.close();
});

Deno.test("13.A8 a running supervisor takes back tasks whose lease ran out", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.tick();
  const session = opened.lab.view().session.id;
  const { store } = opened.lab;
  const stolen = store.claim(session, "own_gone", () => 1000, () => ({ kind: "none" }));
  assert.ok(stolen !== null);
  opened.clock.advance(5000);
  const run = await opened.lab.runUntil({ hypotheses: 3 });
  assert.equal(run.endedBy, "until");
  assert.ok(opened.lab.events().some((event) => event.type === "task_reclaimed"));
  assertNothingLost(opened);
});

Deno.test("13.B1 a default run is no three-idea toy: it grows to its cap, and evolves", async () => {
  await using opened = await openSession({
    settings: { run: { maxIdeas: 14 }, vectors: { dimensions: 256 } },
  });
  await opened.lab.runUntil({});
  const view = opened.lab.view();
  assert.equal(view.hypotheses.length, 14);
  assert.ok(view.hypotheses.some((standing) => standing.record.parents.length > 0));
});

Deno.test("13.B2 matches are not paced: with work to do the engine never sleeps", async () => {
  await using opened = await openSession({ settings: BRISK });
  const began = opened.clock.now();
  await opened.lab.runUntil({ matches: 20 });
  assert.equal(opened.clock.now(), began, "no time passes on a clock that only sleeping moves");
});

Deno.test("13.B3 a judge that gives no verdict ends in a stop, not in a spin", async () => {
  await using opened = await openSession({
    settings: BRISK,
    rules: [{ fault: { kind: "empty" }, tool: "record_verdict" }],
  });
  const run = await opened.lab.runUntil({});
  assert.equal(run.stop?.reason, "stalled");
  assert.ok(opened.server.billed().calls < 400);
});

Deno.test("13.B4 one slow review doesn't hold up the others", async () => {
  const slow = Promise.withResolvers<void>();
  let held = 0;
  const base = await openSession({ settings: BRISK });
  await base.lab.close();
  await using opened = await openSession({
    settings: BRISK,
    create: {
      fetch: async (input, init) => {
        if (held === 0 && String(init?.body).includes('"record_review"')) {
          held = 1;
          await slow.promise;
        }
        return await base.server.fetch(input, init);
      },
    },
  });
  const seen = opened.lab.subscribe();
  const handle = opened.lab.start({});
  for await (const event of seen) {
    if (event.type === "match_complete" && opened.lab.view().validMatches >= 8) break;
  }
  assert.equal(held, 1);
  const open = opened.lab.view().openTasks.filter(({ record }) => record.action === "review");
  assert.ok(open.length > 0, "the slow review is still open");
  slow.resolve();
  await handle.stop();
});

Deno.test("13.B5 maxIdeas holds with many workers, and evolution doesn't simplify the same one each time", async () => {
  await using opened = await openSession({
    settings: { ...BRISK, run: { maxIdeas: 16, initialIdeas: 3, concurrency: 16 } },
  });
  await opened.lab.runUntil({});
  const view = opened.lab.view();
  assert.ok(view.hypotheses.length <= 16);
  const simplified = view.hypotheses.filter((s) => s.record.strategy === "simplify").map((s) =>
    s.record.parents.join()
  );
  assert.equal(new Set(simplified).size, simplified.length);
});

Deno.test("13.B6 clusters are renewed when a multiple is passed, and they are used: twins are folded under their best", async () => {
  await using opened = await openSession({
    settings: { ...BRISK, vectors: { ...BRISK.vectors, clusterThreshold: 0.9 } },
  });
  await opened.lab.runUntil({ matches: 14 });
  const view = opened.lab.view();
  assert.ok((view.proximity?.clusters.length ?? 0) > 0);
  const folded = view.leaderboard.filter((standing) => standing.foldedUnder !== null);
  assert.ok(folded.length > 0);
  for (const standing of folded) {
    assert.ok(!view.drawable.includes(standing));
    const best = view.hypothesis(standing.foldedUnder ?? "");
    assert.ok(best !== undefined && (best.strength ?? NaN) >= (standing.strength ?? NaN));
  }
});

Deno.test("13.B7 system feedback reaches the next generation and evolution", async () => {
  await using opened = await openSession({
    settings: {
      ...BRISK,
      run: { maxIdeas: 16, initialIdeas: 3, concurrency: 1 },
      metareview: { everyMatches: 6 },
    },
  });
  await opened.lab.runUntil({});
  const { sql } = opened.lab.store;
  const first = opened.lab.view().feedback[0];
  assert.ok(first !== undefined);
  const after = sql.all(
    "SELECT route, request FROM transcripts WHERE seq > ? AND (route LIKE 'generation.%' OR route LIKE 'evolution.%')",
    first.seq,
  );
  assert.ok(after.length > 0);
  for (const call of after) assert.match(String(call["request"]), /<FEEDBACK label=/, String(call["route"]));
});

Deno.test("13.B8 verification, observation, debate generation and feasibility are all scheduled", async () => {
  await using opened = await openSession({ settings: { ...BRISK, run: { ...BRISK.run, maxIdeas: 16 } } });
  await opened.lab.runUntil({});
  const done = new Set(finished(opened));
  for (
    const work of [
      "generate literature",
      "generate debate",
      "review full",
      "review verification",
      "review observation",
      "match",
      "evolve combine",
      "evolve simplify",
      "evolve out_of_box",
      "evolve feasibility",
      "system_feedback",
    ]
  ) assert.ok(done.has(work), work);
});

Deno.test("13.B9 a disproved hypothesis stays out of the tournament, visibly", async () => {
  const disproving = await openSession({ settings: BRISK });
  await disproving.lab.close();
  await using opened = await openSession({
    settings: BRISK,
    create: {
      fetch: async (input, init) => {
        const response = await disproving.server.fetch(input, init);
        const text = await response.text();
        const changed = text.replace(
          /"verdict":"(?:neutral|missing_piece|already_explained|other_more_likely)"/,
          '"verdict":"disproved"',
        );
        return new Response(changed, { status: response.status, headers: response.headers });
      },
    },
  });
  const run = await opened.lab.runUntil({});
  const view = opened.lab.view();
  assert.ok(view.hypotheses.length > 0);
  assert.ok(view.hypotheses.every((standing) => standing.state === "disproved"));
  assert.equal(view.leaderboard.length, 0);
  assert.equal(opened.lab.inspect().outside.length, view.hypotheses.length);
  assert.notEqual(run.endedBy, "until");
});

Deno.test("13.C1 a paused session runs on after resume", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ hypotheses: 2 });
  opened.lab.pause();
  const refused = await opened.lab.runUntil({ matches: 3 });
  assert.equal(refused.endedBy, "paused");
  opened.lab.resume();
  const run = await opened.lab.runUntil({ matches: 3 });
  assert.equal(run.endedBy, "until");
});

Deno.test("13.C2 abort calls no model, and the session ends as aborted", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ matches: 3 });
  const calls = opened.server.billed().calls;
  opened.lab.abort();
  assert.equal(opened.lab.view().status, "aborted");
  await assert.rejects(opened.lab.finish(), /aborted/);
  await assert.rejects(opened.lab.runUntil({}), /reopen/);
  assert.equal(opened.server.billed().calls, calls);
});

Deno.test("13.C3 going on after finish destroys no report: overviews are versions", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ matches: 4 });
  const first = await opened.lab.finish();
  opened.lab.reopen();
  await opened.lab.runFor({ matches: 4 });
  const second = await opened.lab.finish();
  assert.equal(second.version, first.version + 1);
  assert.deepEqual(opened.lab.view().overviews.map(({ markdown }) => markdown), [
    first.markdown,
    second.markdown,
  ]);
});

Deno.test("13.C4 a new handle knows what was spent and how the leaders moved", async () => {
  const folder = await Deno.makeTempDir();
  const store = `${folder}/s.db`;
  const settings = { ...BRISK, termination: { topKPrecision: 0, minMatches: 1000 } };
  const one = await openSession({ settings, create: { store } });
  await one.lab.runUntil({ matches: 25 });
  const before = one.lab.inspect();
  const snapshots = one.lab.view().eloSnapshots;
  await one.lab.close();
  await using two = await openSession({ settings, create: { store } });
  assert.equal(two.lab.inspect().now.spentUsd, before.now.spentUsd);
  assert.deepEqual(two.lab.view().eloSnapshots, snapshots);
  assert.ok(snapshots.length >= 2);
  await two.lab.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("13.C5 a killed process leaves nothing running: the next handle goes on at once", async () => {
  const folder = await Deno.makeTempDir();
  const store = `${folder}/s.db`;
  const one = await openSession({ settings: BRISK, create: { store } });
  await one.lab.tick();
  await one.lab.close();
  const dead = new Store({ database: store });
  const session = dead.sessions()[0]?.id ?? "";
  assert.ok(
    dead.claim(session, "own_of_a_killed_process", () => 3_600_000, () => ({ kind: "none" })) !== null,
  );
  dead.close();
  await using two = await openSession({ settings: BRISK, create: { store } });
  const run = await two.lab.runUntil({ hypotheses: 3 });
  assert.equal(run.endedBy, "until");
  assertNothingLost(two);
  await two.lab.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("13.C6 wall clock stands still while paused", async () => {
  await using opened = await openSession({ settings: BRISK });
  await opened.lab.runUntil({ hypotheses: 2 });
  opened.lab.pause();
  const ran = opened.lab.inspect().now.ranSeconds;
  opened.clock.advance(10 * 3600 * 1000);
  opened.lab.resume();
  const run = await opened.lab.runUntil({ matches: 2 });
  assert.equal(run.endedBy, "until");
  assert.ok(opened.lab.inspect().now.ranSeconds - ran < 60);
});

Deno.test("13.D1 two dollars and three ideas give ranked hypotheses and a model's overview", async () => {
  await using opened = await openSession({
    settings: { run: { maxIdeas: 3, initialIdeas: 3, budgetUsd: 2 } },
  });
  await opened.lab.runUntil({});
  const overview = await opened.lab.finish();
  assert.equal(overview.source, "model");
  assert.ok(opened.lab.view().leaderboard.length >= 2);
  assert.ok(opened.lab.view().validMatches > 0);
  assert.ok(opened.server.billed().microUsd <= 2e6);
});

Deno.test("13.D2 thirty cents end in a model's overview", async () => {
  await using opened = await openSession({ settings: { run: { budgetUsd: 0.3 } } });
  await opened.lab.runUntil({});
  assert.equal((await opened.lab.finish()).source, "model");
  assert.ok(opened.server.billed().microUsd <= 0.3e6);
});

Deno.test("13.D3 a refusal for money burns no attempt", async () => {
  await using opened = await openSession({ settings: { run: { budgetUsd: 0.3 } } });
  const run = await opened.lab.runUntil({});
  assert.equal(run.stop?.reason, "budget");
  assert.equal(opened.lab.view().deadTasks.length, 0);
  assert.ok(opened.lab.view().openTasks.every((task) => task.attempts === 0));
});

Deno.test("13.D4 the budget stop is reached, and a raised limit lets the session go on", async () => {
  await using opened = await openSession({ settings: { ...BRISK, run: { ...BRISK.run, budgetUsd: 1.2 } } });
  assert.equal((await opened.lab.runUntil({})).stop?.reason, "budget");
  const matches = opened.lab.view().validMatches;
  opened.lab.configure({ run: { budgetUsd: 6 } });
  await opened.lab.runFor({ matches: 3 });
  assert.ok(opened.lab.view().validMatches > matches);
});

Deno.test("13.D5 money is kept for the report", async () => {
  await using opened = await openSession({ settings: { ...BRISK, run: { ...BRISK.run, budgetUsd: 1.2 } } });
  await opened.lab.runUntil({});
  assert.equal((await opened.lab.finish()).source, "model");
});

Deno.test("13.D6 max_tokens always leaves room for thinking", () => {
  for (const [route, thinkingTokens] of Object.entries(DEFAULT_SETTINGS.thinking)) {
    for (const model of ["claude-opus-4-7", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"]) {
      const { request } = buildRequest(
        {
          route: "evolution.combine",
          model,
          maxTokens: 4096,
          thinkingTokens,
          system: [],
          turns: [],
          tools: [],
          force: null,
          growing: false,
        },
        modelRow(model),
        DEFAULT_SETTINGS.efforts,
      );
      const { thinking } = request;
      if (thinking?.type === "enabled") {
        assert.ok(thinking.budget_tokens < request.max_tokens, `${route} ${model}`);
      }
    }
  }
});

Deno.test("13.D7 an answer that its limit cut off is asked for again with more room", async () => {
  await using opened = await openSession({
    settings: BRISK,
    rules: [{ fault: { kind: "truncated_tool" }, tool: "record_hypothesis", times: 1 }],
  });
  await opened.lab.runUntil({ hypotheses: 3 });
  assert.equal(opened.lab.view().hypotheses.length, 3);
  assert.ok(opened.lab.inspect().now.faults.length > 0, "the fault is visible");
});

Deno.test("13.D8 prices go by exact ids: no model is priced by a word in another's name", () => {
  assert.ok(isKnownModel("gemini-3-pro"));
  assert.equal(modelRow("gemini-9-pro").price, null);
  assert.equal(modelRow("my-mini-model").price, null);
});
