import { z } from "zod";
import { unmetCriteria } from "../domain/criteria.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { recordId } from "../domain/ids.ts";
import {
  type Assumption,
  REVIEW_KINDS,
  REVIEW_VERDICTS,
  type ReviewKind,
  type ReviewRecord,
  type ReviewScores,
  type ReviewVerdict,
} from "../domain/records.ts";
import { type ReviewsChanged, reviewToCome, stateByReviews } from "../engine/in_play.ts";
import { taskEntry } from "../engine/new_task.ts";
import { failing, findingEntries } from "../engine/outcome_records.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import { hypothesisOf, recordOf } from "./labels.ts";
import {
  IN_PLAY,
  moveByPerson,
  type PersonsMove,
  pinChange,
  REASON,
  requireState,
} from "./standing_verbs.ts";
import { readAuthor, readWeight, steer, type Steered, type Steering } from "./steer.ts";
import { requireSteeringOptions } from "./verb_options.ts";
import { readOptions, readText } from "./wrong_option.ts";
import { answeredBy } from "./taken_tasks.ts";

/** What a person says of a hypothesis. */
export interface OwnReview {
  /** What it comes to. @default "neutral" */
  readonly verdict?: ReviewVerdict | undefined;
  /** Scores from 0 to 1, as far as one has an opinion; your own criteria under `criteria`. */
  readonly scores?: ReviewScores | undefined;
  /** Why, in words. */
  readonly notes: string;
  /** What it leans on. */
  readonly evidence?: readonly { readonly claim: string; readonly url: string; readonly excerpt?: string }[];
  /** What it takes to be assumed. */
  readonly assumptions?: readonly Assumption[] | undefined;
  /** Which kind. @default "full" */
  readonly kind?: ReviewKind | undefined;
  /** How much its scores count; a model's counts 1. @default 1 */
  readonly weight?: number | undefined;
  /** Whose it is. @default "person" */
  readonly author?: string | undefined;
}

/** What is to be different in a review; the rest stays. */
export type ReviewPatch = Partial<Omit<OwnReview, "kind">>;

const text = z.string().trim();
const score = z.number().min(0).max(1).optional();
const content = {
  verdict: z.enum(REVIEW_VERDICTS).optional(),
  scores: z.strictObject({
    novelty: score,
    correctness: score,
    testability: score,
    feasibility: score,
    criteria: z.record(z.string(), z.number().min(0).max(1)).optional(),
  }).optional(),
  evidence: z.array(z.strictObject({
    claim: text.min(1).max(2000),
    url: text.min(1).max(2000),
    excerpt: text.max(20_000).default(""),
  })).max(60).optional(),
  assumptions: z.array(z.strictObject({
    assumption: text.min(1).max(2000),
    plausibility: z.enum(["plausible", "uncertain", "implausible"]),
    rationale: text.max(4000).default(""),
  })).max(60).optional(),
  notes: z.unknown().optional(),
  weight: z.unknown().optional(),
  author: z.unknown().optional(),
};
const remedies = {
  verdict: `Give one of ${REVIEW_VERDICTS.join(", ")}.`,
  scores:
    "Give numbers from 0 to 1 under novelty, correctness, testability, feasibility, or criteria: { name: score }.",
  evidence: 'Give a list such as [{ claim: "…", url: "https://…" }].',
  assumptions: 'Give a list such as [{ assumption: "…", plausibility: "uncertain" }].',
  kind: `Give one of ${REVIEW_KINDS.join(", ")}.`,
};
const OWN = {
  shape: z.strictObject({ ...content, kind: z.enum(REVIEW_KINDS).optional() }),
  example: '{ verdict: "missing_piece", notes: "…" }',
  remedies,
};
const PATCH = { shape: z.strictObject(content), example: '{ verdict: "neutral", notes: "…" }', remedies };

/** Characters of notes at most. */
const NOTES = 20_000;

/** Enters a person's review of a hypothesis's newest version. Returns its id. @throws CosciError */
export function addReview(on: Steered, label: unknown, review: unknown): string {
  const read = readOptions("addReview", review, OWN);
  const author = readAuthor("addReview", read.author), weight = readWeight("addReview", read.weight);
  const notes = readText("addReview: notes", read.notes, NOTES);
  let id = "";
  steer(on, "addReview", author, (view) => {
    const standing = hypothesisOf(view, label, "addReview");
    requireState(standing, "addReview", [...IN_PLAY, "disproved", "unfit"]);
    requireCriteria(view, "addReview", read.scores);
    id = recordId("rev", `addReview/${view.seq + 1}`);
    const made: ReviewRecord = {
      seq: view.seq + 1,
      id,
      label: nextLabel(view),
      hypothesisId: standing.record.id,
      hypothesisVersion: standing.record.version,
      kind: read.kind ?? "full",
      verdict: read.verdict ?? "neutral",
      scores: read.scores ?? {},
      assumptions: read.assumptions ?? [],
      evidence: read.evidence ?? [],
      droppedEvidence: 0,
      notes,
      author,
      weight,
      amends: null,
      taskId: null,
    };
    const { label: name, verdict, kind } = made;
    const hypothesis = standing.record.label;
    const counting = [...view.reviewsOf(standing.record.id), made];
    // A review of it that they took from the queue is answered by this one.
    const answered = answeredBy(
      view,
      on.store.queue(on.session),
      author,
      (task) =>
        task.action === "review" && task.targetId === standing.record.id &&
        (task.payload.kind ?? "full") === kind,
    );
    return {
      ...following(view, standing, { counting, added: made, taken: null }, `by ${author}`, {
        entries: [...reviewEntries(view, made), ...answered.entries],
        changes: [
          { kind: "review", target: name, before: null, after: { verdict, weight } },
          ...answered.changes,
        ],
        events: [
          { type: "review_completed", payload: { hypothesis, kind, verdict, author } },
          ...answered.events,
        ],
      }),
      task: answered.task,
    };
  });
  return id;
}

/**
 * Puts a corrected review in the place of another one, which is void from then on. Returns the new one's id.
 *
 * @throws CosciError
 */
export function amendReview(on: Steered, label: unknown, patch: unknown): string {
  const read = readOptions("amendReview", patch, PATCH);
  const author = readAuthor("amendReview", read.author);
  const weight = read.weight === undefined ? undefined : readWeight("amendReview", read.weight);
  const notes = read.notes === undefined ? undefined : readText("amendReview: notes", read.notes, NOTES);
  const changed = { ...read, weight, notes, author: undefined };
  if (Object.values(changed).every((value) => value === undefined)) {
    throw new CosciError(
      "input",
      'amendReview: say what is to be different, such as { verdict: "neutral" }.',
    );
  }
  let id = "";
  steer(on, "amendReview", author, (view) => {
    const { standing, review } = reviewInForce(view, label, "amendReview");
    requireCriteria(view, "amendReview", read.scores);
    id = recordId("rev", `amendReview/${view.seq + 1}`);
    const made: ReviewRecord = {
      ...review,
      seq: view.seq + 1,
      id,
      label: nextLabel(view),
      verdict: read.verdict ?? review.verdict,
      scores: read.scores === undefined ? review.scores : { ...review.scores, ...read.scores },
      assumptions: read.assumptions ?? review.assumptions,
      evidence: read.evidence ?? review.evidence,
      notes: notes ?? review.notes,
      author,
      weight: weight ?? review.weight,
      amends: review.id,
      taskId: null,
    };
    const { label: name, verdict } = made;
    const counting = [...otherReviews(view, review), made];
    const changes = { counting, added: made, taken: review };
    return following(view, standing, changes, `${name} stands in for ${review.label}`, {
      entries: [
        ...reviewEntries(view, made),
        { kind: "mark", record: { targetId: review.id, mark: "void", value: `amended by ${name}` } },
      ],
      changes: [{
        kind: "review",
        target: name,
        before: { amends: review.label },
        after: { verdict, weight: made.weight },
      }],
      events: [{
        type: "review_changed",
        payload: { review: review.label, amendedBy: name, hypothesis: standing.record.label },
      }],
    });
  });
  return id;
}

/** Makes a review void: what had followed from it is put right. Returns its id. @throws CosciError */
export function voidReview(
  on: Steered,
  label: unknown,
  reason: unknown,
  options: { readonly author?: string },
): string {
  requireSteeringOptions("voidReview", options);
  const author = readAuthor("voidReview", options.author);
  const why = readText("voidReview: reason", reason, REASON);
  let id = "";
  steer(on, "voidReview", author, (view) => {
    const { standing, review } = reviewInForce(view, label, "voidReview");
    ({ id } = review);
    const changes = { counting: otherReviews(view, review), added: null, taken: review };
    return following(view, standing, changes, `${review.label} is void`, {
      entries: [{ kind: "mark", record: { targetId: id, mark: "void", value: `${why} (${author})` } }],
      changes: [{ kind: "review", target: review.label, before: "counts", after: "void" }],
      events: [{
        type: "review_changed",
        payload: { review: review.label, void: true, reason: why, hypothesis: standing.record.label },
      }],
    });
  });
  return id;
}

/** A review that counts, and the hypothesis that it is of. @throws CosciError `state` for one that is void */
function reviewInForce(
  view: View,
  label: unknown,
  verb: string,
): { standing: Standing; review: ReviewRecord } {
  const review = recordOf(view, label, verb, "review", view.reviews);
  const standing = hypothesisOf(view, review.hypothesisId, verb);
  const mark = view.marked("void", review.id);
  if (mark === null) return { standing, review };
  const why = typeof mark === "string" ? `: ${mark}` : "";
  throw new CosciError("state", `${verb}: ${review.label} is void already${why}. undo() takes that back.`);
}

function otherReviews(view: View, { id, hypothesisId }: ReviewRecord): ReviewRecord[] {
  return view.reviewsOf(hypothesisId).filter((each) => each.id !== id);
}

function nextLabel(view: View): string {
  return `V${view.reviews.length + 1}`;
}

function reviewEntries(view: View, review: ReviewRecord): Entry[] {
  const { seq: _, label: __, ...record } = review;
  const earlier = view.evidence.filter(({ origin }) => origin === review.amends);
  const fresh = review.evidence.filter(({ url, claim }) =>
    !earlier.some((item) => item.source === url && item.claim === claim)
  );
  return [
    { kind: "review", record },
    ...findingEntries(view, review.hypothesisId, fresh, review.id, review.id),
  ];
}

/** A change of reviews with what follows from it for the hypothesis's state. */
function following(
  view: View,
  standing: Standing,
  changed: ReviewsChanged,
  reason: string,
  steering: Steering & { readonly events: NonNullable<Steering["events"]> },
): Steering {
  const state = stateByReviews(view, standing, changed);
  const moved: PersonsMove | null = state === standing.state ? null : moveByPerson(
    view,
    standing,
    state,
    state === "disproved"
      ? `a review found it disproved: ${reason}`
      : state === "unfit" && changed.added !== null
      ? `a review found ${
        failing(unmetCriteria(changed.added.scores, view.settings.scope.criteria))
      }: ${reason}`
      : state === "in_tournament" && standing.state === "draft"
      ? `reviewed ${reason}`
      : reason,
  );
  // Who is out is not in play, whatever the pin says.
  const unpinned = state === "disproved" && standing.pinned ? pinChange(standing, false) : null;
  const review = moved === null && changed.counting.length === 0 ? anotherReview(view, standing) : [];
  return {
    ...steering,
    entries: [...steering.entries, ...moved?.entries ?? [], ...unpinned?.entries ?? [], ...review],
    changes: [
      ...steering.changes,
      ...moved?.changes ?? [],
      ...(unpinned === null ? [] : [unpinned.change]),
    ],
    events: [...steering.events, ...moved?.events ?? [], ...(unpinned === null ? [] : [unpinned.event])],
  };
}

/** Whose only review is void gets another one, in whatever place it keeps. */
function anotherReview(view: View, { record, state }: Standing): Entry[] {
  if (!IN_PLAY.includes(state)) return [];
  return reviewToCome(view, record).map((task) => taskEntry(task, view.settings.lease.maxAttempts));
}

function requireCriteria(view: View, verb: string, scores: ReviewScores | undefined): void {
  const names = view.settings.scope.criteria.map(({ name }) => name);
  const unknown = Object.keys(scores?.criteria ?? {}).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw inputError(
    `${verb}: scores.criteria`,
    unknown,
    names.length === 0
      ? "The session has no criteria of its own: configure({ scope: { criteria: […] } }) sets them."
      : `Criteria are ${names.join(", ")}.`,
    names,
  );
}
