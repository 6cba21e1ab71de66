import { JUPYTER_DISPLAY, type MimeBundle } from "../../lib/notebook/kernel.ts";
import { Comparison } from "../../lib/notebook/values/comparison.ts";
import { CostTable } from "../../lib/notebook/values/cost_table.ts";
import { Estimate } from "../../lib/notebook/values/estimate.ts";
import { Addition } from "../../lib/notebook/values/addition.ts";
import { DirectiveCard } from "../../lib/notebook/values/directive_card.ts";
import { DirectiveList } from "../../lib/notebook/values/directive_list.ts";
import { EvidenceCard } from "../../lib/notebook/values/evidence_card.ts";
import { EventList } from "../../lib/notebook/values/event_list.ts";
import { FeedbackCard } from "../../lib/notebook/values/feedback_card.ts";
import { Exported } from "../../lib/notebook/values/exported.ts";
import { FrameList } from "../../lib/notebook/values/frame_list.ts";
import { GateCard } from "../../lib/notebook/values/gate_card.ts";
import { Help } from "../../lib/notebook/values/help.ts";
import { HypothesisCard } from "../../lib/notebook/values/hypothesis_card.ts";
import { JudgeCard } from "../../lib/notebook/values/judge_card.ts";
import { MatchCard } from "../../lib/notebook/values/match_card.ts";
import { OverviewCard } from "../../lib/notebook/values/overview_card.ts";
import { Peek } from "../../lib/notebook/values/peek.ts";
import { PlotList } from "../../lib/notebook/values/plot_list.ts";
import { PromptChanges } from "../../lib/notebook/values/prompt_changes.ts";
import { PromptDiff } from "../../lib/notebook/values/prompt_diff.ts";
import { PromptList } from "../../lib/notebook/values/prompt_list.ts";
import { PromptPreview } from "../../lib/notebook/values/prompt_preview.ts";
import { PromptText } from "../../lib/notebook/values/prompt_text.ts";
import { QueueList } from "../../lib/notebook/values/queue_list.ts";
import { Resent } from "../../lib/notebook/values/resent.ts";
import { ReviewCard } from "../../lib/notebook/values/review_card.ts";
import { Run } from "../../lib/notebook/values/run.ts";
import { SessionList } from "../../lib/notebook/values/session_list.ts";
import { SettingsTable } from "../../lib/notebook/values/settings_table.ts";
import { Snapshot } from "../../lib/notebook/values/snapshot.ts";
import { TaskCard } from "../../lib/notebook/values/task_card.ts";
import { TakenTask } from "../../lib/notebook/values/taken_task.ts";
import { Tick } from "../../lib/notebook/values/tick.ts";
import { Transcript } from "../../lib/notebook/values/transcript.ts";
import { TranscriptList } from "../../lib/notebook/values/transcript_list.ts";
import { ChangeList } from "../../lib/notebook/values/change_list.ts";
import { CriteriaBoard } from "../../lib/notebook/values/criteria_board.ts";
import { Edit } from "../../lib/notebook/values/edit.ts";
import { RatingSweep } from "../../lib/notebook/values/rating_sweep.ts";
import { Rejudging } from "../../lib/notebook/values/rejudging.ts";
import { Rerating } from "../../lib/notebook/values/rerating.ts";
import { SheetWritten } from "../../lib/notebook/values/sheet_written.ts";
import { StaleList } from "../../lib/notebook/values/stale_list.ts";
import { StartedRun } from "../../lib/notebook/values/started_run.ts";
import { VerdictImport } from "../../lib/notebook/values/verdict_import.ts";
import * as changes from "./change_data.ts";
import * as data from "./display_data.ts";
import { sampleFrame } from "./frames/rows.ts";
import * as prompts from "./prompt_data.ts";

/** A value that displays itself. */
export interface Shown {
  [JUPYTER_DISPLAY](): Promise<MimeBundle>;
  toString(): string;
  toJSON(): unknown;
}

/** One value of each kind at least; with `foreign` standing for every text of foreign origin. */
export function everyValue(foreign?: string): Shown[] {
  return [
    new Tick(data.tickData({}, foreign)),
    new Run(data.runData({}, foreign)),
    new Snapshot(data.snapshotData(18, foreign)),
    new HypothesisCard(data.hypothesisData(foreign)),
    new ReviewCard(data.reviewData(foreign)),
    new MatchCard(data.matchData(foreign)),
    new EvidenceCard(data.evidenceData(foreign)),
    new DirectiveCard(data.directiveData(foreign)),
    new DirectiveList(data.directivesData(foreign)),
    new Addition(data.additionData(foreign)),
    new JudgeCard(data.judgeData(foreign)),
    new TaskCard(data.taskData(foreign)),
    new TakenTask(data.takenData(foreign)),
    new Tick(data.tickData({ gate: { label: "G2", kind: "plan" } }, foreign)),
    new GateCard(data.gateData(null, foreign)),
    ...data.proposals(foreign).flatMap((proposal) => [
      new GateCard(data.gateData(proposal, foreign)),
      new GateCard({
        ...data.gateData(proposal, foreign),
        open: false,
        answer: {
          accepted: false,
          reason: foreign ?? "Too early",
          edited: [],
          by: foreign ?? "Ada",
          seq: 43,
        },
      }),
    ]),
    new FeedbackCard(data.feedbackData(foreign)),
    new OverviewCard(data.overviewData(foreign)),
    new Peek(data.peekData(foreign)),
    new CostTable(data.costData(foreign)),
    new Comparison(data.comparisonData(foreign)),
    new Transcript(data.transcriptData(foreign)),
    new Estimate(data.estimateData(foreign)),
    new SessionList(data.sessionsData(foreign)),
    new TranscriptList(data.transcriptsData(foreign)),
    new EventList(data.eventsData(foreign)),
    new QueueList(data.queueData(foreign)),
    new SettingsTable(data.settingsData(foreign)),
    new PromptList(prompts.promptListData(foreign)),
    new PromptText(prompts.promptTextData(foreign)),
    new PromptDiff(prompts.promptDiffData(foreign)),
    new PromptChanges(prompts.promptChangesData(foreign)),
    new PromptPreview(prompts.promptPreviewData(foreign)),
    new Resent(prompts.resentData(foreign)),
    new Help({ title: foreign ?? "Verbs", rows: [{ verb: foreign ?? "peek()", what: foreign ?? "Looks." }] }),
    new Exported(data.exportedData(foreign)),
    new PlotList(data.plotListData(foreign)),
    new FrameList(data.frameListData(foreign)),
    new PlotList(data.plotListData(foreign)),
    sampleFrame(data.samples(foreign), foreign),
    new Rerating(changes.reratingData(foreign)),
    new Rejudging(changes.rejudgingData(foreign)),
    new RatingSweep(changes.sweepData(foreign)),
    new SheetWritten(changes.sheetData(foreign)),
    new VerdictImport(changes.importData(foreign)),
    new StaleList(changes.staleData(foreign)),
    new Edit(changes.editData(foreign)),
    new ChangeList(changes.changesData(foreign)),
    new CriteriaBoard(changes.criteriaData(foreign)),
    new StartedRun(
      new Promise(() => {}),
      () => {},
      () => changes.startedRunData(foreign),
      () => new Promise(() => {}),
    ),
  ];
}
