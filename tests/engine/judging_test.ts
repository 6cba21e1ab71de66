/** Matches judged by groups, in both orders and by a panel, end to end: offline, by many workers, through crashes. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import { groupsOf, placingOf } from "../../lib/tournament/placings.ts";
import type { Supervisor } from "../../mod.ts";
import { child } from "./support/children.ts";
import { assertFinished, assertLedger, assertSound } from "./support/invariants.ts";
import { enter, small, type Wire, wire, withStore } from "./support/session.ts";
import { assertNothingLost, openSession } from "./support/sim_session.ts";

/** Sure of the best or not, a session goes on: these tests are about how it judges. */
const UNSETTLED = { topKPrecision: 0 } as const;
const NO_DEBATE = { debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 } as const;

for (const concurrency of [1, 8]) {
  Deno.test(`a session that judges four at once runs to its end, finishes and stays zero-sum (${concurrency} workers)`, async () => {
    await using session = await openSession({
      seed: `groups ${concurrency}`,
      settings: {
        run: { maxIdeas: 8, concurrency },
        // Only newcomers are debated: among so few, ratings are close for long, and a debate is always of two.
        ranking: { judgedAtOnce: 4, debateWhenEloDeltaLt: 0 },
        termination: UNSETTLED,
      },
      simulator: { latencyMs: (call) => 100 + (call * 7919) % 900 },
      create: { budget: { usd: 100 } },
    });
    const { lab } = session;
    const run = await lab.runUntil();
    assert.ok(["elo_stable", "top_k_settled", "idle"].includes(run.stop?.reason ?? ""), run.stop?.note);
    assertNothingLost(session);
    const view = lab.view();
    const groups = groupsOf(view.matches);
    assert.ok(groups.size > 2, `${groups.size} groups`);
    assert.ok(view.matches.some(({ mode }) => mode === "debate"), "debates stay debates");
    assert.ok(view.matches.every(({ mode, group }) => (mode === "kwise") === (group !== null)));
    for (const [group, matches] of groups) {
      const placing = placingOf(matches);
      assert.ok(placing !== null && placing.ids.length >= 3 && placing.ids.length <= 4, group);
      assert.ok(matches.every(({ weight }) => weight === 2 / placing.ids.length));
      assert.equal(new Set(matches.map(({ seq }) => seq)).size, 1, "one commit");
    }
    const { maxMatchesPerPair } = view.settings.ranking;
    for (const [i, a] of view.hypotheses.entries()) {
      for (const b of view.hypotheses.slice(i + 1)) {
        assert.ok(view.met(a.record.id, b.record.id).total <= maxMatchesPerPair);
      }
    }
    assert.ok(view.validMatches <= view.settings.run.maxMatchesPerIdea * view.leaderboard.length);
    assert.ok(view.endedTasks.done > 0 && view.fruitless < view.settings.termination.stallAfter);
    const calls = readTranscripts(lab.store.sql, view.session.id);
    const asked = calls.filter(({ prompt }) => prompt === "ranking.kwise");
    assert.ok(asked.length >= groups.size && asked.every(({ route }) => route === "ranking.pairwise"));
    const [, members = []] = [...groups].at(-1) ?? [];
    const card = lab.inspect(members[0]?.label ?? "");
    const shown = card.toString();
    assert.match(shown, /Ranking: H\d+ > H\d+ > H\d+/);
    await lab.finish();
    assert.equal(lab.view().status, "done");
    assert.equal(lab.view().overviews.at(-1)?.source, "model");
  });
}

Deno.test("maxMatchesPerIdea is no more passed by groups than by pairs, and no task comes away empty", async () => {
  await using session = await openSession({
    seed: "a",
    settings: {
      run: { maxIdeas: 7, concurrency: 8, maxMatchesPerIdea: 3, keptForEvolution: 0 },
      ranking: { judgedAtOnce: 6, ...NO_DEBATE },
      termination: { eloStabilityN: 1000, ...UNSETTLED },
    },
    simulator: { latencyMs: 50 },
  });
  const { lab } = session;
  await lab.runUntil();
  assertNothingLost(session);
  const view = lab.view();
  assert.equal(view.leaderboard.length, 7, "nobody left, who would take matches off the limit");
  assert.ok(
    view.validMatches > 0 && view.validMatches <= 3 * view.leaderboard.length,
    `${view.validMatches}`,
  );
  assert.equal(
    lab.events().filter(({ type, payload }) =>
      type === "task_completed" && payload["action"] === "match" &&
      String(payload["result"]).startsWith("Each pair")
    ).length,
    0,
  );
});

Deno.test("a ranking in prose is read; a wrong one is sent back once, and is invalid the second time", async () => {
  const settings = {
    run: { maxIdeas: 6, concurrency: 1 },
    ranking: { judgedAtOnce: 4, ...NO_DEBATE },
    thinking: { "ranking.pairwise": 0 },
    termination: UNSETTLED,
  };
  const played = async (kind: "prose_instead_of_tool" | "wrong_arguments", times: number) => {
    await using session = await openSession({
      seed: "prose",
      settings,
      rules: [{ fault: { kind }, step: "ranking.kwise", times }],
    });
    await session.lab.runUntil({ matches: 12 });
    assertNothingLost(session);
    const { matches } = session.lab.view();
    const calls = session.server.requests().filter(({ step }) => step === "ranking.kwise").length;
    return { matches, groups: groupsOf(matches).size, calls };
  };
  const prose = await played("prose_instead_of_tool", 1000);
  assert.ok(prose.matches.every(({ verdict }) => verdict !== "invalid") && prose.groups > 1);
  assert.equal(prose.calls, prose.groups, "read at once");
  const corrected = await played("wrong_arguments", 1);
  assert.ok(corrected.matches.every(({ verdict }) => verdict !== "invalid"));
  assert.equal(corrected.calls, corrected.groups + 1);
  const wrong = await played("wrong_arguments", 2);
  const [first] = wrong.matches.filter(({ mode }) => mode === "kwise");
  assert.deepEqual([first?.mode, first?.verdict, first?.judge], ["kwise", "invalid", null]);
  assert.equal(wrong.matches.filter(({ group }) => group === first?.group).length, 1);
});

Deno.test("a total of matches is reached, and passed by less than one group", async () => {
  await using session = await openSession({
    seed: "totals",
    settings: {
      run: { maxIdeas: 10, concurrency: 4 },
      ranking: { judgedAtOnce: 4, ...NO_DEBATE },
      termination: UNSETTLED,
    },
    simulator: { latencyMs: 20 },
  });
  const run = await session.lab.runUntil({ matches: 20 });
  assert.equal(run.endedBy, "until");
  const { validMatches } = session.lab.view();
  assert.ok(validMatches >= 20 && validMatches < 26, `${validMatches} matches`);
});

Deno.test("in both orders a judge who only goes by the place gives nothing but ties, at two calls a match", async () => {
  await using session = await openSession({
    seed: "both",
    settings: { run: { maxIdeas: 5, concurrency: 1 }, ranking: { order: "both" }, termination: UNSETTLED },
    simulator: { judge: { sharpness: 0, noise: 0, lengthBias: 0, positionBias: 50 } },
  });
  const { lab, server } = session;
  await lab.runUntil({ matches: 12 });
  assertNothingLost(session);
  const { matches, leaderboard } = lab.view();
  // Where the two are all but equal, the simulated judge tosses a coin for a tie.
  const decided = matches.filter(({ bothOrders }) => bothOrders?.every((verdict) => verdict !== "tie"));
  assert.ok(decided.length > 5);
  assert.ok(
    decided.every(({ verdict, bothOrders }) => verdict === "tie" && bothOrders?.join() === "first,second"),
  );
  assert.ok(leaderboard.every(({ elo }) => Math.abs(elo - 1200) < 1), "places alone move nobody");
  const steps = server.requests().map(({ step }) => step);
  const verdicts = steps.filter((step) => step === "ranking.pairwise" || step === "ranking.debate").length;
  assert.equal(verdicts, 2 * matches.length);
  const debates = matches.filter(({ mode }) => mode === "debate").length;
  assert.equal(steps.filter((step) => step === "ranking.debate.turn").length, 2 * debates, "one debate each");
});

Deno.test("a panel judges in rotation, whoever is quicker, and each match says who really judged", async () => {
  const panel = ["claude-opus-4-7", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"];
  await using session = await openSession({
    seed: "panel",
    settings: { run: { maxIdeas: 8, concurrency: 8 }, ranking: { panel }, termination: UNSETTLED },
    // One of them is down for good: the next of its family answers in its stead.
    rules: [{
      fault: { kind: "status", status: 404 },
      model: "claude-opus-4-7",
      step: "ranking.pairwise",
    }],
    simulator: { latencyMs: (call) => 10 + (call * 7919) % 500 },
    create: { budget: { usd: 100 } },
  });
  const { lab } = session;
  await lab.runUntil({ matches: 30 });
  assertNothingLost(session);
  const { matches } = lab.view();
  const turns = panel.map((member) => matches.filter(({ panelist }) => panelist === member).length);
  assert.ok(Math.max(...turns) - Math.min(...turns) <= 1, turns.join());
  for (const { panelist, judge, mode } of matches) {
    const down = panelist === "claude-opus-4-7" && mode === "pairwise";
    assert.equal(judge, down ? "claude-sonnet-4-6" : panelist);
  }
  assert.ok(matches.some(({ judge, panelist }) => judge !== panelist));
  // The speeches of a debate are the route's own model's.
  const calls = readTranscripts(lab.store.sql, lab.view().session.id);
  const speakers = new Set(
    calls.filter(({ prompt }) => prompt === "ranking.debate.turn").map(({ model }) => model),
  );
  assert.deepEqual([...speakers], [lab.view().settings.models["ranking.debate"]]);
  const stoodIn = matches.find(({ judge, panelist }) => judge !== panelist);
  assert.match(
    String(lab.inspect(stoodIn?.label ?? "")),
    /sonnet-4-6 in the stead of claude-opus-4-7 of the panel/,
  );
});

/** A small session whose matches take two verdicts each. */
const BOTH: SettingsPatch = {
  ranking: { order: "both" },
  termination: { matchSnapshotEvery: 3, ...UNSETTLED },
};

function canonicalOf(lab: Supervisor): string {
  return canonicalExport(lab.store, lab.view().session.id);
}

/** The numbers of the calls that are the second verdict of a match, of a run that is never cut short. */
function secondVerdicts({ simulator }: Wire): number[] {
  const verdicts = simulator.requests().filter(({ step }) =>
    step === "ranking.pairwise" || step === "ranking.debate"
  );
  return verdicts.flatMap(({ call }, i) => (i % 2 === 1 ? [call] : []));
}

Deno.test("killed between the two verdicts of a match: taken up, the first is not paid again, and nothing differs", async () => {
  let reference = "", seconds: number[] = [];
  await withStore(async (store) => {
    const over = wire();
    const lab = await enter(store, { settings: small(1, BOTH), over });
    await lab.runUntil();
    await lab.finish();
    assert.ok(lab.view().matches.every(({ bothOrders }) => bothOrders !== null));
    reference = canonicalOf(lab);
    seconds = secondVerdicts(over);
    await lab.close();
  });
  for (const n of [seconds[0], seconds.at(-1)]) {
    await withStore(async (store, folder) => {
      const kill = { at: "send", n: n ?? 0 } as const;
      const given = { store, concurrency: 1, finish: true, latencyMs: 0, kill, settings: BOTH };
      const dead = await child(given, folder);
      assert.ok(dead.killed, dead.stderr);
      assert.equal(dead.sent.length, (n ?? 0) - 1, "the first verdict was answered, the second not sent");
      const over = wire();
      const lab = await enter(store, { settings: small(1, BOTH), over });
      await lab.runUntil();
      await lab.finish();
      assertSound(lab);
      assertFinished(lab);
      assertLedger(lab);
      assert.deepEqual(over.sent.filter((key) => dead.sent.includes(key)), [], "nothing was paid again");
      assert.equal(canonicalOf(lab), reference);
      await lab.close();
    });
  }
});

Deno.test("two runs of a session that judges by groups and a panel are the same, record by record", async () => {
  const settings: SettingsPatch = {
    run: { maxIdeas: 6, concurrency: 1 },
    termination: UNSETTLED,
    ranking: { ...NO_DEBATE, judgedAtOnce: 5, panel: ["claude-sonnet-4-6", "claude-haiku-4-5-20251001"] },
  };
  const exports: string[] = [];
  for (let i = 0; i < 2; i++) {
    await using session = await openSession({ seed: "again", settings });
    await session.lab.runUntil({ matches: 30 });
    exports.push(canonicalOf(session.lab));
  }
  assert.equal(exports[0], exports[1]);
  assert.match(exports[0] ?? "", /"mode":"kwise"/);
  assert.match(exports[0] ?? "", /"panelist":"claude-haiku-4-5-20251001"/);
});
