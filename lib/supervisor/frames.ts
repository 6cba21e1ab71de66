import { inputError } from "../domain/errors.ts";
import { BUDGET_COLUMNS, budgetFrame, type BudgetRow } from "../notebook/frames/budget.ts";
import { CALL_COLUMNS, callFrame, type CallRow } from "../notebook/frames/calls.ts";
import { type ColumnsOf, frameColumns } from "../notebook/frames/columns.ts";
import { COMMIT_COLUMNS, commitFrame, type CommitRow } from "../notebook/frames/commits.ts";
import { COST_COLUMNS, costFrame, type CostFrameRow } from "../notebook/frames/costs.ts";
import { DIRECTIVE_COLUMNS, directiveFrame, type DirectiveFrameRow } from "../notebook/frames/directives.ts";
import { DUPLICATE_COLUMNS, duplicateFrame, type DuplicateRow } from "../notebook/frames/duplicates.ts";
import { ELO_COLUMNS, eloFrame, type EloRow } from "../notebook/frames/elo.ts";
import { EVENT_COLUMNS, eventFrame, type EventRow } from "../notebook/frames/events.ts";
import { EVIDENCE_COLUMNS, evidenceFrame, type EvidenceRow } from "../notebook/frames/evidence.ts";
import { FEEDBACK_COLUMNS, feedbackFrame, type FeedbackRow } from "../notebook/frames/feedback.ts";
import { Frame } from "../notebook/frames/frame.ts";
import { HYPOTHESIS_COLUMNS, hypothesisFrame, type HypothesisRow } from "../notebook/frames/hypotheses.ts";
import { JUDGE_COLUMNS, judgeFrame, type JudgeFrameRow } from "../notebook/frames/judge.ts";
import {
  LEADERBOARD_COLUMNS,
  leaderboardFrame,
  type LeaderboardFrameRow,
} from "../notebook/frames/leaderboard.ts";
import { LINEAGE_COLUMNS, lineageFrame, type LineageRow } from "../notebook/frames/lineage.ts";
import { MATCH_COLUMNS, matchFrame, type MatchFrameRow } from "../notebook/frames/matches.ts";
import { PAIR_COLUMNS, type PairRow, pairsFrame } from "../notebook/frames/pairs.ts";
import { PROXIMITY_COLUMNS, proximityFrame, type ProximityRow } from "../notebook/frames/proximity.ts";
import { RATING_COLUMNS, type RatingRow, ratingsFrame } from "../notebook/frames/ratings.ts";
import {
  REJUDGEMENT_COLUMNS,
  rejudgementFrame,
  type RejudgementRow,
} from "../notebook/frames/rejudgements.ts";
import { REVIEW_COLUMNS, reviewFrame, type ReviewFrameRow } from "../notebook/frames/reviews.ts";
import { REVISION_COLUMNS, revisionFrame, type RevisionRow } from "../notebook/frames/revisions.ts";
import { SCORE_COLUMNS, scoreFrame, type ScoreRow } from "../notebook/frames/scores.ts";
import { SETTING_COLUMNS, settingFrame, type SettingFrameRow } from "../notebook/frames/settings.ts";
import type { FrameSource } from "../notebook/frames/source.ts";
import { TASK_COLUMNS, taskFrame, type TaskFrameRow } from "../notebook/frames/tasks.ts";
import { iso } from "../notebook/displays/wording.ts";
import { FrameList } from "../notebook/values/frame_list.ts";
import { readCommits } from "../store/load.ts";
import type { Commit } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { select } from "../store/table.ts";
import { matches as matchTable } from "../store/tables/matches.ts";
import { readTaskHistory } from "../store/task_history.ts";
import { readCalls, spendingByCommit } from "../store/transcripts.ts";
import type { View } from "../store/view.ts";
import { judgeCardOf } from "./judge.ts";
import { originOf } from "./look.ts";

/** What the rows of each frame are. */
export interface FrameRows {
  /** The leaderboard. */
  readonly leaderboard: LeaderboardFrameRow;
  /** All hypotheses. */
  readonly hypotheses: HypothesisRow;
  /** All reviews. */
  readonly reviews: ReviewFrameRow;
  /** All scores. */
  readonly scores: ScoreRow;
  /** All matches. */
  readonly matches: MatchFrameRow;
  /** Stored matches judged again. */
  readonly rejudgements: RejudgementRow;
  /** Who met whom. */
  readonly pairs: PairRow;
  /** What matches say of each hypothesis. */
  readonly ratings: RatingRow;
  /** Trajectories of Elo. */
  readonly elo: EloRow;
  /** Who was made from whom. */
  readonly lineage: LineageRow;
  /** The map of what is alike. */
  readonly proximity: ProximityRow;
  /** Measures of the judges. */
  readonly judge: JudgeFrameRow;
  /** Findings and results. */
  readonly evidence: EvidenceRow;
  /** System feedback. */
  readonly feedback: FeedbackRow;
  /** Proposals that repeat something. */
  readonly duplicates: DuplicateRow;
  /** What people changed. */
  readonly revisions: RevisionRow;
  /** What people asked for. */
  readonly directives: DirectiveFrameRow;
  /** Settings in force. */
  readonly settings: SettingFrameRow;
  /** Units of work. */
  readonly tasks: TaskFrameRow;
  /** Model calls. */
  readonly calls: CallRow;
  /** How the money went. */
  readonly budget: BudgetRow;
  /** Sums over calls. */
  readonly costs: CostFrameRow;
  /** Transactions. */
  readonly commits: CommitRow;
  /** What happened. */
  readonly events: EventRow;
}

/** The name of a frame. */
export type FrameName = keyof FrameRows;

/** How a frame is made. */
interface FrameKind<R extends object> {
  /** What a row is, as a sentence without its full stop. */
  readonly what: string;
  /** Its columns. */
  readonly columns: ColumnsOf<R>;
  /** Its rows. */
  readonly rows: (source: FrameSource, store: Store) => R[];
}

/** All frames, in the order in which one needs them. */
export const FRAMES: { readonly [N in FrameName]: FrameKind<FrameRows[N]> } = {
  leaderboard: {
    what: "a hypothesis in the tournament, best first",
    columns: LEADERBOARD_COLUMNS,
    rows: ({ view }) => leaderboardFrame(view),
  },
  hypotheses: {
    what:
      "a hypothesis with its text, where it stands, how it is rated and where it comes from, in order of birth",
    columns: HYPOTHESIS_COLUMNS,
    rows: hypothesisFrame,
  },
  reviews: { what: "a review, void ones too", columns: REVIEW_COLUMNS, rows: reviewFrame },
  scores: {
    what: "one score of one review, by one of the four standard criteria or by one of your own",
    columns: SCORE_COLUMNS,
    rows: ({ view }) => scoreFrame(view),
  },
  matches: {
    what: "a match with its verdict, its judge and what it did to Elo, invalid and void ones too",
    columns: MATCH_COLUMNS,
    rows: matchFrame,
  },
  rejudgements: {
    what: "a stored match judged again, with the old verdict beside the new one",
    columns: REJUDGEMENT_COLUMNS,
    rows: rejudgementFrame,
  },
  pairs: {
    what:
      "one hypothesis against another that it met: how often, and what came of it; each pair from both sides",
    columns: PAIR_COLUMNS,
    rows: ({ view }) => pairsFrame(view),
  },
  ratings: {
    what: "a hypothesis in the tournament with its ratings, their interval and its tier, best first",
    columns: RATING_COLUMNS,
    rows: ({ view }) => ratingsFrame(view),
  },
  elo: {
    what:
      "a point of a hypothesis's trajectory of Elo, in the newest epoch: its birth, then each of its matches",
    columns: ELO_COLUMNS,
    rows: ({ view }) => eloFrame(view),
  },
  lineage: {
    what: "a hypothesis with the ids of those that it was made from",
    columns: LINEAGE_COLUMNS,
    rows: ({ view }) => lineageFrame(view),
  },
  proximity: {
    what: "a hypothesis with its place on the map of what is alike",
    columns: PROXIMITY_COLUMNS,
    rows: ({ view }) => proximityFrame(view),
  },
  judge: {
    what: "one measure of one judge with its interval, those of all judges together last",
    columns: JUDGE_COLUMNS,
    rows: ({ view }, store) => judgeFrame(judgeCardOf(view, store.sql)),
  },
  evidence: {
    what: "a finding or result about a hypothesis, void ones too",
    columns: EVIDENCE_COLUMNS,
    rows: evidenceFrame,
  },
  feedback: {
    what: "a synthesis of reviews and matches that later prompts carry",
    columns: FEEDBACK_COLUMNS,
    rows: feedbackFrame,
  },
  duplicates: {
    what: "a proposal that was dropped because it repeats a hypothesis or a known idea",
    columns: DUPLICATE_COLUMNS,
    rows: duplicateFrame,
  },
  revisions: { what: "a change by a person", columns: REVISION_COLUMNS, rows: revisionFrame },
  directives: {
    what: "an instruction or preference, with whether it holds and how many calls carried it",
    columns: DIRECTIVE_COLUMNS,
    rows: directiveFrame,
  },
  settings: { what: "a setting in force, beside its default", columns: SETTING_COLUMNS, rows: settingFrame },
  tasks: {
    what: "a unit of work with its state and what its calls came to, ended ones too",
    columns: TASK_COLUMNS,
    rows: taskFrame,
  },
  calls: {
    what: "a model call: tokens, cost, time, outcome; its texts are in lab.transcript(n)",
    columns: CALL_COLUMNS,
    rows: callFrame,
  },
  budget: {
    what: "an agent's calls of one commit: what they cost, with what was spent up to there and the cap",
    columns: BUDGET_COLUMNS,
    rows: ({ view }, store) => budgetFrame(view, spendingByCommit(store.sql, view.session.id)),
  },
  costs: {
    what: "the session's own calls of one agent, model and version of a prompt, summed; dearest first",
    columns: COST_COLUMNS,
    rows: costFrame,
  },
  commits: {
    what: "a commit: one transaction, by the engine or a person, with what it cost",
    columns: COMMIT_COLUMNS,
    rows: commitFrame,
  },
  events: { what: "something that happened in the session", columns: EVENT_COLUMNS, rows: eventFrame },
};

/** The names of all frames. */
export const FRAME_NAMES: readonly string[] = Object.keys(FRAMES);

/** The frames that there are. */
export function frameList(view: View): FrameList {
  return new FrameList({
    ...originOf(view),
    rows: Object.entries(FRAMES).map(([name, { what, columns }]) => ({
      name,
      what,
      columns: frameColumns(columns).map(({ column }) => column),
    })),
  });
}

/**
 * Makes a frame of a session's records as they stand.
 *
 * @throws CosciError `input` for a name that no frame has
 */
export function makeFrame<N extends FrameName>(store: Store, view: View, name: N): Frame<FrameRows[N]> {
  if (!Object.hasOwn(FRAMES, name)) {
    throw inputError(
      "frame",
      name,
      `Frames are ${FRAME_NAMES.join(", ")}; lab.frames says what they hold.`,
      FRAME_NAMES,
    );
  }
  const { what, columns, rows } = FRAMES[name];
  return new Frame({
    ...originOf(view),
    name,
    what,
    columns: frameColumns(columns),
    rows: rows(sourceOf(store, view), store),
  });
}

/** A view with what views leave in the store, read when it is first asked for. */
function sourceOf(store: Store, view: View): FrameSource {
  const { sql } = store, { id } = view.session;
  const stretches = once(() => store.stretches(id));
  const commits = once((): Commit[] => stretches().flatMap((stretch) => readCommits(sql, stretch)));
  const times = once(() => new Map(commits().map(({ seq, at }) => [seq, iso(at)])));
  const tasks = once(() => readTaskHistory(sql, stretches()));
  const calls = once(() => readCalls(sql, id));
  const events = once(() => store.log.read(id));
  const rationales = once(() =>
    new Map(
      stretches().flatMap((stretch) => select(sql, matchTable, stretch)).map((
        match,
      ) => [match.id, match.rationale]),
    )
  );
  return {
    view,
    get commits() {
      return commits();
    },
    get tasks() {
      return tasks();
    },
    get calls() {
      return calls();
    },
    get events() {
      return events();
    },
    get rationales() {
      return rationales();
    },
    at: (seq) => times().get(seq) ?? null,
  };
}

function once<T>(read: () => T): () => T {
  let kept: { readonly value: T } | null = null;
  return () => (kept ??= { value: read() }).value;
}
