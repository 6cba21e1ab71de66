import { unmetCriteria } from "../domain/criteria.ts";
import type { HypothesisRecord, HypothesisState, ReviewRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { type NewTask, PRIORITY, taskEntry } from "./new_task.ts";

/** A change of a hypothesis's state, with the tasks that follow from it. */
export interface Move {
  /** The state and the tasks. */
  readonly entries: readonly Entry[];
  /** What is told of it. */
  readonly events: readonly EventDraft[];
}

/**
 * Moves a hypothesis to a state. A draft gets its review, one that enters the tournament without having played its first
 * match; a task that is open already is not enqueued again.
 */
export function move(view: View, standing: Standing, state: HypothesisState, reason: string): Move {
  const { record } = standing;
  const tasks = state === "draft"
    ? reviewToCome(view, record)
    : state === "in_tournament"
    ? firstMatch(view, standing)
    : [];
  return {
    entries: [
      { kind: "hypothesisState", record: { hypothesisId: record.id, state, reason } },
      ...tasks.map((task) => taskEntry(task, view.settings.lease.maxAttempts)),
    ],
    events: [{ type: "hypothesis_state", payload: { hypothesis: record.label, state, reason } }],
  };
}

/**
 * The full review that a hypothesis of a person needs, unless one is open. Before there is a plan there is none: nothing
 * but the screen of the goal is paid for before the goal has passed it, and the plan brings the reviews along.
 */
export function reviewToCome(
  view: View,
  { id, version }: Pick<HypothesisRecord, "id" | "version">,
): NewTask[] {
  if (view.plan === null) return [];
  const waits = view.openTasks.some(({ record }) =>
    record.action === "review" && record.targetId === id && (record.payload.kind ?? "full") === "full"
  );
  if (waits) return [];
  return [{
    key: freeKey(view, `review/${id}/${version}/full`),
    action: "review",
    targetId: id,
    payload: { kind: "full" },
    priority: PRIORITY.asked,
  }];
}

/** The reviews of what people added before there was a plan. */
export function reviewsOfDrafts(view: View): NewTask[] {
  return view.hypotheses.flatMap(({ record: { id, version }, state }) =>
    state !== "draft" ? [] : [{
      key: freeKey(view, `review/${id}/${version}/full`),
      action: "review",
      targetId: id,
      payload: { kind: "full" },
    }]
  );
}

function firstMatch(view: View, { record: { id, version }, matches }: Standing): NewTask[] {
  const waits = view.openTasks.some(({ record }) => record.payload.focus === id);
  if (matches > 0 || waits) return [];
  return [{
    key: freeKey(view, `match/focus/${id}/${version}`),
    action: "match",
    payload: { focus: id },
    priority: PRIORITY.focusMatch,
  }];
}

/** The usual key, or, where that task was there once, one of this commit's. */
function freeKey(view: View, key: string): string {
  return view.hasTask(key) ? `${key}/${view.seq + 1}` : key;
}

/** What a person's hand changed in the reviews of a hypothesis. */
export interface ReviewsChanged {
  /** Those that count now. */
  readonly counting: readonly ReviewRecord[];
  /** The one that is new; `null` where one was only taken away. */
  readonly added: ReviewRecord | null;
  /** The one that counts no more; `null` where one was only added. */
  readonly taken: ReviewRecord | null;
}

/**
 * The state that a hypothesis gets when a person changes its reviews: the one it would have without what is taken and
 * with what is added.
 *
 * - One that a person rejected or merged, or the safety screen quarantined, stays so: no review decided that.
 * - A new review that says `disproved` makes it so, whatever it was. One that finds it to fail a hard constraint makes it
 *   `unfit` where it was in play and isn't pinned.
 * - One that is `disproved` stays so while another review says so that was made since a person last put it back into play;
 *   one that is `unfit` unless the review taken away is what made it so. Else it is in the tournament where a review is
 *   left or it has played, and a draft again where neither is.
 * - One in play stays in play: a draft enters the tournament by its first review, and who has entered doesn't go back to
 *   being a draft, since its matches were not made by the review.
 */
export function stateByReviews(view: View, standing: Standing, changed: ReviewsChanged): HypothesisState {
  const { record, state, matches } = standing;
  const { counting, added, taken } = changed;
  const inPlay = counting.length > 0 || matches > 0 ? "in_tournament" : "draft";
  switch (state) {
    case "rejected":
    case "merged":
    case "quarantined":
      return state;
    case "draft":
    case "reviewed":
      return outBy(view, standing, added) ?? (counting.length > 0 ? "in_tournament" : state);
    case "in_tournament":
      return outBy(view, standing, added) ?? state;
    case "unfit":
      if (added?.verdict === "disproved") return "disproved";
      return taken !== null && madeUnfit(view, taken) ? inPlay : state;
    case "disproved": {
      const since = lastPutBack(view, record.label);
      const still = counting.some(({ verdict, seq }) => verdict === "disproved" && seq > since);
      return still ? state : inPlay;
    }
    default:
      return state satisfies never;
  }
}

/** The commit at which a person last put a hypothesis back into play; 0 if none did. */
function lastPutBack(view: View, label: string): number {
  return view.revisions.findLast(({ kind, target, after }) =>
    kind === "state" && target === label && (after === "in_tournament" || after === "draft")
  )?.seq ?? 0;
}

/** How a new review takes a hypothesis out that is in play; `null` where it doesn't. */
function outBy(view: View, { pinned }: Standing, added: ReviewRecord | null): "disproved" | "unfit" | null {
  if (added === null) return null;
  if (added.verdict === "disproved") return "disproved";
  return madeUnfit(view, added) && !pinned ? "unfit" : null;
}

/** Whether a review finds that a hypothesis fails a hard constraint. */
function madeUnfit(view: View, { scores }: ReviewRecord): boolean {
  return unmetCriteria(scores, view.settings.scope.criteria).length > 0;
}
