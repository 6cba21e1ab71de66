/** Editing makes a version; what was said of the one before is stale, shown so, and done again only when it is asked for. */
import assert from "node:assert/strict";
import { recordId } from "../../lib/domain/ids.ts";
import type { HypothesisState } from "../../lib/domain/records.ts";
import { replay } from "../../lib/tournament/elo.ts";
import type { Supervisor } from "../../mod.ts";
import { enter, SMALL, small, wire } from "../engine/support/session.ts";
import { assertRefused, writesOf } from "./support.ts";

const STATEMENT = "Orbal transport recovers once tamrin is withdrawn for a whole night";

/** A session with reviews, matches and children in it, one task at a time. */
async function played(matches = 8, settings = small(1)): Promise<Supervisor> {
  const lab = await enter(":memory:", { settings });
  await lab.runUntil({ matches });
  return lab;
}

/** The label of a hypothesis that played at least so many matches: the one with most. */
function veteran(lab: Supervisor): string {
  const [best] = lab.view().leaderboard.toSorted((a, b) => b.matches - a.matches);
  assert.ok(best !== undefined && best.matches > 0);
  return best.record.label;
}

function standing(lab: Supervisor, label: string) {
  const found = lab.view().hypotheses.find(({ record }) => record.label === label);
  assert.ok(found !== undefined, label);
  return found;
}

/** What calls of a prompt were told from a number on. */
function requestsSince(lab: Supervisor, n: number, route: string): string[] {
  return lab.transcripts().filter((call) => call.n > n && call.route.startsWith(route))
    .map((call) => lab.transcript(call.n).request);
}

const lastCall = (lab: Supervisor) => lab.transcripts().at(-1)?.n ?? 0;

/** Puts a hypothesis into a state as a person's verb does. */
function put(lab: Supervisor, label: string, state: HypothesisState, into?: string): void {
  const { id } = standing(lab, label).record;
  lab.store.commit(lab.view().session.id, () => ({
    kind: "test",
    author: "test",
    progress: 0,
    entries: [
      { kind: "hypothesisState", record: { hypothesisId: id, state, reason: "by the test" } },
      ...(into === undefined ? [] : [
        {
          kind: "mark",
          record: { targetId: id, mark: "merged", value: standing(lab, into).record.id },
        } as const,
      ]),
    ],
  }));
}

/** That the ledger of the present epoch is what rating the counted matches gives, and the ratings what the ledger gives. */
function assertRated(lab: Supervisor): void {
  const view = lab.view();
  const counted = view.counted.filter(({ verdict }) => verdict !== "invalid");
  assert.deepEqual(view.eloJournal.map(({ matchId }) => matchId).sort(), counted.map(({ id }) => id).sort());
  const ratings = replay(view.eloJournal, view.settings.ranking.eloInitial);
  for (const { record, elo } of view.hypotheses) {
    assert.equal(elo, ratings.get(record.id) ?? view.settings.ranking.eloInitial, record.label);
  }
  const sum = view.hypotheses.reduce((total, { elo }) => total + elo, 0);
  assert.ok(Math.abs(sum - view.settings.ranking.eloInitial * view.hypotheses.length) < 1e-6);
}

Deno.test("an edit is the next version: label, place, author, strategy and parents stay, a revision tells of it", async () => {
  await using lab = await played();
  const label = veteran(lab);
  const before = { ...standing(lab, label) }, vector = lab.view().vector(before.record.id);
  const edit = await lab.edit(label, { statement: STATEMENT }, { author: "Ada" });
  const after = standing(lab, label);
  const { seq, version, statement, ...kept } = after.record;
  const { seq: _, version: __, statement: old, ...same } = before.record;
  assert.deepEqual(kept, same);
  assert.deepEqual([version, statement, seq], [2, STATEMENT, lab.view().seq]);
  assert.deepEqual([after.state, after.elo, after.matches], [before.state, before.elo, before.matches]);
  assert.notDeepEqual(lab.view().vector(before.record.id), vector, "it is measured anew");
  assert.deepEqual(lab.view().embedding(before.record.id, 1)?.vector, vector);
  const revision = lab.view().revisions.at(-1);
  assert.deepEqual([revision?.kind, revision?.target, revision?.before, revision?.after, revision?.author], [
    "hypothesis",
    label,
    { version: 1 },
    { version: 2 },
    "Ada",
  ]);
  assert.deepEqual([edit.label, edit.version, edit.revision, edit.by], [label, 2, revision?.label, "Ada"]);
  assert.deepEqual(edit.changed, [{ part: "statement", before: old, after: STATEMENT }]);
  assert.ok(
    edit.stale.some(({ kind }) => kind === "review") && edit.stale.some(({ kind }) => kind === "match"),
  );
  assert.match(String(edit), /Stale now: .*review.*Nothing is done again unless it is asked for/);
  assert.deepEqual(lab.events({ last: 1 }).map(({ type }) => type), ["hypothesis_edited"]);
});

Deno.test("an edit by a function gets the record; where nothing changes it says so and writes nothing", async () => {
  await using lab = await played(2);
  const edit = await lab.edit("H1", ({ title, entities }) => ({
    title: `${title}, at night`,
    entities: [...entities, "tamrin"],
  }));
  assert.deepEqual(edit.changed.map(({ part }) => part), ["title", "entities"]);
  assert.ok(standing(lab, "H1").record.title.endsWith(", at night"));
  const before = writesOf(lab);
  const none = await lab.edit("H1", { title: standing(lab, "H1").record.title });
  assert.equal((await lab.edit("H1", {})).revision, null);
  assert.deepEqual([none.revision, none.changed.length, none.version], [null, 0, 2]);
  assert.match(String(none), /stays at version 2.*\n\nNothing changed: it says so already/);
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("citations are edited without making anything stale, and without a new vector", async () => {
  await using lab = await played(2);
  const { id } = standing(lab, "H1").record;
  const vector = lab.view().vector(id);
  const edit = await lab.edit("H1", { citations: [{ url: "https://example.org/a", title: "A source" }] });
  assert.equal(lab.stale.length, 0);
  assert.deepEqual(standing(lab, "H1").record.citations, [{
    url: "https://example.org/a",
    title: "A source",
  }]);
  assert.equal(lab.view().vector(id), vector);
  assert.match(String(edit), /nothing that was said of it is stale/);
});

Deno.test("a wrong edit says what is wrong and changes nothing", async () => {
  await using lab = await played(2);
  const before = writesOf(lab);
  const wrong: readonly [unknown, unknown, readonly (string | RegExp)[]][] = [
    ["H99", { title: "x" }, ["edit", 'no "H99"', "hypotheses H1 to"]],
    ["M1", { title: "x" }, ["edit", '"M1" is a match, not a hypothesis']],
    ["H1", { titel: "x" }, ["edit: titel", 'Did you mean "title"']],
    ["H1", { title: "" }, ["edit: title", "1 to 300 characters"]],
    ["H1", { statement: "  " }, ["edit: statement", "not empty"]],
    ["H1", { entities: "light" }, ["edit: entities", "a list of texts"]],
    ["H1", { citations: [{ url: "https://example.org" }] }, ["edit: citations", "{ url, title"]],
    ["H1", "shorter", ["edit", "Give an object"]],
    ["H1", () => "shorter", ["edit", "Give an object"]],
    ["H1", () => Promise.resolve({ title: "x" }), ["edit", "await first"]],
  ];
  for (const [label, patch, says] of wrong) {
    await assertRefused(() => Reflect.apply(lab.edit, lab, [label, patch]), { code: "input", says });
  }
  await assertRefused(() => lab.edit("H1", { title: "x" }, { author: "model" }), {
    code: "input",
    says: ["edit: author", '"model"'],
  });
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("a merged or quarantined hypothesis can't be edited; a rejected one can, and stays out", async () => {
  await using lab = await played(4);
  put(lab, "H2", "quarantined");
  await assertRefused(() => lab.edit("H2", { title: "x" }), { code: "state", says: ["H2", "quarantine"] });
  put(lab, "H3", "merged", "H1");
  await assertRefused(() => lab.edit("H3", { title: "x" }), {
    code: "state",
    says: ["H3 is merged into H1", "edit that one"],
  });
  put(lab, "H1", "rejected");
  const edit = await lab.edit("H1", { title: "Better" });
  assert.equal(standing(lab, "H1").state, "rejected");
  assert.match(String(edit), /It is rejected and stays out of the tournament until restore\("H1"\)/);
  assert.ok(edit.stale.every(({ kind }) => kind !== "review"), "what is out of play is not reviewed");
});

Deno.test("editing and refreshing a finished session are refused", async () => {
  await using lab = await played(2);
  await lab.edit("H1", { title: "Before the end" });
  await lab.finish();
  const before = writesOf(lab);
  const over = { code: "state", says: ["the session is done", "reopen()"] } as const;
  await assertRefused(() => lab.edit("H1", { title: "Too late" }), over);
  await assertRefused(() => lab.refresh(), over);
  await assertRefused(() => lab.configure({ run: { maxIdeas: 9 } }), over);
  assert.deepEqual(writesOf(lab), before);
  assert.ok(lab.stale.length > 0, "looking goes on");
});

Deno.test("the next judge reads the new text, and a review of the old one marked as stale", async () => {
  await using lab = await played();
  const label = veteran(lab);
  const { id } = standing(lab, label).record;
  const old = standing(lab, label).record.statement;
  await lab.edit(label, { statement: STATEMENT });
  const calls = lastCall(lab);
  while (
    !lab.view().matches.some(({ seq, firstId, secondId }) =>
      seq > standing(lab, label).record.seq && (firstId === id || secondId === id)
    )
  ) await lab.rank(1);
  const requests = requestsSince(lab, calls, "ranking.").filter((text) => text.includes(STATEMENT));
  assert.ok(requests.length > 0);
  for (const request of requests) {
    assert.ok(!request.includes(`Statement: ${old}`));
    assert.match(request, new RegExp(`<REVIEW of=\\\\"${label}\\\\"[^>]* version=\\\\"1\\\\" stale=`));
  }
});

Deno.test("what is stale is listed with what doing it again would cost, counted, and marked wherever it is shown", async () => {
  await using lab = await played();
  assert.equal(lab.stale.length, 0);
  assert.match(String(lab.stale), /Nothing is stale/);
  const label = veteran(lab);
  const { id } = standing(lab, label).record;
  await lab.edit(label, { mechanism: "By withdrawing tamrin at dusk" }, { author: "Ada" });
  const { stale } = lab;
  const view = lab.view();
  const matches = view.matches.filter(({ firstId, secondId, verdict }) =>
    verdict !== "invalid" && (firstId === id || secondId === id)
  );
  const reviews = view.reviewsOf(id);
  const children = view.hypotheses.filter(({ record }) => record.parents.includes(id));
  assert.deepEqual(
    stale.map(({ label }) => label).sort(),
    [...matches, ...reviews, ...children.map(({ record }) => record)].map(({ label }) => label).sort(),
  );
  for (const row of stale) {
    assert.match(row.judgedOn, new RegExp(`version 1 of ${label}, which is at 2`));
    assert.equal(row.since, view.revisions.at(-1)?.label);
    assert.ok(row.usd !== null && row.usd > 0);
  }
  assert.ok(Math.abs(stale.usd - stale.reduce((sum, { usd }) => sum + (usd ?? 0), 0)) < 1e-9);
  assert.match(String(stale), /await lab\.refresh\(\) does them again for about \$/);
  assert.equal(lab.inspect().counts.stale, stale.length);
  assert.match(
    String(lab.inspect()),
    new RegExp(`${stale.length}\\s+stale \\(lab\\.stale\\)[^]*${label}\\*`),
  );
  assert.match(String(lab.inspect(reviews[0]?.label ?? "")), /Stale: judged on version 1; the newest is 2/);
  assert.match(
    String(lab.inspect(matches[0]?.label ?? "")),
    new RegExp(`Stale: judged on version 1 of ${label}, which is at 2`),
  );
  assert.match(String(lab.inspect(label)), /of version 1 \(stale\)[^]*(won|lost|tied) \(stale\)/);
  // An edit back to the old text makes what was said of that fresh again.
  await lab.edit(label, { mechanism: view.versionsOf(id)[0]?.mechanism ?? "" });
  assert.equal(lab.stale.length, 0);
  assert.match(String(lab.inspect(reviews[0]?.label ?? "")), /the newest, 3, says the same/);
});

Deno.test("a review is made again of the newest text, and stands in for the stale one", async () => {
  await using lab = await played(4);
  const { id } = standing(lab, "H1").record;
  const kinds = lab.view().reviewsOf(id).map(({ kind }) => kind);
  await lab.edit("H1", { statement: STATEMENT });
  const reviews = lab.stale.filter(({ kind }) => kind === "review").map(({ label }) => label);
  assert.equal(reviews.length, kinds.length);
  const calls = lastCall(lab);
  const run = await lab.refresh(reviews);
  assert.deepEqual([run.endedBy, run.tasks.review], ["until", kinds.length]);
  assert.ok(run.expectedUsd !== null && run.expectedUsd > 0);
  const again = lab.view().reviewsOf(id).filter(({ hypothesisVersion }) => hypothesisVersion === 2);
  assert.deepEqual(again.map(({ kind }) => kind).sort(), kinds.sort());
  assert.ok(requestsSince(lab, calls, "reflection.").every((text) => text.includes(STATEMENT)));
  assert.ok(lab.stale.every(({ kind }) => kind !== "review"));
  assert.match(String(lab.inspect(reviews[0] ?? "")), /A newer one of its kind is of that/);
  // From now on judges read the new ones alone.
  const judged = lastCall(lab);
  await lab.rank(3);
  const shown = requestsSince(lab, judged, "ranking.").filter((text) => text.includes(STATEMENT));
  assert.ok(shown.length > 0 && shown.every((text) => !text.includes(" stale=")));
});

Deno.test("the safety screen looks at an edited text before it is reviewed again; blocked, it is quarantined", async () => {
  await using lab = await played(4);
  const { id } = standing(lab, "H1").record;
  await lab.edit("H1", { statement: STATEMENT });
  const calls = lastCall(lab);
  await lab.refresh(lab.stale.filter(({ kind }) => kind === "review").map(({ label }) => label).slice(0, 1));
  const screens = requestsSince(lab, calls, "classifier");
  assert.equal(screens.length, 1);
  assert.ok(screens[0]?.includes(STATEMENT));
  assert.ok(lab.view().screens.some(({ target, seq }) => target === id && seq === lab.view().seq));
});

Deno.test("a match is judged again between the same two, and the new one takes the place of the stale one", async () => {
  await using lab = await played();
  const label = veteran(lab);
  await lab.edit(label, { statement: STATEMENT });
  const stale = lab.stale.filter(({ kind }) => kind === "match").map(({ label }) => label);
  assert.ok(stale.length > 0);
  const before = lab.view().matches.map((match) => match.label);
  const calls = lastCall(lab);
  const run = await lab.refresh(stale);
  assert.deepEqual([run.endedBy, run.tasks.match], ["until", stale.length]);
  const view = lab.view();
  const redone = view.matches.filter((match) => !before.includes(match.label));
  const pairs = (matches: typeof redone) =>
    matches.map(({ firstId, secondId }) => [firstId, secondId].sort().join(" ")).sort();
  assert.deepEqual(pairs(redone), pairs(view.matches.filter((match) => stale.includes(match.label))));
  for (const old of view.matches.filter((match) => stale.includes(match.label))) {
    assert.equal(view.marked("void", old.id), true);
    assert.ok(view.counted.every(({ id }) => id !== old.id));
  }
  assert.ok(redone.every(({ id }) => view.counted.some((match) => match.id === id)));
  assert.ok(view.epoch > 0);
  assertRated(lab);
  assert.ok(requestsSince(lab, calls, "ranking.").some((text) => text.includes(STATEMENT)));
  assert.ok(lab.stale.every(({ kind }) => kind !== "match"));
  // Opened anew from the records, it says the same.
  const later = lab.store.view(view.session.id, view.seq - 1);
  assert.deepEqual(lab.view(later.seq).counted.length, later.counted.length);
});

Deno.test("a child is made anew from its parents' newest texts, as its next version; what is stale since is told", async () => {
  const settings = small(1, { run: { maxIdeas: 5 }, reflection: { verifyTop: 0 } });
  await using lab = await played(6, settings);
  while (lab.view().hypotheses.every(({ record }) => record.parents.length === 0)) {
    await lab.evolve("simplify");
  }
  await lab.rank(2);
  const child = lab.view().hypotheses.find(({ record }) => record.parents.length > 0);
  assert.ok(child !== undefined);
  const { label, id, strategy, parents } = child.record;
  const parent = lab.view().hypothesis(parents[0] ?? "")?.record;
  assert.ok(parent !== undefined);
  await lab.edit(parent.label, { statement: STATEMENT });
  const row = lab.stale.find((each) => each.label === label);
  assert.deepEqual([row?.kind, row?.judgedOn.startsWith(`made from version 1 of ${parent.label}`)], [
    "child",
    true,
  ]);
  assert.match(String(lab.inspect(label)), new RegExp(`Stale: made from version 1 of ${parent.label}`));
  const calls = lastCall(lab), hypotheses = lab.view().hypotheses.length;
  const own = lab.stale.filter((each) => each.of.includes(label) && each.kind !== "child").length;
  const run = await lab.refresh(label);
  assert.equal(run.tasks.evolve, 1);
  assert.ok(requestsSince(lab, calls, `evolution.${strategy}`).every((text) => text.includes(STATEMENT)));
  const now = standing(lab, label).record;
  if (lab.view().duplicates.some(({ seq }) => seq > parent.seq && seq === lab.view().seq)) return;
  assert.equal(lab.view().hypotheses.length, hypotheses, "it is no new hypothesis");
  assert.deepEqual([now.id, now.version, now.strategy, now.parents], [id, 2, strategy, parents]);
  assert.ok(lab.view().embedding(id, 2) !== undefined);
  assert.ok(lab.stale.every((each) => each.label !== label));
  const since = lab.stale.filter((each) => each.of.includes(label));
  assert.ok(
    since.length > own && since.some(({ kind }) => kind === "review"),
    "its reviews are stale in their turn",
  );
  assert.match(run.notes.join("\n"), /stale since what was made anew/);
});

Deno.test("refresh() does everything: children first, then what is said of them, the overview last", async () => {
  await using lab = await played(6);
  const { markdown } = await lab.overview();
  const label = lab.view().leaderboard.filter(({ matches }) => matches > 0).map(({ record }) => record.label)
    .find((each) => new RegExp(`\\b${each}\\b`).test(markdown)) ?? "";
  await lab.edit(label, { statement: STATEMENT });
  const stale = lab.stale.map(({ label, kind }) => ({ label, kind }));
  assert.ok(stale.some(({ kind }) => kind === "overview"));
  assert.match(String(lab.inspect("O1")), new RegExp(`Stale: it tells of version 1 of ${label}`));
  const order: string[] = [];
  const run = await lab.refresh(undefined, { onTask: ({ action }) => order.push(action) });
  assert.equal(run.endedBy, "until");
  assert.equal(order.at(-1), "overview");
  assert.ok(
    order.lastIndexOf("evolve") < Math.min(...["review", "match"].map((each) => order.indexOf(each))),
  );
  const left = lab.stale.filter((row) =>
    stale.some((was) => was.label === row.label && was.kind !== "child")
  );
  assert.deepEqual(left, [], "nothing of what was asked for is left");
  assert.equal(lab.view().overviews.length, 2);
  assertRated(lab);
  const before = writesOf(lab);
  if (lab.stale.length === 0) {
    const none = await lab.refresh();
    assert.match(none.notes.join("\n"), /Nothing is stale/);
    assert.deepEqual(writesOf(lab), before);
  }
});

Deno.test("refresh says what is wrong with a label, and what it leaves alone", async () => {
  await using lab = await played(4);
  const { id, version } = standing(lab, "H1").record;
  lab.store.commit(lab.view().session.id, () => ({
    kind: "test",
    author: "Ada",
    progress: 0,
    entries: [{
      kind: "review",
      record: {
        id: recordId("rev", "ada"),
        hypothesisId: id,
        hypothesisVersion: version,
        kind: "full",
        verdict: "neutral",
        scores: {},
        assumptions: [],
        evidence: [],
        droppedEvidence: 0,
        notes: "I doubt it",
        author: "Ada",
        weight: 1,
        amends: null,
        taskId: null,
      },
    }],
  }));
  const own = lab.view().reviews.at(-1)?.label ?? "";
  assert.match((await lab.refresh("H1")).notes.join(), /Nothing of H1 is stale/);
  assert.match((await lab.refresh(own)).notes.join(), new RegExp(`${own} is not stale`));
  await lab.edit("H1", { statement: STATEMENT });
  const before = writesOf(lab);
  await assertRefused(() => lab.refresh(own), { code: "state", says: [own, "Ada's", "addReview"] });
  await assertRefused(() => lab.refresh("H99"), { code: "input", says: ["refresh", '"H99"'] });
  await assertRefused(() => lab.refresh("T1"), { code: "input", says: ['"T1" is a task', "never stale"] });
  await assertRefused(() => lab.refresh([]), { code: "input", says: ["refresh", "nothing for all"] });
  await assertRefused(() => lab.refresh(["V1", "H99"]), { code: "input", says: ['"H99"'] });
  assert.deepEqual(writesOf(lab), before);
  const row = lab.stale.find(({ label }) => label === own);
  assert.deepEqual([row?.usd, /Ada's/.test(row?.remark ?? "")], [null, true]);
  const run = await lab.refresh("H1");
  assert.match(run.notes.join("\n"), new RegExp(`${own} is left as it is: it is Ada's`));
  assert.ok(lab.stale.some(({ label }) => label === own));
  lab.pause();
  await assertRefused(() => lab.refresh(), { code: "state", says: ["paused", "resume()"] });
});

Deno.test("stale matches are left out where the settings say so: by configure, by an edit, and by what undoes it", async () => {
  await using lab = await played();
  const label = veteran(lab);
  const played_ = standing(lab, label).matches;
  await lab.edit(label, { statement: STATEMENT });
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [0, played_], "they count by default");
  const rated = lab.view().leaderboard.map(({ record, strength }) => [record.label, strength]);
  const changes = lab.configure({ ranking: { staleMatches: "leave_out" } });
  assert.match(changes[0]?.effect ?? "", new RegExp(`At once\\..*${played_} stale match.* left out`));
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [1, 0]);
  assert.notDeepEqual(lab.view().leaderboard.map(({ record, strength }) => [record.label, strength]), rated);
  assertRated(lab);
  // Back to the old text: they count again, in an epoch that the edit itself opens.
  await lab.edit(label, {
    statement: lab.view().versionsOf(standing(lab, label).record.id)[0]?.statement ?? "",
  });
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [2, played_]);
  assertRated(lab);
  lab.undo();
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [3, 0]);
  assertRated(lab);
  // One that is judged again counts in the place of a stale one, which counts no more: Elo goes on.
  const [stale] = lab.stale.filter(({ kind }) => kind === "match");
  await lab.refresh(stale?.label ?? "");
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [3, 1]);
  assertRated(lab);
  lab.configure({ ranking: { staleMatches: "count" } });
  assert.deepEqual([lab.view().epoch, standing(lab, label).matches], [4, played_]);
  assertRated(lab);
  // A handle that reads it all from the store sees the same.
  const head = lab.view();
  const again = lab.store.view(head.session.id, head.seq);
  assert.deepEqual(again.eloJournal, head.eloJournal);
});

Deno.test("an edited leader isn't verified again by itself", async () => {
  await using lab = await played(
    8,
    small(1, { reflection: { verifyTop: 1 }, evolution: { ...SMALL.evolution, minMature: 9 } }),
  );
  const verified = lab.view().reviews.filter(({ kind }) => kind === "verification");
  assert.ok(verified.length > 0);
  for (const { hypothesisId } of verified) {
    const { record, state } = lab.view().hypothesis(hypothesisId) ?? {};
    if (record === undefined || state !== "in_tournament") continue;
    await lab.edit(record.label, { statement: `${STATEMENT} ${record.label}` });
  }
  const before = lab.view().reviews.length;
  const edited = new Set(verified.map(({ hypothesisId }) => hypothesisId));
  await lab.runFor({ matches: 3 });
  const since = lab.view().reviews.slice(before).filter(({ hypothesisId }) => edited.has(hypothesisId));
  assert.deepEqual(
    since.map(({ kind }) => kind),
    [],
    "a stale review is made again only when it is asked for",
  );
});

/** A wire that holds back the calls whose request the test names. */
function gate() {
  const reached = Promise.withResolvers<void>(), free = Promise.withResolvers<void>();
  let wanted: ((body: string) => boolean) | null = null;
  const over = wire();
  return {
    over: {
      ...over,
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const body = typeof init?.body === "string" ? init.body : "";
        if (wanted?.(body) === true) {
          wanted = null;
          reached.resolve();
          await free.promise;
        }
        return await over.fetch(input, init);
      },
    },
    hold: (test: (body: string) => boolean) => (wanted = test),
    reached: reached.promise,
    letGo: () => free.resolve(),
  };
}

Deno.test("an edit while a match of it is judged: the result is void, its cost kept, no rating moves", async () => {
  const { over, hold, reached, letGo } = gate();
  await using lab = await enter(":memory:", { settings: small(1), over });
  await lab.runUntil({ matches: 4 });
  const elos = () => lab.view().hypotheses.map(({ elo }) => elo);
  const before = elos(), played = lab.view().matchCount, spent = lab.view().cost.microUsd;
  hold((body) => body.includes("record_verdict") || body.includes('slot=\\"1\\"'));
  const run = lab.rank(1);
  await reached;
  const [task] = lab.queue.list().filter(({ status }) => status === "in_progress");
  const decision = lab.store.queue(lab.view().session.id).list().find(({ status }) =>
    status === "in_progress"
  )
    ?.decision;
  assert.ok(decision?.kind === "match");
  const label = lab.view().hypothesis(decision.firstId)?.record.label ?? "";
  await lab.edit(label, { statement: STATEMENT });
  letGo();
  await run;
  const card = lab.inspect(task?.label ?? "");
  assert.match(String(card), new RegExp(`void[^]*${label} was edited meanwhile`));
  assert.deepEqual(elos(), before);
  assert.equal(lab.view().matchCount, played);
  assert.ok(lab.view().cost.microUsd > spent);
  assert.ok(Math.abs(lab.cost().total.usd - lab.view().cost.microUsd / 1e6) < 1e-9);
});

Deno.test("an edit while a draft is reviewed: void, and the review that lets it in is made of the new text", async () => {
  const { over, hold, reached, letGo } = gate();
  await using lab = await enter(":memory:", { settings: small(1), over });
  await lab.runUntil({ hypotheses: 1 });
  hold((body) => body.includes("record_review"));
  const run = lab.runUntil({ reviews: 2 });
  await reached;
  assert.equal(standing(lab, "H1").state, "draft");
  await lab.edit("H1", { statement: STATEMENT });
  letGo();
  await run;
  const view = lab.view();
  const reviews = view.reviewsOf(standing(lab, "H1").record.id);
  assert.deepEqual(reviews.map(({ kind, hypothesisVersion }) => [kind, hypothesisVersion]), [["full", 2]]);
  assert.equal(view.endedTasks.void, 1);
  assert.equal(standing(lab, "H1").state, "in_tournament");
});

Deno.test("an edit while it is evolved: the child is void", async () => {
  const { over, hold, reached, letGo } = gate();
  await using lab = await enter(":memory:", { settings: small(1), over });
  await lab.runUntil({ matches: 2 });
  const count = lab.view().hypotheses.length;
  hold((body) => body.includes("evolution agent"));
  const run = lab.evolve("simplify", "H1");
  await reached;
  await lab.edit("H1", { statement: STATEMENT });
  letGo();
  const spent = (await run).cost.microUsd;
  assert.ok(spent > 0);
  assert.deepEqual([lab.view().hypotheses.length, lab.view().endedTasks.void], [count, 1]);
});

Deno.test("two edits at once: the one that comes second says so", async () => {
  await using lab = await played(2);
  const results = await Promise.allSettled([
    lab.edit("H1", { statement: `${STATEMENT} one` }),
    lab.edit("H1", { statement: `${STATEMENT} two` }),
  ]);
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected"]);
  assert.match(String(Object(results[1]).reason), /H1 was edited meanwhile and is at version 2/);
  assert.equal(standing(lab, "H1").record.version, 2);
});
