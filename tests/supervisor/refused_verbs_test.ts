/** What the verbs of a handle refuse: said with key, value, nearest and remedy, and before anything is written. */
import assert from "node:assert/strict";
import { Supervisor } from "../../mod.ts";
import { enter, GOAL, SMALL } from "../engine/support/session.ts";
import { assertRefused, type Refusal, writesOf } from "./support.ts";

/** One wrong call: a verb (`queue.cancel`) with arguments as a notebook, which checks no types, hands them over. */
interface WrongCall extends Refusal {
  readonly verb: string;
  readonly given: readonly unknown[];
}

const unknownLabel: Refusal = {
  code: "input",
  says: ['there is no "H99"', "hypotheses H1 to H", "tasks (T1, T2"],
};

const WRONG: readonly WrongCall[] = [
  { verb: "inspect", given: ["H99"], ...unknownLabel },
  { verb: "inspect", given: [7], code: "input", says: ["inspect", "7", 'label such as "H7"'] },
  { verb: "inspect", given: [""], code: "input", says: ['inspect: there is no ""'] },
  { verb: "reflect", given: ["H99"], ...unknownLabel },
  { verb: "reflect", given: [["H1", "H99"]], ...unknownLabel },
  { verb: "reflect", given: [[]], code: "input", says: ["reflect", "[]", 'label such as "H7"'] },
  {
    verb: "reflect",
    given: ["M1"],
    code: "input",
    says: ['reflect: "M1" is a match, not a hypothesis', "hypotheses H1"],
  },
  {
    verb: "reflect",
    given: ["H1", "deep"],
    code: "input",
    says: ["reflect: kind", '"deep"', "Kinds are full"],
  },
  {
    verb: "reflect",
    given: ["H1", "verifcation"],
    code: "input",
    says: ["reflect: kind", 'Did you mean "verification"?'],
  },
  {
    verb: "evolve",
    given: ["combnie"],
    code: "input",
    says: ["evolve: strategy", '"combnie"', 'Did you mean "combine"?'],
  },
  { verb: "evolve", given: ["simplify", ["H99"]], ...unknownLabel },
  {
    verb: "evolve",
    given: ["simplify", "V1"],
    code: "input",
    says: ['evolve: "V1" is a review, not a hypothesis'],
  },
  { verb: "generate", given: [0], code: "input", says: ["generate", "0", "from 1 to 1000"] },
  { verb: "generate", given: ["three"], code: "input", says: ["generate", '"three"', "whole number"] },
  { verb: "rank", given: [2.5], code: "input", says: ["rank", "2.5", "whole number"] },
  {
    verb: "runUntil",
    given: [{ matches: 1 }, { progress: "line" }],
    code: "input",
    says: [
      'runUntil: progress: "line" can\'t be used',
      'Did you mean "lines"?',
      "Choose one of auto, notebook, terminal, lines, none.",
    ],
  },
  { verb: "tick", given: [{ progress: false }], code: "input", says: ["tick: progress: false", "none"] },
  { verb: "tick", given: [{ tasks: 0 }], code: "input", says: ["tick: tasks", "0", "from 1 to 64"] },
  { verb: "tick", given: [{ tasks: 65 }], code: "input", says: ["tick: tasks", "65", "from 1 to 64"] },
  { verb: "tick", given: [{ task: 2 }], code: "input", says: ['"task"', 'Did you mean "tasks"?'] },
  { verb: "tick", given: [3], code: "input", says: ["tick", "3", "{ tasks: 4 }"] },
  {
    verb: "tick",
    given: [{ signal: "stop" }],
    code: "input",
    says: ["tick: signal", '"stop"', "AbortController"],
  },
  {
    verb: "runUntil",
    given: [{ mtaches: 3 }],
    code: "input",
    says: ["runUntil: mtaches", 'Did you mean "matches"?', "Totals are"],
  },
  { verb: "runUntil", given: [{ matches: 0 }], code: "input", says: ["runUntil: matches", "0", "above 0"] },
  { verb: "runUntil", given: [{ matches: NaN }], code: "input", says: ["runUntil: matches", "above 0"] },
  { verb: "runUntil", given: [20], code: "input", says: ["runUntil", "20", "{ matches: 20 }"] },
  {
    verb: "runUntil",
    given: [() => 1],
    code: "input",
    says: ["runUntil: the condition", "1", "true or false"],
  },
  {
    verb: "runUntil",
    given: [async () => await Promise.resolve(true)],
    code: "input",
    says: ["runUntil: the condition", "true or false"],
  },
  {
    verb: "runUntil",
    given: [{ matches: 3 }, { onTask: "print" }],
    code: "input",
    says: ["runUntil: onTask", '"print"', "function"],
  },
  {
    verb: "runFor",
    given: [{ reviws: 3 }],
    code: "input",
    says: ["runFor: reviws", 'Did you mean "reviews"?'],
  },
  { verb: "runFor", given: [], code: "input", says: ["runFor", "nothing", "{ matches: 20 }"] },
  { verb: "start", given: [{ usd: -1 }], code: "input", says: ["start: usd", "-1", "above 0"] },
  { verb: "start", given: [() => "no"], code: "input", says: ["start: the condition", '"no"'] },
  {
    verb: "estimate",
    given: [{ mtaches: 3 }],
    code: "input",
    says: ["estimate: mtaches", 'Did you mean "matches"?'],
  },
  { verb: "estimate", given: [() => true], code: "input", says: ["estimate", "function", "{ matches: 20 }"] },
  {
    verb: "finish",
    given: [{ force: true }],
    code: "input",
    says: ['"force"', "Options are signal, onTask"],
  },
  {
    verb: "configure",
    given: [{ rankin: {} }],
    code: "input",
    says: ["settings.rankin", 'Did you mean "ranking"?'],
  },
  {
    verb: "configure",
    given: [{ ranking: { kFactorNw: 1 } }],
    code: "input",
    says: ["settings.ranking.kFactorNw", 'Did you mean "kFactorNew"?'],
  },
  {
    verb: "configure",
    given: [{ ranking: { kFactorNew: "big" } }],
    code: "input",
    says: ["settings.ranking.kFactorNew", '"big"', "number"],
  },
  {
    verb: "configure",
    given: [{ ranking: { kFactorNew: 40 }, run: { maxIdeas: -1 } }],
    code: "input",
    says: ["settings.run.maxIdeas", "-1"],
  },
  {
    verb: "configure",
    given: [{ ranking: { pNew: 0, pClose: 0, pRandom: 0 } }],
    code: "input",
    says: ["settings.ranking", "pRandom", "above 0"],
  },
  {
    verb: "configure",
    given: [{ ranking: 3 }],
    code: "input",
    says: ["settings.ranking", "3", "kFactorNew"],
  },
  { verb: "configure", given: [null], code: "input", says: ["settings", "null", "{ ranking:"] },
  {
    verb: "configure",
    given: [{ simulator: { judgeNoise: 2 } }],
    code: "state",
    says: ["simulator.judgeNoise", "can't be changed now", "another session"],
  },
  {
    verb: "configure",
    given: [{ vectors: { dimensions: 8 } }],
    code: "state",
    says: ["vectors.dimensions", "can't be compared", "another session"],
  },
  {
    verb: "configure",
    given: [{ ranking: { eloInitial: 1500 } }],
    code: "state",
    says: ["ranking.eloInitial", "started from the old value"],
  },
  {
    verb: "configure",
    given: [{ run: { maxIdeas: 9 } }, { author: 5 }],
    code: "input",
    says: ["configure: author", "5", "name"],
  },
  {
    verb: "configure",
    given: [{ run: { maxIdeas: 9 } }, { autor: "me" }],
    code: "input",
    says: ['"autor"', 'Did you mean "author"?'],
  },
  {
    verb: "transcripts",
    given: [{ lst: 3 }],
    code: "input",
    says: ["transcripts", '"lst"', 'Did you mean "last"?'],
  },
  { verb: "transcripts", given: [{ last: 0 }], code: "input", says: ["transcripts: last", "0", "above 0"] },
  {
    verb: "transcripts",
    given: [{ prompt: "ranking.pairwse" }],
    code: "input",
    says: ["transcripts: prompt", 'Did you mean "ranking.pairwise"?'],
  },
  {
    verb: "transcripts",
    given: [{ task: "T999" }],
    code: "input",
    says: ['transcripts: there is no "T999"'],
  },
  {
    verb: "transcripts",
    given: [{ task: "H1" }],
    code: "input",
    says: ['transcripts: "H1" is a hypothesis, not a task'],
  },
  { verb: "transcripts", given: [{ hypothesis: "H99" }], ...unknownLabel },
  {
    verb: "transcripts",
    given: [{ failed: "yes" }],
    code: "input",
    says: ["transcripts: failed", '"yes"', "true or false"],
  },
  { verb: "transcript", given: [99_999], code: "input", says: ["transcript", "99999", "transcripts()"] },
  { verb: "events", given: [{ lst: 3 }], code: "input", says: ["events", '"lst"', 'Did you mean "last"?'] },
  { verb: "events", given: [{ last: -1 }], code: "input", says: ["events: last", "-1", "above 0"] },
  { verb: "view", given: [1e9], code: "input", says: ["seq", "1000000000", "commits 0 to"] },
  { verb: "view", given: [1.5], code: "input", says: ["seq", "1.5"] },
  {
    verb: "queue.cancel",
    given: ["T999"],
    code: "input",
    says: ['queue.cancel: there is no "T999"', "tasks (T1, T2"],
  },
  {
    verb: "queue.cancel",
    given: ["H1"],
    code: "input",
    says: ['queue.cancel: "H1" is a hypothesis, not a task', "T1, T2"],
  },
  { verb: "queue.cancel", given: ["T1"], code: "state", says: ["queue.cancel: T1 is not open"] },
  { verb: "queue.promote", given: ["T999"], code: "input", says: ['queue.promote: there is no "T999"'] },
  { verb: "queue.promote", given: ["T1"], code: "state", says: ["queue.promote: T1 is not open"] },
  { verb: "queue.revive", given: [undefined], code: "input", says: ["queue.revive", "nothing", "label"] },
  {
    verb: "queue.revive",
    given: ["T1"],
    code: "state",
    says: ["queue.revive: T1 is not dead", "Dead tasks: none"],
  },
];

Deno.test("what is wrong with a call is said before anything is written", async (t) => {
  const lab = await enter(":memory:", { settings: { ...SMALL, termination: { matchSnapshotEvery: 3 } } });
  await lab.runUntil({ matches: 1 });
  for (const { verb, given, ...refusal } of WRONG) {
    const shown = given.map((value) => typeof value === "function" ? String(value) : JSON.stringify(value))
      .join(", ");
    await t.step(`${verb}(${shown})`, async () => {
      const before = writesOf(lab);
      await assertRefused(() => called(lab, verb, given), refusal);
      assert.deepEqual(writesOf(lab), before);
    });
  }
  await lab.close();
});

Deno.test("what is wrong with a call is said before a stopped session goes on", async () => {
  const lab = await enter(":memory:");
  await lab.runUntil();
  assert.equal(lab.inspect().status, "stopped");
  const before = writesOf(lab);
  for (const { verb, given, ...refusal } of WRONG) {
    // What a session that ran to its end says of its labels differs in its numbers only.
    await assertRefused(() => called(lab, verb, given), { ...refusal, says: [] });
  }
  assert.deepEqual(writesOf(lab), before);
  await lab.close();
});

Deno.test("stages that lack what they work on say so, and leave the session as it is", async () => {
  await using lab = await Supervisor.create({
    goal: GOAL,
    store: ":memory:",
    settings: SMALL,
    environment: {},
  });
  const created = writesOf(lab);
  for (
    const act of [() => lab.generate(), () => lab.metareview(), () => lab.rank(), () => lab.evolve("combine")]
  ) {
    await assertRefused(act, { code: "state", says: ["no research plan yet", "await lab.tick()"] });
  }
  await assertRefused(() => lab.inspect("H1"), { code: "input", says: ["nothing yet but tasks"] });
  assert.deepEqual(writesOf(lab), created);
  await lab.tick();
  const planned = writesOf(lab);
  await assertRefused(() => lab.rank(), {
    code: "state",
    says: ["two hypotheses in the tournament", "there are 0"],
  });
  assert.deepEqual(writesOf(lab), planned);
});

Deno.test("an embedder without its key is refused by configure, not by every task from then on", async () => {
  await using lab = await Supervisor.create({ goal: GOAL, store: ":memory:", environment: {} });
  const before = writesOf(lab);
  await assertRefused(() => lab.configure({ vectors: { embedder: "voyage" } }), {
    code: "input",
    says: ["vectors.embedder", '"voyage"', "VOYAGE_API_KEY"],
  });
  assert.deepEqual(writesOf(lab), before);
});

/** Calls a verb by its name, with whatever arguments. */
async function called(lab: Supervisor, verb: string, given: readonly unknown[]): Promise<unknown> {
  const [owner, method] = verb.startsWith("queue.") ? [lab.queue, verb.slice("queue.".length)] : [lab, verb];
  const found: unknown = Reflect.get(owner, method);
  assert.ok(typeof found === "function", verb);
  return await Reflect.apply(found, owner, given);
}
