import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { formatUsd, microUsd, usd } from "../domain/money.ts";
import type { MatchRecord, TaskRecord } from "../domain/records.ts";
import { epochEntries } from "../engine/elo_epoch.ts";
import { verdictsPrice } from "../engine/estimate.ts";
import { inSlices } from "../engine/in_slices.ts";
import { type NewTask, PRIORITY } from "../engine/new_task.ts";
import { rateInSteps } from "../engine/rate_in_steps.ts";
import {
  isStale,
  newestMatch,
  rejudgedPairs,
  REJUDGING_PROMPT,
  type RejudgingBatch,
  rejudgingBatch,
  rejudgingMeasures,
  type RejudgingPlan,
  rejudgings,
  rejudgingSample,
  rejudgingTasks,
  type Replacement,
  replacementOf,
  sameRejudging,
} from "../engine/rejudging.ts";
import type { RunReport, TaskReport } from "../engine/report.ts";
import { compareRankings, rankingNow, type RankingsCompared, replayIf } from "../engine/rerating.ts";
import { costRow } from "../engine/snapshot.ts";
import type { PromptLibrary } from "../llm/prompts.ts";
import { Rejudging } from "../notebook/values/rejudging.ts";
import type { Entry } from "../store/records.ts";
import { costOfTasks } from "../store/transcripts.ts";
import type { TaskStanding, View } from "../store/view.ts";
import { hypothesisOf, resolveLabel } from "./labels.ts";
import { originOf } from "./look.ts";
import { refusePaused } from "./session_control.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { requireStepOptions, type StepOptions } from "./verb_options.ts";
import { requireOptions } from "./wrong_option.ts";

/** Which stored matches are judged again, how, and what becomes of it. */
export interface RejudgeOptions {
  /** The text of a judging prompt, used for these calls alone; the one in force by default. */
  readonly prompt?: string | undefined;
  /** The model to ask; the route's, or of a panel the member whose turn it was, by default. */
  readonly model?: string | undefined;
  /** How many pairs: those with a person's verdict first, then those of near rating. @default {20} */
  readonly sample?: number | undefined;
  /** Whether each is asked in both orders. @default {true} */
  readonly bothOrders?: boolean | undefined;
  /** Pairs instead of a sample, by labels of hypotheses: the newest match of each. */
  readonly pairs?: readonly (readonly [string, string])[] | undefined;
  /** Matches instead of a sample, by label. */
  readonly matches?: string | readonly string[] | undefined;
  /** `true` applies the answers when all are there; the number of an earlier rejudging applies that one. */
  readonly apply?: boolean | number | undefined;
  /** `false` says which matches it would ask about and what that would cost, and asks nothing. @default {true} */
  readonly ask?: boolean | undefined;
  /** Who does it. */
  readonly author?: string | undefined;
}

/** What the verb needs of the handle that it belongs to. */
export interface Rejudger extends Steered {
  /** The shipped prompts. */
  readonly prompts: PromptLibrary;
  /** Refuses a second step beside one at work. @throws CosciError `busy` */
  requireIdle(): void;
  /** Enqueues tasks in one commit. */
  enqueue(author: string, tasks: (view: View) => readonly NewTask[]): readonly TaskRecord[];
  /** Works on these tasks alone, as the one step at a time of the handle. */
  run(ids: readonly string[], options: StepOptions): Promise<RunReport>;
}

const VERB = "rejudge";
const SAMPLE = 20, MOST = 500;
/** How often a replay begins anew where the session went on meanwhile. */
const TRIES = 4;

const label = z.string().min(1);
const shape = z.strictObject({
  prompt: z.string().refine((text) => text.trim() !== "").optional(),
  model: z.string().trim().min(1).max(200).optional(),
  sample: z.number().int().min(1).max(MOST).optional(),
  bothOrders: z.boolean().optional(),
  pairs: z.array(z.tuple([label, label])).min(1).max(MOST).optional(),
  matches: z.union([label, z.array(label).min(1).max(MOST)]).optional(),
  apply: z.union([z.boolean(), z.number().int().positive()]).optional(),
  ask: z.boolean().optional(),
  author: z.unknown().optional(),
});

/**
 * Judges stored matches again, or applies what an earlier rejudging said.
 *
 * @throws CosciError `input`, `prompt`, `state` or `budget` before anything is asked or written
 */
export async function rejudge(on: Rejudger, options: RejudgeOptions, step: StepOptions): Promise<Rejudging> {
  requireOptions(VERB, options, {
    shape,
    example: "{ sample: 20 }",
    remedies: {
      prompt: `Give the text of a prompt such as lab.prompts.get("${REJUDGING_PROMPT}") has.`,
      model: "Give the name of a model.",
      sample: `Give a whole number from 1 to ${MOST}.`,
      bothOrders: "true asks each pair in both orders; false in the match's own.",
      pairs: 'Give pairs of labels, such as [["H3", "H7"]].',
      matches: 'Give labels of matches, such as ["M3", "M12"].',
      apply: "true applies it when all answers are there; a number applies an earlier rejudging.",
      ask: "false only says what it would cost.",
    },
  });
  requireStepOptions(VERB, step);
  const author = readAuthor(VERB, options.author);
  requireTogether(options);
  if (typeof options.apply === "number") {
    const known = batchOf(on.view(), options.apply);
    return await applied(on, author, known);
  }
  const view = on.view();
  const plan = planOf(view, options);
  requirePrompt(view, plan, on.prompts);
  const price = priceOf(view, plan);
  if (options.ask === false) {
    return new Rejudging({
      ...originOf(view),
      ...rejudgingMeasures(view, []),
      batch: null,
      asked: askedOf(plan.matchIds.length, plan),
      judges: [],
      progress: { answered: 0, waiting: plan.matchIds.length, failed: 0 },
      estimate: price,
      cost: costRow(costOfTasks(on.store.sql, [], [])),
      ranking: null,
      applied: null,
      pairs: [],
      notes: [`It would ask about ${labelsOf(view, plan.matchIds).join(", ")}.`],
    });
  }
  requireSteerable(view, VERB);
  on.requireIdle();
  refusePaused(view, VERB);
  const before = sameRejudging(view, plan);
  if (before === null) requireMoney(view, plan, price);
  // What is asked for is enqueued once: the same question goes on where it was left.
  const batch = before ?? made(on, author, plan);
  const open = batch.tasks.filter(waits).map(({ record }) => record.id);
  const run = open.length === 0 ? null : await on.run(open, step);
  const known = batchOf(on.view(), batch.batch);
  const notes = [
    ...(before !== null && open.length === 0
      ? ["The same was asked before, and no text was edited since: nothing was asked again."]
      : before !== null
      ? [`It went on with batch ${batch.batch}: what was answered is not asked again.`]
      : []),
    ...stoppedNotes(known, run),
  ];
  const complete = !known.tasks.some(waits);
  if (options.apply === true && complete) return await applied(on, author, known, notes);
  return await told(
    on,
    known,
    options.apply === true ? [...notes, "It is not applied: answers are still missing."] : notes,
  );
}

function requireTogether({ sample, pairs, matches, apply, ask, ...rest }: RejudgeOptions): void {
  const given = Object.entries({ sample, pairs, matches }).flatMap(([name, value]) =>
    value === undefined ? [] : [name]
  );
  if (given.length > 1) {
    throw new CosciError(
      "input",
      `${VERB}: give one of sample, pairs and matches, not ${given.join(" and ")}.`,
    );
  }
  if (ask === false && apply !== undefined && apply !== false) {
    throw new CosciError("input", `${VERB}: what isn't asked can't be applied: leave out ask or apply.`);
  }
  const { author: _, ...how } = rest;
  const more = [
    ...given,
    ...Object.entries(how).flatMap(([name, value]) => value === undefined ? [] : [name]),
  ];
  if (typeof apply === "number" && more.length > 0) {
    throw new CosciError(
      "input",
      `${VERB}: { apply: ${apply} } applies an earlier rejudging as it is; leave out ${more.join(", ")}.`,
    );
  }
}

function planOf(
  view: View,
  { prompt, model, bothOrders = true, sample, pairs, matches }: RejudgeOptions,
): RejudgingPlan {
  const how = { prompt, model, bothOrders };
  if (matches !== undefined) {
    const ids = [matches].flat().map((given) => matchOf(view, given).id);
    return { ...how, matchIds: [...new Set(ids)] };
  }
  if (pairs !== undefined) {
    const ids = pairs.map(([one, other]) => metOf(view, one, other).id);
    return { ...how, matchIds: [...new Set(ids)] };
  }
  const matchIds = rejudgingSample(view, sample ?? SAMPLE);
  if (matchIds.length > 0) return { ...how, matchIds };
  throw new CosciError(
    "state",
    `${VERB}: there is no match to judge again yet. await lab.rank(5) plays some.`,
  );
}

function matchOf(view: View, given: string): MatchRecord {
  const at = `${VERB}: matches`;
  const found = resolveLabel(view, given, at);
  const match = view.matches.find(({ id }) => id === found.id);
  if (found.kind !== "match" || match === undefined) {
    throw inputError(at, given, "Give the label of a match, such as M12.");
  }
  if (view.marked("void", match.id) !== null) {
    throw new CosciError(
      "state",
      `${at}: ${match.label} is void: another verdict stands in for it, or none.`,
    );
  }
  requireInPlay(view, at, match);
  return match;
}

function metOf(view: View, one: string, other: string): MatchRecord {
  const at = `${VERB}: pairs`;
  const [first, second] = [hypothesisOf(view, one, at).record, hypothesisOf(view, other, at).record];
  const match = newestMatch(view, first.id, second.id);
  if (match === undefined) {
    throw new CosciError("state", `${at}: ${first.label} and ${second.label} have no match that counts.`);
  }
  requireInPlay(view, at, match);
  return match;
}

function requireInPlay(view: View, at: string, match: MatchRecord): void {
  const sides = view.counted.find(({ id }) => id === match.id) ?? match;
  for (const id of [sides.firstId, sides.secondId]) {
    const standing = view.hypothesis(id);
    if (standing !== undefined && standing.state !== "in_tournament") {
      throw new CosciError(
        "state",
        `${at}: ${standing.record.label} of ${match.label} is ${standing.state}: it can't be judged.`,
      );
    }
  }
}

/** Checks a prompt's text as setting it would. @throws CosciError `prompt` */
function requirePrompt(view: View, { prompt }: RejudgingPlan, shipped: PromptLibrary): void {
  if (prompt !== undefined) shipped.with(view.prompts).with({ [REJUDGING_PROMPT]: prompt });
}

function priceOf(view: View, { matchIds, model, bothOrders }: RejudgingPlan) {
  const route = view.settings.models[REJUDGING_PROMPT];
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const models = matchIds.flatMap((id) => {
    const judge = model ?? matches.get(id)?.panelist ?? route;
    return bothOrders ? [judge, judge] : [judge];
  });
  const { expected, worst } = verdictsPrice(view, models);
  return { usd: usd(expected.microUsd), maxUsd: usd(worst.microUsd), calls: models.length };
}

function requireMoney(
  view: View,
  { matchIds }: RejudgingPlan,
  price: { readonly usd: number; readonly calls: number },
): void {
  const left = microUsd(view.settings.run.budgetUsd) - view.cost.microUsd;
  if (microUsd(price.usd) <= left) return;
  throw new CosciError(
    "budget",
    `${VERB}: ${matchIds.length} matches would cost about ${
      formatUsd(microUsd(price.usd))
    } (${price.calls} calls), and ` +
      `${
        formatUsd(Math.max(0, left))
      } of the budget is left. Ask about fewer (sample), with a cheaper model, in one order ` +
      "(bothOrders: false), or raise run.budgetUsd.",
  );
}

function made(on: Rejudger, author: string, plan: RejudgingPlan): RejudgingBatch {
  const tasks = on.enqueue(
    author,
    (view) => rejudgingTasks(view, plan).map((task) => ({ ...task, priority: PRIORITY.asked })),
  );
  const batch = tasks[0]?.payload.rejudge?.batch;
  if (batch === undefined) throw new CosciError("internal", `${VERB}: its tasks were not enqueued`);
  return batchOf(on.view(), batch);
}

function batchOf(view: View, batch: number): RejudgingBatch {
  const known = rejudgingBatch(view, batch);
  if (known !== null) return known;
  const all = rejudgings(view);
  throw inputError(
    `${VERB}: apply`,
    batch,
    all.length === 0
      ? "Nothing was judged again yet: await lab.rejudge({ sample: 20 }) does."
      : `Rejudgings are ${all.join(", ")}.`,
  );
}

/** What ended the run before all was answered, and how to go on. */
function stoppedNotes({ tasks }: RejudgingBatch, run: RunReport | null): string[] {
  const waiting = tasks.filter(waits).length;
  const dead = tasks.filter(({ status }) => status === "dead").map(({ record }) => record.label);
  const why = run === null || run.endedBy === "until"
    ? null
    : run.endedBy === "stopped"
    ? run.stop?.note ?? "it was stopped"
    : `it was ${run.endedBy}`;
  return [
    ...(waiting === 0 ? [] : [
      `Not all was asked${
        why === null ? "" : `: ${why}`
      }. The same call goes on with the ${waiting} that wait in the queue, ` +
      "and so does the next run; lab.queue.cancel(label) takes them out.",
    ]),
    ...(dead.length === 0
      ? []
      : [`${dead.join(", ")} failed for good: lab.queue.revive(label), then the same call, tries again.`]),
    ...(run === null || run.failures === 0 || waiting + dead.length === 0
      ? []
      : run.lastFailures.slice(-1).map((failed: TaskReport) =>
        `The last failure: ${failed.error ?? failed.gist}`
      )),
  ];
}

/** The answers of a rejudging, and what they would make of the ranking. */
async function told(on: Rejudger, batch: RejudgingBatch, notes: readonly string[]): Promise<Rejudging> {
  for (let tries = 1;; tries++) {
    const view = on.view(), { seq } = view;
    const replacement = replacementOf(view, saidIn(view, batch));
    const ranking = replacement.added.length === 0 ? null : await compared(view, replacement, tries >= TRIES);
    if (on.view().seq !== seq && tries < TRIES) continue;
    return result(on, view, batch, { ranking, applied: null, notes: [...notes, ...adviceOn(replacement)] });
  }
}

/** Makes what a rejudging said count: old matches are void, new ones stand in for them, and an epoch begins. */
async function applied(
  on: Rejudger,
  author: string,
  batch: RejudgingBatch,
  notes: readonly string[] = [],
): Promise<Rejudging> {
  requireSteerable(on.view(), VERB);
  for (let tries = 1;; tries++) {
    const view = on.view(), { seq } = view;
    const replacement = replacementOf(view, saidIn(view, batch));
    const { marks, added, left } = replacement;
    if (added.length === 0) {
      throw new CosciError(
        "state",
        `${VERB}: there is nothing to apply of batch ${batch.batch}${
          left.length === 0 ? "." : `: ${left.join("; ")}.`
        }`,
      );
    }
    const ranking = await compared(view, replacement, tries >= TRIES);
    if (on.view().seq !== seq) continue;
    // What it says of the old verdicts is what it said before they were replaced.
    const shown = resultParts(on, view, batch);
    const change = { marks, added };
    // Thousands of lines: worked out before the transaction, not in it.
    const epoch = view.epoch + 1;
    const entries: Entry[] = [
      ...added.map(({ seq: _, label: __, ...record }): Entry => ({ kind: "match", record })),
      ...epochEntries(view, change, { anew: true }),
    ];
    const newOnes = added.map(({ id }) => ({ targetId: id, mark: "void" } as const));
    const olds = marks.map(({ targetId }) => ({ targetId, mark: "void" } as const));
    const committed = steer(on, VERB, author, (now) =>
      now.seq !== seq ? null : {
        entries,
        changes: [{
          kind: "rating",
          target: `epoch ${epoch}`,
          before: {
            marks: [
              ...olds.map((mark) => ({ ...mark, value: null })),
              ...newOnes.map((mark) => ({ ...mark, value: true })),
            ],
          },
          after: {
            marks: [
              ...olds.map((mark) => ({ ...mark, value: true })),
              ...newOnes.map((mark) => ({ ...mark, value: null })),
            ],
          },
        }],
        events: [{ type: "rated_anew", payload: { epoch, rejudged: batch.batch, matches: added.length } }],
      });
    if (committed === null) continue;
    await rateInSteps(on.view());
    const revisions = committed.saved.flatMap((item) => item.kind === "revision" ? [item.record.label] : []);
    return new Rejudging({
      ...shown,
      ranking,
      applied: { epoch, revisions, seq: committed.seq },
      notes: [
        ...shown.notes,
        ...notes,
        ...left.map((why) => `Not replaced: ${why}.`),
        ...(shown.asked.ownPrompt || shown.asked.model !== null
          ? [
            "Matches to come are judged as before. To judge them so too: " + [
              shown.asked.ownPrompt ? `lab.prompts.set("${REJUDGING_PROMPT}", text)` : null,
              shown.asked.model === null
                ? null
                : `lab.configure({ models: { "${REJUDGING_PROMPT}": "${shown.asked.model}" } })`,
            ].filter((text) => text !== null).join(" and ") + ".",
          ]
          : []),
      ],
    });
  }
}

function adviceOn({ left }: Replacement): string[] {
  return left.map((why) => `Applying it would not replace: ${why}.`);
}

function saidIn(view: View, { batch }: RejudgingBatch) {
  return view.rejudgements.filter((each) => each.batch === batch);
}

/** The ranking now and with the new verdicts. */
async function compared(
  view: View,
  { marks, added }: Replacement,
  atOnce: boolean,
): Promise<RankingsCompared> {
  const steps = function* () {
    const before = yield* rankingNow(view);
    const { ranking } = yield* replayIf(view, { marks, added }, view.settings.ranking);
    return compareRankings(before, ranking);
  }();
  if (!atOnce) return await inSlices(steps);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

function result(
  on: Rejudger,
  view: View,
  batch: RejudgingBatch,
  rest: Pick<Rejudging, "ranking" | "applied" | "notes">,
): Rejudging {
  const parts = resultParts(on, view, batch);
  return new Rejudging({ ...parts, ...rest, notes: [...parts.notes, ...rest.notes] });
}

function resultParts(on: Rejudger, view: View, { batch, tasks }: RejudgingBatch) {
  const said = saidIn(view, { batch, tasks });
  const payload = tasks[0]?.record.payload.rejudge;
  const how = {
    prompt: payload?.prompt,
    model: payload?.model,
    bothOrders: payload?.bothOrders ?? false,
    matchIds: tasks.flatMap(({ record }) => record.payload.rejudge?.matchId ?? []),
  };
  const waiting = tasks.filter(waits).length;
  const pairs = rejudgedPairs(view, said);
  const judges = new Map(
    said.flatMap(({ judge, promptVersion }) =>
      judge === null ? [] : [[`${judge} ${promptVersion}`, { model: judge, promptVersion }] as const]
    ),
  );
  const matches = new Map(view.matches.map((match) => [match.id, match]));
  const stale = said.flatMap(({ matchId }) => {
    const match = matches.get(matchId);
    return match !== undefined && isStale(view, match) ? [match.label] : [];
  });
  const other = pairs.filter(({ beforeMode }) => beforeMode !== "pairwise").map(({ match }) => match);
  return {
    ...originOf(view),
    ...rejudgingMeasures(view, said),
    batch,
    asked: askedOf(tasks.length, how),
    judges: [...judges.values()],
    progress: { answered: said.length, waiting, failed: tasks.length - said.length - waiting },
    estimate: priceOf(view, how),
    cost: costRow(
      costOfTasks(on.store.sql, on.store.stretches(view.session.id), tasks.map(({ record }) => record.id)),
    ),
    pairs,
    notes: [
      ...(other.length === 0
        ? []
        : [`${other.join(", ")}: judged by a debate or in a group then, by single calls now.`]),
      ...(stale.length === 0 ? [] : [
        `${stale.join(", ")}: a text was edited since, so that another verdict needn't be the judge's doing.`,
      ]),
    ],
  };
}

function askedOf(
  matches: number,
  { prompt, model, bothOrders }: Pick<RejudgingPlan, "prompt" | "model" | "bothOrders">,
) {
  return { matches, model: model ?? null, ownPrompt: prompt !== undefined, bothOrders };
}

/** Whether a task is still to be done; one that failed for good is not. */
function waits({ status }: Pick<TaskStanding, "status">): boolean {
  switch (status) {
    case "done":
    case "dead":
    case "cancelled":
    case "void":
      return false;
    case "pending":
    case "deferred":
    case "leased":
    case "in_progress":
    case "waiting":
      return true;
    default:
      return status satisfies never;
  }
}

function labelsOf(view: View, ids: readonly string[]): string[] {
  const labels = new Map(view.matches.map(({ id, label }) => [id, label]));
  return ids.flatMap((id) => labels.get(id) ?? []);
}
