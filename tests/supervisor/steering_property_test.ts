/**
 * Random verbs of steering between random ticks: whatever a person does, the records stay whole, what can be undone is
 * undone without a trace, and the same verbs on a tape make the same session again.
 */
import assert from "node:assert/strict";
import { type Rng, rng } from "../../lib/domain/rng.ts";
import { sameText } from "../../lib/domain/same_text.ts";
import { staleItems } from "../../lib/engine/staleness.ts";
import { canonicalExport } from "../../lib/store/canonical.ts";
import { Store } from "../../lib/store/store.ts";
import type { View } from "../../lib/store/view.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import { assertLedger, assertSound } from "../engine/support/invariants.ts";
import { LONG, type Opened, openSession } from "../engine/support/sim_session.ts";
import { assertSame } from "../store/same_views.ts";
import { viewState } from "../store/view_state.ts";

type Lab = Opened["lab"];
/** Does something to a session, or says that there is nothing to do it to. */
type Verb = (lab: Lab, chance: Rng) => (() => unknown) | null;

const SEQUENCES = LONG ? 200 : 12;
const STEPS = 26;

/** Verbs of which `undo()` takes back everything. */
const REVERSIBLE: Readonly<Record<string, Verb>> = {
  configure: (lab, chance) => {
    const patch = chance.pick([
      { ranking: { kFactorNew: 16 + chance.int(40) } },
      { ranking: { topK: 1 + chance.int(6) } },
      { ranking: { rating: chance.pick(["elo", "bradley_terry"] as const) } },
      { ranking: { staleMatches: chance.pick(["count", "leave_out"] as const) } },
      { ranking: { order: chance.pick(["coin", "both"] as const) } },
      { scope: { known: [`compound ${chance.int(9)} + compound ${10 + chance.int(9)}`] } },
    ]);
    return () => lab.configure(patch);
  },
  "prompts.edit": (lab, chance) => {
    const name = chance.pick(["ranking.pairwise", "reflection.full", "generation.literature"]);
    return () => lab.prompts.edit(name, (text) => `${text}\n\nMind point ${chance.int(1e6)}.`);
  },
  "prompts.reset": (lab, chance) => {
    const changed = [...lab.view().prompts.keys()];
    return changed.length === 0 ? null : () => lab.prompts.reset(chance.pick(changed));
  },
  direct: (lab, chance) => {
    const to = chance.pick(["ranking", "generation"] as const);
    return () => lab.direct(`Wish ${chance.int(1e6)}: prefer what is cheap.`, { to });
  },
  withdraw: (lab, chance) => {
    const view = lab.view(), left = view.directives.filter((directive) => view.inForce(directive));
    return left.length === 0 ? null : () => lab.withdraw(chance.pick(left).label);
  },
  addHypothesis: (lab, chance) => () =>
    lab.addHypothesis({
      title: `An idea of ours, number ${chance.int(1e6)}`,
      statement: `Agent ${chance.int(1e6)} restores pathway ${chance.int(1e6)} in tissue ${chance.int(1e6)}.`,
    }, { author: "Ada", force: true }),
  addReview: (lab, chance) => {
    const one = some(lab, chance, ["draft", "in_tournament"]);
    const scores = { novelty: chance.next(), correctness: chance.next() };
    return one === null
      ? null
      : () => lab.addReview(one, { notes: "Read with care.", scores, weight: 1 + chance.int(3) });
  },
  amendReview: (lab, chance) => {
    const review = reviewInForce(lab, chance);
    return review === null ? null : () => lab.amendReview(review, { scores: { feasibility: chance.next() } });
  },
  voidReview: (lab, chance) => {
    const review = reviewInForce(lab, chance);
    return review === null ? null : () => lab.voidReview(review, "It missed the point.");
  },
  addVerdict: (lab, chance) => {
    const pair = pairOf(lab, chance);
    if (pair === null) return null;
    const winner = chance.pick([...pair, "tie"]);
    return () => lab.addVerdict(...pair, winner, { weight: 1 + chance.int(2), rationale: "As we see it." });
  },
  voidVerdict: (lab, chance) => {
    const view = lab.view();
    const left = view.matches.filter(({ id, verdict }) =>
      verdict !== "invalid" && view.marked("void", id) === null
    );
    return left.length === 0 ? null : () => lab.voidVerdict(chance.pick(left).label, "Misjudged.");
  },
  addResult: (lab, chance) => {
    const one = some(lab, chance, ["in_tournament", "disproved"]);
    const outcome = chance.pick(["confirmed", "refuted", "inconclusive"] as const);
    return one === null ? null : () => lab.addResult(one, { outcome, claim: "Measured three times." });
  },
  voidResult: (lab, chance) => {
    const left = lab.view().evidence.filter(({ outcome }) => outcome !== null);
    return left.length === 0 ? null : () => lab.voidResult(chance.pick(left).label, "The assay was wrong.");
  },
  edit: (lab, chance) => {
    const one = some(lab, chance, ["draft", "in_tournament"]);
    return one === null ? null : () => lab.edit(one, { mechanism: `By way of step ${chance.int(1e6)}.` });
  },
  pin: (lab, chance) => {
    const one = some(lab, chance, ["in_tournament"], ({ pinned }) => !pinned);
    return one === null ? null : () => lab.pin(one);
  },
  unpin: (lab, chance) => {
    const one = some(lab, chance, ["in_tournament"], ({ pinned }) => pinned);
    return one === null ? null : () => lab.unpin(one);
  },
  reject: (lab, chance) => {
    const one = some(lab, chance, ["draft", "in_tournament", "disproved"]);
    return one === null ? null : () => lab.reject(one, "Out of scope.");
  },
  restore: (lab, chance) => {
    const one = some(lab, chance, ["rejected", "disproved", "unfit"]);
    return one === null ? null : () => lab.restore(one);
  },
  merge: (lab, chance) => {
    const pair = pairOf(lab, chance);
    return pair === null ? null : () => lab.merge(...pair);
  },
  rerate: (lab, chance) => {
    const view = lab.view(), { counted } = view;
    if (counted.length === 0) return null;
    const { label } = chance.pick(counted);
    const weight = 0.3 + chance.next();
    return () => lab.rerate({ weights: [{ matches: [label], weight }], apply: true });
  },
};

/** Verbs that stand for themselves. */
const OTHERS: Readonly<Record<string, Verb>> = {
  // One at a time: which of two side by side is done first is a matter of time, and no tape tells it again.
  tick: (lab) => () => lab.tick(),
  "a few ticks": (lab) => async () => {
    for (let i = 0; i < 4; i++) await lab.tick();
  },
  "queue.promote": (lab, chance) => {
    const { openTasks } = lab.view();
    return openTasks.length === 0 ? null : () => lab.queue.promote(chance.pick(openTasks).record.label);
  },
  "queue.cancel": (lab, chance) => {
    const matches = lab.view().openTasks.filter(({ record }) => record.action === "match");
    return matches.length === 0 ? null : () => lab.queue.cancel(chance.pick(matches).record.label);
  },
  "pause and resume": (lab) => () => {
    lab.pause();
    lab.resume();
  },
  "ask at gates": (lab, chance) => {
    const gates = chance.pick([[], ["feedback", "evolution"]] as const);
    return () => lab.configure({ run: { gates: [...gates] } });
  },
  "answer at a gate": (lab, chance) => {
    if (lab.view().openGate === null) return null;
    return chance.next() < 0.6 ? () => acceptOrRefuse(lab) : () => lab.refuse("Not now.");
  },
  "take a task, and give it back": (lab, chance) => {
    const waiting = lab.queue.list().filter(({ action, status }) =>
      action === "review" && status === "pending"
    );
    if (waiting.length === 0) return null;
    const { label } = chance.pick(waiting);
    return () => {
      lab.queue.take(label, { author: "Ada" });
      lab.queue.giveBack(label, { author: "Ada" });
    };
  },
  refresh: (lab, chance) => {
    const again = staleItems(lab.view()).filter(({ kind }) => kind === "match" || kind === "review");
    return again.length === 0 ? null : () => lab.refresh(chance.pick(again).label);
  },
  rejudge: (lab, chance) => {
    const view = lab.view();
    const inPlay = (id: string) => view.hypothesis(id)?.state === "in_tournament";
    const machine = view.counted.filter(({ author, firstId, secondId }) =>
      author === "model" && inPlay(firstId) && inPlay(secondId)
    );
    if (machine.length < 2) return null;
    const prompt = `${lab.prompts.get("ranking.pairwise").text}\n\nWeigh point ${chance.int(1e6)} most.`;
    return () => lab.rejudge({ sample: 2, prompt, apply: chance.next() < 0.5 });
  },
  undo: (lab) => lab.view().revisions.length === 0 ? null : () => undoOne(lab),
};

function some(
  lab: Lab,
  chance: Rng,
  states: readonly string[],
  also: (standing: View["hypotheses"][number]) => boolean = () => true,
): string | null {
  const left = lab.view().hypotheses.filter((standing) => states.includes(standing.state) && also(standing));
  return left.length === 0 ? null : chance.pick(left).record.label;
}

function pairOf(lab: Lab, chance: Rng): [string, string] | null {
  const [a, b] = chance.shuffle(lab.view().leaderboard).map(({ record }) => record.label);
  return a === undefined || b === undefined ? null : [a, b];
}

function reviewInForce(lab: Lab, chance: Rng): string | null {
  const view = lab.view(), left = view.reviews.filter(({ id }) => view.marked("void", id) === null);
  return left.length === 0 ? null : chance.pick(left).label;
}

/** Says yes; where what was proposed can't be done any more, no. */
function acceptOrRefuse(lab: Lab): void {
  try {
    lab.accept();
  } catch (error) {
    assert.match(String(error), /isn't evolved/);
    lab.refuse("It can't be done any more.");
  }
}

/** Undoes the newest change that can be undone; that none is left, or that the newest was overtaken, is no fault. */
function undoOne(lab: Lab): void {
  try {
    lab.undo();
  } catch (error) {
    assert.match(String(error), /undo that first|no change left|by now/);
  }
}

/** What a person's changes are about: equal before a change and after its undoing. */
function standing(view: View) {
  const gone = new Set(
    view.hypotheses.filter(({ state }) => state === "rejected").map(({ record }) => record.id),
  );
  return {
    settings: view.settings,
    prompts: Object.fromEntries(view.prompts),
    directives: view.directives.filter((directive) => view.inForce(directive)).map(({ id }) => id),
    hypotheses: view.hypotheses.filter(({ record }) => !gone.has(record.id)).map((of) => {
      const { title, statement, mechanism } = of.record;
      return {
        id: of.record.id,
        text: [title, statement, mechanism],
        state: of.state,
        pinned: of.pinned,
        mergedInto: of.mergedInto,
        result: of.result,
        played: [of.matches, of.won, of.lost, of.tied],
        elo: of.elo,
        strength: of.strength === null ? null : Math.round(of.strength * 1e9),
      };
    }),
    reviews: view.reviews.filter(({ id, hypothesisId }) =>
      view.marked("void", id) === null && !gone.has(hypothesisId)
    ).map(({ id }) => id),
    counted: view.counted.map(({ id, firstId, secondId, weight }) => [id, firstId, secondId, weight]),
    results: view.evidence.filter(({ outcome }) => outcome !== null).map(({ id }) => id),
    order: view.leaderboard.map(({ record }) => record.id),
  };
}

/** What is stale, from the records, by going through all versions instead of asking which was in force. */
function staleAnew(view: View): string[] {
  const said = (id: string, seq: number) => {
    const versions = view.versionsOf(id);
    let then = versions[0];
    for (const version of versions) if (version.seq <= seq) then = version;
    return then;
  };
  // One that was merged says since then what the one says that stands for both.
  const differs = (id: string, seq: number): boolean => {
    const then = said(id, seq), newest = view.versionsOf(id).at(-1);
    if (then === undefined || newest === undefined || !sameText(then, newest)) return true;
    const into = view.hypothesis(id)?.mergedInto ?? null;
    if (into === null) return false;
    const merge = view.revisions.findLast(({ kind, target }) => kind === "merge" && target === newest.label);
    return differs(into, Math.max(seq, merge?.seq ?? 0));
  };
  const root = (id: string): string => {
    const into = view.hypothesis(id)?.mergedInto ?? null;
    return into === null ? id : root(into);
  };
  const out = (id: string) =>
    ["rejected", "quarantined", "merged"].includes(view.hypothesis(id)?.state ?? "");
  const stale: string[] = [];
  const fresh = new Set<string>();
  const reviews = view.reviews.filter(({ id, hypothesisId }) =>
    view.marked("void", id) === null && !out(hypothesisId)
  ).map((review) => {
    const { hypothesisId, hypothesisVersion, kind, author, label } = review;
    const of = view.versionsOf(hypothesisId).find(({ version }) => version === hypothesisVersion);
    const newest = view.hypothesis(hypothesisId)?.record;
    const same = of === undefined || newest === undefined || sameText(of, newest);
    const place = `${hypothesisId} ${kind} ${author}`;
    if (same) fresh.add(place);
    return { label, same, place };
  });
  // A newer one of its kind and author stands in for a stale one.
  for (const { label, same, place } of reviews) if (!same && !fresh.has(place)) stale.push(label);
  for (const { id, label, firstId, secondId, seq, verdict } of view.matches) {
    const sides = [root(firstId), root(secondId)];
    if (verdict === "invalid" || view.marked("void", id) !== null || view.marked("weight", id) === 0) {
      continue;
    }
    if (sides[0] === sides[1] || sides.some(out)) continue;
    if (differs(firstId, seq) || differs(secondId, seq)) stale.push(label);
  }
  return stale.sort();
}

function staleNow(view: View): string[] {
  return staleItems(view).filter(({ kind }) => kind !== "child" && kind !== "overview").map(({ label }) =>
    label
  ).sort();
}

/** Whatever was done, all this holds. */
function assertHolds(lab: Lab, done: string): void {
  assertLedger(lab);
  assertSound(lab);
  const view = lab.view();
  assert.deepEqual(staleNow(view), staleAnew(view), `stale after ${done}`);
  const numbers = view.revisions.map(({ number }) => number);
  assert.deepEqual(numbers, numbers.map((_, i) => i + 1), "revisions are numbered through");
}

interface Played {
  readonly steps: readonly string[];
  readonly exported: string;
}

/** Plays a sequence: a function of its seed and of what the session answers. */
async function play(seed: string, tape: { mode: "record" | "replay"; path: string }): Promise<Played> {
  await using session = await openSession({
    seed,
    settings: {
      run: { maxIdeas: 7, initialIdeas: 4, maxMatchesPerIdea: 6 },
      termination: { topKPrecision: 0, minMatches: 1000 },
      vectors: { dedupCosineThreshold: 0.999 },
    },
    create: { tape },
  });
  const { lab } = session;
  const chance = rng(seed, "steering", "verbs");
  const steps: string[] = [];
  const run = async (name: string, verb: Verb): Promise<boolean> => {
    const act = verb(lab, chance);
    if (act === null) return false;
    steps.push(name);
    await act();
    return true;
  };
  for (let i = 0; i < 6; i++) await run("a few ticks", OTHERS["a few ticks"] ?? (() => null));
  for (let i = 0; i < STEPS; i++) {
    const reversible = chance.next() < 0.6;
    const [name, verb] = chance.pick(Object.entries(reversible ? REVERSIBLE : OTHERS));
    const before = standing(lab.view()), revisions = lab.view().revisions.length;
    if (!await run(name, verb)) continue;
    assertHolds(lab, steps.join(", "));
    if (!reversible || lab.view().revisions.length === revisions || chance.next() < 0.3) continue;
    const after = standing(lab.view());
    const [undone] = lab.undo();
    assert.deepEqual(standing(lab.view()), before, `undoing ${name} (${steps.join(", ")})`);
    assertHolds(lab, `undoing ${name}`);
    if (undone === undefined || chance.next() < 0.5) continue;
    lab.undo(undone.revision);
    assert.deepEqual(standing(lab.view()), after, `undoing the undoing of ${name} (${steps.join(", ")})`);
    assertHolds(lab, `bringing ${name} back`);
  }
  return { steps, exported: canonicalExport(lab.store, lab.view().session.id) };
}

const folder = Deno.makeTempDirSync({ prefix: "cosci-steering-" });

for (let n = 0; n < SEQUENCES; n++) {
  Deno.test(`sequence ${n} of verbs: whole, undone without a trace, and the same again from its tape`, async () => {
    const path = `${folder}/${n}.tape`;
    const first = await play(`steered ${n}`, { mode: "record", path });
    const again = await play(`steered ${n}`, { mode: "replay", path });
    assert.deepEqual(again.steps, first.steps);
    const [lines, expected] = [again.exported, first.exported].map((text) => text.split("\n"));
    for (const [i, line] of (expected ?? []).entries()) assert.equal(lines?.[i], line, `line ${i + 1}`);
    assert.equal(lines?.length, expected?.length);
    await Deno.remove(path);
  });
}

Deno.test("a steered session says the same at every seq, read from the file by a handle that saw nothing, and in SQL", async () => {
  const store = `${folder}/views.db`;
  const seen: string[] = [];
  {
    await using session = await openSession({
      seed: "views",
      settings: { run: { maxIdeas: 6 }, termination: { topKPrecision: 0, minMatches: 1000 } },
      create: { store },
    });
    const { lab } = session;
    const chance = rng("views", "steering", "verbs");
    for (let i = 0; i < 24; i++) await lab.tick();
    for (let i = 0; i < 40; i++) {
      const [, verb] = chance.pick(Object.entries(REVERSIBLE));
      const act = verb(lab, chance);
      if (act !== null) await act();
      if (i % 8 === 7) {
        await lab.tick();
        assertSame(store, lab);
      }
      seen[lab.view().seq] = viewState(lab.view());
    }
    await using fork = await lab.fork({ name: "fork", at: Math.floor(lab.view().seq * 0.8) });
    for (let i = 0; i < 4; i++) lab.undo();
    assertSame(store, lab);
    assertSame(store, fork);
  }
  const fresh = new Store({ database: store, ratings: sessionRatings });
  const [session] = fresh.sessions();
  assert.ok(session !== undefined);
  for (const [seq, state] of seen.entries()) {
    if (state !== undefined) assert.equal(viewState(fresh.view(session.id, seq)), state, `seq ${seq}`);
  }
  fresh.close();
});
