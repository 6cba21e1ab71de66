import type { Settings } from "../../config/settings.ts";
import type {
  DirectiveRecord,
  DuplicateRecord,
  EloRecord,
  EvidenceRecord,
  FeedbackRecord,
  GateRecord,
  HypothesisRecord,
  MatchRecord,
  OverviewRecord,
  PlanRecord,
  ProximityRecord,
  RejudgementRecord,
  ReviewRecord,
  RevisionRecord,
  ScreenRecord,
} from "../../domain/records.ts";
import { type CriteriaTable, criteriaTable } from "../../engine/criteria_board.ts";
import { snapshot, type SnapshotData } from "../../engine/snapshot.ts";
import type { CostTableData } from "../../notebook/displays/costs.ts";
import type { JudgeCardData } from "../../notebook/displays/judge_card.ts";
import type { PromptRow } from "../../notebook/displays/prompt_list.ts";
import { iso } from "../../notebook/displays/wording.ts";
import type { SessionRecord, Standing } from "../../store/view.ts";
import { costTable } from "../look.ts";
import { judgeCardOf } from "../judge.ts";
import { COSCI_VERSION } from "../version.ts";
import type { Looked } from "./looked.ts";

/** A record of which a person may have said that it doesn't count any more. */
export interface Voidable {
  /** Whether it doesn't count. */
  readonly void: boolean;
}

/** A hypothesis with all that is known of where it stands, in an export. */
export interface ExportedHypothesis extends HypothesisRecord, Omit<Standing, "record"> {
  /** All its versions, oldest first; its own fields are those of the newest. */
  readonly versions: readonly HypothesisRecord[];
}

/** A match with what the judge said, in an export. */
export interface ExportedMatch extends MatchRecord, Voidable {
  /** Why it was decided so. */
  readonly rationale: string;
}

/**
 * What `lab.export("session.json")` holds: a session in one object, in the names of the domain. Lists are in the order of
 * their commits; records point to each other by `id`, and people and displays by `label`. Money is in dollars where a
 * field is called `usd`, ratings are on the Elo scale, strengths in logits, times by ISO 8601. Fields that don't apply are
 * left out. Not in it: model calls (`lab.transcripts()`), the queue, vectors, and the keys of blind sheets, which a reader
 * who is to judge blindly must not know.
 */
export interface SessionExport {
  /** The version of this shape: it grows when a field changes or goes, not when one is added. */
  readonly format: 1;
  /** The version of cosci that wrote it. */
  readonly cosci: string;
  /** Whether models and literature are simulated: then nothing in it is real. */
  readonly simulated: boolean;
  /** What was fixed at creation. */
  readonly session: Omit<SessionRecord, "id" | "settings" | "createdAt"> & {
    /** By ISO 8601. */
    readonly createdAt: string;
    /** The settings then; `settings` has those in force. */
    readonly settingsAtCreation: Settings;
  };
  /** The settings in force. */
  readonly settings: Settings;
  /** Where it stands: state, counts, leaderboard, costs. */
  readonly snapshot: SnapshotData;
  /** The newest research plan. */
  readonly plan: PlanRecord | null;
  /** All hypotheses. */
  readonly hypotheses: readonly ExportedHypothesis[];
  /** All reviews. */
  readonly reviews: readonly (ReviewRecord & Voidable)[];
  /** All matches. */
  readonly matches: readonly ExportedMatch[];
  /** The ledger of Elo in its current epoch. */
  readonly ratings: readonly EloRecord[];
  /** Proposals that were too near to others. */
  readonly duplicates: readonly DuplicateRecord[];
  /** The newest clusters of near-duplicates, by id. */
  readonly proximity: ProximityRecord | null;
  /** Results and findings. */
  readonly evidence: readonly (EvidenceRecord & Voidable)[];
  /** What people told the agents. */
  readonly directives: readonly (DirectiveRecord & {
    /** Whether it is neither withdrawn nor at its end. */
    readonly inForce: boolean;
  })[];
  /** System feedback. */
  readonly feedback: readonly FeedbackRecord[];
  /** How hypotheses do by the scientist's criteria; absent where none are set. */
  readonly criteria?: CriteriaTable | undefined;
  /** All that people changed. */
  readonly revisions: readonly RevisionRecord[];
  /** What waited for a yes, answered or not. */
  readonly gates: readonly GateRecord[];
  /** What judges said of stored matches when asked again. */
  readonly rejudgements: readonly RejudgementRecord[];
  /** What the safety screen said. */
  readonly screens: readonly ScreenRecord[];
  /** All versions of the overview, as Markdown. */
  readonly overviews: readonly OverviewRecord[];
  /** How the judges judge. */
  readonly judge: JudgeCardData;
  /** What it cost, broken down. */
  readonly costs: CostTableData;
  /** The prompts, with the versions in force. */
  readonly prompts: readonly PromptRow[];
}

/** A session as one object: everything that a reader of its results needs, in the names of the domain. */
export function sessionExport(lab: Looked): SessionExport {
  const view = lab.view();
  const isVoid = ({ id }: { readonly id: string }) => view.marked("void", id) !== null;
  const { id: _, settings: settingsAtCreation, createdAt, ...session } = view.session;
  return {
    format: 1,
    cosci: COSCI_VERSION,
    simulated: view.session.mode === "simulator",
    session: { ...session, createdAt: iso(createdAt), settingsAtCreation },
    settings: view.settings,
    snapshot: snapshot(view),
    plan: view.plan,
    hypotheses: view.hypotheses.map(({ record, ...standing }) => ({
      ...record,
      ...standing,
      versions: view.versionsOf(record.id),
    })),
    reviews: view.reviews.map((review) => ({ ...review, void: isVoid(review) })),
    matches: view.matches.map((match) => ({
      ...match,
      rationale: view.rationale(match.id),
      void: isVoid(match),
    })),
    ratings: view.eloJournal,
    duplicates: view.duplicates,
    proximity: view.proximity,
    evidence: view.allEvidence.map((item) => ({ ...item, void: isVoid(item) })),
    directives: view.directives.map((directive) => ({ ...directive, inForce: view.inForce(directive) })),
    feedback: view.feedback,
    ...(view.settings.scope.criteria.length === 0 ? {} : { criteria: criteriaTable(view) }),
    revisions: view.revisions,
    gates: view.gates,
    rejudgements: view.rejudgements,
    screens: view.screens,
    overviews: view.overviews,
    judge: judgeCardOf(view, lab.store.sql),
    costs: costTable(view, lab.store),
    prompts: [...lab.prompts.list()],
  };
}
