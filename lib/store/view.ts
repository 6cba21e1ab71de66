import type { Settings } from "../config/settings.ts";
import type { RatingFold, Ratings } from "../domain/ratings.ts";
import type {
  AgentName,
  Cost,
  DirectiveRecord,
  DuplicateRecord,
  EloRecord,
  EvidenceRecord,
  FeedbackRecord,
  GateRecord,
  HypothesisRecord,
  HypothesisState,
  HypothesisText,
  MarkKind,
  MatchRecord,
  OverviewRecord,
  PlanRecord,
  ProximityRecord,
  RejudgementRecord,
  ReviewRecord,
  RevisionRecord,
  ScreenRecord,
  SessionStatus,
  SheetRecord,
  StopReason,
  TaskRecord,
  TaskStatus,
} from "../domain/records.ts";

import type { EmbeddingRecord } from "./tables/hypotheses.ts";

/** What is fixed when a session is created. */
export interface SessionRecord {
  /** Its id in the store. */
  readonly id: string;
  /** Its name: unique in the store. */
  readonly name: string;
  /** The goal in plain words. */
  readonly goal: string;
  /** What the scientist prefers, or an empty text. */
  readonly preferences: string;
  /** The seed of all chance in it. */
  readonly seed: string;
  /** Whether models are simulated. A session keeps its mode. */
  readonly mode: "simulator" | "live";
  /** Where live models are: an address and a preset in words; never a key. */
  readonly provider: ProviderRecord;
  /** The settings at creation; revisions come on top. */
  readonly settings: Settings;
  /** The session it was forked from. */
  readonly parentId: string | null;
  /** The last commit that it shares with its parent. */
  readonly parentSeq: number;
  /** When it was created: milliseconds since 1970. */
  readonly createdAt: number;
}

/** Where models come from. */
export interface ProviderRecord {
  /** What the person said: `simulator`, `anthropic`, `current`, or `custom`. */
  readonly name: string;
  /** The server's address; empty for the vendor's own. */
  readonly baseUrl: string;
  /** Prices and limits that replace the table's rows, by model. */
  readonly models: Readonly<Record<string, ModelOverride>>;
  /** Routes whose models are on another server, with its address. */
  readonly servers?: Readonly<Record<string, string>> | undefined;
}

/** What a person says of a model that the table doesn't know, or knows wrongly. USD per million tokens. */
export interface ModelOverride {
  /** Price of tokens read. */
  readonly inputUsd?: number | undefined;
  /** Price of tokens written. */
  readonly outputUsd?: number | undefined;
  /** Tokens that fit. */
  readonly contextTokens?: number | undefined;
  /** Tokens that it can write. */
  readonly maxOutputTokens?: number | undefined;
}

/** A hypothesis as it stands at a seq. */
export interface Standing {
  /** Its newest version. */
  readonly record: HypothesisRecord;
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Why. */
  readonly stateReason: string;
  /** The near-duplicate that is drawn in its stead, if it is folded. */
  readonly foldedUnder: string | null;
  /** Its Elo. */
  readonly elo: number;
  /** Its Bradley-Terry strength, in logits; `null` where it never entered the tournament. */
  readonly strength: number | null;
  /** The standard deviation of the strength, in logits. */
  readonly strengthSd: number | null;
  /** Valid matches played. */
  readonly matches: number;
  /** Won. */
  readonly won: number;
  /** Lost. */
  readonly lost: number;
  /** Tied. */
  readonly tied: number;
  /** The commit that first recorded it. */
  readonly bornSeq: number;
  /** Whether a person keeps it in play. */
  readonly pinned: boolean;
  /** The hypothesis that stands for both, if it was merged. */
  readonly mergedInto: string | null;
  /** What results say of it: they outrank opinion. `null` where there are none, or they are level. */
  readonly result: "confirmed" | "refuted" | null;
}

/** The leaders at a number of matches: what `elo_stable` compares. */
export interface EloSnapshot {
  /** Valid matches played so far. */
  readonly matches: number;
  /** Ids of the leaders, best first. */
  readonly ids: readonly string[];
  /** Their ratings, in the same order. */
  readonly elos: readonly number[];
  /** Hypotheses in the tournament. */
  readonly pool: number;
}

/** How a task stands in the history; leases and tasks in flight are not history. */
export interface TaskStanding {
  /** The task. */
  readonly record: TaskRecord;
  /** `pending` while it is open, whoever holds it. */
  readonly status: TaskStatus;
  /** Failed attempts. */
  readonly attempts: number;
  /** Why it ended, or what failed last. */
  readonly reason: string;
}

/**
 * A session as its records say up to a seq: the one door through which agents, decisions, displays, forks and tests
 * read. Lists are in the order of their commits unless said otherwise; nothing returned may be changed by the reader.
 */
export interface View {
  /** The last commit that it shows. */
  readonly seq: number;
  /** What was fixed at the start. */
  readonly session: SessionRecord;
  /** Status of the session. */
  readonly status: SessionStatus;
  /** Why it stopped, if it did. */
  readonly stopReason: StopReason | null;
  /** A line about the status. */
  readonly note: string;
  /** The newest research plan. */
  readonly plan: PlanRecord | null;
  /** Settings with all revisions applied. */
  readonly settings: Settings;
  /** The number of the newest revision; 0 for none. */
  readonly revision: number;
  /** All revisions. */
  readonly revisions: readonly RevisionRecord[];
  /** Prompt texts that replace the shipped ones, by name. */
  readonly prompts: ReadonlyMap<string, string>;
  /** All hypotheses. */
  readonly hypotheses: readonly Standing[];
  /** One hypothesis. */
  hypothesis(id: string): Standing | undefined;
  /**
   * Whether a hypothesis says something else now than at a commit. One that was merged says since then what the one says
   * that stands for both; the merge itself, which joins what is the same, changes nothing.
   */
  changedSince(id: string, seq: number): boolean;
  /** All versions of a hypothesis, oldest first. */
  versionsOf(id: string): readonly HypothesisRecord[];
  /** The version of a hypothesis that was in force at a commit; the first for commits before it. */
  versionAt(id: string, seq: number): HypothesisRecord | undefined;
  /**
   * Hypotheses in the tournament, best first: those that a result confirmed, then those without one, then those that one
   * refuted; among these by the rating that `ranking.rating` names (ties: better Elo, then older). Folded ones come with the
   * others.
   */
  readonly leaderboard: readonly Standing[];
  /** Hypotheses that may be drawn: in the tournament and not folded; oldest first. */
  readonly drawable: readonly Standing[];
  /** Proposals that were too near to others. */
  readonly duplicates: readonly DuplicateRecord[];
  /** All reviews, void ones too. */
  readonly reviews: readonly ReviewRecord[];
  /** Reviews of one hypothesis, of whatever version; without void ones. */
  reviewsOf(hypothesisId: string): readonly ReviewRecord[];
  /** All matches as they were played, invalid ones too. */
  readonly matches: readonly MatchRecord[];
  /**
   * The matches that ratings are made from: without void ones, with the weights that a person gave, merged hypotheses
   * standing as one, and stale ones left out where `ranking.staleMatches` says so.
   */
  readonly counted: readonly MatchRecord[];
  /** The same as they would be under other marks or settings: what a change will make of the ratings. */
  countedIf(change: CountChange): readonly MatchRecord[];
  /**
   * Ratings as they would be under other marks or settings, folded in steps of some milliseconds: run them all, and then
   * {@linkcode Ratings.step} for what is still to be computed. Bit by bit what {@linkcode View.ratings} says once the
   * change is made.
   */
  foldIf(change: CountChange, ranking: Settings["ranking"]): Generator<void, Ratings>;
  /** How many matches were played, invalid ones too: their list need not be read for that. */
  readonly matchCount: number;
  /** Matches that were played and had a verdict, whether they count still or not. */
  readonly validMatches: number;
  /** Matches between two hypotheses that count; `firstShown`: of these, the ones with `a` first. */
  met(a: string, b: string): { readonly total: number; readonly firstShown: number };
  /** The rationale of a match. */
  rationale(matchId: string): string;
  /** Bradley-Terry ratings, and what can be asked of them. */
  readonly ratings: Ratings;
  /** The epoch of Elo: 0 for the first. */
  readonly epoch: number;
  /** The ledger of the current epoch. */
  readonly eloJournal: readonly EloRecord[];
  /** Leaders every so many matches of the current epoch. */
  readonly eloSnapshots: readonly EloSnapshot[];
  /** System feedback, oldest first. */
  readonly feedback: readonly FeedbackRecord[];
  /** All directives, whether in force or not. */
  readonly directives: readonly DirectiveRecord[];
  /** Whether a directive is neither withdrawn nor at its end. */
  inForce(directive: DirectiveRecord): boolean;
  /** Directives in force for an agent. */
  directivesFor(agent: AgentName): readonly DirectiveRecord[];
  /** Evidence, without void results. */
  readonly evidence: readonly EvidenceRecord[];
  /** All evidence, void results too. */
  readonly allEvidence: readonly EvidenceRecord[];
  /** The value of a mark on a record; `null` where it has none. */
  marked(mark: MarkKind, id: string): unknown;
  /** All gates, answered ones too. */
  readonly gates: readonly GateRecord[];
  /**
   * The gate that waits for a person's yes: the oldest, since work that was in hand when it opened, or that a person asked
   * for, may have brought another one.
   */
  readonly openGate: GateRecord | null;
  /** What judges said of stored matches when asked again. */
  readonly rejudgements: readonly RejudgementRecord[];
  /** The keys of blind sheets. */
  readonly sheets: readonly SheetRecord[];
  /** The newest clustering. */
  readonly proximity: ProximityRecord | null;
  /** Screens of goal, hypotheses and overviews. */
  readonly screens: readonly ScreenRecord[];
  /** Versions of the overview. */
  readonly overviews: readonly OverviewRecord[];
  /** The unit vector of a hypothesis's newest version. */
  vector(hypothesisId: string): Float32Array | undefined;
  /** The embedding of one of its versions. */
  embedding(hypothesisId: string, version: number): EmbeddingRecord | undefined;
  /** Tasks that have not ended, by priority, then age. */
  readonly openTasks: readonly TaskStanding[];
  /** Tasks that died and were not revived. */
  readonly deadTasks: readonly TaskStanding[];
  /** How many tasks ended, by status. */
  readonly endedTasks: Readonly<Record<TaskStatus, number>>;
  /** One task. */
  task(id: string): TaskStanding | undefined;
  /** The task with this label. */
  taskLabelled(label: string): TaskStanding | undefined;
  /** Whether a task with this key was ever enqueued. */
  hasTask(key: string): boolean;
  /** Tasks that ended, in a row and up to now, without any progress: dead, invalid, duplicate. */
  readonly fruitless: number;
  /** What the session's own commits cost: what its budget is compared with. */
  readonly cost: Cost;
  /** The same by agent. */
  readonly costByAgent: ReadonlyMap<AgentName, Cost>;
  /** What the commits cost that a fork shares with its ancestors; nothing for a session that is no fork. */
  readonly inherited: Inherited;
}

/** What a fork inherited: paid by its ancestors, and no part of its own cost. */
export interface Inherited {
  /** What it cost. */
  readonly cost: Cost;
  /** The same by agent. */
  readonly byAgent: ReadonlyMap<AgentName, Cost>;
}

/** What may change which matches count. */
export interface CountChange {
  /** Marks, by target id, as they are to be; those not named stay. */
  readonly marks?: readonly { readonly mark: MarkKind; readonly targetId: string; readonly value: unknown }[];
  /** Whether stale matches count; as the settings have it by default. */
  readonly staleMatches?: Settings["ranking"]["staleMatches"] | undefined;
  /** Texts of hypotheses, by id, as they are to be. */
  readonly texts?: ReadonlyMap<string, HypothesisText> | undefined;
  /** Matches that the commit brings, after all that there are. */
  readonly added?: readonly MatchRecord[] | undefined;
}

/**
 * Begins empty ratings under these settings. The store is handed one when it is opened: how ratings are computed is not
 * its business.
 */
export type OpenRatings = (settings: Settings["ranking"]) => RatingFold;
