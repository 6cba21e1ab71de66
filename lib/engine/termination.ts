import type { StopReason } from "../domain/records.ts";
import type { View } from "../store/view.ts";
import { eloStable } from "../tournament/stability.ts";
import { countedIdeas, fieldExhausted, generationQuota } from "./next_steps.ts";

/** What termination depends on besides the records. */
export interface Progress {
  /** Milliseconds that the session has run. */
  readonly ranMs: number;
  /** Money spent, in micro-dollars. */
  readonly spentMicroUsd: number;
  /** Tokens spent. */
  readonly spentTokens: number;
  /** Fruitless tasks in a row at the time this run began: a run after a stall gets its own tries. */
  readonly fruitlessBefore: number;
  /** Attempts in a row that failed because of the provider. */
  readonly providerFailures: number;
  /** Whether money allows at least one more hypothesis. */
  readonly moreIdeasAffordable: boolean;
}

/** Failed attempts in a row after which the provider counts as gone. */
export const PROVIDER_FAILURES = 5;

/** A reason to stop, with a line for a person. */
export interface Stop {
  /** The reason. */
  readonly reason: StopReason;
  /** What led to it. */
  readonly note: string;
}

/**
 * Whether the session must stop although there may be work left: the seed's order, external, budget, wall clock, ratings
 * at rest; then stalls. A pure function.
 */
export function mustStop(view: View, progress: Progress): Stop | null {
  const { run, termination } = view.settings;
  if (view.status === "aborted") return { reason: "external", note: "The session was aborted." };
  if (progress.spentMicroUsd >= run.budgetUsd * 1e6) {
    return { reason: "budget", note: `The budget of $${run.budgetUsd} is spent.` };
  }
  if (progress.spentTokens >= run.budgetTokens) {
    return { reason: "budget", note: `The budget of ${run.budgetTokens} tokens is spent.` };
  }
  if (progress.ranMs >= run.wallClockSeconds * 1000) {
    return {
      reason: "wall_clock",
      note: `The session has run for ${run.wallClockSeconds} s (run.wallClockSeconds).`,
    };
  }
  if (progress.providerFailures >= PROVIDER_FAILURES) {
    return {
      reason: "provider",
      note: `The model's service failed ${progress.providerFailures} times in a row.`,
    };
  }
  if (view.fruitless - progress.fruitlessBefore >= termination.stallAfter) {
    return {
      reason: "stalled",
      note: `The last ${view.fruitless} tasks came to nothing (termination.stallAfter).`,
    };
  }
  if (ratingsAtRest(view, progress)) {
    return {
      reason: "elo_stable",
      note:
        `The ${termination.eloStabilityK} leaders moved by less than ${termination.eloStabilityEps} points ` +
        `over ${termination.eloStabilityN} snapshots.`,
    };
  }
  return null;
}

/**
 * Rest counts only when the pool is complete: as long as hypotheses are to come, leaders at rest are no result. Complete
 * is `termination.minIdeas`, or (0) all of `run.maxIdeas` that money and the field allow.
 */
function ratingsAtRest(view: View, progress: Progress): boolean {
  const { run, termination } = view.settings;
  if (view.validMatches < termination.minMatches) return false;
  const ideas = countedIdeas(view);
  const complete = termination.minIdeas > 0
    ? ideas >= termination.minIdeas
    : ideas >= run.maxIdeas || !progress.moreIdeasAffordable ||
      (fieldExhausted(view) && ideas >= generationQuota(view));
  return complete && view.openTasks.every((task) => task.record.action === "match") &&
    eloStable(sinceNewest(view), termination);
}

/** Snapshots taken after the newest hypothesis entered: earlier ones don't know it. */
function sinceNewest(view: View) {
  const newest = view.leaderboard.reduce((seq, standing) => Math.max(seq, standing.bornSeq), 0);
  const played = view.eloJournal.findIndex((row) => row.seq > newest);
  return played < 0 ? [] : view.eloSnapshots.filter((snapshot) => snapshot.matches > played);
}

/** Why a session stops that has nothing ready, nothing in hand and nothing new to do. */
export function whyNothingLeft(view: View, budgetRefuses: boolean): Stop {
  if (budgetRefuses) {
    return {
      reason: "budget",
      note: "What is left of the budget allows no further call, apart from the overview.",
    };
  }
  if (view.deadTasks.length > 0 && view.leaderboard.length < 2) {
    return {
      reason: "stalled",
      note: `Tasks died and nothing else can be done: ${
        view.deadTasks.map((task) => task.record.label).join(", ")
      } ` +
        `(queue.revive gives them another try).`,
    };
  }
  if (view.plan === null) {
    return { reason: "stalled", note: "There is no research plan, and no task that would make one." };
  }
  return { reason: "idle", note: "Everything is done: the pool is full and every pair has met." };
}
