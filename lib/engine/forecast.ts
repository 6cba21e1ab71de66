import { gateAnswer } from "../domain/gate_answer.ts";
import type { MicroUsd } from "../domain/money.ts";
import { EVOLUTION_STRATEGIES, type HypothesisState, type ReviewKind } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import type { View } from "../store/view.ts";
import { matchesPerCall } from "../tournament/group.ts";
import { countedIdeas, generationQuota } from "./next_steps.ts";
import type { Totals } from "./totals.ts";
import { TASK_ROUTES, type TaskRoute } from "./typical_calls.ts";

/** Tasks to come, by route. */
export type Work = Readonly<Record<TaskRoute, number>>;

/**
 * Valid matches for each hypothesis until the ranking is sure enough: simulated sessions of 16 to 40 ideas took 6 to 12,
 * those of 12 took 3 to 6, those of 8 took 2 to 3.
 */
const matchesPerIdea = (ideas: number) => Math.min(7, ideas / 4);

/** The part of matches that are debates where settings call for them at all: simulated sessions had 0.63 to 0.86. */
const DEBATED = 0.7;

/**
 * The tasks that so many matches take: `debated` is the part of tasks that are debates, and the others make as many matches
 * as a group has pairs.
 */
function judgingOf(matches: number, ranking: Settings["ranking"]): { debates: number; others: number } {
  const debated = ranking.debateWhenMatchesLt === 0 && ranking.debateWhenEloDeltaLt === 0 ? 0 : DEBATED;
  const each = matchesPerCall(ranking);
  const tasks = matches / (debated + (1 - debated) * each);
  const debates = Math.round(tasks * debated);
  return { debates, others: Math.ceil((matches - debates) / each) };
}

/** Verifications until the end, as a multiple of the leaders that get one: the leaders change. */
const LEADERS_CHANGE = 4;

/**
 * The work that is to come until a horizon, or until the session comes to rest by itself. The final overview is counted.
 * A pure function; it follows the pace of {@linkcode nextSteps}, without chance.
 *
 * @param cost what work costs: for a horizon in money
 */
export function workUntil(view: View, until: Totals, cost: (work: Work) => MicroUsd): Work {
  if (reachedNow(view, until)) return { ...NO_WORK, "metareview.final": 1 };
  const rest = restAt(view, until);
  const from = view.validMatches;
  for (let matches = from; matches < rest; matches++) {
    const work = workAt(view, matches, rest, until);
    if (reachedBy(view, matches, work, until, cost)) return work;
  }
  return workAt(view, Math.max(from, rest), rest, until);
}

/** Hypotheses in these states play no more. */
const OUT_OF_PLAY: ReadonlySet<HypothesisState> = new Set<HypothesisState>([
  "disproved",
  "rejected",
  "quarantined",
]);

const NO_WORK = Object.fromEntries(TASK_ROUTES.map((route) => [route, 0])) as Record<TaskRoute, number>;

interface Pace {
  /** Hypotheses that generation makes in all. */
  readonly quota: number;
  /** Hypotheses in all. */
  readonly ideas: number;
  /** Matches at which the first round of evolution begins. */
  readonly ripe: number;
}

function paceOf(view: View): Pace {
  const { run, generation, evolution, termination } = view.settings;
  const quota = Math.max(ownIdeas(view), generationQuota(view));
  const ideas = Math.max(countedIdeas(view), run.maxIdeas);
  // Each match serves two hypotheses, and the ideas themselves wait for matches.
  const ripe = quota >= evolution.minMature
    ? Math.max(
      evolution.minMature * evolution.matureMatches / 2,
      generation.matchesPerIdea * (evolution.minMature - run.initialIdeas),
    )
    : generation.matchesPerIdea * (quota - run.initialIdeas) +
      evolution.standstillSnapshots * termination.matchSnapshotEvery;
  return { quota, ideas, ripe: Math.max(0, Math.ceil(ripe)) };
}

/** The number of matches at which a session that has a horizon, or none, is expected to come to rest. */
function restAt(view: View, until: Totals): number {
  const { run, ranking, evolution } = view.settings;
  const { quota, ideas, ripe } = paceOf(view);
  const people = view.hypotheses.length - countedIdeas(view);
  const out = view.hypotheses.filter(({ state }) => OUT_OF_PLAY.has(state)).length;
  const n = Math.max(0, ideas + people - out);
  const rounds = Math.ceil(Math.max(0, ideas - quota) / EVOLUTION_STRATEGIES.length);
  const full = rounds === 0 ? 0 : ripe + (rounds - 1) * evolution.everyMatches;
  const most = Math.min(run.maxMatchesPerIdea * n, (n * (n - 1) / 2) * ranking.maxMatchesPerPair);
  const usual = Math.max(full, Math.ceil(matchesPerIdea(n) * n));
  // Who asks for more of a session that didn't rest where such sessions do gets it, as long as there are pairs to play.
  const goesOn = view.validMatches >= usual && Object.values(until).some((total) => total !== undefined);
  return goesOn ? most : Math.min(most, usual);
}

function ownIdeas(view: View): number {
  return view.hypotheses.filter((s) => s.record.author === "model" && s.record.parents.length === 0).length;
}

/** What there is to do from now until so many matches. */
function workAt(view: View, matches: number, rest: number, until: Totals): Work {
  const { run, generation, evolution, reflection, metareview, ranking } = view.settings;
  const { quota, ideas, ripe } = paceOf(view);
  const own = ownIdeas(view);
  const counted = countedIdeas(view);
  const pace = generation.matchesPerIdea;
  const due = matches >= rest || pace === 0 ? quota : run.initialIdeas + Math.floor(matches / pace);
  const missing = until.hypotheses === undefined ? Infinity : until.hypotheses - view.hypotheses.length;
  const generated = Math.min(Math.max(0, Math.min(quota, due) - own), missing);
  const rounds = matches < ripe ? 0 : 1 + Math.floor((matches - ripe) / evolution.everyMatches);
  const room = Math.max(0, ideas - counted - generated);
  const evolvedSoFar = counted - own;
  const evolvedDue = matches >= rest
    ? room
    : Math.max(0, rounds * EVOLUTION_STRATEGIES.length - evolvedSoFar);
  const evolved = Math.min(room, evolvedDue, missing - generated);
  const debates = Array.from({ length: generated }, (_, i) => own + i + 1)
    .filter((n) => generation.debateEvery > 0 && n % generation.debateEvery === 0).length;

  const progress = rest === 0 ? 1 : Math.min(1, matches / rest);
  const verified = Math.min(ideas, Math.round(reflection.verifyTop * LEADERS_CHANGE * progress));
  const reviews = (kind: ReviewKind) => view.reviews.filter((review) => review.kind === kind).length;
  const unreviewed = view.hypotheses.filter((s) => s.state === "draft").length;

  const played = Math.max(0, matches - view.validMatches);
  const judging = judgingOf(played, ranking);
  const strategy = (i: number) =>
    Math.floor((evolved + EVOLUTION_STRATEGIES.length - 1 - i) / EVOLUTION_STRATEGIES.length);
  return {
    "parse_goal": view.plan === null && view.openGate === null ? 1 : 0,
    "generation.literature": generated - debates,
    "generation.debate": debates,
    "reflection.full": generated + evolved + unreviewed,
    "reflection.verification": Math.max(0, verified - reviews("verification")),
    "reflection.observation": Math.max(0, verified - reviews("observation")),
    "ranking.pairwise": judging.others,
    "ranking.debate": judging.debates,
    "evolution.combine": strategy(0),
    "evolution.simplify": strategy(1),
    "evolution.out_of_box": strategy(2),
    "evolution.feasibility": strategy(3),
    "metareview.system": Math.max(
      0,
      Math.floor(matches / metareview.everyMatches) - view.feedback.length - notAccepted(view),
    ),
    "metareview.final": 1,
  };
}

/** Syntheses that were made and are not in force: refused, or waiting for a yes. */
function notAccepted(view: View): number {
  return view.gates.filter(({ id, kind }) =>
    kind === "feedback" && gateAnswer(view.marked("answered", id))?.accepted !== true
  ).length;
}

function reachedNow(view: View, until: Totals): boolean {
  const evolved = view.hypotheses.filter((standing) => standing.record.parents.length > 0).length;
  return view.validMatches >= (until.matches ?? Infinity) ||
    view.hypotheses.length >= (until.hypotheses ?? Infinity) ||
    view.reviews.length >= (until.reviews ?? Infinity) ||
    evolved >= (until.evolved ?? Infinity) ||
    view.feedback.length >= (until.feedback ?? Infinity) ||
    view.cost.microUsd >= (until.usd ?? Infinity) * 1e6;
}

function reachedBy(
  view: View,
  matches: number,
  work: Work,
  until: Totals,
  cost: (work: Work) => MicroUsd,
): boolean {
  const sum = (prefix: string) =>
    TASK_ROUTES.reduce((total, route) => total + (route.startsWith(prefix) ? work[route] : 0), 0);
  const evolved = view.hypotheses.filter((standing) => standing.record.parents.length > 0).length;
  const born = sum("generation.") + sum("evolution.");
  return matches >= (until.matches ?? Infinity) ||
    view.hypotheses.length + born >= (until.hypotheses ?? Infinity) ||
    view.reviews.length + sum("reflection.") >= (until.reviews ?? Infinity) ||
    evolved + sum("evolution.") >= (until.evolved ?? Infinity) ||
    view.feedback.length + work["metareview.system"] >= (until.feedback ?? Infinity) ||
    (until.usd !== undefined && view.cost.microUsd + cost(work) >= until.usd * 1e6);
}
