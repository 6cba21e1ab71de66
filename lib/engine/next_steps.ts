import { type ActionCounts, countActions } from "../domain/count_actions.ts";
import { type AgentName, EVOLUTION_STRATEGIES, type TaskAction } from "../domain/records.ts";
import type { Standing, View } from "../store/view.ts";
import { matchesPerCall } from "../tournament/group.ts";
import { leadersStandStill } from "../tournament/stability.ts";
import { matchesSynthesised, wasProposed } from "./gate_records.ts";
import { agentFor, type NewTask } from "./new_task.ts";

/** What a decision about next steps depends on besides the records. */
export interface Situation {
  /** Workers that have nothing to do: matches are enqueued for as many. */
  readonly freeWorkers: number;
  /** Pairs that are being judged at the moment. */
  readonly busyPairs: readonly (readonly [string, string])[];
  /**
   * Tasks that a person took upon themselves: open, so that they are not done twice, but nobody knows for how long, so that
   * nothing waits for them.
   */
  readonly taken?: ReadonlySet<string> | undefined;
  /** Whether money and tokens allow one more call of an agent. */
  affordable(agent: AgentName): boolean;
}

/** Verifications and observations side by side: few, because the leaders they are for change. */
const DEEPER_REVIEWS = 2;

/** Generations in a row that came to nothing but duplicates, after which the field counts as exhausted. */
const EXHAUSTED_AFTER = 5;

/**
 * What to do when nothing is ready: an empty list means that there is nothing left to do. A pure function; whoever calls
 * it enqueues the tasks in one transaction. Every key names the records that the task answers to, so that two processes,
 * a replay and a second look never enqueue the same work twice.
 */
export function nextSteps(view: View, situation: Situation): NewTask[] {
  const open = countActions(view.openTasks.map(({ record }) => record.action));
  if (view.plan === null) {
    return open.parse_goal > 0 || view.hasTask("plan") ? [] : [{ key: "plan", action: "parse_goal" }];
  }
  const steps: NewTask[] = [];
  const can = (action: TaskAction) => situation.affordable(agentFor(action));

  const generating = can("generate") && !fieldExhausted(view);
  if (generating) steps.push(...generations(view, open, matchPossible(view, situation)));
  if (can("review")) steps.push(...reviewsDue(view, situation));
  if (can("evolve") && open.evolve === 0) steps.push(...evolutions(view, open, situation, generating));
  if (can("system_feedback") && open.system_feedback === 0) steps.push(...feedback(view));
  if (can("match")) steps.push(...matches(view, open, situation, situation.freeWorkers - steps.length));
  return steps;
}

/** Hypotheses that count against `run.maxIdeas`: a person's own ones don't. */
export function countedIdeas(view: View): number {
  return view.hypotheses.filter((standing) => standing.record.author === "model").length;
}

/** How many hypotheses generation may make; the rest of `run.maxIdeas` is evolution's. At least two, for one match. */
export function generationQuota(view: View): number {
  const { maxIdeas, keptForEvolution } = view.settings.run;
  return Math.min(maxIdeas, Math.max(2, Math.ceil(maxIdeas * (1 - keptForEvolution))));
}

/** Whether generation has nothing left to give: its last tries were all duplicates. */
export function fieldExhausted(view: View): boolean {
  const newest = view.hypotheses.at(-1)?.bornSeq ?? 0;
  return view.duplicates.filter((duplicate) => duplicate.seq > newest).length >= EXHAUSTED_AFTER;
}

/** The tasks of the first round, once there is a plan. */
export function firstGenerations(view: View): NewTask[] {
  const n = Math.min(view.settings.run.initialIdeas, generationQuota(view));
  return Array.from({ length: n }, (_, i) => generationTask(view, i));
}

/** The `i`-th generation of a session: every `generation.debateEvery`-th is a debate. */
export function generationTask(view: View, i: number): NewTask {
  const { debateEvery } = view.settings.generation;
  const mode = debateEvery > 0 && (i + 1) % debateEvery === 0 ? "debate" : "literature";
  return { key: `generate/${i}`, action: "generate", payload: { mode, angle: i } };
}

/**
 * One more generation at a time for each `generation.matchesPerIdea` matches, so that later hypotheses can learn from
 * what the earlier ones were told. Where no match is possible it runs ahead by as many as the first round had, so that a
 * slow review holds nobody up; and where nothing else is open it doesn't wait at all.
 */
function generations(view: View, open: ActionCounts, matchesGoOn: boolean): NewTask[] {
  const { run, generation } = view.settings;
  const own = generated(view) + open.generate;
  const all = countedIdeas(view) + open.generate + open.evolve;
  // Evolution works from two: where no second one is left or to come, its part is generation's.
  const stranded = view.drawable.length < 2 && open.generate + open.evolve + open.review + open.match === 0;
  const quota = stranded ? run.maxIdeas : generationQuota(view);
  if (own >= quota || all >= run.maxIdeas) return [];
  const pace = generation.matchesPerIdea;
  const due = pace === 0 ? Infinity : run.initialIdeas + Math.floor(view.validMatches / pace);
  const ahead = matchesGoOn ? 0 : run.initialIdeas;
  const othersOpen = open.match + open.review + open.generate > 0;
  if (own >= due + ahead && (matchesGoOn || othersOpen)) return [];
  return [generationTask(view, firstFreeNumber(view))];
}

/** Hypotheses that generation made. */
function generated(view: View): number {
  return view.hypotheses.filter(({ record }) => record.author === "model" && record.parents.length === 0)
    .length;
}

/** Verification for leaders that lack one, then observation where they lean on sources. */
export function reviewsDue(view: View, { taken }: Situation): NewTask[] {
  const deeper = view.openTasks.filter(({ record }) =>
    record.action === "review" && record.payload.kind !== "full" && taken?.has(record.id) !== true
  );
  if (deeper.length >= DEEPER_REVIEWS) return [];
  const { verifyTop } = view.settings.reflection;
  const leaders = mature(view).slice(0, verifyTop);
  for (const leader of leaders) {
    // One of an earlier version is stale, which is shown; it is made again when a person asks for it.
    const kinds = new Set(view.reviewsOf(leader.record.id).map(({ kind }) => kind));
    const sources = leader.record.citations.length > 0 ||
      view.evidence.some((item) => item.hypothesisId === leader.record.id && item.kind === "literature");
    for (const kind of ["verification", "observation"] as const) {
      if (kinds.has(kind) || (kind === "observation" && !sources)) continue;
      const key = `review/${leader.record.id}/${leader.record.version}/${kind}`;
      if (!view.hasTask(key)) {
        return [{ key, action: "review", targetId: leader.record.id, payload: { kind } }];
      }
    }
  }
  return [];
}

/**
 * A round of evolution, each strategy a task of its own: once in every `evolution.everyMatches` matches, when enough
 * hypotheses are mature or the leaders stand still; and when every pair has met, since then only new hypotheses help.
 */
function evolutions(view: View, open: ActionCounts, situation: Situation, generating: boolean): NewTask[] {
  const { evolution, run } = view.settings;
  // What generation may still make is not evolution's to take.
  const own = generated(view) + open.generate;
  const reserved = generating ? Math.max(own, generationQuota(view)) : own;
  const room = run.maxIdeas - reserved - (countedIdeas(view) - generated(view));
  if (room <= 0 || view.drawable.length < 2) return [];
  const quiet = !matchPossible(view, situation);
  const ripe = mature(view).length >= evolution.minMature ||
    leadersStandStill(view.eloSnapshots, evolution.standstillSnapshots) ||
    (quiet && open.match === takenMatches(view, situation) && open.generate === 0);
  if (!ripe || fieldExhausted(view)) return [];
  const round = `evolve/m${view.validMatches - (view.validMatches % evolution.everyMatches)}`;
  const name = quiet ? `evolve/h${view.hypotheses.length}` : round;
  if (
    wasProposed(view, name) || EVOLUTION_STRATEGIES.some((strategy) => view.hasTask(`${name}/${strategy}`))
  ) {
    return [];
  }
  // Which strategies come first turns from round to round, so that a small room is not always the same one's.
  const turn = view.hypotheses.length % EVOLUTION_STRATEGIES.length;
  const strategies = [...EVOLUTION_STRATEGIES.slice(turn), ...EVOLUTION_STRATEGIES.slice(0, turn)].slice(
    0,
    room,
  );
  return strategies.map((strategy) => ({
    key: `${name}/${strategy}`,
    action: "evolve",
    payload: { strategy },
  }));
}

/** A synthesis for each `metareview.everyMatches` matches. One that was refused counts as made. */
function feedback(view: View): NewTask[] {
  const due = Math.floor(view.validMatches / view.settings.metareview.everyMatches);
  if (due < 1 || due <= Math.floor(matchesSynthesised(view) / view.settings.metareview.everyMatches)) {
    return [];
  }
  const key = `feedback/${due}`;
  return view.hasTask(key) ? [] : [{ key, action: "system_feedback" }];
}

/**
 * Matches for the free workers, as far as pairs are left and the limit per hypothesis allows. Where groups are judged, a
 * task may take as many pairs as a group has: no more tasks than there are groups' worth, so that none comes away empty.
 */
function matches(view: View, open: ActionCounts, situation: Situation, wanted: number): NewTask[] {
  const { busyPairs } = situation;
  const each = matchesPerCall(view.settings.ranking);
  const tasksFor = (matches: number) => matches <= 0 ? 0 : Math.max(1, Math.floor(matches / each));
  const inHand = each === 1 ? open.match : open.match + busyPairs.length;
  const n = Math.min(
    Math.max(wanted, 0),
    tasksFor(view.settings.run.maxMatchesPerIdea * view.leaderboard.length - view.validMatches - inHand),
    // The pairs of matches that a person took are busy ones already.
    tasksFor(pairsLeft(view, busyPairs, (Math.max(wanted, 0) + open.match) * each)) -
      (open.match - takenMatches(view, situation)),
  );
  return Array.from(
    { length: Math.max(0, n) },
    (_, i) => ({ key: `match/${view.seq}/${i}`, action: "match" as const }),
  );
}

/** Open matches that a person took. */
function takenMatches(view: View, { taken }: Situation): number {
  if (taken === undefined || taken.size === 0) return 0;
  return view.openTasks.filter(({ record }) => record.action === "match" && taken.has(record.id)).length;
}

/** Whether a further match can be played at all. */
export function matchPossible(view: View, situation: Situation): boolean {
  const { maxMatchesPerIdea } = view.settings.run;
  return view.validMatches < maxMatchesPerIdea * view.leaderboard.length &&
    situation.affordable("ranking") && pairsLeft(view, situation.busyPairs, 1) > 0;
}

/**
 * How many pairs may still be judged, counted up to `enough`: those that have met less than `maxMatchesPerPair` times and
 * are not being judged. Usually the first few pairs are enough.
 */
export function pairsLeft(view: View, busy: readonly (readonly [string, string])[], enough: number): number {
  const taken = new Set(busy.map(([a, b]) => (a < b ? `${a} ${b}` : `${b} ${a}`)));
  const { maxMatchesPerPair } = view.settings.ranking;
  const ids = view.drawable.map((standing) => standing.record.id);
  let found = 0;
  for (const [i, a] of ids.entries()) {
    for (const b of ids.slice(i + 1)) {
      if (found >= enough) return found;
      if (view.met(a, b).total < maxMatchesPerPair && !taken.has(a < b ? `${a} ${b}` : `${b} ${a}`)) found++;
    }
  }
  return found;
}

/** Hypotheses that have played enough to be judged by their rating, best first. */
export function mature(view: View): Standing[] {
  const { matureMatches } = view.settings.evolution;
  return view.leaderboard.filter((standing) =>
    standing.foldedUnder === null && standing.matches >= matureMatches
  );
}

/** The first number from `from` on that no generation has: its angle, and the end of its key. */
export function firstFreeNumber(view: View, from = 0): number {
  let n = Math.max(from, view.hypotheses.filter((s) => s.record.parents.length === 0).length);
  while (view.hasTask(`generate/${n}`)) n++;
  return n;
}
