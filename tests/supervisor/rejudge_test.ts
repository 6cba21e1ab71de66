/** Judging again: the requests carry what was asked for, nothing moves until it is applied, and then it moves as told. */
import assert from "node:assert/strict";
import type { SettingsPatch } from "../../lib/config/settings.ts";
import { recordId } from "../../lib/domain/ids.ts";
import type { MatchVerdict } from "../../lib/domain/records.ts";
import { rankingNow } from "../../lib/engine/rerating.ts";
import { readTranscripts } from "../../lib/store/transcripts.ts";
import { replay } from "../../lib/tournament/elo.ts";
import type { Supervisor } from "../../mod.ts";
import { type Opened, openSession, type SimSession } from "../engine/support/sim_session.ts";
import { assertRefused, writesOf } from "./support.ts";

const SETTINGS: SettingsPatch = {
  run: { maxIdeas: 7, initialIdeas: 6, keptForEvolution: 0, concurrency: 2 },
  ranking: { topK: 3, debateWhenMatchesLt: 1, debateWhenEloDeltaLt: 0, maxMatchesPerPair: 4 },
  termination: { topKPrecision: 0, minMatches: 1000 },
  reflection: { verifyTop: 0 },
};
const SENTENCE = "Above all ask which of the two a clinic could try tomorrow.";

async function played(matches: number, more: SimSession = {}): Promise<Opened> {
  const session = await openSession({
    seed: "rejudge",
    create: { budget: { usd: 100 } },
    ...more,
    settings: { ...SETTINGS, ...more.settings },
  });
  await session.lab.runUntil({ matches });
  return session;
}

function promptOf(lab: Supervisor): string {
  const shipped = Deno.readTextFileSync(new URL("../../prompts/ranking.pairwise.md", import.meta.url));
  return `${lab.view().prompts.get("ranking.pairwise") ?? shipped}\n${SENTENCE}\n`;
}

function requestsOf({ lab }: Opened): readonly { prompt: string; request: string; model: string }[] {
  return readTranscripts(lab.store.sql, lab.view().session.id);
}

function boardOf(lab: Supervisor) {
  const steps = rankingNow(lab.view());
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value.players.map(({ id: _, title: __, ...rest }) => rest);
  }
}

/** All that ratings are made of, and what is made of them. */
function ratedState(lab: Supervisor) {
  const view = lab.view();
  return {
    matches: view.matches.length,
    counted: view.counted.map(({ id, weight }) => [id, weight]),
    journal: view.eloJournal.length,
    epoch: view.epoch,
    revisions: view.revision,
    prompts: [...view.prompts],
    board: boardOf(lab),
  };
}

/** A person's verdict, as a verb of its own records it. */
function personSays(lab: Supervisor, firstId: string, secondId: string, verdict: MatchVerdict, n = 0): void {
  lab.store.commit(lab.view().session.id, (view) => ({
    kind: "verdict",
    author: "Ada",
    progress: 1,
    entries: [{
      kind: "match",
      record: {
        id: recordId("mat", `person/${view.seq}`, n),
        firstId,
        secondId,
        mode: "pairwise",
        verdict,
        bothOrders: null,
        group: null,
        author: "Ada",
        weight: 1,
        judge: null,
        panelist: null,
        promptVersion: null,
        revision: view.revision,
        taskId: null,
        rationale: "Seen at the bench.",
      },
    }],
  }));
}

Deno.test("a prompt with a sentence of its own stands in the requests of these calls alone, and moves nothing", async () => {
  await using session = await played(16);
  const { lab } = session;
  const before = ratedState(lab), calls = requestsOf(session).length;
  const done = await lab.rejudge({ prompt: promptOf(lab), sample: 5, author: "Ada" });
  assert.deepEqual(ratedState(lab), before);
  const asked = requestsOf(session).slice(calls);
  assert.equal(asked.length, 10, "five pairs in both orders");
  assert.ok(
    asked.every(({ prompt, request }) => prompt === "ranking.pairwise" && request.includes(SENTENCE)),
  );
  assert.equal(done.progress.answered, 5);
  assert.equal(done.pairs.length, 5);
  assert.ok(
    done.pairs.every(({ orders, afterRationale, beforeRationale }) =>
      orders !== null && afterRationale !== "" && beforeRationale !== ""
    ),
  );
  assert.equal(lab.view().rejudgements.length, 5);
  assert.ok(done.cost.usd > 0 && done.cost.calls === 10 && done.estimate.calls === 10);
  assert.ok(done.ranking !== null && done.applied === null);
  const now = new Map(boardOf(lab).map((row) => [row.label, row]));
  for (const { label, before: at } of done.ranking.rows) assert.equal(at.elo, now.get(label)?.elo);
  assert.match(String(done), /No rating moved: lab\.rejudge\(\{ apply: \d+ \}\)\s+applies\s+it/);
  // What plays on is judged by the prompt in force.
  await lab.rank(1);
  assert.ok(!requestsOf(session).at(-1)?.request.includes(SENTENCE));
  assert.ok(lab.events().some(({ type }) => type === "rejudged"));
});

Deno.test("another model is asked, in one order if so wished, on the very matches that were named", async () => {
  await using session = await played(10);
  const { lab } = session;
  const calls = requestsOf(session).length;
  const model = "claude-haiku-4-5-20251001";
  const done = await lab.rejudge({ matches: ["M2", "M5"], model, bothOrders: false });
  const asked = requestsOf(session).slice(calls);
  assert.deepEqual(asked.map((call) => call.model), [model, model]);
  assert.deepEqual(done.pairs.map(({ match, orders }) => [match, orders]).sort(), [["M2", null], [
    "M5",
    null,
  ]]);
  assert.deepEqual(done.judges.map((judge) => judge.model), [model]);
  const [first, second] = [done.pairs[0]?.first.label ?? "", done.pairs[0]?.second.label ?? ""];
  const pair = await lab.rejudge({ pairs: [[first, second]], model, bothOrders: false });
  assert.equal(pair.pairs.length, 1);
});

Deno.test("applied: the old matches are void, new ones stand in, and the ranking is what was told; undo takes it back", async () => {
  await using session = await played(16);
  const { lab } = session;
  const old = boardOf(lab), matchesBefore = lab.view().matches.length;
  const done = await lab.rejudge({ prompt: promptOf(lab), sample: 8 });
  assert.ok(done.batch !== null && done.ranking !== null);
  const made = await lab.rejudge({ apply: done.batch, author: "Ada" });
  const answered = done.pairs.filter(({ after }) => after !== "invalid");
  const view = lab.view();
  assert.equal(view.matches.length, matchesBefore + answered.length);
  assert.equal(view.counted.length, matchesBefore);
  for (const { match, after } of answered) {
    const was = view.matches.find(({ label }) => label === match);
    assert.ok(was !== undefined && view.marked("void", was.id) === true);
    const is = view.counted.find(({ firstId, secondId, seq }) =>
      seq === view.seq && firstId === was.firstId && secondId === was.secondId
    );
    assert.deepEqual([is?.verdict, is?.author, is?.mode, is?.revision], [after, "model", "pairwise", 1]);
    assert.ok(is?.judge !== null && is?.promptVersion !== null && is?.taskId !== null);
    assert.notEqual(view.rationale(is?.id ?? ""), "");
  }
  assert.deepEqual(
    boardOf(lab),
    done.ranking.rows.map(({ label, after: { ...at } }) => ({ label, ...at })),
    "as told before",
  );
  assert.deepEqual(made.ranking, done.ranking);
  assert.deepEqual([made.applied?.epoch, made.applied?.revisions], [1, ["R1"]]);
  assert.match(String(made), /lab\.prompts\.set\("ranking\.pairwise",\s+text\)/);
  assert.ok(!view.prompts.has("ranking.pairwise"), "the prompt in force stays");
  const ratings = replay(view.eloJournal, 1200);
  for (const { record, elo } of view.hypotheses) assert.equal(elo, ratings.get(record.id) ?? 1200);
  assert.ok(
    Math.abs(view.hypotheses.reduce((sum, { elo }) => sum + elo, 0) - 1200 * view.hypotheses.length) < 1e-6,
  );
  const writes = writesOf(lab);
  await assertRefused(() => lab.rejudge({ apply: done.batch ?? 0 }), {
    code: "state",
    says: ["nothing to apply", "void already"],
  });
  assert.deepEqual(writesOf(lab), writes);
  lab.undo();
  assert.deepEqual(boardOf(lab), old);
  assert.equal(lab.view().counted.length, matchesBefore);
});

Deno.test("apply: true asks and applies in one go", async () => {
  await using session = await played(10);
  const { lab } = session;
  const made = await lab.rejudge({ matches: ["M1", "M4"], apply: true });
  assert.equal(made.applied?.epoch, 1);
  assert.equal(lab.view().epoch, 1);
  assert.equal(made.applied?.seq, lab.view().seq);
});

Deno.test("a judge that always says first flips each time, and its agreement is told for what it is", async () => {
  await using session = await played(20, {
    settings: {
      ranking: { ...SETTINGS.ranking, debateWhenMatchesLt: 0, reviewPrior: 0 },
    },
    simulator: { judge: { sharpness: 0, noise: 0, lengthBias: 0, positionBias: 60 } },
  });
  const { lab } = session;
  const done = await lab.rejudge({ sample: 12 });
  const decided = done.pairs.filter(({ orders }) =>
    orders?.every((verdict) => verdict === "first" || verdict === "second")
  );
  assert.ok(decided.length > 5, `${decided.length}`);
  assert.deepEqual([done.judge.flips.share, done.judge.flips.of], [1, decided.length]);
  assert.ok(decided.every(({ after }) => after === "tie"), "a disagreement of the orders is a tie");
  // It repeats itself in the same order, and agrees with nothing once the order is turned.
  assert.equal(done.winners.of, 0);
  assert.ok((done.agreement.share ?? 1) < 0.35, `${done.agreement.share}`);
  assert.ok((done.repeated.share ?? 0) > 0.6, `${done.repeated.share}`);
  assert.ok((done.judge.first.share ?? 0) === 1 && (done.judge.bias?.low ?? 0) > 1);
  assert.match(String(done), /Flips between the orders: 100 %/);
});

Deno.test("pairs with a person's verdict come first, and agreement with people is told; a person's verdict is never replaced", async () => {
  await using session = await played(14, { settings: { run: { ...SETTINGS.run, concurrency: 1 } } });
  const { lab } = session;
  const [one, , three] = lab.view().matches;
  assert.ok(one !== undefined && three !== undefined);
  personSays(lab, one.secondId, one.firstId, "first");
  const ids = lab.view().drawable.map(({ record }) => record.id);
  const unmet = ids.flatMap((a, i) => ids.slice(i + 1).map((b) => [a, b] as const))
    .find(([a, b]) => lab.view().met(a, b).total === 0);
  if (unmet !== undefined) personSays(lab, unmet[0], unmet[1], "tie");
  const sample = unmet === undefined ? 1 : 2;
  const done = await lab.rejudge({ sample, bothOrders: false });
  assert.equal(done.people.of, sample);
  const own = done.pairs.find(({ match }) => match === one.label);
  assert.equal(own?.people, "second", "told by the match's own first and second");
  const agreeing = done.pairs.filter(({ after, people }) => after === people).length;
  assert.equal(done.people.count, agreeing);
  if (unmet !== undefined) {
    assert.ok(done.batch !== null);
    const made = await lab.rejudge({ apply: done.batch });
    assert.match(String(made), /Ada's own verdict, and stays/);
    assert.ok(lab.view().counted.filter(({ author }) => author === "Ada").length === 2);
  }
});

Deno.test("stopped in the middle it gives what there is; the same call goes on and asks nothing twice; then it is free", async () => {
  await using session = await played(14, { settings: { run: { ...SETTINGS.run, concurrency: 1 } } });
  const { lab } = session;
  const calls = requestsOf(session).length;
  const stop = new AbortController();
  let n = 0;
  const part = await lab.rejudge({ sample: 6 }, {
    signal: stop.signal,
    onTask: () => {
      if (++n === 2) stop.abort();
    },
  });
  assert.equal(part.progress.answered, 2);
  assert.equal(part.progress.waiting, 4);
  assert.match(String(part), /Not all was asked: it was interrupted\. The same call goes on/);
  assert.ok(part.pairs.length === 2 && part.cost.calls >= 4);
  const whole = await lab.rejudge({ sample: 6 });
  assert.equal(whole.batch, part.batch);
  assert.deepEqual(whole.progress, { answered: 6, waiting: 0, failed: 0 });
  const asked = requestsOf(session).length - calls;
  assert.ok(asked <= 13, `${asked} calls`);
  const writes = writesOf(lab);
  const again = await lab.rejudge({ sample: 6 });
  assert.deepEqual(writesOf(lab), writes, "nothing was asked again");
  assert.match(String(again), /nothing was asked again/);
  assert.deepEqual(again.pairs, whole.pairs);
  const other = await lab.rejudge({ sample: 6, bothOrders: false });
  assert.notEqual(other.batch, whole.batch);
});

Deno.test("a budget that ends in the middle is told, and raised the same call goes on", async () => {
  await using session = await played(10);
  const { lab } = session;
  const { estimate } = await lab.rejudge({ sample: 8, ask: false });
  lab.configure({ run: { budgetUsd: lab.cost().total.usd + estimate.usd * 1.02 } });
  const part = await lab.rejudge({ sample: 8 });
  assert.ok(part.progress.waiting > 0, JSON.stringify(part.progress));
  assert.match(String(part), /Not all was asked: .*budget/i);
  lab.configure({ run: { budgetUsd: 100 } });
  const whole = await lab.rejudge({ sample: 8 });
  assert.deepEqual([whole.batch, whole.progress.answered, whole.progress.waiting], [part.batch, 8, 0]);
});

Deno.test("what it would cost is told without asking; what is too dear is refused before anything is asked", async () => {
  await using session = await played(10);
  const { lab } = session;
  const spent = lab.cost().total.usd;
  const price = await lab.rejudge({ sample: 8, ask: false });
  assert.equal(price.batch, null);
  assert.ok(
    price.estimate.usd > 0 && price.estimate.maxUsd > price.estimate.usd && price.estimate.calls === 16,
  );
  assert.match(String(price), /about \$[\d.]+ for 16 calls[^]*Nothing was asked/);
  lab.configure({ run: { budgetUsd: spent + price.estimate.usd / 2 } });
  const writes = writesOf(lab);
  await assertRefused(() => lab.rejudge({ sample: 8 }), {
    code: "budget",
    says: [/would cost about \$/, "sample", "run.budgetUsd"],
  });
  assert.deepEqual(writesOf(lab), writes);
});

Deno.test("a match whose text was edited since is told; merged and rejected ones are judged as they stand, or refused", async () => {
  await using session = await played(12);
  const { lab } = session;
  const [match] = lab.view().matches;
  assert.ok(match !== undefined);
  const { seq: _, label, ...record } = lab.view().hypothesis(match.firstId)?.record ?? (() => {
    throw new Error("no hypothesis");
  })();
  lab.store.commit(lab.view().session.id, () => ({
    kind: "edit",
    author: "Ada",
    progress: 1,
    entries: [{ kind: "hypothesis", record: { ...record, version: 2, statement: "It was edited by hand." } }],
  }));
  const calls = requestsOf(session).length;
  const done = await lab.rejudge({ matches: match.label, bothOrders: false });
  assert.equal(done.pairs[0]?.stale, true);
  assert.match(String(done), /a text was edited since/);
  assert.ok(
    requestsOf(session).slice(calls).every(({ request }) => request.includes("It was edited by hand.")),
  );
  lab.store.commit(lab.view().session.id, () => ({
    kind: "reject",
    author: "Ada",
    progress: 1,
    entries: [{
      kind: "hypothesisState",
      record: { hypothesisId: match.secondId, state: "rejected", reason: "no" },
    }],
  }));
  const writes = writesOf(lab);
  await assertRefused(() => lab.rejudge({ matches: match.label }), {
    code: "state",
    says: ["rejected", match.label],
  });
  assert.deepEqual(writesOf(lab), writes);
  assert.ok(label.startsWith("H"));
});

Deno.test("what is wrong is named, with the remedy, and nothing is asked or written", async () => {
  await using session = await played(8);
  const { lab } = session;
  const before = writesOf(lab);
  const wrong: readonly (readonly [object, "input" | "state" | "prompt", readonly (string | RegExp)[]])[] = [
    [{ prompt: "Judge {{ hypothesis_3 }}." }, "prompt", ["hypothesis_3"]],
    [{ prompt: "" }, "input", ["prompt"]],
    [{ sample: 0 }, "input", ["sample", "0"]],
    [{ samples: 3 }, "input", ["samples", "sample"]],
    [{ matches: "H1" }, "input", ["matches", "H1", "M12"]],
    [{ matches: ["M99"] }, "input", ["M99"]],
    [{ pairs: [["H1", "H99"]] }, "input", ["H99"]],
    [{ pairs: [["H1", "H1"]] }, "state", ["H1"]],
    [{ sample: 3, matches: "M1" }, "input", ["sample and matches"]],
    [{ apply: 12345 }, "input", ["12345", "Nothing was judged again yet"]],
    [{ apply: 3, sample: 3 }, "input", ["leave out sample"]],
    [{ ask: false, apply: true }, "input", ["ask"]],
    [{ author: "engine" }, "input", ["author"]],
  ];
  for (const [options, code, says] of wrong) {
    await assertRefused(() => Reflect.apply(lab.rejudge, lab, [options]), { code, says });
  }
  assert.deepEqual(writesOf(lab), before);
  const done = await lab.rejudge({ matches: "M1", bothOrders: false });
  assert.ok(done.batch !== null);
  await lab.finish();
  const finished = writesOf(lab);
  await assertRefused(() => lab.rejudge({ sample: 2 }), { code: "state", says: ["done", "reopen"] });
  await assertRefused(() => lab.rejudge({ apply: done.batch ?? 0 }), {
    code: "state",
    says: ["done", "reopen"],
  });
  assert.deepEqual(writesOf(lab), finished);
});

Deno.test("before the first match there is nothing to judge again", async () => {
  await using session = await openSession({ seed: "none" });
  await session.lab.tick();
  await assertRefused(() => session.lab.rejudge(), { code: "state", says: ["no match"] });
});
