/** What the scientist asks of hypotheses is told to all who write and judge, scored by reviews, and decides what competes. */
import assert from "node:assert/strict";
import { z } from "zod";
import type { Criterion } from "../../lib/domain/criteria.ts";
import { fences } from "../../lib/domain/text.ts";
import { Store } from "../../lib/store/store.ts";
import { sessionRatings } from "../../lib/tournament/session_ratings.ts";
import type { CreateOptions } from "../../lib/supervisor/create_options.ts";
import { Supervisor } from "../../mod.ts";
import { GOAL, SEED, SMALL, withStore } from "../engine/support/session.ts";
import { assertRefused, withFolder, writesOf } from "./support.ts";

const CRITERIA = [
  { name: "cost", weight: 3 },
  { name: "Darreichung: oral ✓", weight: 1 },
] satisfies Criterion[];

async function open(more: Partial<CreateOptions> = {}): Promise<Supervisor> {
  return await Supervisor.create({
    goal: GOAL,
    name: "criteria",
    seed: SEED,
    store: ":memory:",
    environment: {},
    settings: SMALL,
    criteria: CRITERIA,
    ...more,
  });
}

const requestShape = z.looseObject({
  system: z.array(z.looseObject({ text: z.string() })),
  messages: z.array(z.looseObject({ content: z.unknown() })),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.looseObject({}) })).optional(),
});

function requestOf(lab: Supervisor, route: string) {
  const call = lab.transcripts().filter((each) => each.route.startsWith(route)).at(-1);
  assert.ok(call !== undefined, `no call of ${route}`);
  return requestShape.parse(JSON.parse(lab.transcript(call.n).request));
}

Deno.test("criteria stand in the requests of all who write, review, compare and sum up", async () => {
  await using lab = await open();
  await lab.runUntil({ matches: 2 });
  await lab.evolve("simplify");
  await lab.overview();
  for (const route of ["generation", "evolution", "reflection", "ranking", "metareview.final"]) {
    const system = requestOf(lab, route).system.map(({ text }) => text).join("\n");
    const [told] = fences(system).filter(({ tag }) => tag === "CRITERIA");
    assert.equal(told?.text, "- cost (weight 3)\n- Darreichung: oral ✓ (weight 1)", route);
  }
  const overview = JSON.stringify(requestOf(lab, "metareview.final").messages);
  assert.match(overview, /criteria 0\.\d\d \(cost 0\.\d\d, Darreichung: oral ✓ 0\.\d\d\)/);
});

Deno.test("a full review is asked for a score by each, under keys that every server takes, and they are recorded", async () => {
  await using lab = await open();
  await lab.runUntil({ reviews: 2 });
  const { tools = [], messages } = requestOf(lab, "reflection.full");
  const asked = z.looseObject({
    properties: z.looseObject({
      criteria: z.looseObject({
        properties: z.record(
          z.string().regex(/^[a-zA-Z0-9_.-]{1,64}$/),
          z.looseObject({ description: z.string() }),
        ),
        required: z.array(z.string()),
      }),
    }),
    required: z.array(z.string()),
  }).parse(tools.find(({ name }) => name === "record_review")?.input_schema);
  assert.deepEqual(
    Object.entries(asked.properties.criteria.properties).map(([key, { description }]) => [key, description]),
    [["cost", "cost"], ["darreichung_oral", "Darreichung: oral ✓"]],
  );
  assert.ok(asked.required.includes("criteria"));
  assert.match(JSON.stringify(messages), /Then judge it by each of the researcher's own criteria/);
  for (const { kind, scores } of lab.view().reviews) {
    if (kind === "full") {
      assert.deepEqual(
        Object.keys(scores.criteria ?? {}),
        CRITERIA.map(({ name }) => name),
      );
    }
  }
  // Other reviews go into single questions and give none.
  await lab.reflect("H1", "verification");
  assert.equal(lab.view().reviews.at(-1)?.scores.criteria, undefined);
  assert.doesNotMatch(JSON.stringify(requestOf(lab, "reflection.verification").tools), /darreichung_oral/);
});

Deno.test("without criteria nothing is asked for", async () => {
  await using lab = await open({ criteria: [] });
  await lab.runUntil({ reviews: 1 });
  const request = JSON.stringify(requestOf(lab, "reflection.full"));
  assert.doesNotMatch(request, /own criteria|CRITERIA>/);
  assert.equal(lab.view().reviews[0]?.scores.criteria, undefined);
  assert.match(String(lab.criteria), /No criteria are set/);
});

Deno.test("who fails a hard constraint stays out, visibly; a pinned one stays in", async () => {
  const names = ["works in vivo", "needs no surgery", "is cheap"];
  const criteria = names.map((name) => ({ name, weight: 1, must: true }));
  await using lab = await open({ criteria });
  await lab.tick();
  await lab.generate(6);
  await lab.reflect(lab.view().hypotheses.map(({ record }) => record.label));
  const view = lab.view();
  const all = view.hypotheses.filter(({ state }) => state === "unfit"), [unfit] = all;
  assert.ok(unfit !== undefined && all.length < view.hypotheses.length, "some fail, and not all");
  const { id, label } = unfit.record;
  assert.match(unfit.stateReason, /^a full review found that it fails "/);
  const scores = Object.values(view.reviewsOf(id)[0]?.scores.criteria ?? {});
  assert.ok(scores.some((score) => score < 0.5));
  assert.ok(!view.hasTask(`match/focus/${id}/1`), "it is not drawn");
  assert.ok(!view.drawable.some(({ record }) => record.id === id));
  assert.equal(view.fruitless, 0, "a review that finds so is progress");
  assert.match(
    String(lab.inspect()),
    new RegExp(`Outside the tournament: ${all.length} unfit[\\s\\S]*${label}`),
  );
  assert.match(String(lab.inspect(label)), /unfit[\s\S]*✗ 0\.\d\d/);
  assert.match(String(lab.criteria), new RegExp(`unfit +${label}`));
  for (const { record } of view.leaderboard) {
    assert.ok(
      Object.values(view.reviewsOf(record.id)[0]?.scores.criteria ?? {}).every((score) => score >= 0.5),
    );
  }
  await lab.rank(3);
  assert.ok(!lab.view().matches.some(({ firstId, secondId }) => firstId === id || secondId === id));

  const mark = (value: true | null) =>
    lab.store.commit(view.session.id, () => ({
      kind: "pin",
      author: "Ada",
      progress: 0,
      entries: [
        { kind: "mark", record: { targetId: id, mark: "pinned", value } },
        { kind: "hypothesisState", record: { hypothesisId: id, state: "in_tournament", reason: "restored" } },
      ],
    }));
  mark(true);
  const run = await lab.reflect(label);
  assert.equal(run.tasks.review, 1);
  assert.equal(lab.view().hypothesis(id)?.state, "in_tournament");
  mark(null);
  await lab.reflect(label);
  assert.equal(lab.view().hypothesis(id)?.state, "unfit");
});

Deno.test("criteria added in the middle: the board says which reviews lack them and how to redo these", async () => {
  await using lab = await open();
  await lab.runUntil({ reviews: 2 });
  const before = lab.view().reviews.length;
  lab.configure({ scope: { criteria: [...CRITERIA, { name: "speed", weight: 2 }] } });
  const [note] = lab.criteria.notes;
  assert.match(note ?? "", /Not judged by "speed" yet: H\d.*await lab\.reflect\(\["H\d"/);
  assert.equal(lab.view().reviews.length, before);
  const { label = "" } = lab.criteria.find(({ scores }) => scores["speed"] === null) ?? {};
  await lab.reflect(label);
  const row = lab.criteria.find((each) => each.label === label);
  assert.ok(typeof row?.scores["speed"] === "number");
  assert.equal(row.review, lab.view().reviews.at(-1)?.label);
  assert.ok(!(lab.criteria.notes[0] ?? "").includes(`${label},`));
});

Deno.test("the board is sorted by place, by a criterion or by the total", async () => {
  await using lab = await open();
  await lab.runUntil({ matches: 4 });
  const board = lab.criteria;
  assert.deepEqual(
    board.filter(({ place }) => place !== null).map(({ label }) => label),
    lab.view().leaderboard.filter(({ foldedUnder }) => foldedUnder === null).map(({ record }) =>
      record.label
    ),
  );
  for (const { scores, total } of board) {
    const expected = (3 * (scores["cost"] ?? NaN) + (scores["Darreichung: oral ✓"] ?? NaN)) / 4;
    assert.ok(Math.abs((total ?? NaN) - expected) < 1e-12);
  }
  const costs = board.by("COST").map(({ scores }) => scores["cost"] ?? -1);
  assert.deepEqual(costs, costs.toSorted((a, b) => b - a));
  const totals = board.by("total").map(({ total }) => total ?? -1);
  assert.deepEqual(totals, totals.toSorted((a, b) => b - a));
  assert.match(String(board.by("cost")), /Criteria of criteria, by cost/);
  await assertRefused(() => board.by("costs"), {
    code: "input",
    says: ["criteria.by", '"costs"', 'mean "cost"'],
  });
  await withFolder(async (folder) => {
    await lab.export(`${folder}/board.csv`);
    const [head = "", row = ""] = (await Deno.readTextFile(`${folder}/board.csv`)).split("\n");
    assert.match(
      head,
      /,simulated,criteria_total,criteria_unmet,criterion: cost,criterion: Darreichung: oral ✓$/,
    );
    assert.match(row, /,SIMULATED,0\.\d{4},,0\.\d{4},0\.\d{4}$/);
    await lab.export(`${folder}/board.md`);
    assert.match(
      await Deno.readTextFile(`${folder}/board.md`),
      /\| cost \| Darreichung: oral ✓ \| matches \|/,
    );
  });
  assert.match(String(lab.inspect()), /criteria/);
});

Deno.test("the review score before any match is the weighted mean of the criteria, by the weights in force", async () => {
  await withStore(async (store) => {
    const settings = { ...SMALL, ranking: { reviewPrior: 2 } };
    await using lab = await open({ store, settings });
    await lab.tick();
    await lab.generate(3);
    await lab.reflect(["H1", "H2", "H3"]);
    const strengths = (view = lab.view()) =>
      view.leaderboard.filter(({ matches }) => matches === 0).map(({ record, strength }) =>
        [record.label, strength] as const
      );
    const rankBy = (name: string) => lab.criteria.by(name).map(({ label }) => label);
    // Who has not played stands where its review puts it.
    lab.configure({ scope: { criteria: [{ name: "cost", weight: 1 }] } });
    const unplayed = new Set(strengths().map(([label]) => label));
    assert.ok(unplayed.size >= 2);
    const own = (labels: readonly string[]) => labels.filter((label) => unplayed.has(label));
    assert.deepEqual(own(strengths().map(([label]) => label)), own(rankBy("cost")));
    lab.configure({ scope: { criteria: [{ name: "Darreichung: oral ✓", weight: 1 }] } });
    assert.deepEqual(own(strengths().map(([label]) => label)), own(rankBy("Darreichung: oral ✓")));
    // Read from the start, the store says the same, now and at each earlier commit.
    const other = new Store({ database: store, ratings: sessionRatings });
    try {
      const { session, seq } = lab.view();
      for (let at = 1; at <= seq; at++) {
        assert.deepEqual(strengths(other.view(session.id, at)), strengths(lab.view(at)), `at ${at}`);
      }
      assert.deepEqual(strengths(other.view(session.id)), strengths());
    } finally {
      other.close();
    }
  });
});

Deno.test("wrong criteria are refused before anything is written", async () => {
  const refused = (criteria: unknown, ...says: string[]) =>
    assertRefused(
      () => Supervisor.create({ goal: GOAL, store: ":memory:", environment: {}, criteria } as CreateOptions),
      {
        code: "input",
        says,
      },
    );
  await refused([{ name: "cost" }], "create: criteria.0.weight", "weight is above 0");
  await refused([{ name: "cost", weight: 0 }], "create: criteria.0.weight", "0");
  await refused([{ name: "a\nb", weight: 1 }], "create: criteria.0.name");
  await refused([{ name: "cost", weight: 1, mast: true }], "criteria.0.mast");
  await refused(
    [{ name: "Cost", weight: 1 }, { name: "cost", weight: 2 }],
    "create.scope.criteria",
    "can't be told apart",
  );
  await using lab = await open();
  const before = writesOf(lab);
  await assertRefused(() => lab.configure({ scope: { criteria: [{ name: "", weight: 1 }] } }), {
    code: "input",
    says: ["scope.criteria.0.name"],
  });
  assert.deepEqual(writesOf(lab), before);
});

Deno.test("a person's review counts by the criteria, too: a failed must takes out what is in play, and no pinned one", async () => {
  const criteria = [{ name: "safe", weight: 1, must: true }];
  await using lab = await open({ criteria });
  await lab.runUntil({ matches: 2 });
  const [best, other] = lab.view().leaderboard.map(({ record }) => record.label);
  assert.ok(best !== undefined && other !== undefined);
  const review = {
    verdict: "neutral",
    notes: "Toxic.",
    scores: { criteria: { safe: 0.1 } },
    author: "Ada",
  } as const;
  lab.addReview(best, review);
  const stateOf = (label: string) => lab.view().hypotheses.find(({ record }) => record.label === label);
  assert.equal(stateOf(best)?.state, "unfit");
  assert.match(stateOf(best)?.stateReason ?? "", /found that it fails "safe"/);
  assert.equal(lab.criteria.find(({ label }) => label === best)?.scores["safe"], 0.1);
  lab.pin(other);
  lab.addReview(other, review);
  assert.equal(stateOf(other)?.state, "in_tournament");
  lab.restore(best);
  assert.equal(stateOf(best)?.state, "in_tournament");
});
