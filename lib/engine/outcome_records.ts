import type { Decision, Outcome, ProposedHypothesis } from "../domain/agent.ts";
import { recordId } from "../domain/ids.ts";
import { normalizeText } from "../domain/text.ts";
import { exactly } from "../domain/exactly.ts";
import type {
  HypothesisState,
  ReviewEvidence,
  ScreenRecord,
  TaskRecord,
  TaskStatus,
} from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import type { Entry } from "../store/records.ts";
import type { View } from "../store/view.ts";
import type { EventDraft } from "../telemetry/events.ts";
import { eloDelta, kFactor } from "../tournament/elo.ts";
import { snapshotDue, takeSnapshot } from "../tournament/stability.ts";
import { firstGenerations } from "./next_steps.ts";
import { type NewTask, PRIORITY, taskEntry } from "./new_task.ts";
import { goalBlocked } from "./termination.ts";

/** What an outcome becomes: the records of its commit, in full. */
export interface Settled {
  /** Records, the task's end and its follow-ups included. */
  readonly entries: readonly Entry[];
  /** How the task ended. */
  readonly status: TaskStatus;
  /** Whether it added to the session. */
  readonly progress: -1 | 0 | 1;
  /** What to tell the world. */
  readonly events: readonly EventDraft[];
  /** One line on what came of it. */
  readonly gist: string;
}

/** What settling an outcome depends on besides the records. */
export interface Work {
  /** The task. */
  readonly task: TaskRecord;
  /** What its first claim decided. */
  readonly decision: Decision;
  /** Attempts that failed before this one. */
  readonly attempts: number;
  /** The settings that the task works under: those of its first claim. */
  readonly settings: Settings;
  /** The revision that the task works under. */
  readonly revision: number;
  /** The hypothesis nearest to the proposal, as of now. */
  readonly nearest: { readonly id: string; readonly cosine: number } | null;
  /** Clusters of near-duplicates, if this commit is to renew them; `vectors`: how many were compared. */
  readonly clusters: { readonly clusters: readonly (readonly string[])[]; readonly vectors: number } | null;
  /** The embedder's name. */
  readonly embedder: string;
}

/** Turns an outcome into records, as the newest view has it. A pure function: it runs inside the commit. */
export function settle(outcome: Outcome, work: Work, view: View): Settled {
  const target = work.task.targetId === null ? undefined : view.hypothesis(work.task.targetId);
  if (target !== undefined && (target.state === "rejected" || target.state === "quarantined")) {
    return voided(work, `${target.record.label} is ${target.state}: the result is not used.`);
  }
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
    case "match_judged":
      return matchJudged(outcome, work, view);
    case "feedback_written": {
      const { feedback } = outcome;
      return done(
        work,
        "feedback",
        1,
        [{
          kind: "feedback",
          record: {
            id: recordId("fbk", work.task.key),
            narrative: feedback.narrative,
            weaknesses: feedback.common_weaknesses,
            strengths: feedback.common_strengths,
            focusAreas: feedback.suggested_focus_areas,
            matchesSeen: outcome.matchesSeen,
            taskId: work.task.id,
          },
        }],
        [{ type: "system_feedback", payload: { narrative: feedback.narrative } }],
        feedback.narrative,
      );
    }
    case "overview_written":
      return overviewWritten(outcome, work, view);
    case "nothing":
      return done(work, outcome.reason, -1, [], [], outcome.reason);
    default:
      return exactly(outcome);
  }
}

/** A task whose attempt failed: put off for another try, or dead. */
export function failed(work: Pick<Work, "task" | "attempts">, reason: string): Settled {
  const attempts = work.attempts + 1;
  const dead = attempts >= work.task.maxAttempts;
  const status = dead ? "dead" : "deferred";
  return {
    entries: [{ kind: "taskState", record: { taskId: work.task.id, status, attempts, reason } }],
    status,
    progress: dead ? -1 : 0,
    events: [
      {
        type: "task_failed",
        payload: { task: work.task.label, action: work.task.action, attempt: attempts, error: reason },
      },
      ...(dead ? [{ type: "task_dead", payload: { task: work.task.label, error: reason } } as const] : []),
    ],
    gist: reason,
  };
}

function voided(work: Work, reason: string): Settled {
  return {
    entries: [endOf(work, "void", reason)],
    status: "void",
    progress: 0,
    events: [{ type: "task_void", payload: { task: work.task.label, reason } }],
    gist: reason,
  };
}

function done(
  work: Work,
  reason: string,
  progress: -1 | 0 | 1,
  entries: readonly Entry[],
  events: readonly EventDraft[],
  gist: string,
): Settled {
  return {
    entries: [...entries, endOf(work, "done", reason)],
    status: "done",
    progress,
    events: [...events, {
      type: "task_completed",
      payload: { task: work.task.label, agent: work.task.agent, action: work.task.action, result: reason },
    }],
    gist,
  };
}

function endOf(work: Work, status: TaskStatus, reason: string): Entry {
  return { kind: "taskState", record: { taskId: work.task.id, status, attempts: work.attempts, reason } };
}

function enqueue(work: Work, ...tasks: readonly NewTask[]): Entry[] {
  return tasks.map((task) => taskEntry(task, work.settings.lease.maxAttempts));
}

function screenEntry(task: TaskRecord, screen: Omit<ScreenRecord, "seq" | "id">, target: string): Entry {
  return { kind: "screen", record: { id: recordId("scr", task.key), ...screen, target } };
}

function planParsed(outcome: Extract<Outcome, { kind: "plan_parsed" }>, work: Work, view: View): Settled {
  const { plan, screen } = outcome;
  const entries: Entry[] = [
    ...(screen === null ? [] : [screenEntry(work.task, screen, "goal")]),
    {
      kind: "plan",
      record: {
        id: recordId("pln", work.task.key),
        objective: plan.objective,
        preferences: plan.preferences,
        constraints: plan.constraints,
        ideaAttributes: plan.idea_attributes,
        domainHint: plan.domain_hint,
      },
    },
    ...enqueue(work, ...firstGenerations(view)),
  ];
  return done(
    work,
    "plan",
    1,
    entries,
    [{ type: "plan_recorded", payload: { objective: plan.objective } }],
    plan.objective,
  );
}

function hypothesisProposed(proposal: ProposedHypothesis, work: Work, view: View): Settled {
  const { draft, screen } = proposal;
  const { task } = work;
  if (work.nearest !== null && work.nearest.cosine >= work.settings.vectors.dedupCosineThreshold) {
    const of = view.hypothesis(work.nearest.id)?.record.label ?? work.nearest.id;
    return done(
      work,
      "duplicate",
      -1,
      [{
        kind: "duplicate",
        record: {
          id: recordId("dup", task.key),
          title: draft.title,
          statement: draft.statement,
          duplicateOf: work.nearest.id,
          cosine: work.nearest.cosine,
          taskId: task.id,
        },
      }],
      [{ type: "hypothesis_duplicate", payload: { title: draft.title, of, cosine: work.nearest.cosine } }],
      `repeats ${of}`,
    );
  }
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
        reason: blocked ? `safety screen: ${screen.categories.join(", ")}` : "proposed",
      },
    },
    {
      kind: "embedding",
      record: { hypothesisId: id, version: 1, model: work.embedder, vector: proposal.vector },
    },
    ...(screen === null ? [] : [screenEntry(task, screen, id)]),
    ...(blocked ? [] : enqueue(work, {
      key: `review/${id}/1/full`,
      action: "review",
      targetId: id,
      payload: { kind: "full" },
    })),
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
        },
        assumptions: review.assumptions,
        evidence: outcome.evidence,
        droppedEvidence: outcome.droppedEvidence,
        notes: review.notes,
        author: "model",
        taskId: work.task.id,
      },
    },
    ...newFindings(view, hypothesisId, outcome.evidence).map((item, i): Entry => ({
      kind: "evidence",
      record: {
        id: recordId("evd", work.task.key, i),
        hypothesisId,
        kind: "literature",
        claim: item.claim,
        stance: "neutral",
        source: item.url,
        excerpt: item.excerpt,
        origin: id,
      },
    })),
  ];
  const events: EventDraft[] = [
    {
      type: "review_completed",
      payload: { hypothesis: label, kind: outcome.reviewKind, verdict: review.verdict },
    },
  ];
  const move = (state: HypothesisState, reason: string) => {
    entries.push({ kind: "hypothesisState", record: { hypothesisId, state, reason } });
    events.push({ type: "hypothesis_state", payload: { hypothesis: label, state, reason } });
  };
  if (review.verdict === "disproved" && standing.state !== "disproved") {
    move("disproved", `a ${outcome.reviewKind} review found it disproved`);
  } else if (standing.state === "draft" || standing.state === "reviewed") {
    // Entering the tournament needs no model, so it is part of this commit and no task of its own.
    move("in_tournament", "reviewed");
    entries.push(...enqueue(work, {
      key: `match/focus/${hypothesisId}/${standing.record.version}`,
      action: "match",
      payload: { focus: hypothesisId },
      priority: PRIORITY.focusMatch,
    }));
  }
  return done(work, "review", 1, entries, events, `${label}: ${review.verdict}`);
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

function matchJudged(outcome: Extract<Outcome, { kind: "match_judged" }>, work: Work, view: View): Settled {
  const first = view.hypothesis(outcome.firstId), second = view.hypothesis(outcome.secondId);
  if (first === undefined || second === undefined) {
    return voided(work, "A hypothesis of the match is not there.");
  }
  const out = [first, second].find((side) => side.state !== "in_tournament");
  if (out !== undefined) {
    return voided(work, `${out.record.label} is ${out.state}: the match does not count.`);
  }
  const id = recordId("mat", work.task.key);
  const labels = { first: first.record.label, second: second.record.label };
  const entries: Entry[] = [{
    kind: "match",
    record: {
      id,
      firstId: outcome.firstId,
      secondId: outcome.secondId,
      mode: outcome.mode,
      verdict: outcome.verdict,
      author: "model",
      weight: 1,
      judge: outcome.judge,
      promptVersion: outcome.promptVersion,
      revision: work.revision,
      taskId: work.task.id,
      rationale: outcome.rationale,
    },
  }];
  if (outcome.verdict === "invalid") {
    return done(work, "invalid", -1, entries, [
      { type: "match_invalid", payload: { ...labels, reason: outcome.rationale } },
    ], `${labels.first} – ${labels.second}: no verdict`);
  }
  const k = kFactor(first.matches, second.matches, work.settings.ranking);
  const score = outcome.verdict === "first" ? 1 : outcome.verdict === "second" ? 0 : 0.5;
  const delta = eloDelta({ first: first.elo, second: second.elo, score, k, weight: 1 });
  entries.push({
    kind: "elo",
    record: {
      epoch: view.eloJournal.at(-1)?.epoch ?? 0,
      matchId: id,
      firstId: outcome.firstId,
      secondId: outcome.secondId,
      k,
      weight: 1,
      score,
      firstBefore: first.elo,
      secondBefore: second.elo,
      delta,
    },
  });
  const { matchSnapshotEvery, eloStabilityK } = view.settings.termination;
  const played = view.eloJournal.length + 1;
  if (snapshotDue(played, view.eloSnapshots.at(-1)?.matches ?? 0, matchSnapshotEvery)) {
    const after = view.leaderboard.map(({ record, elo, bornSeq }) => ({
      record,
      bornSeq,
      elo: record.id === outcome.firstId ? elo + delta : record.id === outcome.secondId ? elo - delta : elo,
    })).sort((a, b) => b.elo - a.elo || a.bornSeq - b.bornSeq);
    entries.push({ kind: "eloSnapshot", record: takeSnapshot(played, after, eloStabilityK) });
  }
  const events: EventDraft[] = [{
    type: "match_complete",
    payload: {
      ...labels,
      mode: outcome.mode,
      verdict: outcome.verdict,
      delta,
      elo: [first.elo + delta, second.elo - delta],
    },
  }];
  if (work.clusters !== null && reclusterDue(view, view.validMatches + 1, work.clusters.vectors)) {
    entries.push({
      kind: "proximity",
      record: {
        id: recordId("prx", work.task.key),
        clusters: work.clusters.clusters,
        matchesSeen: view.validMatches + 1,
        vectors: work.clusters.vectors,
      },
    });
    events.push({
      type: "proximity_updated",
      payload: { clusters: work.clusters.clusters.length, vectors: work.clusters.vectors },
    });
  }
  const winner = outcome.verdict === "first"
    ? labels.first
    : outcome.verdict === "second"
    ? labels.second
    : "tie";
  return done(
    work,
    "match",
    1,
    entries,
    events,
    `${labels.first} – ${labels.second}: ${winner === "tie" ? "a tie" : `${winner} wins`}`,
  );
}

/**
 * Whether near-duplicates are to be looked for again: a multiple of `vectors.reclusterEveryMatches` was reached or passed,
 * and there are other vectors than the last time.
 */
export function reclusterDue(view: View, matches: number, vectors: number): boolean {
  const last = view.proximity;
  return vectors > 1 && vectors !== (last?.vectors ?? 0) &&
    snapshotDue(matches, last?.matchesSeen ?? 0, view.settings.vectors.reclusterEveryMatches);
}

function overviewWritten(
  outcome: Extract<Outcome, { kind: "overview_written" }>,
  work: Work,
  view: View,
): Settled {
  const final = work.task.payload.final === true;
  const blocked = outcome.screen?.result === "blocked";
  const note = blocked ? "The safety screen blocked the overview; it is withheld." : "";
  const entries: Entry[] = [
    ...(outcome.screen === null ? [] : [screenEntry(work.task, outcome.screen, "overview")]),
    {
      kind: "overview",
      record: {
        id: recordId("ovw", work.task.key),
        version: view.overviews.length + 1,
        source: outcome.source,
        markdown: blocked ? `# Overview withheld\n\n${note}\n` : outcome.markdown,
        final,
        notes: blocked ? [...outcome.notes, note] : outcome.notes,
        model: outcome.model,
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
  ];
  const events: EventDraft[] = [
    { type: "overview_written", payload: { source: outcome.source, final, notes: outcome.notes } },
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
function finishedNote(source: "model" | "fallback", view: View): string {
  return [
    source === "model" ? "finished" : "finished, without an overview by a model",
    ...(view.validMatches === 0 ? ["nothing was ranked"] : []),
    ...(view.note === "" ? [] : [view.note]),
  ].join("; ");
}
