import type { Decision, Outcome, ProposedHypothesis } from "../domain/agent.ts";
import { type Criterion, unmetCriteria } from "../domain/criteria.ts";
import { recordId } from "../domain/ids.ts";
import { KNOWN_LABEL, knownByWords } from "../domain/known_ideas.ts";
import { normalizeText } from "../domain/text.ts";
import { exactly } from "../domain/exactly.ts";
import type { FeedbackProposal, PlanProposal } from "../domain/gate_proposal.ts";
import type { HypothesisState, ReviewEvidence, ScreenRecord, TaskRecord } from "../domain/records.ts";
import type { Entry } from "../store/records.ts";
import type { Standing, View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { isGated, openGate } from "./gate_records.ts";
import { groupJudged, matchJudged } from "./match_records.ts";
import { move, reviewsOfDrafts } from "./in_play.ts";
import { firstGenerations } from "./next_steps.ts";
import { matchRejudged } from "./rejudged.ts";
import { type NewTask, taskEntry } from "./new_task.ts";
import { versionEntries } from "./new_version.ts";
import { done, type Settled, voided, type Work } from "./settled.ts";
import { goalBlocked } from "./termination.ts";

/** Turns an outcome into records, as the newest view has it. A pure function: it runs inside the commit. */
export function settle(outcome: Outcome, work: Work, view: View): Settled {
  const overtaken = whyOvertaken(work, view);
  if (overtaken !== null) return overtakenWork(work, overtaken, view);
  switch (outcome.kind) {
    case "goal_blocked": {
      const { reason, note } = goalBlocked(outcome.screen);
      return done(
        work,
        "blocked",
        -1,
        [
          screenEntry(work.task, outcome.screen, "goal"),
          { kind: "sessionState", record: { status: "stopped", reason, note } },
        ],
        [{ type: "session_stopped", payload: { reason, note } }],
        note,
      );
    }
    case "plan_parsed":
      return planParsed(outcome, work, view);
    case "hypothesis_proposed":
      return hypothesisProposed(outcome.proposal, work, view);
    case "review_completed":
      return reviewCompleted(outcome, work, view);
    case "hypothesis_blocked":
      return hypothesisBlocked(outcome, work, view);
    case "match_judged":
      return matchJudged(outcome, work, view);
    case "group_judged":
      return groupJudged(outcome, work, view);
    case "match_rejudged":
      return matchRejudged(outcome, work, view);
    case "feedback_written":
      return feedbackWritten(outcome, work, view);
    case "overview_written":
      return overviewWritten(outcome, work, view);
    case "nothing":
      return done(work, outcome.reason, -1, [], [], outcome.reason);
    default:
      return exactly(outcome);
  }
}

/**
 * Why a result can't be used that was worked out while a person changed what it is about: what it read is not what the
 * records say now. `null` where nothing of the kind happened.
 */
export function whyOvertaken(
  { task, decision, claimSeq }: Pick<Work, "task" | "decision" | "claimSeq">,
  view: View,
): string | null {
  const about = [task.targetId, ...(task.payload.parents ?? []), ...decided(decision)];
  for (const id of about) {
    const standing = id === null ? undefined : view.hypothesis(id);
    if (standing === undefined) continue;
    const { state, record } = standing;
    if (state === "rejected" || state === "quarantined" || state === "merged") {
      return `${record.label} is ${state}: the result is not used.`;
    }
    if (record.seq > claimSeq) return `${record.label} was edited meanwhile: the result is not used.`;
  }
  return null;
}

/** The void of a task. A draft that was edited while it was reviewed still waits for the review that lets it in. */
function overtakenWork(work: Work, reason: string, view: View): Settled {
  const settled = voided(work, reason);
  const { action, targetId } = work.task;
  const of = targetId === null ? undefined : view.hypothesis(targetId);
  if (action !== "review" || of === undefined || (of.state !== "draft" && of.state !== "reviewed")) {
    return settled;
  }
  const waits = view.openTasks.some(({ record }) =>
    record.action === "review" && record.targetId === targetId && record.id !== work.task.id
  );
  return waits
    ? settled
    : { ...settled, entries: [...settled.entries, ...enqueue(work, firstReview(of.record))] };
}

/** The review that lets a hypothesis into the tournament. */
function firstReview({ id, version }: { readonly id: string; readonly version: number }): NewTask {
  return { key: `review/${id}/${version}/full`, action: "review", targetId: id, payload: { kind: "full" } };
}

/** The hypotheses that a decision is about. */
function decided(decision: Decision): readonly string[] {
  switch (decision.kind) {
    case "match":
      return [decision.firstId, decision.secondId];
    case "evolve":
      return decision.parents;
    // A group stays a ranking without the one who left it.
    case "group":
    case "none":
    case "nothing":
      return [];
    default:
      return exactly(decision);
  }
}

function enqueue(work: Work, ...tasks: readonly NewTask[]): Entry[] {
  return tasks.map((task) => taskEntry(task, work.settings.lease.maxAttempts));
}

function screenEntry(task: TaskRecord, screen: Omit<ScreenRecord, "seq" | "id">, target: string): Entry {
  return { kind: "screen", record: { id: recordId("scr", task.key), ...screen, target } };
}

function planParsed(outcome: Extract<Outcome, { kind: "plan_parsed" }>, work: Work, view: View): Settled {
  const { plan, screen } = outcome;
  const screened = screen === null ? [] : [screenEntry(work.task, screen, "goal")];
  const proposal: PlanProposal = {
    kind: "plan",
    objective: plan.objective,
    preferences: plan.preferences,
    constraints: plan.constraints,
    ideaAttributes: plan.idea_attributes,
    domainHint: plan.domain_hint,
  };
  if (isGated(view, "plan")) {
    const { entries, events } = openGate(work.task.key, proposal, work.task.id);
    return done(work, "waits for a yes", 1, [...screened, ...entries], events, plan.objective);
  }
  return done(
    work,
    "plan",
    1,
    [...screened, ...planEntries(view, recordId("pln", work.task.key), proposal)],
    [{ type: "plan_recorded", payload: { objective: plan.objective } }],
    plan.objective,
  );
}

/** A plan that comes into force, and the tasks of the first round. */
export function planEntries(view: View, id: string, proposal: PlanProposal): Entry[] {
  const { kind: _, ...plan } = proposal;
  const { maxAttempts } = view.settings.lease;
  return [
    { kind: "plan", record: { id, ...plan } },
    ...[...reviewsOfDrafts(view), ...firstGenerations(view)].map((task) => taskEntry(task, maxAttempts)),
  ];
}

function feedbackWritten(
  { feedback, matchesSeen }: Extract<Outcome, { kind: "feedback_written" }>,
  work: Work,
  view: View,
): Settled {
  const { key, id: taskId } = work.task;
  const proposal: FeedbackProposal = {
    kind: "feedback",
    narrative: feedback.narrative,
    weaknesses: feedback.common_weaknesses,
    strengths: feedback.common_strengths,
    focusAreas: feedback.suggested_focus_areas,
    matchesSeen,
  };
  if (isGated(view, "feedback")) {
    const { entries, events } = openGate(key, proposal, taskId);
    return done(work, "waits for a yes", 1, entries, events, feedback.narrative);
  }
  return done(
    work,
    "feedback",
    1,
    [feedbackEntry(recordId("fbk", key), proposal, taskId)],
    [{ type: "system_feedback", payload: { narrative: feedback.narrative } }],
    feedback.narrative,
  );
}

/** System feedback that comes into force: later prompts carry it. */
export function feedbackEntry(id: string, proposal: FeedbackProposal, taskId: string | null): Entry {
  const { kind: _, ...feedback } = proposal;
  return { kind: "feedback", record: { id, ...feedback, taskId } };
}

function hypothesisProposed(proposal: ProposedHypothesis, work: Work, view: View): Settled {
  const { draft, screen } = proposal;
  const { task } = work;
  const known = knownIdeaOf(proposal, work, view);
  if (known !== null) return duplicate(proposal, work, { ...known, of: known.id });
  if (work.nearest !== null && work.nearest.cosine >= work.settings.vectors.dedupCosineThreshold) {
    const of = view.hypothesis(work.nearest.id)?.record.label ?? work.nearest.id;
    return duplicate(proposal, work, { ...work.nearest, of });
  }
  const { remakes } = task.payload;
  const old = remakes === undefined ? undefined : view.hypothesis(remakes);
  if (old !== undefined) return madeAnew(old, proposal, work, view);
  const id = recordId("hyp", task.key);
  const parents = proposal.parents.flatMap((parent) => view.hypothesis(parent)?.record ?? []);
  const blocked = screen?.result === "blocked";
  const state: HypothesisState = blocked ? "quarantined" : "draft";
  const entries: Entry[] = [
    {
      kind: "hypothesis",
      record: {
        id,
        version: 1,
        title: draft.title,
        statement: draft.statement,
        mechanism: draft.mechanism,
        entities: draft.entities,
        anticipatedOutcomes: draft.anticipated_outcomes,
        noveltyArgument: draft.novelty_argument,
        strategy: proposal.strategy,
        parents: parents.map((parent) => parent.id),
        citations: proposal.citations,
        droppedCitations: proposal.droppedCitations,
        model: proposal.model,
        author: "model",
        generation: parents.length === 0 ? 0 : 1 + Math.max(...parents.map((parent) => parent.generation)),
        taskId: task.id,
      },
    },
    {
      kind: "hypothesisState",
      record: {
        hypothesisId: id,
        state,
        reason: blocked ? blockedReason(screen) : "proposed",
      },
    },
    {
      kind: "embedding",
      record: { hypothesisId: id, version: 1, model: work.embedder, vector: proposal.vector },
    },
    ...(screen === null ? [] : [screenEntry(task, screen, id)]),
    ...(blocked ? [] : enqueue(work, firstReview({ id, version: 1 }))),
  ];
  return done(
    work,
    blocked ? "quarantined" : "hypothesis",
    blocked ? -1 : 1,
    entries,
    [{ type: "hypothesis_created", payload: { id, title: draft.title, strategy: proposal.strategy, state } }],
    draft.title,
  );
}

function blockedReason({ categories }: Pick<ScreenRecord, "categories">): string {
  return `safety screen: ${categories.join(", ")}`;
}

/** A person's text that the safety screen blocks is quarantined before anything else is read into it. */
function hypothesisBlocked(
  { hypothesisId, screen }: Extract<Outcome, { kind: "hypothesis_blocked" }>,
  work: Work,
  view: View,
): Settled {
  const standing = view.hypothesis(hypothesisId);
  if (standing === undefined) return voided(work, "The hypothesis is not there.");
  const reason = blockedReason(screen);
  const { entries, events } = move(view, standing, "quarantined", reason);
  return done(
    work,
    "quarantined",
    -1,
    [screenEntry(work.task, screen, hypothesisId), ...entries],
    events,
    `${standing.record.label}: ${reason}`,
  );
}

/** A proposal that is nothing new. `of`: what it repeats, as people read it. */
function duplicate(
  { draft: { title, statement } }: ProposedHypothesis,
  work: Work,
  { id, of, cosine }: { readonly id: string; readonly of: string; readonly cosine: number },
): Settled {
  const { task } = work;
  return done(
    work,
    "duplicate",
    -1,
    [{
      kind: "duplicate",
      record: { id: recordId("dup", task.key), title, statement, duplicateOf: id, cosine, taskId: task.id },
    }],
    [{ type: "hypothesis_duplicate", payload: { title, of, cosine } }],
    `repeats ${of}`,
  );
}

/**
 * A hypothesis that was made again, from what its parents say now: its next version. It stays where it stands, and what was
 * said of the version before is stale in its turn.
 */
function madeAnew(
  { record: old, state }: Standing,
  { draft, screen, citations, droppedCitations, model, vector }: ProposedHypothesis,
  work: Work,
  view: View,
): Settled {
  const { seq: _, label, ...kept } = old;
  const blocked = screen?.result === "blocked";
  const version = old.version + 1;
  const reason = blocked ? blockedReason(screen) : "";
  return done(
    work,
    blocked ? "quarantined" : "hypothesis",
    blocked ? -1 : 1,
    [
      ...versionEntries(view, {
        record: {
          ...kept,
          version,
          title: draft.title,
          statement: draft.statement,
          mechanism: draft.mechanism,
          entities: draft.entities,
          anticipatedOutcomes: draft.anticipated_outcomes,
          noveltyArgument: draft.novelty_argument,
          citations,
          droppedCitations,
          model,
          taskId: work.task.id,
        },
        embedding: { model: work.embedder, vector },
      }),
      ...(screen === null ? [] : [screenEntry(work.task, screen, old.id)]),
      ...(blocked && state !== "quarantined"
        ? [
          {
            kind: "hypothesisState",
            record: { hypothesisId: old.id, state: "quarantined", reason },
          } as const,
        ]
        : []),
    ],
    [{ type: "hypothesis_edited", payload: { hypothesis: label, version, title: draft.title, by: "model" } }],
    `${label}, version ${version}: ${draft.title}`,
  );
}

/**
 * The known idea that a proposal is, by what is known now; `null` where it is none. How near it is to a sentence was measured
 * while the task was at work, so that one that became known meanwhile is compared by its words alone.
 */
function knownIdeaOf(
  { draft, nearestKnown = null }: ProposedHypothesis,
  work: Work,
  view: View,
): { readonly id: string; readonly cosine: number } | null {
  const { known } = view.settings.scope;
  const byWords = knownByWords(known, draft);
  if (byWords !== null) return { id: KNOWN_LABEL + byWords, cosine: 1 };
  if (nearestKnown === null || !known.includes(nearestKnown.idea)) return null;
  const { idea, cosine } = nearestKnown;
  return cosine >= work.settings.vectors.dedupCosineThreshold ? { id: KNOWN_LABEL + idea, cosine } : null;
}

function reviewCompleted(
  outcome: Extract<Outcome, { kind: "review_completed" }>,
  work: Work,
  view: View,
): Settled {
  const { review, hypothesisId } = outcome;
  const standing = view.hypothesis(hypothesisId);
  if (standing === undefined) return voided(work, "The hypothesis is not there.");
  const id = recordId("rev", work.task.key);
  const { label } = standing.record;
  const entries: Entry[] = [
    ...(outcome.screen === null ? [] : [screenEntry(work.task, outcome.screen, hypothesisId)]),
    {
      kind: "review",
      record: {
        id,
        hypothesisId,
        hypothesisVersion: outcome.hypothesisVersion,
        kind: outcome.reviewKind,
        verdict: review.verdict,
        scores: {
          novelty: review.novelty,
          correctness: review.correctness,
          testability: review.testability,
          feasibility: review.feasibility,
          ...(review.criteria === undefined ? {} : { criteria: review.criteria }),
        },
        assumptions: review.assumptions,
        evidence: outcome.evidence,
        droppedEvidence: outcome.droppedEvidence,
        notes: review.notes,
        author: work.person?.author ?? "model",
        weight: work.person?.weight ?? 1,
        amends: null,
        taskId: work.task.id,
      },
    },
    ...findingEntries(view, hypothesisId, outcome.evidence, id, work.task.key),
  ];
  const events: EventDraft[] = [
    {
      type: "review_completed",
      payload: { hypothesis: label, kind: outcome.reviewKind, verdict: review.verdict },
    },
  ];
  const moveTo = (state: HypothesisState, reason: string) => {
    const moved = move(view, standing, state, reason);
    entries.push(...moved.entries);
    events.push(...moved.events);
  };
  const unmet = unmetCriteria(review, view.settings.scope.criteria);
  const { state, pinned } = standing;
  const found = [
    ...(review.verdict === "disproved" ? ["disproved" as const] : []),
    ...(unmet.length > 0 ? ["unfit" as const] : []),
  ];
  const [out] = found;
  const why = [
    ...(review.verdict === "disproved" ? ["it disproved"] : []),
    ...(unmet.length > 0 ? [failing(unmet)] : []),
  ].join(", and ");
  // A pin is a person's word that it stays in play; the review says what it says all the same.
  const kept = out !== undefined && pinned ? ", but it is pinned and stays in play" : "";
  if (out !== undefined && !pinned) {
    if (state !== out && state !== "disproved") moveTo(out, `a ${outcome.reviewKind} review found ${why}`);
  } else if (state === "draft" || state === "reviewed") {
    // Entering the tournament needs no model, so it is part of this commit and no task of its own.
    moveTo("in_tournament", `reviewed${kept === "" ? "" : `: found ${why}${kept}`}`);
  }
  const fails = unmet.length === 0 ? "" : `, found ${failing(unmet)}`;
  return done(
    work,
    "review",
    1,
    entries,
    events,
    `${label}: ${review.verdict.replaceAll("_", " ")}${fails}${kept}`,
  );
}

/** That a hypothesis fails hard constraints, in words. */
export function failing(unmet: readonly Pick<Criterion, "name">[]): string {
  return `that it fails ${unmet.map(({ name }) => `"${name}"`).join(" and ")}`;
}

/** What a review leans on, as findings about its hypothesis. @param key of the task or change that brings them */
export function findingEntries(
  view: View,
  hypothesisId: string,
  found: readonly ReviewEvidence[],
  origin: string,
  key: string,
): Entry[] {
  return newFindings(view, hypothesisId, found).map((item, i): Entry => ({
    kind: "evidence",
    record: {
      id: recordId("evd", key, i),
      hypothesisId,
      kind: "literature",
      claim: item.claim,
      stance: "neutral",
      source: item.url,
      excerpt: item.excerpt,
      origin,
      outcome: null,
      weight: 1,
    },
  }));
}

/** Findings that the records don't hold yet: a later review may quote an earlier one's source again. */
function newFindings(
  view: View,
  hypothesisId: string,
  found: readonly ReviewEvidence[],
): readonly ReviewEvidence[] {
  const key = (url: string, text: string) => (text.trim() === "" ? [] : [`${url} ${normalizeText(text)}`]);
  const known = new Set(
    view.evidence.filter((item) => item.hypothesisId === hypothesisId)
      .flatMap(({ source, claim, excerpt }) => [...key(source, claim), ...key(source, excerpt)]),
  );
  return found.filter(({ url, claim, excerpt }) =>
    ![...key(url, claim), ...key(url, excerpt)].some((each) => known.has(each))
  );
}

function overviewWritten(
  outcome: Extract<Outcome, { kind: "overview_written" }>,
  work: Work,
  view: View,
): Settled {
  // Where the end waits for a yes, what was written is a draft until then.
  const gated = work.task.payload.final === true && isGated(view, "finish");
  const final = work.task.payload.final === true && !gated;
  const id = recordId("ovw", work.task.key);
  const gate = gated
    ? openGate(work.task.key, { kind: "finish", overviewId: id }, work.task.id)
    : { entries: [], events: [] };
  const blocked = outcome.screen?.result === "blocked";
  const note = blocked ? "The safety screen blocked the overview; it is withheld." : "";
  const entries: Entry[] = [
    ...(outcome.screen === null ? [] : [screenEntry(work.task, outcome.screen, "overview")]),
    {
      kind: "overview",
      record: {
        id,
        version: view.overviews.length + 1,
        source: outcome.source,
        markdown: blocked ? `# Overview withheld\n\n${note}\n` : outcome.markdown,
        final,
        notes: blocked ? [...outcome.notes, note] : outcome.notes,
        model: outcome.model,
        readSeq: work.claimSeq,
      },
    },
    ...(final
      ? [
        {
          kind: "sessionState",
          record: { status: "done", reason: view.stopReason, note: finishedNote(outcome.source, view) },
        } as const,
      ]
      : []),
    ...gate.entries,
  ];
  const events: EventDraft[] = [
    { type: "overview_written", payload: { source: outcome.source, final, notes: outcome.notes } },
    ...gate.events,
    ...(final ? [{ type: "session_done", payload: { reason: view.stopReason } } as const] : []),
  ];
  return done(
    work,
    "overview",
    outcome.source === "model" ? 1 : 0,
    entries,
    events,
    `written by ${outcome.model ?? "the fallback"}`,
  );
}

/** What a finished session says of itself: that something is missing, where it is. */
export function finishedNote(source: "model" | "fallback", view: View): string {
  return [
    source === "model" ? "finished" : "finished, without an overview by a model",
    ...(view.validMatches === 0 ? ["nothing was ranked"] : []),
    ...(view.note === "" ? [] : [view.note]),
  ].join("; ");
}
