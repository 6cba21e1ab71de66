/** Ranking again: what is shown is what applying gives, bit by bit; what is wrong is refused before anything is written. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { rankingNow } from "../../lib/engine/rerating.ts";
import type { Placed } from "../../lib/engine/rerating.ts";
import { sweepLayout } from "../../lib/notebook/plots/rating_sweep.ts";
import { replay } from "../../lib/tournament/elo.ts";
import type { Supervisor } from "../../mod.ts";
import { openSession } from "../engine/support/sim_session.ts";
import { assertRefused, writesOf } from "./support.ts";

const SETTINGS: SettingsPatch = {
  run: { maxIdeas: 9, initialIdeas: 6, keptForEvolution: 0, concurrency: 1 },
  ranking: { topK: 3, maxMatchesPerPair: 4 },
  termination: { topKPrecision: 0, minMatches: 1000 },
  reflection: { verifyTop: 0 },
};

async function played(matches: number, more: SettingsPatch["ranking"] = {}) {
  const session = await openSession({
    seed: "rerate",
    settings: { ...SETTINGS, ranking: { ...SETTINGS.ranking, ...more } },
    create: { budget: { usd: 100 } },
  });
  await session.lab.runUntil({ matches });
  return session;
}

/** The ranking as the view says it now, computed at one go. */
function boardOf(lab: Supervisor): { label: string; at: Placed }[] {
  const steps = rankingNow(lab.view());
  for (;;) {
    const next = steps.next();
    if (next.done !== true) continue;
    return next.value.players.map(({ id: _, label, title: __, ...at }) => ({ label, at }));
  }
}

function assertEloWhole(lab: Supervisor): void {
  const view = lab.view(), { eloInitial } = view.settings.ranking;
  const ratings = replay(view.eloJournal, eloInitial);
  for (const { record, elo } of view.hypotheses) {
    assert.equal(elo, ratings.get(record.id) ?? eloInitial, record.label);
  }
  const sum = view.hypotheses.reduce((total, { elo }) => total + elo, 0);
  assert.ok(Math.abs(sum - eloInitial * view.hypotheses.length) < 1e-6, `${sum}`);
  assert.ok(view.eloJournal.every(({ epoch }) => epoch === view.epoch));
}

Deno.test("a look at other settings shows both rankings and writes nothing", async () => {
  await using session = await played(24);
  const { lab } = session;
  const before = writesOf(lab), calls = session.server.requests().length;
  const board = boardOf(lab);
  const look = await lab.rerate({ kFactorNew: 64, priorWidth: 0.4 });
  assert.deepEqual(writesOf(lab), before);
  assert.equal(session.server.requests().length, calls, "no model call");
  assert.equal(look.applied, null);
  assert.deepEqual(
    look.rows.map(({ label, before: at }) => ({ label, at })).sort((a, b) =>
      (a.at.place ?? 99) - (b.at.place ?? 99)
    ),
    board.sort((a, b) => (a.at.place ?? 99) - (b.at.place ?? 99)),
    "the left side is the board as it stands",
  );
  assert.ok(
    look.rows.some((row) => row.before.elo !== row.after.elo && row.before.rating !== row.after.rating),
  );
  assert.ok(look.tau.board !== null && look.tau.board <= 1 && look.tau.elo !== null);
  assert.deepEqual(look.counted, { before: lab.view().validMatches, after: lab.view().validMatches });
  assert.match(String(look), /a look[^]*Kendall's tau[^]*kFactorNew\s+32 → 64/);
  assert.match(JSON.stringify(look), /"topK"/);
});

Deno.test("nothing asked and nothing changed: the replay gives the board as it stands, and there is nothing to apply", async () => {
  await using session = await played(16);
  const { lab } = session;
  const look = await lab.rerate();
  for (const { label, before, after } of look.rows) assert.deepEqual(after, before, label);
  assert.equal(look.moved, 0);
  assert.ok(look.tau.board === 1 && look.tau.elo === 1);
  const writes = writesOf(lab);
  await assertRefused(() => lab.rerate({ apply: true }), { code: "state", says: ["nothing to apply"] });
  assert.deepEqual(writesOf(lab), writes);
});

Deno.test("applied, both ratings are bit by bit what was shown; the epoch's journal gives them; undo brings the old ones back", async () => {
  await using session = await played(30);
  const { lab } = session;
  const old = boardOf(lab);
  const options = {
    kFactorNew: 64,
    priorWidth: 0.5,
    exclude: ["M3", { after: lab.view().matches[20]?.seq ?? 0 }],
    weights: [{ author: "model", mode: "debate", weight: 2 }],
  } as const;
  const look = await lab.rerate(options);
  const made = await lab.rerate({ ...options, apply: true, author: "Ada" });
  assert.deepEqual(made.rows, look.rows);
  assert.deepEqual(boardOf(lab), look.rows.map(({ label, after: at }) => ({ label, at })));
  assertEloWhole(lab);
  const view = lab.view();
  assert.equal(view.epoch, 1);
  assert.equal(view.eloJournal.length, look.counted.after);
  assert.equal(view.settings.ranking.kFactorNew, 64);
  assert.deepEqual(
    view.revisions.map(({ kind, target, author }) => [kind, target, author]),
    [
      ["configure", "ranking.priorWidth", "Ada"],
      ["configure", "ranking.kFactorNew", "Ada"],
      ["rating", "epoch 1", "Ada"],
    ].sort((a, b) => Number(a[0] === "rating") - Number(b[0] === "rating")),
  );
  assert.deepEqual(made.applied?.revisions, ["R1", "R2", "R3"]);
  assert.ok(lab.events().some(({ type }) => type === "rated_anew"));
  // The same, read from the file anew.
  const again = lab.store.view(view.session.id, view.seq - 1);
  assert.equal(again.epoch, 0);
  lab.undo();
  assert.deepEqual(boardOf(lab), old);
  assert.equal(lab.view().epoch, 2);
  assertEloWhole(lab);
  // Play goes on from there.
  await lab.runFor({ matches: 2 });
  assertEloWhole(lab);
});

Deno.test("a K that was changed between matches holds for all once they are rated anew; undo puts Elo back too", async () => {
  await using session = await played(12);
  const { lab } = session;
  const old = boardOf(lab);
  await lab.rerate({ kFactorNew: 48, apply: true });
  assert.ok(lab.view().eloJournal.every(({ k }) => k === 48 || k === 16));
  assert.notDeepEqual(boardOf(lab), old);
  lab.undo();
  assert.deepEqual(boardOf(lab), old);
});

Deno.test("an excluded hypothesis stays on the board unrated, and its matches move nobody", async () => {
  await using session = await played(24);
  const { lab } = session;
  const [leader] = lab.view().leaderboard;
  assert.ok(leader !== undefined);
  const { label, id } = leader.record;
  const made = await lab.rerate({ exclude: label, apply: true });
  const row = made.rows.find((each) => each.label === label);
  assert.deepEqual([row?.after.elo, row?.after.matches], [1200, 0]);
  assert.equal(lab.view().hypothesis(id)?.state, "in_tournament");
  assert.ok(lab.view().counted.every(({ firstId, secondId }) => firstId !== id && secondId !== id));
  assert.match(String(made), new RegExp(`${label} .*unrated`));
  assertEloWhole(lab);
});

Deno.test("what is left of a ranked group counts pair by pair, in both ratings", async () => {
  await using session = await openSession({
    seed: "groups",
    settings: {
      ...SETTINGS,
      ranking: { ...SETTINGS.ranking, judgedAtOnce: 4, debateWhenMatchesLt: 0, debateWhenEloDeltaLt: 0 },
    },
    create: { budget: { usd: 100 } },
  });
  const { lab } = session;
  await lab.runUntil({ matches: 12 });
  const view = lab.view();
  const [match] = view.matches.filter(({ group, verdict }) => group !== null && verdict !== "invalid");
  assert.ok(match !== undefined);
  const look = await lab.rerate({ exclude: match.label });
  assert.equal(look.counted.after, look.counted.before - 1);
  const moved = look.rows.filter(({ before, after }) => before.rating !== after.rating);
  assert.ok(moved.length > 0);
  // Left out altogether, the group would say nothing of the others; pair by pair it still does.
  const whole = await lab.rerate({
    exclude: view.matches.filter(({ group }) => group === match.group).map(({ label }) => label),
  });
  assert.notDeepEqual(
    look.rows.map(({ label, after }) => [label, after.rating]).sort(),
    whole.rows.map(({ label, after }) => [label, after.rating]).sort(),
  );
  await lab.rerate({ exclude: match.label, apply: true });
  assert.deepEqual(boardOf(lab), look.rows.map(({ label, after: at }) => ({ label, at })));
});

Deno.test("a match that a person weighs otherwise counts so; weight 1 takes an exclusion back", async () => {
  await using session = await played(16);
  const { lab } = session;
  await lab.rerate({ exclude: ["M1", "M2"], apply: true });
  assert.equal(lab.view().counted.length, lab.view().validMatches - 2);
  await lab.rerate({ weights: { matches: ["M1", "M2"], weight: 1 }, apply: true });
  assert.equal(lab.view().counted.length, lab.view().validMatches);
  assert.equal(lab.view().marked("weight", lab.view().matches[0]?.id ?? ""), null);
  await lab.rerate({ weights: [{ matches: "M1", weight: 3 }], apply: true });
  assert.equal(lab.view().eloJournal.find(({ matchId }) => matchId === lab.view().matches[0]?.id)?.weight, 3);
  assertEloWhole(lab);
});

Deno.test("a rating that goes on beside a run is of one commit, and applies to what there is by then", async () => {
  await using session = await played(10);
  const { lab } = session;
  const run = lab.start({ matches: 30 });
  const look = await lab.rerate({ kFactorNew: 64 });
  assert.ok(look.counted.after >= 10);
  const made = await lab.rerate({ kFactorNew: 64, apply: true });
  assert.equal(lab.view(made.applied?.seq).eloJournal.length, made.counted.after);
  await run.done;
  assertEloWhole(lab);
});

Deno.test("what is wrong is named, with the remedy, and nothing is written", async () => {
  await using session = await played(8);
  const { lab } = session;
  const [match] = lab.view().matches;
  await lab.rerate({ exclude: "M1", apply: true });
  const before = writesOf(lab);
  const wrong: readonly (readonly [object, "input" | "state", readonly string[]])[] = [
    [{ kFactorNew: -1 }, "input", ["rerate.ranking.kFactorNew", "-1"]],
    [{ kFactor: 20 }, "input", ["kFactor", "kFactorNew"]],
    [{ order: "both" }, "input", ["order", "matches to come", "lab.configure"]],
    [{ eloInitial: 1500 }, "input", ["eloInitial"]],
    [{ exclude: ["H99"] }, "input", ["exclude[0]", "H99", "H1"]],
    [{ exclude: ["V1"] }, "input", ["exclude[0]", "V1"]],
    [{ exclude: [{ judge: "nobody" }] }, "input", ["exclude[0]", "nobody", match?.judge ?? "?"]],
    [{ exclude: [{ before: 1 }] }, "input", ["finds no match"]],
    [{ exclude: [{}] }, "input", ["exclude"]],
    [{ exclude: [{ jugde: "x" }] }, "input", ["exclude"]],
    [{ weights: [{ weight: 2 }] }, "input", ["weights"]],
    [{ weights: [{ matches: "M2", weight: -1 }] }, "input", ["weights"]],
    [{ apply: "yes" }, "input", ["apply", "yes"]],
    [{ author: "model" }, "input", ["author"]],
  ];
  for (const [options, code, says] of wrong) {
    // Wrong on purpose, as a notebook without types would have it.
    await assertRefused(() => Reflect.apply(lab.rerate, undefined, [options]), { code, says });
  }
  assert.deepEqual(writesOf(lab), before);
  await lab.finish();
  const finished = writesOf(lab);
  await assertRefused(() => lab.rerate({ kFactorNew: 50, apply: true }), {
    code: "state",
    says: ["done", "reopen"],
  });
  assert.ok((await lab.rerate({ kFactorNew: 50 })).rows.length > 0, "a look is free");
  assert.deepEqual(writesOf(lab), finished);
});

Deno.test("before the first match there is nothing to rate, and a closed handle says so", async () => {
  const session = await openSession({ seed: "none" });
  await session.lab.tick();
  await assertRefused(() => session.lab.rerate(), { code: "state", says: ["no match"] });
  await assertRefused(() => session.lab.rerate.sweep({ kFactorNew: [16] }), {
    code: "state",
    says: ["no match"],
  });
  await session.lab.close();
  await assertRefused(() => session.lab.rerate(), { code: "state", says: ["closed"] });
  await assertRefused(() => session.lab.rerate.sweep({ kFactorNew: [16] }), {
    code: "state",
    says: ["closed"],
  });
});

Deno.test("a sweep: a row for each combination, each what rerate shows for it; the plot follows the leaders", async () => {
  await using session = await played(24);
  const { lab } = session;
  const before = writesOf(lab);
  const sweep = await lab.rerate.sweep({ kFactorNew: [16, 32, 64] });
  assert.equal(sweep.by, "elo", "a setting that only Elo reads is looked at in Elo");
  assert.deepEqual(sweep.rows.map(({ values, inForce }) => [values, inForce]), [
    [[16], false],
    [[32], true],
    [[64], false],
  ]);
  assert.deepEqual([sweep.rows[1]?.tau, sweep.rows[1]?.farthest], [1, null]);
  const look = await lab.rerate({ kFactorNew: 64, rating: "elo" });
  assert.deepEqual(
    sweep.rows[2]?.top,
    look.rows.filter(({ after }) => after.place !== null && after.place <= 3).map(({ label }) => label),
  );
  const two = await lab.rerate.sweep({ priorWidth: [0, 0.3, 1], parentPrior: [0, 0.5], topK: [2] });
  assert.equal(two.rows.length, 6);
  assert.equal(two.by, "bradley_terry");
  assert.ok(two.rows.every(({ top }) => top.length === 2));
  const layout = sweepLayout(two);
  assert.equal(layout.along?.name, "priorWidth");
  assert.deepEqual(layout.panels, ["topK: 2, parentPrior: 0", "topK: 2, parentPrior: 0.5"]);
  assert.ok(layout.points.every(({ x, place }) => x >= 0 && x < 3 && place >= 1));
  assert.match(sweep.plot.svg(), /<svg/);
  assert.match(String(sweep), /kFactorNew[^]*16[^]*32 \*[^]*64/);
  const orders = await lab.rerate.sweep({ rating: ["elo", "bradley_terry"] });
  assert.equal(orders.by, null);
  assert.deepEqual(writesOf(lab), before);
  const many = Array.from({ length: 9 }, (_, i) => 10 + i);
  await assertRefused(() => lab.rerate.sweep({ kFactorNew: many, kFactorWarm: many }), {
    code: "input",
    says: ["9 of kFactorNew × 9 of kFactorWarm are 81", "64"],
  });
  await assertRefused(() => lab.rerate.sweep({ kFactorNew: [0] }), { code: "input", says: ["kFactorNew"] });
  await assertRefused(() => lab.rerate.sweep({}), { code: "input", says: ["kFactorNew: [16, 32, 64]"] });
  await assertRefused(() => Reflect.apply(lab.rerate.sweep, undefined, [{ kFactor: [1] }]), {
    code: "input",
    says: ["kFactor", "kFactorNew"],
  });
});
