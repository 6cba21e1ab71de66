import { CosciError } from "../domain/errors.ts";
import { exactly } from "../domain/exactly.ts";
import { proposalOf } from "../domain/gate_proposal.ts";
import type { EloRecord, MatchRecord } from "../domain/records.ts";
import { addCost, NO_COST } from "../domain/records.ts";
import { staleItems } from "../engine/staleness.ts";
import { criteriaScores } from "../tournament/criteria_scores.ts";
import { costRow, ratingRow, snapshot } from "../engine/snapshot.ts";
import type {
  EvidenceCardData,
  FeedbackCardData,
  HypothesisCardData,
  HypothesisRef,
  MatchCardData,
  MatchLine,
  MatchSide,
  OverviewCardData,
  ReviewCardData,
  TaskCardData,
} from "../notebook/displays/cards.ts";
import { ChangeList } from "../notebook/values/change_list.ts";
import { DirectiveCard } from "../notebook/values/directive_card.ts";
import { EvidenceCard } from "../notebook/values/evidence_card.ts";
import { FeedbackCard } from "../notebook/values/feedback_card.ts";
import { GateCard } from "../notebook/values/gate_card.ts";
import { HypothesisCard } from "../notebook/values/hypothesis_card.ts";
import { MatchCard } from "../notebook/values/match_card.ts";
import { OverviewCard } from "../notebook/values/overview_card.ts";
import { ReviewCard } from "../notebook/values/review_card.ts";
import { TaskCard } from "../notebook/values/task_card.ts";
import type { Sql } from "../store/database.ts";
import { isReviewReplaced, isReviewStale } from "../store/stale_review.ts";
import { Queue } from "../store/queue.ts";
import { readTranscripts } from "../store/transcripts.ts";
import type { Standing, TaskStanding, View } from "../store/view.ts";
import { absorbed, idsOf } from "../tournament/absorbed.ts";
import { placingOf } from "../tournament/placings.ts";
import { directiveCard } from "./directives.ts";
import { gateCard } from "./gate_card.ts";
import { hypothesisOf, resolveLabel } from "./labels.ts";
import { changesOf, originOf } from "./look.ts";
import { wordsOf } from "./stale.ts";

/** What `inspect(label)` shows. */
export type Card =
  | HypothesisCard
  | ReviewCard
  | MatchCard
  | TaskCard
  | FeedbackCard
  | OverviewCard
  | DirectiveCard
  | EvidenceCard
  | ChangeList
  | GateCard;

/** The card of whatever a label or an id stands for. @throws CosciError `input`, naming the labels that there are */
export function cardFor(view: View, sql: Sql, label: unknown): Card {
  const found = resolveLabel(view, label, "inspect");
  switch (found.kind) {
    case "hypothesis":
      return new HypothesisCard(hypothesisCard(view, hypothesisOf(view, label, "inspect")));
    case "review":
      return new ReviewCard(reviewCard(view, found.id));
    case "match":
      return new MatchCard(matchCard(view, sql, found.id));
    case "feedback":
      return new FeedbackCard(feedbackCard(view, found.id));
    case "overview":
      return new OverviewCard(overviewCard(view, found.id));
    case "task": {
      const task = view.task(found.id);
      if (task === undefined) throw new CosciError("input", `There is no task ${found.id}.`);
      return new TaskCard(taskCard(view, sql, task));
    }
    case "directive":
      return new DirectiveCard(directiveCard(view, sql, found.id));
    case "result":
      return new EvidenceCard(evidenceCard(view, found.id));
    case "revision":
      return new ChangeList(changesOf(view, view.revisions.filter(({ id }) => id === found.id)));
    case "gate":
      return new GateCard(gateCard(view, view.gates.find(({ id }) => id === found.id) ?? null));
    default:
      return exactly(found);
  }
}

/** Matches that a hypothesis's card lists unless asked for more. */
const LAST_MATCHES = 8;

/** What the card of a hypothesis says. @param listed how many of its newest matches it lists */
export function hypothesisCard(
  view: View,
  standing: Standing,
  listed: number = LAST_MATCHES,
): HypothesisCardData {
  const { record, state, stateReason, elo, matches, won, lost, tied } = standing;
  const row = snapshot(view).leaderboard.find(({ label }) => label === record.label);
  const stale = new Set(staleItems(view).map(({ id }) => id));
  const criteria = criteriaScores(view, record.id);
  const children = view.hypotheses.filter((other) => other.record.parents.includes(record.id));
  const merged = absorbed(view, record.id);
  const ids = idsOf(view, record.id);
  const lastMatches = view.matches.filter(({ firstId, secondId }) => ids.has(firstId) || ids.has(secondId));
  return {
    ...originOf(view),
    ...record,
    state,
    stateReason,
    foldedUnder: row?.foldedUnder ?? null,
    pinned: standing.pinned,
    result: standing.result,
    mergedInto: standing.mergedInto === null ? null : refTo(view, standing.mergedInto).label,
    merged: merged.map((other) => refTo(view, other.record.id)),
    rank: row?.rank ?? null,
    ...ratingRow(standing),
    topChance: row?.topChance ?? null,
    topK: view.settings.ranking.topK,
    tier: row?.tier ?? null,
    elo,
    matches,
    won,
    lost,
    tied,
    trajectory: row?.trajectory ?? [],
    parents: record.parents.map((id) => refTo(view, id)),
    children: children.map((child) => refTo(view, child.record.id)),
    stale: staleWords(view, record.id),
    reviews: view.reviews.filter(({ hypothesisId }) => hypothesisId === record.id).map((review) => {
      const { id, label, kind, hypothesisVersion, verdict, scores, notes, author, weight } = review;
      return {
        label,
        kind,
        hypothesisVersion,
        verdict,
        scores,
        notes,
        author,
        weight,
        voided: voidedBy(view, id),
        stale: isReviewStale(view, review),
      };
    }),
    lastMatches: lastMatches.slice(-listed).map((match) =>
      matchLine(view, match, { ids, id: record.id, stale: stale.has(match.id) })
    ),
    // Results first: they outrank what was read.
    evidence: view.allEvidence.filter(({ hypothesisId }) => ids.has(hypothesisId)).sort((x, y) =>
      Number(x.outcome === null) - Number(y.outcome === null)
    ).map(
      ({ id, label, kind, claim, stance, source, excerpt, outcome, origin, weight }) => ({
        label,
        kind,
        claim,
        stance,
        source,
        excerpt,
        outcome,
        by: outcome === null ? null : origin,
        weight,
        voided: voidedBy(view, id),
      }),
    ),
    ...(criteria === null ? {} : { criteria }),
    screens: view.screens.filter((screen) => screen.target === record.id).map((
      { result, categories, rationale },
    ) => ({
      result,
      categories,
      rationale,
    })),
  };
}

/** What the card of a review says. @throws CosciError `input` where there is none */
export function reviewCard(view: View, id: string): ReviewCardData {
  const review = found(view.reviews.find((candidate) => candidate.id === id), id);
  const { hypothesisId, ...rest } = review;
  return {
    ...originOf(view),
    ...rest,
    hypothesis: refTo(view, hypothesisId),
    newestVersion: view.hypothesis(hypothesisId)?.record.version ?? review.hypothesisVersion,
    voided: voidedBy(view, id),
    stale: isReviewStale(view, review),
    replaced: isReviewReplaced(view, review),
  };
}

/** What the card of a match says. @throws CosciError `input` where there is none */
export function matchCard(view: View, sql: Sql, id: string): MatchCardData {
  const match = found(view.matches.find((candidate) => candidate.id === id), id);
  const row = view.eloJournal.find((candidate) => candidate.matchId === id);
  const { firstId, secondId, ...rest } = match;
  const placing = match.group === null
    ? null
    : placingOf(view.matches.filter(({ group }) => group === match.group));
  return {
    ...originOf(view),
    ...rest,
    ranking: placing?.ids.map((member) => refTo(view, member)) ?? null,
    first: sideOf(view, firstId, row, "first"),
    second: sideOf(view, secondId, row, "second"),
    rationale: view.rationale(id),
    stale: staleWords(view, id),
    k: row?.k ?? null,
    transcripts: match.taskId === null
      ? 0
      : readTranscripts(sql, view.session.id, { taskId: match.taskId }).length,
    voided: voidedBy(view, id),
  };
}

/** What the card of a result or a finding says. @throws CosciError `input` where there is none */
export function evidenceCard(view: View, id: string): EvidenceCardData {
  const { hypothesisId, ...item } = found(view.allEvidence.find((candidate) => candidate.id === id), id);
  const review = view.reviews.find((candidate) => candidate.id === item.origin);
  return {
    ...originOf(view),
    ...item,
    origin: review?.label ?? item.origin,
    hypothesis: refTo(view, hypothesisId),
    together: view.hypothesis(hypothesisId)?.result ?? null,
    voided: voidedBy(view, id),
  };
}

/** What the card of a task says. */
export function taskCard(view: View, sql: Sql, task: TaskStanding): TaskCardData {
  const { record, attempts } = task;
  const item = new Queue(sql, view.session.id).item(record.id);
  // Who holds an open task is no part of the records, but a person wants to know that it is in somebody's hands.
  const taken = item?.status === "waiting";
  const status = taken ? item.status : task.status;
  const reason = taken ? `with ${item.owner ?? "a person"}` : task.reason;
  const calls = readTranscripts(sql, view.session.id, { taskId: record.id });
  return {
    ...originOf(view),
    label: record.label,
    seq: record.seq,
    agent: record.agent,
    action: record.action,
    target: record.targetId === null ? null : refTo(view, record.targetId),
    payload: record.payload,
    status,
    attempts,
    maxAttempts: record.maxAttempts,
    priority: record.priority,
    reason,
    cost: costRow(calls.reduce((sum, call) => addCost(sum, call.cost), NO_COST)),
    calls: calls.map(({ n, route, model, cost, stopReason, error, durationMs }) => ({
      n,
      route,
      model,
      usd: cost.microUsd / 1e6,
      stopReason,
      error,
      durationMs,
    })),
  };
}

/** What the card of system feedback says. @throws CosciError `input` where there is none */
export function feedbackCard(view: View, id: string): FeedbackCardData {
  return { ...originOf(view), ...found(view.feedback.find((candidate) => candidate.id === id), id) };
}

/** What the card of an overview says. @throws CosciError `input` where there is none */
export function overviewCard(view: View, id: string): OverviewCardData {
  const gate = view.openGate;
  const proposal = gate === null ? null : proposalOf(gate);
  const waits = proposal?.kind === "finish" && proposal.overviewId === id;
  return {
    ...originOf(view),
    ...found(view.overviews.find((candidate) => candidate.id === id), id),
    stale: staleWords(view, id),
    ...(waits && gate !== null ? { gate: gate.label } : {}),
  };
}

function refTo(view: View, id: string): HypothesisRef {
  const record = view.hypothesis(id)?.record;
  return record === undefined ? { label: id, title: "" } : { label: record.label, title: record.title };
}

function sideOf(view: View, id: string, row: EloRecord | undefined, side: "first" | "second"): MatchSide {
  const before = row === undefined ? null : side === "first" ? row.firstBefore : row.secondBefore;
  const gain = row === undefined ? 0 : side === "first" ? row.delta : -row.delta;
  return { ...refTo(view, id), eloBefore: before, eloAfter: before === null ? null : before + gain };
}

/** Why a record doesn't count any more; `null` where it does. */
function voidedBy(view: View, id: string): string | null {
  const mark = view.marked("void", id);
  return mark === null ? null : typeof mark === "string" ? mark : "";
}

/** A match as seen from one side: that of a hypothesis, or of those that were merged into it (`ids`). */
function matchLine(
  view: View,
  match: MatchRecord,
  { ids, id, stale }: { readonly ids: ReadonlySet<string>; readonly id: string; readonly stale: boolean },
): MatchLine {
  const side = ids.has(match.firstId) ? "first" : "second";
  const played = side === "first" ? match.firstId : match.secondId;
  const row = view.eloJournal.find((candidate) => candidate.matchId === match.id);
  const { eloBefore, eloAfter } = sideOf(view, id, row, side);
  return {
    label: match.label,
    opponent: refTo(view, side === "first" ? match.secondId : match.firstId),
    result: resultFor(match.verdict, side),
    mode: match.mode,
    author: match.author,
    playedAs: played === id ? null : refTo(view, played).label,
    voided: voidedBy(view, match.id),
    eloBefore,
    eloAfter,
    stale,
  };
}

/** On which older text something was judged, or made from, in words; empty where it is not stale. */
function staleWords(view: View, id: string): string {
  const item = staleItems(view).find((each) => each.id === id);
  return item === undefined ? "" : item.changed.map((side) => wordsOf(view, item, side)).join("; ");
}

function resultFor(verdict: MatchRecord["verdict"], side: "first" | "second"): MatchLine["result"] {
  switch (verdict) {
    case "first":
    case "second":
      return verdict === side ? "won" : "lost";
    case "tie":
      return "tied";
    case "invalid":
      return "invalid";
    default:
      return exactly(verdict);
  }
}

function found<T>(record: T | undefined, id: string): T {
  if (record === undefined) throw new CosciError("input", `There is no record ${id}.`);
  return record;
}
