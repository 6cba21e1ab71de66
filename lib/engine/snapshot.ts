import type { Settings } from "../config/settings.ts";
import type { Criterion } from "../domain/criteria.ts";
import { usd } from "../domain/money.ts";
import type {
  Cost,
  HypothesisState,
  ReviewVerdict,
  SessionStatus,
  StopReason,
  Strategy,
  TaskAction,
  TaskStatus,
} from "../domain/records.ts";
import { TASK_ACTIONS } from "../domain/records.ts";
import { KNOWN_LABEL } from "../domain/known_ideas.ts";
import type { Standing, TaskStanding, View } from "../store/view.ts";
import { ratingBand, ratingOf } from "../tournament/scale.ts";
import { type CriteriaScores, criteriaScores } from "../tournament/criteria_scores.ts";
import { type HowSure, howSure } from "./how_sure.ts";
import { staleCounts, staleItems } from "./staleness.ts";
import { mature } from "./next_steps.ts";
import type { OpenGate } from "./report.ts";

/** One row of the leaderboard. */
export interface LeaderboardRow {
  /** 1 for the best. Folded near-duplicates have none. */
  readonly rank: number | null;
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Bradley-Terry rating on the Elo scale: 1200 + 173.7 · strength. `null` where there is none. */
  readonly rating: number | null;
  /** The lower end of its 90 % interval. */
  readonly ratingLow: number | null;
  /** The upper end. */
  readonly ratingHigh: number | null;
  /**
   * The chance that it truly is among the best `ranking.topK`; `null` for a folded one, without ratings, and where no
   * more than `topK` compete: then everybody is, which tells nothing.
   */
  readonly topChance: number | null;
  /** Its tier, from 1: hypotheses of one tier can't be told apart. `null` for a folded one, and without ratings. */
  readonly tier: number | null;
  /** Elo. */
  readonly elo: number;
  /** Valid matches. */
  readonly matches: number;
  /** Won. */
  readonly won: number;
  /** Lost. */
  readonly lost: number;
  /** Tied. */
  readonly tied: number;
  /** Verdict of its newest review, if it has one. */
  readonly verdict: ReviewVerdict | null;
  /** How it came about. */
  readonly strategy: Strategy;
  /** 0 for hypotheses without parents. */
  readonly generation: number;
  /** Its age: commits since its first version was written. */
  readonly age: number;
  /** Labels of its parents. */
  readonly parents: readonly string[];
  /** Label of the near-duplicate that is drawn in its stead. */
  readonly foldedUnder: string | null;
  /** Its rating after each of its matches. */
  readonly trajectory: readonly number[];
  /** Whether a person keeps it in play. */
  readonly pinned: boolean;
  /** What results say of it: they outrank opinion. `null` where there are none, or they are level. */
  readonly result: Standing["result"];
  /** Who wrote it: `model`, or a person's name. */
  readonly author: string;
  /** How much that bears on it is stale: its reviews, its matches, and itself, if what it was made from has changed. */
  readonly stale: number;
  /** How it does by the scientist's criteria; absent where there are none. */
  readonly criteria?: CriteriaScores | undefined;
}

/** A task as a snapshot lists it. */
export interface TaskRow {
  /** `T5`. */
  readonly label: string;
  /** Which work. */
  readonly action: TaskAction;
  /** Label of the hypothesis it is about, if one. */
  readonly target: string | null;
  /** Where it stands. */
  readonly status: TaskStatus;
  /** Attempts that failed. */
  readonly attempts: number;
  /** What failed last, or why it ended. */
  readonly reason: string;
}

/** A hypothesis outside the tournament. */
export interface OutsideRow {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Why. */
  readonly reason: string;
}

/** What the phases of a session are called on displays. */
export type Phase =
  | "planning"
  | "generating"
  | "reviewing"
  | "ranking"
  | "evolving"
  | "stopped"
  | "finished"
  | "aborted"
  | "paused";

/** Where a session stands, from its records alone: the same at the same seq, whoever looks and whenever. */
export interface SnapshotData {
  /** The session's name. */
  readonly session: string;
  /** The goal. */
  readonly goal: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The commit that it shows. */
  readonly seq: number;
  /** The newest revision. */
  readonly revision: number;
  /** Status. */
  readonly status: SessionStatus;
  /** Why it stopped, if it did. */
  readonly stopReason: StopReason | null;
  /** A line about the status. */
  readonly note: string;
  /** What it is about. */
  readonly phase: Phase;
  /** The research question, when it was parsed. */
  readonly objective: string | null;
  /** Counts of records. */
  readonly counts: {
    readonly hypotheses: number;
    readonly inTournament: number;
    readonly mature: number;
    readonly folded: number;
    readonly duplicates: number;
    /** Of the duplicates, those that are known ideas; absent where none is known. */
    readonly knownIdeas?: number | undefined;
    readonly reviews: number;
    readonly matches: number;
    readonly invalidMatches: number;
    readonly feedback: number;
    readonly overviews: number;
    /** Reviews, matches, children and overviews of a text that has changed since. */
    readonly stale: number;
    readonly droppedCitations: number;
  };
  /** How the leaderboard is ordered, and how sure it is. */
  readonly ranking: RankingData;
  /** What the scientist asks of every hypothesis; absent where nothing is. */
  readonly criteria?: readonly Readonly<Criterion>[] | undefined;
  /** Everybody in the tournament, best first. */
  readonly leaderboard: readonly LeaderboardRow[];
  /** Hypotheses outside the tournament. */
  readonly outside: readonly OutsideRow[];
  /** The newest system feedback. */
  readonly feedback: { readonly label: string; readonly narrative: string } | null;
  /** What waits for a person's yes. */
  readonly gate: OpenGate | null;
  /** Versions of the overview, without their text. */
  readonly overviews: readonly {
    readonly label: string;
    readonly source: "model" | "fallback";
    readonly final: boolean;
  }[];
  /** Open tasks by action. */
  readonly open: Readonly<Record<TaskAction, number>>;
  /** Open tasks that failed before, and dead ones. */
  readonly troubled: readonly TaskRow[];
  /** Screens that blocked, warned or failed. */
  readonly screens: readonly {
    readonly target: string;
    readonly result: string;
    readonly rationale: string;
  }[];
  /** Cost of the session's own commits. */
  readonly cost: CostRow;
  /** What a fork inherited: paid by the sessions before it, and no part of its own cost. */
  readonly inherited: CostRow;
  /** The commit of its parent that a fork goes on from; `null` for a session that is no fork. */
  readonly forkedAt: number | null;
  /** The same by agent. */
  readonly costByAgent: Readonly<Record<string, CostRow>>;
}

/** How the leaderboard is ordered, and how sure it is. */
export interface RankingData {
  /** The rating that orders it. */
  readonly by: Settings["ranking"]["rating"];
  /** How many of the best are looked for. */
  readonly topK: number;
  /**
   * The expected share of the true best `topK` among the leaders by Bradley-Terry; `null` where no more than `topK`
   * compete, and without ratings.
   */
  readonly expectedPrecision: number | null;
}

/** A cost as people read it. */
export interface CostRow {
  /** Money in dollars. */
  readonly usd: number;
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Calls. */
  readonly calls: number;
  /** Of the money: booked without an answer. */
  readonly unconfirmedUsd: number;
}

/** A cost as people read it. */
export function costRow(cost: Cost): CostRow {
  return {
    usd: usd(cost.microUsd),
    inputTokens: cost.inputTokens,
    outputTokens: cost.outputTokens,
    calls: cost.calls,
    unconfirmedUsd: usd(cost.unconfirmedMicroUsd),
  };
}

/** Where a session stands at a view's seq. A pure function. */
export function snapshot(view: View): SnapshotData {
  const trajectories = trajectoriesOf(view);
  let rank = 0;
  const stale = staleCounts(view);
  const sure = howSure(view);
  const { scope } = view.settings;
  const leaderboard = view.leaderboard.map((standing): LeaderboardRow => ({
    rank: standing.foldedUnder === null ? ++rank : null,
    ...leaderboardRow(view, standing, trajectories.get(standing.record.id) ?? [], sure),
    stale: stale.get(standing.record.id) ?? 0,
  }));
  const troubled = [...view.openTasks.filter((task) => task.attempts > 0), ...view.deadTasks];
  return {
    session: view.session.name,
    goal: view.session.goal,
    simulated: view.session.mode === "simulator",
    seq: view.seq,
    revision: view.revision,
    status: view.status,
    stopReason: view.stopReason,
    note: view.note,
    phase: phaseOf(view),
    objective: view.plan?.objective ?? null,
    counts: {
      hypotheses: view.hypotheses.length,
      inTournament: view.leaderboard.length,
      mature: mature(view).length,
      folded: leaderboard.filter((row) => row.foldedUnder !== null).length,
      duplicates: view.duplicates.length,
      ...(scope.known.length === 0 ? {} : {
        knownIdeas: view.duplicates.filter(({ duplicateOf }) => duplicateOf.startsWith(KNOWN_LABEL)).length,
      }),
      reviews: view.reviews.length,
      matches: view.validMatches,
      invalidMatches: view.matchCount - view.validMatches,
      feedback: view.feedback.length,
      overviews: view.overviews.length,
      stale: staleItems(view).length,
      droppedCitations: view.hypotheses.reduce((sum, { record }) => sum + record.droppedCitations, 0) +
        view.reviews.reduce((sum, review) => sum + review.droppedEvidence, 0),
    },
    ranking: {
      by: view.settings.ranking.rating,
      topK: view.settings.ranking.topK,
      expectedPrecision: sure.expectedPrecision,
    },
    ...(scope.criteria.length === 0 ? {} : { criteria: scope.criteria }),
    leaderboard,
    outside: view.hypotheses.filter((standing) => standing.state !== "in_tournament").map((standing) => ({
      label: standing.record.label,
      title: standing.record.title,
      state: standing.state,
      reason: standing.stateReason,
    })),
    feedback: view.feedback.map(({ label, narrative }) => ({ label, narrative })).at(-1) ?? null,
    gate: view.openGate === null ? null : { label: view.openGate.label, kind: view.openGate.kind },
    overviews: view.overviews.map(({ label, source, final }) => ({ label, source, final })),
    open: openTasks(view),
    troubled: troubled.map((task) => taskRow(view, task)),
    screens: view.screens.filter((screen) => screen.result !== "clear").map((
      { target, result, rationale },
    ) => ({
      target: view.hypothesis(target)?.record.label ?? target,
      result,
      rationale,
    })),
    cost: costRow(view.cost),
    inherited: costRow(view.inherited.cost),
    forkedAt: view.session.parentId === null ? null : view.session.parentSeq,
    costByAgent: Object.fromEntries([...view.costByAgent].map(([agent, cost]) => [agent, costRow(cost)])),
  };
}

/** A task as people read it. */
export function taskRow(view: View, task: TaskStanding): TaskRow {
  const { record, status, attempts, reason } = task;
  const target = record.targetId === null ? null : view.hypothesis(record.targetId)?.record.label ?? null;
  return { label: record.label, action: record.action, target, status, attempts, reason };
}

function leaderboardRow(
  view: View,
  standing: Standing,
  trajectory: readonly number[],
  sure: HowSure,
): Omit<LeaderboardRow, "rank" | "stale"> {
  const { record, elo, matches, won, lost, tied } = standing;
  const labelOf = (id: string) => view.hypothesis(id)?.record.label ?? id;
  const criteria = criteriaScores(view, record.id);
  const first = view.versionsOf(record.id)[0] ?? record;
  return {
    label: record.label,
    title: record.title,
    ...ratingRow(standing),
    topChance: sure.expectedPrecision === null ? null : sure.chances.get(record.id) ?? null,
    tier: sure.tiers.get(record.id) ?? null,
    elo,
    matches,
    won,
    lost,
    tied,
    verdict: view.reviewsOf(record.id).at(-1)?.verdict ?? null,
    strategy: record.strategy,
    generation: record.generation,
    age: view.seq - first.seq,
    parents: record.parents.map(labelOf),
    foldedUnder: standing.foldedUnder === null ? null : labelOf(standing.foldedUnder),
    trajectory,
    pinned: standing.pinned,
    result: standing.result,
    author: first.author,
    ...(criteria === null ? {} : { criteria }),
  };
}

/** A Bradley-Terry rating as people read it: on the Elo scale, with its 90 % interval. */
export function ratingRow(
  { strength, strengthSd }: Pick<Standing, "strength" | "strengthSd">,
): Pick<LeaderboardRow, "rating" | "ratingLow" | "ratingHigh"> {
  if (strength === null || strengthSd === null) return { rating: null, ratingLow: null, ratingHigh: null };
  const [ratingLow, ratingHigh] = ratingBand({ mean: strength, sd: strengthSd });
  return { rating: ratingOf(strength), ratingLow, ratingHigh };
}

/** The last ratings of each hypothesis, at most this many: what a sparkline shows. */
const TRAJECTORY = 24;

function trajectoriesOf(view: View): Map<string, number[]> {
  const all = new Map<string, number[]>();
  // From the newest match back, since only the last few of each are wanted.
  const push = (id: string, elo: number) => {
    const list = all.get(id);
    if (list === undefined) all.set(id, [elo]);
    else if (list.length < TRAJECTORY) list.push(elo);
  };
  for (let i = view.eloJournal.length - 1; i >= 0; i--) {
    const row = view.eloJournal[i];
    if (row === undefined) continue;
    push(row.firstId, row.firstBefore + row.delta);
    push(row.secondId, row.secondBefore - row.delta);
  }
  for (const list of all.values()) list.reverse();
  return all;
}

function openTasks(view: View): Record<TaskAction, number> {
  const open = Object.fromEntries(TASK_ACTIONS.map((action) => [action, 0])) as Record<TaskAction, number>;
  for (const task of view.openTasks) open[task.record.action]++;
  return open;
}

/** What a session is about right now. */
export function phaseOf(view: View): Phase {
  switch (view.status) {
    case "done":
      return "finished";
    case "aborted":
      return "aborted";
    case "paused":
      return "paused";
    case "stopped":
      return "stopped";
    case "created":
    case "running": {
      if (view.plan === null) return "planning";
      const open = openTasks(view);
      if (open.evolve > 0) return "evolving";
      if (open.generate > 0 || view.hypotheses.length === 0) return "generating";
      if (open.review > 0) return "reviewing";
      return "ranking";
    }
  }
}

/** What goes on right now: not part of the records, different from one moment to the next. */
export interface NowData {
  /** What the session that it was forked from is called; `null` for one that is no fork. */
  readonly parent: string | null;
  /** Tasks in hand, by whoever. */
  readonly inHand: readonly string[];
  /** Tasks that are ready. */
  readonly ready: number;
  /** Tasks put off. */
  readonly deferred: number;
  /** Money spent, in dollars; calls whose process died before they were answered included. */
  readonly spentUsd: number;
  /** Of that: booked for calls whose process died. */
  readonly lostUsd: number;
  /** Money reserved for calls in flight. */
  readonly reservedUsd: number;
  /** Money at most. */
  readonly budgetUsd: number;
  /** Tokens spent. */
  readonly spentTokens: number;
  /** Tokens at most. */
  readonly budgetTokens: number;
  /** Running time so far, in seconds. */
  readonly ranSeconds: number;
  /** Running time at most. */
  readonly wallClockSeconds: number;
  /** The newest faults: retries, degradations, failures, dropped things; oldest first. */
  readonly faults: readonly { readonly type: string; readonly text: string }[];
}
