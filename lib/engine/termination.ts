import type { ScreenRecord, StopReason } from "../domain/records.ts";
import type { View } from "../store/view.ts";
import { eloStable } from "../tournament/stability.ts";
import { competitors } from "../tournament/competitors.ts";
import { countedIdeas, fieldExhausted, generationQuota } from "./next_steps.ts";

/** What termination depends on besides the records. */
export interface Progress {
  /** Milliseconds that the session has run. */
  readonly ranMs: number;
  /** Money spent, in micro-dollars. */
  readonly spentMicroUsd: number;
  /** Tokens spent. */
  readonly spentTokens: number;
  /** Fruitless tasks in a row. */
  readonly fruitless: number;
  /** Attempts in a row that failed because of the provider, and what the last of them said. */
  readonly provider: ProviderHealth;
  /** Whether money allows at least one more hypothesis. */
  readonly moreIdeasAffordable: boolean;
  /** Whether a review that the leaders are due is still to come. */
  readonly reviewsToCome: boolean;
}

/** How the model's service has done lately. */
export interface ProviderHealth {
  /** Attempts in a row that failed because of it. */
  readonly failures: number;
  /** Whether one of them says that others would fail as well: a refused key, say. */
  readonly gone: boolean;
  /** What the last of them said. */
  readonly error: string;
}

/** A service of which no failure is known. */
export const HEALTHY: ProviderHealth = { failures: 0, gone: false, error: "" };

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
  const screen = view.screens.findLast(({ target }) => target === "goal");
  if (view.plan === null && screen?.result === "blocked") return goalBlocked(screen);
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
  const { gone, failures, error } = progress.provider;
  if (gone) return { reason: "provider", note: `The model's service can't be used: ${error}` };
  if (failures >= PROVIDER_FAILURES) {
    return {
      reason: "provider",
      note: `The model's service failed ${failures} times in a row; the last time: ${error}`,
    };
  }
  if (progress.fruitless >= termination.stallAfter) {
    return {
      reason: "stalled",
      note: `The last ${progress.fruitless} tasks came to nothing (termination.stallAfter).`,
    };
  }
  if (!poolComplete(view, progress)) return null;
  const settled = topKSettled(view);
  if (settled !== null) return settled;
  if (ratingsAtRest(view)) {
    return {
      reason: "elo_stable",
      note:
        `The ${termination.eloStabilityK} leaders moved by less than ${termination.eloStabilityEps} points ` +
        `over ${termination.eloStabilityN} snapshots.`,
    };
  }
  return null;
}

/** The stop of a session whose goal the safety screen refused. */
export function goalBlocked({ rationale, categories }: Pick<ScreenRecord, "rationale" | "categories">): Stop {
  return {
    reason: "blocked",
    note: `The safety screen blocked the goal: ${rationale || categories.join(", ")}.`,
  };
}

/**
 * No ranking is an end while the pool is incomplete: as long as hypotheses are to come, leaders at rest are no result.
 * Complete is `termination.minIdeas`, or (0) all of `run.maxIdeas` that money and the field allow.
 */
function poolComplete(view: View, progress: Progress): boolean {
  const { run, termination } = view.settings;
  if (view.validMatches < termination.minMatches) return false;
  const ideas = countedIdeas(view);
  const complete = termination.minIdeas > 0
    ? ideas >= termination.minIdeas
    : ideas >= run.maxIdeas || !progress.moreIdeasAffordable ||
      (fieldExhausted(view) && ideas >= generationQuota(view));
  // An overview that was asked for and not yet written is no work that ratings could wait for.
  return complete && !progress.reviewsToCome &&
    !view.openTasks.some(({ record }) => record.action !== "match" && record.action !== "overview");
}

/**
 * Whether it is sure enough who the best are: the best `ranking.topK`, or half of a pool that is smaller than two times
 * that, since most of few are among the best by chance alone. Nobody is judged unseen: everybody must have played, and no
 * newcomer's match may wait.
 */
function topKSettled(view: View): Stop | null {
  const { termination: { topKPrecision }, ranking: { topK } } = view.settings;
  if (topKPrecision === 0) return null;
  const competing = competitors(view);
  const k = Math.min(topK, Math.floor(competing.length / 2));
  const unseen = competing.some((id) => view.hypothesis(id)?.matches === 0) ||
    view.openTasks.some(({ record }) => record.payload.focus !== undefined);
  if (k < 1 || unseen) return null;
  const { expectedPrecision } = view.ratings.top(competing, k);
  if (expectedPrecision < topKPrecision) return null;
  return {
    reason: "top_k_settled",
    note: `Of the ${k} leaders, ${percent(expectedPrecision)} are expected to be among the true best ${k}; ` +
      `termination.topKPrecision asks for ${percent(topKPrecision)}.`,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Whether the leaders by Elo are at rest, and have been tested while they stood. */
function ratingsAtRest(view: View): boolean {
  const { termination } = view.settings;
  const snapshots = sinceNewest(view);
  if (!eloStable(snapshots, termination)) return false;
  const tested = testedSince(view);
  const first = snapshots.findLastIndex((snapshot) => snapshot.matches <= tested);
  return first >= 0 &&
    eloStable(snapshots, {
      ...termination,
      eloStabilityN: Math.max(termination.eloStabilityN, snapshots.length - first),
    });
}

/**
 * The number of matches since which each leader has played often enough to have moved by more than `eloStabilityEps`, at a whole K a
 * match; -1 where one has not. In a large pool the leaders hardly play between a few snapshots, and
 * whoever doesn't play doesn't move: that is no rest.
 */
function testedSince(view: View): number {
  const { eloJournal, eloSnapshots, settings } = view;
  const wanted = Math.ceil(settings.termination.eloStabilityEps / settings.ranking.kFactorWarm) + 1;
  const left = new Map((eloSnapshots.at(-1)?.ids ?? []).map((id) => [id, wanted]));
  let at = eloJournal.length;
  while (left.size > 0 && at > 0) {
    const row = eloJournal[--at];
    for (const id of row === undefined ? [] : [row.firstId, row.secondId]) {
      const more = (left.get(id) ?? Infinity) - (row?.weight ?? 0);
      if (more <= 0) left.delete(id);
      else if (more < Infinity) left.set(id, more);
    }
  }
  return left.size > 0 ? -1 : at;
}

/** Snapshots taken after the newest hypothesis entered: earlier ones don't know it. */
function sinceNewest(view: View) {
  const newest = view.leaderboard.reduce((seq, standing) => Math.max(seq, standing.bornSeq), 0);
  const played = view.eloJournal.findIndex((row) => row.seq > newest);
  return played < 0 ? [] : view.eloSnapshots.filter((snapshot) => snapshot.matches > played);
}

/**
 * Why a session stops that has nothing ready, nothing in hand and nothing new to do.
 *
 * @param taken tasks that people took upon themselves, each in words: what is missing may hang on them
 */
export function whyNothingLeft(view: View, budgetRefuses: boolean, taken: readonly string[] = []): Stop {
  const waiting = taken.length === 0
    ? ""
    : `${taken.join(", ")} (queue.answer answers, queue.giveBack gives it back).`;
  if (budgetRefuses) {
    return {
      reason: "budget",
      note: `What is left of the budget allows no further call, apart from the overview.${
        waiting === "" ? "" : ` Besides, ${waiting}`
      }`,
    };
  }
  if (waiting !== "") return { reason: "idle", note: `Nothing else can be done: ${waiting}` };
  const { maxIdeas } = view.settings.run;
  const ideas = countedIdeas(view);
  // Where the last work came to nothing and there is room for more, an end is no completion.
  const halted = view.leaderboard.length < 2 || (view.fruitless > 0 && ideas < maxIdeas);
  if (view.deadTasks.length > 0 && halted) {
    return {
      reason: "stalled",
      note: `Tasks died and nothing else can be done: ${
        view.deadTasks.map((task) => task.record.label).join(", ")
      } (queue.revive gives them another try).`,
    };
  }
  if (view.plan === null) {
    return { reason: "stalled", note: "There is no research plan, and no task that would make one." };
  }
  if (view.leaderboard.length === 0) {
    return {
      reason: "stalled",
      note:
        `There is nothing to rank: none of ${view.hypotheses.length} hypotheses came into the tournament.`,
    };
  }
  return {
    reason: "idle",
    note: `Everything is done: no pair is left to be judged, and of at most ${maxIdeas} hypotheses ` +
      `(run.maxIdeas) there are ${ideas}${ideas < maxIdeas ? "; nothing new could be made of them" : ""}.`,
  };
}
