/** Comparing sessions of one goal, and playing the best of each against the other. */
import assert from "node:assert/strict";
import type { Comparison } from "../../lib/notebook/values/comparison.ts";
import { kendallTau } from "../../lib/tournament/kendall.ts";
import { shareOf } from "../../lib/tournament/share.ts";
import { INSIDE } from "../../lib/supervisor/inside.ts";
import { Supervisor } from "../../mod.ts";
import { enter, GOAL, nowOf, SMALL, withStore } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

/** A session of six hypotheses, and a fork of it that went another way from an early commit on. */
async function twoWays(): Promise<{ lab: Supervisor; fork: Supervisor }> {
  const lab = await enter(":memory:");
  await lab.runUntil({ matches: 3 });
  const text = lab[INSIDE].promptTexts().get("generation.literature") ?? "";
  const fork = await lab.fork({
    name: "other way",
    // Other modes of writing under the same keys: what comes of them has the same ids and another text.
    settings: { ranking: { topK: 3 }, run: { maxIdeas: 7 }, generation: { debateEvery: 0, differFrom: 1 } },
    prompts: { "generation.literature": `${text}\nThink of light in the deep sea.\n` },
    budget: { usd: 9 },
  });
  await lab.runUntil();
  await fork.runUntil();
  return { lab, fork };
}

Deno.test("a comparison tells what is shared, how its places moved, what each has of its own, and all that differs", async () => {
  const { lab, fork } = await twoWays();
  await using _ = lab, __ = fork;
  const before = writesOf(lab);
  const compared: Comparison = await Supervisor.compare([lab, fork]);
  assert.deepEqual(writesOf(lab), before, "looking writes nothing");
  const { sharedSeq, sessions: [a, b], shared, agreement, settings, prompts } = compared;
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(sharedSeq, fork.view().session.parentSeq);
  assert.equal(b.parent, lab.name);
  assert.equal(b.forkedAt, sharedSeq);

  // Leaderboards are those of the sessions.
  for (const [session, of] of [[a, lab], [b, fork]] as const) {
    const rows = of.inspect().leaderboard.filter(({ rank }) => rank !== null);
    assert.deepEqual(
      session.leaderboard.map(({ label, rank }) => [rank, label]),
      rows.map(({ label, rank }) => [rank, label]),
    );
    assert.equal(session.cost.usd, of.view().cost.microUsd / 1e6);
    assert.equal(session.inherited.usd, of.view().inherited.cost.microUsd / 1e6);
    const known: number = session.own.length +
      shared.filter(({ labels }) => labels[session === a ? 0 : 1] !== null).length;
    assert.equal(known, of.view().hypotheses.length, "each hypothesis is shared or its own");
  }
  assert.equal(a.inherited.usd, 0);
  assert.ok(b.inherited.usd > 0);

  // What was there at the fork is shared, and what both made with the same words since; under the same key, but with
  // another text, it is each one's own.
  const born = lab.view(sharedSeq).hypotheses.map(({ record }) => record.label);
  assert.ok(born.every((label) => shared.some(({ labels }) => labels[0] === label)));
  const recordOf = (of: Supervisor, label: string | null | undefined) =>
    of.view().hypotheses.find(({ record }) => record.label === label)?.record;
  for (const { labels: [x, y] } of shared) {
    assert.equal(recordOf(lab, x)?.id, recordOf(fork, y)?.id);
    assert.equal(recordOf(lab, x)?.statement, recordOf(fork, y)?.statement);
  }
  assert.ok(a.own.length > 0 && b.own.length > 0);
  const ids = a.own.map((label) => recordOf(lab, label)?.id);
  assert.ok(
    b.own.some((label) => ids.includes(recordOf(fork, label)?.id)),
    "ids alone would have taken different hypotheses for one",
  );

  for (const row of shared) {
    const [rankA, rankB] = row.ranks;
    assert.equal(row.moved, rankA == null || rankB == null ? null : rankA - rankB);
    assert.equal(
      row.elos[0],
      lab.view().hypotheses.find(({ record }) => record.label === row.labels[0])?.elo,
    );
  }
  const placed = (of: Supervisor, label: string | null | undefined) =>
    of.view().leaderboard.findIndex(({ record }) => record.label === label);
  const both = shared.filter(({ labels: [x, y] }) => placed(lab, x) >= 0 && placed(fork, y) >= 0);
  assert.equal(agreement[0]?.shared, both.length);
  assert.equal(
    agreement[0]?.tau,
    kendallTau(
      both.map(({ labels }) => placed(lab, labels[0])),
      both.map(({ labels }) => placed(fork, labels[1])),
    ),
  );
  assert.deepEqual(settings.map(({ name, values }) => [name, ...values]), [
    ["run.maxIdeas", 6, 7],
    ["run.budgetUsd", lab.view().settings.run.budgetUsd, 9],
    ["generation.debateEvery", 2, 0],
    ["generation.differFrom", lab.view().settings.generation.differFrom, 1],
    ["ranking.topK", lab.view().settings.ranking.topK, 3],
  ]);
  assert.deepEqual(prompts.map(({ name }) => name), ["generation.literature"]);
  assert.match(String(prompts[0]?.values[1]), /deep sea/);
  assert.deepEqual(a.revisions, []);
  assert.deepEqual(b.revisions.map(({ path }) => path).sort(), [
    "generation.debateEvery",
    "generation.differFrom",
    "generation.literature",
    "ranking.topK",
    "run.budgetUsd",
    "run.maxIdeas",
  ]);
  assert.ok(Object.isFrozen(compared));
  assert.match(String(compared), /Compared: glow · other way \(SIMULATED\)[\s\S]*ranking\.topK/);
});

Deno.test("sessions need no handle, nor a store in common; an edited one is still the same hypothesis", async () => {
  await withStore(async (path, folder) => {
    const lab = await enter(path);
    await lab.runUntil({ matches: 2 });
    await (await lab.fork({ name: "fork" })).close();
    await lab.close();
    const other = await enter(`${folder}/other.db`);
    await other.runUntil({ matches: 3 });
    const compared = await Supervisor.compare([
      { store: path, session: "glow", environment: {} },
      { store: path, session: "fork", environment: {} },
      other,
    ]);
    assert.equal(compared.sharedSeq, 0, "a store's commits are its own");
    assert.equal(compared.agreement.length, 3);
    // The same seed makes the same hypotheses, wherever.
    assert.ok(compared.shared.every(({ labels }) => labels.every((label) => label !== null)));
    assert.equal(compared.agreement[0]?.tau, 1);
    await other.close();
    const { sharedSeq } = await Supervisor.compare([
      { store: path, session: "glow", environment: {} },
      { store: `${folder}/../${folder.split("/").at(-1)}/store.db`, session: "fork", environment: {} },
    ]);
    assert.ok(sharedSeq > 0, "a path is known however it is written");
  });
});

Deno.test("the best of each play against each other only, as records with text, sources, reviews and vector, at once", async () => {
  const { lab, fork } = await twoWays();
  await using _ = lab, __ = fork;
  const before = [lab.view().seq, fork.view().seq];
  const { cross: [played] } = await Supervisor.compare([lab, fork], {
    crossMatches: 6,
    budget: { usd: 5 },
  });
  assert.ok(played !== undefined);
  assert.deepEqual([lab.view().seq, fork.view().seq], before, "the sessions themselves are left alone");
  assert.equal(played.session, "glow × other way");
  const cross = await Supervisor.compare([lab, fork]).then(() => lab.store.findSession(played.session));
  assert.ok(cross !== undefined);
  const view = lab.store.view(cross.id);
  assert.equal(view.session.parentId, lab.view().session.id);
  assert.equal(view.settings.run.budgetUsd, 5);
  const guests = view.hypotheses.filter(({ record }) => record.author === "other way");
  const own = new Set(lab.view().hypotheses.map(({ record }) => record.id));
  const firsts = fork.view().leaderboard.filter(({ record, foldedUnder }) =>
    foldedUnder === null && guests.some((guest) => guest.record.title === record.title)
  );
  assert.ok(guests.length > 0 && guests.length <= lab.view().settings.ranking.topK);
  assert.equal(firsts.length, guests.length);
  for (const { record, state } of guests) {
    const original = firsts.find((each) => each.record.title === record.title)?.record;
    assert.ok(original !== undefined);
    assert.equal(state, "in_tournament");
    assert.deepEqual(
      [record.statement, record.mechanism, record.citations],
      [original.statement, original.mechanism, original.citations],
    );
    assert.deepEqual(view.vector(record.id), fork.view().vector(original.id));
    assert.equal(view.reviewsOf(record.id).length, fork.view().reviewsOf(original.id).length);
  }
  const matches = view.matches.filter(({ seq }) => seq > view.session.parentSeq);
  assert.equal(matches.length, 6);
  for (const { firstId, secondId } of matches) {
    assert.notEqual(own.has(firstId), own.has(secondId), "one side against the other");
  }
  const decided = matches.filter(({ verdict }) => verdict === "first" || verdict === "second");
  const won = decided.filter(({ verdict, firstId, secondId }) =>
    own.has(verdict === "first" ? firstId : secondId)
  );
  assert.deepEqual(played.wins, shareOf(won.length, decided.length));
  assert.equal(played.ties + played.invalid + played.wins.of, 6);
  assert.equal(played.unplayed, 0);
  assert.ok(played.cost.usd > 0 && played.cost.usd === view.cost.microUsd / 1e6);

  // Again: nothing is played or paid twice; more matches add to those that were.
  const paid = writesOf(lab);
  const again = await Supervisor.compare([lab, fork], { crossMatches: 6, budget: { usd: 5 } });
  assert.deepEqual(again.cross[0]?.wins, played.wins);
  assert.equal(again.cross[0]?.cost.usd, played.cost.usd);
  assert.equal(writesOf(lab).sessions, paid.sessions);
  const more = await Supervisor.compare([lab, fork], { crossMatches: 8, budget: { usd: 5 } });
  assert.equal((more.cross[0]?.wins.of ?? 0) + (more.cross[0]?.ties ?? 0) + (more.cross[0]?.invalid ?? 0), 8);
  // A session that moved on plays under another name.
  await fork.runFor({ matches: 1 });
  lab.configure({ ranking: { topK: 1 } });
  const later = await Supervisor.compare([lab, fork], { crossMatches: 1 });
  assert.equal(later.cross[0]?.session, "glow × other way 2");
  assert.equal(later.cross[0]?.firstSide.length, 1);
});

Deno.test("the judge of the first session reads both sides, and the matches' own limit ends them", async () => {
  const options = { goal: GOAL, store: ":memory:", environment: {} };
  await using lab = await Supervisor.create({ ...options, name: "one", seed: "one", settings: SMALL });
  await using other = await Supervisor.create({ ...options, name: "two", seed: "two", settings: SMALL });
  await lab.runUntil({ matches: 4 });
  await other.runUntil({ matches: 4 });
  const { cross: [played] } = await Supervisor.compare([lab, other], { crossMatches: 2, budget: { usd: 2 } });
  assert.ok(played !== undefined);
  const id = lab.store.findSession(played.session)?.id ?? "";
  const ours = lab.view().leaderboard[0]?.record.statement ?? "-";
  const theirs = other.view().leaderboard[0]?.record.statement ?? "-";
  const requests = lab.store.sql.all("SELECT request FROM transcripts WHERE session = ?", id).map((row) =>
    String(row["request"])
  );
  const words = (text: string) => JSON.stringify(text.slice(0, 60)).slice(1, -1);
  assert.ok(requests.some((request) => request.includes(words(ours)) && request.includes(words(theirs))));

  const short = await Supervisor.compare([other, lab], { crossMatches: 60, budget: { usd: 0.6 } });
  const [cut] = short.cross;
  assert.ok(cut !== undefined && cut.unplayed > 0, "the limit holds");
  assert.ok(cut.cost.usd <= 0.6);
  assert.match(cut.notes.join(), /budget/);
  assert.equal(nowOf(other).spentUsd, other.view().cost.microUsd / 1e6);
});

Deno.test("what can't be compared is refused with the reason, and nothing is written", async () => {
  await using lab = await enter(":memory:");
  await lab.runUntil({ matches: 1 });
  await using fork = await lab.fork({ name: "fork" });
  await using other = await Supervisor.create({
    goal: "Why do leaves fall?",
    store: ":memory:",
    environment: {},
  });
  const before = writesOf(lab);
  const refusals: [readonly unknown[], "input" | "state", (string | RegExp)[]][] = [
    [[undefined], "input", ["compare"]],
    [[[lab]], "input", ["compare", "at least two"]],
    [[[lab, lab]], "input", ["compare", "named twice"]],
    [[[lab, other]], "input", ["different goals", GOAL, "Why do leaves fall?"]],
    [[[lab, { store: "nowhere.db" }]], "input", ["nowhere.db"]],
    [[[lab, { stor: "nowhere.db" }]], "input", ["stor", 'Did you mean "store"']],
    [[[lab, fork], { crossMatches: 0 }], "input", ["compare: crossMatches", "0"]],
    [[[lab, fork], { crossMatch: 3 }], "input", ["crossMatch", 'Did you mean "crossMatches"']],
    [[[lab, fork], { budget: { usd: 1 } }], "input", ["compare: budget", "crossMatches"]],
    [[[lab, fork], { crossMatches: 3 }], "state", ["no hypothesis", "glow", "fork"]],
  ];
  for (const [args, code, says] of refusals) {
    await assertRefused(() => Reflect.apply(Supervisor.compare, Supervisor, args), { code, says });
    assert.deepEqual(writesOf(lab), before, JSON.stringify(says));
  }
});
