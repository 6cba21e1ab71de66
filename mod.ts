/**
 * cosci: a notebook-first AI co-scientist. A researcher states a goal; agents generate hypotheses, review them, rank them
 * in a tournament, evolve the best and write an overview; a `Supervisor` drives it step by step.
 *
 * @example A session in memory, offline: invented models, nothing spent
 * ```ts
 * import assert from "node:assert/strict";
 * import { Supervisor } from "cosci";
 *
 * await using lab = await Supervisor.create({
 *   goal: "Which approved drugs could be repurposed for acute myeloid leukaemia?",
 *   store: ":memory:",
 * });
 * await lab.runUntil({ hypotheses: 2 });
 * assert.equal(lab.inspect().counts.hypotheses, 2);
 * console.log(String(lab.inspect("H1")));
 * ```
 *
 * @module
 */
import { evolution } from "./agents/evolution.ts";
import { generation } from "./agents/generation.ts";
import { metareview } from "./agents/metareview.ts";
import { planning } from "./agents/planning.ts";
import { ranking } from "./agents/ranking.ts";
import { reflection } from "./agents/reflection.ts";
import { type Doors, doorsOf } from "./lib/supervisor/doors.ts";
import type { SupervisorHandle } from "./lib/supervisor/supervisor.ts";

/** The ways to a session: `Supervisor.create`, `.open`, `.list`, `.compare`. */
export const Supervisor: Doors = doorsOf({
  agents: [planning, generation, reflection, ranking, evolution, metareview],
  prompts: new URL("./prompts/", import.meta.url),
});
/** The handle on a session. */
export type Supervisor = SupervisorHandle;

export { CosciError } from "./lib/domain/errors.ts";
export { DEFAULT_SETTINGS } from "./lib/config/settings.ts";
export { params } from "./lib/supervisor/params.ts";
export { configureLog } from "./lib/telemetry/log.ts";

export type { Settings, SettingsPatch } from "./lib/config/settings.ts";
export type { BlockingCategory, RESEARCH_TOOLS, ResearchTool, Route, ROUTES } from "./lib/domain/agent.ts";
export type { Clock } from "./lib/domain/clock.ts";
export type { Criterion } from "./lib/domain/criteria.ts";
export type { ErrorCode } from "./lib/domain/errors.ts";
export type { FeedbackProposal, PlanProposal } from "./lib/domain/gate_proposal.ts";
export type { MicroUsd } from "./lib/domain/money.ts";
export type { Belief, Ratings, Strength, TopChances } from "./lib/domain/ratings.ts";
export type {
  AgentName,
  Assumption,
  Citation,
  Cost,
  DirectiveRecord,
  DirectiveUntil,
  DuplicateRecord,
  EloRecord,
  EndedBy,
  EvidenceRecord,
  EVOLUTION_STRATEGIES,
  EvolutionStrategy,
  FeedbackRecord,
  GATE_KINDS,
  GateKind,
  GateRecord,
  HYPOTHESIS_STATES,
  HypothesisRecord,
  HypothesisState,
  HypothesisText,
  MarkKind,
  MARKS,
  MATCH_MODES,
  MATCH_VERDICTS,
  MatchMode,
  MatchRecord,
  MatchVerdict,
  OverviewRecord,
  PlanRecord,
  ProximityRecord,
  RecordBase,
  RejudgementRecord,
  RejudgePayload,
  ResultOutcome,
  RESULTS,
  REVIEW_KINDS,
  REVIEW_VERDICTS,
  ReviewEvidence,
  ReviewKind,
  ReviewRecord,
  ReviewScores,
  ReviewVerdict,
  REVISION_KINDS,
  RevisionKind,
  RevisionRecord,
  SAFETY_CATEGORIES,
  SafetyCategory,
  ScreenRecord,
  SESSION_STATUSES,
  SessionStatus,
  SheetPair,
  SheetRecord,
  STOP_REASONS,
  StopReason,
  STRATEGIES,
  Strategy,
  TASK_ACTIONS,
  TASK_STATUSES,
  TaskAction,
  TaskPayload,
  TaskRecord,
  TaskStatus,
} from "./lib/domain/records.ts";
export type { CriteriaRow, CriteriaTable } from "./lib/engine/criteria_board.ts";
export type { AgentEstimate, EstimateData, EstimateRow } from "./lib/engine/estimate.ts";
export type { RatingSweepTable, SweepLine, SweepRow, SweptSetting } from "./lib/engine/rating_sweep.ts";
export type { RejudgedPair, RejudgingMeasures } from "./lib/engine/rejudging.ts";
export type { OpenGate, RunReport, StepReport, TaskReport } from "./lib/engine/report.ts";
export type {
  MovedRow,
  Placed,
  Ranking,
  RankingsCompared,
  RATING_SETTINGS,
  RatingPatch,
  RatingSetting,
  Taus,
} from "./lib/engine/rerating.ts";
export type {
  CostRow,
  LeaderboardRow,
  NowData,
  OutsideRow,
  Phase,
  RankingData,
  SnapshotData,
  TaskRow,
} from "./lib/engine/snapshot.ts";
export type { Stop } from "./lib/engine/termination.ts";
export type { Totals } from "./lib/engine/totals.ts";
export type { TapeMode } from "./lib/net/tape.ts";
export type { AdditionData } from "./lib/notebook/displays/addition.ts";
export type {
  CallLine,
  CardOrigin,
  CarryingLine,
  DirectiveCardData,
  EvidenceCardData,
  EvidenceLine,
  FeedbackCardData,
  HypothesisCardData,
  HypothesisRef,
  MatchCardData,
  MatchLine,
  MatchSide,
  OverviewCardData,
  ReviewCardData,
  ReviewLine,
  ScreenLine,
  TaskCardData,
} from "./lib/notebook/displays/cards.ts";
export type { ChangeListData, ChangeRow } from "./lib/notebook/displays/changes.ts";
export type {
  ComparedRow,
  ComparedSession,
  ComparisonData,
  CrossMatches,
  Difference,
  OrderAgreement,
  SharedHypothesis,
} from "./lib/notebook/displays/comparison.ts";
export type {
  CommitCostLine,
  CostLine,
  CostTableData,
  VersionCostLine,
} from "./lib/notebook/displays/costs.ts";
export type { CriteriaBoardData } from "./lib/notebook/displays/criteria.ts";
export type { DirectiveListData, DirectiveRow } from "./lib/notebook/displays/directives.ts";
export type { EditData, EditedPart } from "./lib/notebook/displays/edit.ts";
export type { EventListData } from "./lib/notebook/displays/events.ts";
export type { ExportedData } from "./lib/notebook/displays/exported.ts";
export type { FrameData } from "./lib/notebook/displays/frame.ts";
export type { FrameListData, FrameListRow } from "./lib/notebook/displays/frame_list.ts";
export type {
  GateCardData,
  ProposedEnd,
  ProposedEvolution,
  ProposedRound,
  ShownAnswer,
  ShownProposal,
} from "./lib/notebook/displays/gate_card.ts";
export type { HelpData, HelpRow } from "./lib/notebook/displays/help.ts";
export type { JudgeCardData } from "./lib/notebook/displays/judge_card.ts";
export type { PeekData } from "./lib/notebook/displays/peek.ts";
export type { PromptChangeRow, PromptChangesData } from "./lib/notebook/displays/prompt_changes.ts";
export type { DiffLine, PromptDiffData, ToolDiff } from "./lib/notebook/displays/prompt_diff.ts";
export type { PromptListData, PromptRow } from "./lib/notebook/displays/prompt_list.ts";
export type { PromptPreviewData } from "./lib/notebook/displays/prompt_preview.ts";
export type { PromptTextData, PromptVersionRow } from "./lib/notebook/displays/prompt_text.ts";
export type { QueueListData, QueueRow } from "./lib/notebook/displays/queue.ts";
export type { RatingSweepData } from "./lib/notebook/displays/rating_sweep.ts";
export type { RejudgingData } from "./lib/notebook/displays/rejudging.ts";
export type { RatedUnder, ReratingData } from "./lib/notebook/displays/rerating.ts";
export type { ResentAnswer, ResentData } from "./lib/notebook/displays/resent.ts";
export type { RunData } from "./lib/notebook/displays/run.ts";
export type { SessionListData, SessionRow } from "./lib/notebook/displays/sessions.ts";
export type { SettingRow, SettingsData } from "./lib/notebook/displays/settings.ts";
export type { SheetWrittenData, VerdictImportData } from "./lib/notebook/displays/sheets.ts";
export type { SnapshotContent } from "./lib/notebook/displays/snapshot.ts";
export type { StaleListData, StaleRow } from "./lib/notebook/displays/stale.ts";
export type { StartedRunData } from "./lib/notebook/displays/started_run.ts";
export type { ShownSide, ShownText, TakenTaskData } from "./lib/notebook/displays/taken_task.ts";
export type { TickData } from "./lib/notebook/displays/tick.ts";
export type { TranscriptData } from "./lib/notebook/displays/transcript.ts";
export type { TranscriptListData, TranscriptRow } from "./lib/notebook/displays/transcripts.ts";
export type { BudgetRow } from "./lib/notebook/frames/budget.ts";
export type { CallRow } from "./lib/notebook/frames/calls.ts";
export type { ColumnSpec, ColumnType, FrameColumn } from "./lib/notebook/frames/columns.ts";
export type { CommitRow } from "./lib/notebook/frames/commits.ts";
export type { ComparisonRow } from "./lib/notebook/frames/comparison.ts";
export type { CostFrameRow } from "./lib/notebook/frames/costs.ts";
export type { CoursePoint } from "./lib/notebook/frames/course.ts";
export type { DirectiveFrameRow } from "./lib/notebook/frames/directives.ts";
export type { DuplicateRow } from "./lib/notebook/frames/duplicates.ts";
export type { EloRow } from "./lib/notebook/frames/elo.ts";
export type { EventRow } from "./lib/notebook/frames/events.ts";
export type { EvidenceRow } from "./lib/notebook/frames/evidence.ts";
export type { FeedbackRow } from "./lib/notebook/frames/feedback.ts";
export type { Frame } from "./lib/notebook/frames/frame.ts";
export type { HypothesisRow } from "./lib/notebook/frames/hypotheses.ts";
export type { JUDGE_MEASURES, JudgeFrameRow, JudgeMeasure } from "./lib/notebook/frames/judge.ts";
export type { LeaderboardFrameRow } from "./lib/notebook/frames/leaderboard.ts";
export type { LineageRow } from "./lib/notebook/frames/lineage.ts";
export type { MatchFrameRow } from "./lib/notebook/frames/matches.ts";
export type { FrameOrigin } from "./lib/notebook/frames/origin.ts";
export type { PairRow } from "./lib/notebook/frames/pairs.ts";
export type { ProximityRow } from "./lib/notebook/frames/proximity.ts";
export type { RatingSweepRow } from "./lib/notebook/frames/rating_sweep.ts";
export type { RatingRow } from "./lib/notebook/frames/ratings.ts";
export type { RejudgementRow } from "./lib/notebook/frames/rejudgements.ts";
export type { ReviewFrameRow } from "./lib/notebook/frames/reviews.ts";
export type { RevisionRow } from "./lib/notebook/frames/revisions.ts";
export type { ScoreRow } from "./lib/notebook/frames/scores.ts";
export type { SettingFrameRow } from "./lib/notebook/frames/settings.ts";
export type { TaskFrameRow } from "./lib/notebook/frames/tasks.ts";
export type { MimeBundle } from "./lib/notebook/kernel.ts";
export type { Figure } from "./lib/notebook/plots/figure.ts";
export type { PROGRESS_MODES, ProgressMode } from "./lib/notebook/progress/mode.ts";
export type { Addition } from "./lib/notebook/values/addition.ts";
export type { ChangeList } from "./lib/notebook/values/change_list.ts";
export type { Comparison } from "./lib/notebook/values/comparison.ts";
export type { CostTable } from "./lib/notebook/values/cost_table.ts";
export type { CriteriaBoard } from "./lib/notebook/values/criteria_board.ts";
export type { DirectiveCard } from "./lib/notebook/values/directive_card.ts";
export type { DirectiveList } from "./lib/notebook/values/directive_list.ts";
export type { DisplayedList, ListData } from "./lib/notebook/values/displayed_list.ts";
export type { DisplayedValue } from "./lib/notebook/values/displayed_value.ts";
export type { Edit } from "./lib/notebook/values/edit.ts";
export type { Estimate } from "./lib/notebook/values/estimate.ts";
export type { EventList } from "./lib/notebook/values/event_list.ts";
export type { EvidenceCard } from "./lib/notebook/values/evidence_card.ts";
export type { Exported } from "./lib/notebook/values/exported.ts";
export type { FeedbackCard } from "./lib/notebook/values/feedback_card.ts";
export type { FrameList } from "./lib/notebook/values/frame_list.ts";
export type { GateCard } from "./lib/notebook/values/gate_card.ts";
export type { Help } from "./lib/notebook/values/help.ts";
export type { HypothesisCard } from "./lib/notebook/values/hypothesis_card.ts";
export type { JudgeCard } from "./lib/notebook/values/judge_card.ts";
export type { MatchCard } from "./lib/notebook/values/match_card.ts";
export type { OverviewCard } from "./lib/notebook/values/overview_card.ts";
export type { Peek } from "./lib/notebook/values/peek.ts";
export type { PromptChanges } from "./lib/notebook/values/prompt_changes.ts";
export type { PromptDiff } from "./lib/notebook/values/prompt_diff.ts";
export type { PromptList } from "./lib/notebook/values/prompt_list.ts";
export type { PromptPreview } from "./lib/notebook/values/prompt_preview.ts";
export type { PromptText } from "./lib/notebook/values/prompt_text.ts";
export type { QueueList } from "./lib/notebook/values/queue_list.ts";
export type { RatingSweep } from "./lib/notebook/values/rating_sweep.ts";
export type { Rejudging } from "./lib/notebook/values/rejudging.ts";
export type { Rerating } from "./lib/notebook/values/rerating.ts";
export type { Resent } from "./lib/notebook/values/resent.ts";
export type { ReviewCard } from "./lib/notebook/values/review_card.ts";
export type { Run } from "./lib/notebook/values/run.ts";
export type { SessionList } from "./lib/notebook/values/session_list.ts";
export type { SettingsTable } from "./lib/notebook/values/settings_table.ts";
export type { SheetWritten } from "./lib/notebook/values/sheet_written.ts";
export type { Snapshot } from "./lib/notebook/values/snapshot.ts";
export type { StaleList } from "./lib/notebook/values/stale_list.ts";
export type { StartedRun } from "./lib/notebook/values/started_run.ts";
export type { TakenTask } from "./lib/notebook/values/taken_task.ts";
export type { TaskCard } from "./lib/notebook/values/task_card.ts";
export type { Tick } from "./lib/notebook/values/tick.ts";
export type { Transcript } from "./lib/notebook/values/transcript.ts";
export type { TranscriptList } from "./lib/notebook/values/transcript_list.ts";
export type { VerdictImport } from "./lib/notebook/values/verdict_import.ts";
export type { Billed, RequestSummary } from "./lib/simulator/ledger.ts";
export type { Literature, SimRecord } from "./lib/simulator/literature.ts";
export type { Simulator } from "./lib/simulator/server.ts";
export type { Database, SqlValue, Statement } from "./lib/store/database.ts";
export type { EmbeddingRecord } from "./lib/store/tables/hypotheses.ts";
export type {
  CountChange,
  EloSnapshot,
  Inherited,
  ModelOverride,
  ProviderRecord,
  SessionRecord,
  Standing,
  TaskStanding,
  View,
} from "./lib/store/view.ts";
export type { BlindSheetOptions, ImportOptions } from "./lib/supervisor/blind_sheet.ts";
export type { Card } from "./lib/supervisor/cards.ts";
export type { Comparable } from "./lib/supervisor/comparable.ts";
export type { CompareOptions } from "./lib/supervisor/compare.ts";
export type { CreateOptions, OpenOptions, StoreOptions } from "./lib/supervisor/create_options.ts";
export type { DirectedAgent, DirectOptions } from "./lib/supervisor/directives.ts";
export type { Doors } from "./lib/supervisor/doors.ts";
export type { HypothesisEdit, HypothesisPatch } from "./lib/supervisor/edit.ts";
export type {
  ExportedHypothesis,
  ExportedMatch,
  SessionExport,
  Voidable,
} from "./lib/supervisor/export/json.ts";
export type { ForkOptions } from "./lib/supervisor/fork.ts";
export type { FrameName, FrameRows } from "./lib/supervisor/frames.ts";
export type {
  AnswerOptions,
  EvolutionEdit,
  FeedbackEdit,
  FinishEdit,
  GateEdit,
  PlanEdit,
} from "./lib/supervisor/gate_verbs.ts";
export type { MatchChoice, MatchSelector, WeightedMatches } from "./lib/supervisor/match_selection.ts";
export type { CustomModels, ModelsChoice } from "./lib/supervisor/models.ts";
export type { AddOptions, OwnHypothesis } from "./lib/supervisor/own_hypothesis.ts";
export type { OwnResult } from "./lib/supervisor/own_results.ts";
export type { OwnReview, ReviewPatch } from "./lib/supervisor/own_reviews.ts";
export type { VerdictOptions } from "./lib/supervisor/own_verdicts.ts";
export type {
  ParamChecked,
  ParamDefault,
  ParamIssue,
  ParamSchema,
  ParamSpec,
  ParamValues,
} from "./lib/supervisor/params.ts";
export type { BudgetPlotOptions, Plots } from "./lib/supervisor/plots.ts";
export type {
  DiffOptions,
  PreviewOptions,
  PromptOptions,
  PromptVerbs,
} from "./lib/supervisor/prompt_verbs.ts";
export type { QueueOptions, QueueVerbs, TakenAnswerOptions } from "./lib/supervisor/queue_verbs.ts";
export type { RejudgeOptions } from "./lib/supervisor/rejudge.ts";
export type { RatingGrid, Rerate, RerateOptions } from "./lib/supervisor/rerate.ts";
export type { ResendOptions } from "./lib/supervisor/resend.ts";
export type { Tape } from "./lib/supervisor/services.ts";
export type { AuthorOptions, MergeOptions } from "./lib/supervisor/standing_verbs.ts";
export type { SupervisorHandle } from "./lib/supervisor/supervisor.ts";
export type { ReviewAnswer, VerdictAnswer } from "./lib/supervisor/taken_tasks.ts";
export type { TranscriptQuery } from "./lib/supervisor/transcript_query.ts";
export type { Until } from "./lib/supervisor/until.ts";
export type { StepOptions } from "./lib/supervisor/verb_options.ts";
export type { Subscription } from "./lib/telemetry/bus.ts";
export type { EVENT_TYPES, EventType, SessionEvent } from "./lib/telemetry/events.ts";
export type { LogLevel, LogOptions } from "./lib/telemetry/log.ts";
export type { CriteriaScores } from "./lib/tournament/criteria_scores.ts";
export type { JudgeMeasurements } from "./lib/tournament/judge_card.ts";
export type { Effect, Effects } from "./lib/tournament/judge_effects.ts";
export type { Flips, JudgeName } from "./lib/tournament/judge_looks.ts";
export type { Calibration, JudgeMeasures, JudgeRow } from "./lib/tournament/judge_measures.ts";
export type { JudgeWarning } from "./lib/tournament/judge_warnings.ts";
export type { Agreement, PeopleAgreement } from "./lib/tournament/people_agreement.ts";
export type { Share } from "./lib/tournament/share.ts";
