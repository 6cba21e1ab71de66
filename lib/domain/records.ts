import type { MicroUsd } from "./money.ts";

/** How a session's seven agents are called; also the names of budget shares. */
export type AgentName =
  | "planning"
  | "generation"
  | "reflection"
  | "ranking"
  | "proximity"
  | "evolution"
  | "metareview"
  | "safety";

/** How a hypothesis came about. */
export const STRATEGIES = [
  "literature",
  "debate",
  "combine",
  "simplify",
  "out_of_box",
  "feasibility",
  "human",
] as const;
/** How a hypothesis came about. */
export type Strategy = (typeof STRATEGIES)[number];

/** The strategies that make a hypothesis from others. */
export const EVOLUTION_STRATEGIES = ["combine", "simplify", "out_of_box", "feasibility"] as const;
/** A strategy that makes a hypothesis from others. */
export type EvolutionStrategy = (typeof EVOLUTION_STRATEGIES)[number];

/**
 * Where a hypothesis stands. Only `in_tournament` ones are drawn for matches. `unfit`: a review found that it fails a hard
 * constraint; `merged`: another one stands for both.
 */
export const HYPOTHESIS_STATES = [
  "draft",
  "reviewed",
  "in_tournament",
  "disproved",
  "unfit",
  "rejected",
  "merged",
  "quarantined",
] as const;
/** Where a hypothesis stands. */
export type HypothesisState = (typeof HYPOTHESIS_STATES)[number];

/** What a review says of the hypothesis. `disproved` keeps it out of the tournament until restored. */
export const REVIEW_VERDICTS = [
  "already_explained",
  "other_more_likely",
  "missing_piece",
  "neutral",
  "disproved",
] as const;
/** What a review says of the hypothesis. */
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

/** The kinds of review. */
export const REVIEW_KINDS = ["full", "verification", "observation"] as const;
/** A kind of review. */
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** How a match is judged: two texts side by side, after a debate, or as part of a group that one call ranks. */
export const MATCH_MODES = ["pairwise", "debate", "kwise"] as const;
/** How a match is judged. */
export type MatchMode = (typeof MATCH_MODES)[number];

/** Who won, by the order shown. `invalid`: the judge gave no verdict; it moves no rating. */
export const MATCH_VERDICTS = ["first", "second", "tie", "invalid"] as const;
/** Who won, by the order shown. */
export type MatchVerdict = (typeof MATCH_VERDICTS)[number];

/** What the safety screen may find. */
export const SAFETY_CATEGORIES = [
  "none",
  "dual_use_bio",
  "cbrn",
  "weapons",
  "illicit_synthesis",
  "csam",
] as const;
/** What the safety screen may find. */
export type SafetyCategory = (typeof SAFETY_CATEGORIES)[number];

/** Statuses of a task, as the design names them. */
export const TASK_STATUSES = [
  "pending",
  "deferred",
  "leased",
  "in_progress",
  "waiting",
  "done",
  "dead",
  "cancelled",
  "void",
] as const;
/** The status of a task. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Statuses of a session. */
export const SESSION_STATUSES = ["created", "running", "paused", "stopped", "done", "aborted"] as const;
/** The status of a session. */
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Why a session stopped by itself; raising a limit or changing a setting lets it go on. */
export const STOP_REASONS = [
  "budget",
  "wall_clock",
  "elo_stable",
  "top_k_settled",
  "idle",
  "stalled",
  "provider",
  "blocked",
  "external",
] as const;
/** Why a session stopped by itself. */
export type StopReason = (typeof STOP_REASONS)[number];

/** What ended a run. */
export type EndedBy = "until" | "gate" | "paused" | "interrupted" | "stopped";

/** Kinds of step that can wait for a person's yes. */
export const GATE_KINDS = ["plan", "feedback", "evolution", "finish"] as const;
/** A kind of step that can wait for a person's yes. */
export type GateKind = (typeof GATE_KINDS)[number];

/** What a person's verb changed. */
export const REVISION_KINDS = [
  "configure",
  "prompt",
  "queue",
  "session",
  "directive",
  "hypothesis",
  "state",
  "pin",
  "merge",
  "review",
  "verdict",
  "result",
  "gate",
  "rating",
] as const;
/** What a person's verb changed. */
export type RevisionKind = (typeof REVISION_KINDS)[number];

/** What a person may put on a record, or take from it again. */
export const MARKS = ["pinned", "withdrawn", "void", "merged", "weight", "answered", "epoch"] as const;
/**
 * What a person may put on a record, or take from it again: a hypothesis is `pinned` or `merged` (into the one whose id is
 * the value), a directive `withdrawn`, a review, match or result `void`, a match has another `weight`, a gate is
 * `answered`. The mark `epoch` stands on no record (its target is `elo`): with it Elo begins anew, and its value is the
 * epoch's number.
 */
export type MarkKind = (typeof MARKS)[number];

/** A source that a hypothesis leans on. */
export interface Citation {
  /** Where it was read: an address that a tool returned. */
  readonly url: string;
  /** Its title. */
  readonly title: string;
  /** The words quoted from it. */
  readonly excerpt?: string | undefined;
  /** Its DOI, if known. */
  readonly doi?: string | undefined;
  /** Its year, if known. */
  readonly year?: number | undefined;
}

/** The parts of a hypothesis that are text. */
export interface HypothesisText {
  /** A headline. */
  readonly title: string;
  /** The claim in one sentence. */
  readonly statement: string;
  /** How it would work. */
  readonly mechanism: string;
  /** What it is about. */
  readonly entities: readonly string[];
  /** What would be seen if it held. */
  readonly anticipatedOutcomes: string;
  /** Why it is new. */
  readonly noveltyArgument: string;
}

/** What every record carries. */
export interface RecordBase {
  /** The commit that wrote it: 1, 2, 3 … within a session. */
  readonly seq: number;
  /** A designed id: equal in forks and replays of the same work. */
  readonly id: string;
}

/** The goal, parsed. */
export interface PlanRecord extends RecordBase {
  /** The research question. */
  readonly objective: string;
  /** What makes a good answer. */
  readonly preferences: readonly string[];
  /** Limits of scope and method. */
  readonly constraints: readonly string[];
  /** Adjectives of strong candidates. */
  readonly ideaAttributes: readonly string[];
  /** The field, if it was named. */
  readonly domainHint?: string | undefined;
}

/** One version of a hypothesis. */
export interface HypothesisRecord extends RecordBase, HypothesisText {
  /** `H7`. */
  readonly label: string;
  /** 1 for the first; an edit makes the next. */
  readonly version: number;
  /** How it came about. */
  readonly strategy: Strategy;
  /** Ids of the hypotheses it was made from. */
  readonly parents: readonly string[];
  /** Sources, checked against what its task really saw. */
  readonly citations: readonly Citation[];
  /** Citations that the model gave and no tool had returned: dropped, and counted. */
  readonly droppedCitations: number;
  /** `model`, or a person's name. */
  readonly author: string;
  /** 0 for hypotheses without parents, else one more than the oldest parent. */
  readonly generation: number;
  /** The model that wrote it; `null` for a person's, and where it was not kept. */
  readonly model: string | null;
  /** The task that made it, if one did. */
  readonly taskId: string | null;
}

/** A change of a hypothesis's state. */
export interface HypothesisStateRecord {
  /** The commit. */
  readonly seq: number;
  /** Whose state. */
  readonly hypothesisId: string;
  /** The state from now on. */
  readonly state: HypothesisState;
  /** Why. */
  readonly reason: string;
}

/** One assumption under a hypothesis, as a verification sees it. */
export interface Assumption {
  /** The assumption. */
  readonly assumption: string;
  /** How well it holds. */
  readonly plausibility: "plausible" | "uncertain" | "implausible";
  /** Why. */
  readonly rationale: string;
}

/** A claim with its source. */
export interface ReviewEvidence {
  /** What the source says. */
  readonly claim: string;
  /** Where. */
  readonly url: string;
  /** In its words. */
  readonly excerpt: string;
}

/** The four scores of a review, each from 0 to 1, or absent. */
export interface ReviewScores {
  /** Is it new? */
  readonly novelty?: number | undefined;
  /** Is it right, as far as one can tell? */
  readonly correctness?: number | undefined;
  /** Can it be tested? */
  readonly testability?: number | undefined;
  /** Can it be done? */
  readonly feasibility?: number | undefined;
  /** The scientist's own criteria (`criteria`), by name. */
  readonly criteria?: Readonly<Record<string, number>> | undefined;
}

/** One assessment of one version of a hypothesis. */
export interface ReviewRecord extends RecordBase {
  /** `V3`. */
  readonly label: string;
  /** Of which hypothesis. */
  readonly hypothesisId: string;
  /** Of which version. */
  readonly hypothesisVersion: number;
  /** Which kind. */
  readonly kind: ReviewKind;
  /** What it says. */
  readonly verdict: ReviewVerdict;
  /** Its scores. */
  readonly scores: ReviewScores;
  /** What it takes to be assumed. */
  readonly assumptions: readonly Assumption[];
  /** Its sources, checked like citations. */
  readonly evidence: readonly ReviewEvidence[];
  /** Evidence that no tool had returned: dropped, and counted. */
  readonly droppedEvidence: number;
  /** Free text. */
  readonly notes: string;
  /** `model`, or a person's name. */
  readonly author: string;
  /** How much its scores count beside other reviews': 1 unless said otherwise. */
  readonly weight: number;
  /** The review that it stands in for, which is void since; `null` for a review of its own. */
  readonly amends: string | null;
  /** The task that made it. */
  readonly taskId: string | null;
}

/** One judged comparison. The rationale is kept in the store and read when asked for. */
export interface MatchRecord extends RecordBase {
  /** `M12`. */
  readonly label: string;
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** How it was judged. */
  readonly mode: MatchMode;
  /** Who won. */
  readonly verdict: MatchVerdict;
  /**
   * Where it was judged in both orders: what the judge said with the first shown first, and with the second shown first,
   * both told by the match's own first and second. The verdict is what both say; `tie` where they differ; `invalid` where
   * either is. `null` where it was judged in one order, also because the first call gave no verdict: then there is no
   * second.
   */
  readonly bothOrders: readonly [MatchVerdict, MatchVerdict] | null;
  /** Shared by the matches that one call of a group made, in which each pair of the group is a match; else `null`. */
  readonly group: string | null;
  /** `model`, or a person's name. */
  readonly author: string;
  /** How much it counts: 1 unless said otherwise. */
  readonly weight: number;
  /** The model that judged, if one did. */
  readonly judge: string | null;
  /**
   * The member of the panel whose turn it was, where a panel judges. Another model may have answered in its stead, or
   * nobody: a rotation that counted answers alone would ask the one that gives none for ever.
   */
  readonly panelist: string | null;
  /** The version of the judging prompt. */
  readonly promptVersion: string | null;
  /** The revision under which it was judged. */
  readonly revision: number;
  /** The task. */
  readonly taskId: string | null;
}

/** One line of the ledger: what a match did to two ratings. Zero-sum. */
export interface EloRecord {
  /** The commit. */
  readonly seq: number;
  /** Weights, exclusions and reratings open a new epoch; the first is 0. */
  readonly epoch: number;
  /** The match. Unique within an epoch. */
  readonly matchId: string;
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** The K of this match. */
  readonly k: number;
  /** Its weight. */
  readonly weight: number;
  /** What the first scored: 1 for a win, 0.5 for a tie, 0 for a loss. */
  readonly score: 1 | 0.5 | 0;
  /** Rating of the first before it. */
  readonly firstBefore: number;
  /** Rating of the second before it. */
  readonly secondBefore: number;
  /** What the first gained and the second lost. */
  readonly delta: number;
}

/** A synthesis of reviews and matches that later prompts carry. */
export interface FeedbackRecord extends RecordBase {
  /** `F1`. */
  readonly label: string;
  /** One or two paragraphs. */
  readonly narrative: string;
  /** Recurring criticism. */
  readonly weaknesses: readonly string[];
  /** What is praised. */
  readonly strengths: readonly string[];
  /** Where to look next. */
  readonly focusAreas: readonly string[];
  /** How many valid matches it had seen. */
  readonly matchesSeen: number;
  /** The task. */
  readonly taskId: string | null;
}

/** A person's instruction or preference. */
export interface DirectiveRecord extends RecordBase {
  /** `D1`. */
  readonly label: string;
  /** Which kind. */
  readonly kind: "directive" | "preference";
  /** What it says. */
  readonly text: string;
  /** The agents it is for; empty means all. */
  readonly to: readonly AgentName[];
  /** Totals of the session at which it ends by itself; `null`: it holds until it is withdrawn. */
  readonly until: DirectiveUntil | null;
  /** Who gave it. */
  readonly author: string;
}

/** Totals of a session; a directive is in force while none of those given is reached. */
export interface DirectiveUntil {
  /** Valid matches. */
  readonly matches?: number | undefined;
  /** Hypotheses. */
  readonly hypotheses?: number | undefined;
  /** Reviews. */
  readonly reviews?: number | undefined;
}

/** A change by a person. */
export interface RevisionRecord extends RecordBase {
  /** `R3`. */
  readonly label: string;
  /** 1, 2, 3 …: what tasks, transcripts and matches carry. 0 stands for the session as created. */
  readonly number: number;
  /** What it changed. */
  readonly kind: RevisionKind;
  /** Which one: a setting's path, a prompt's name, a label. */
  readonly target: string;
  /** The value before. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
  /** Who. */
  readonly author: string;
  /** The number of the revision that it undoes; `null` for a change of its own. */
  readonly undoes: number | null;
}

/** Something that a person put on a record, or took from it. The newest of a kind on a record holds. */
export interface MarkRecord {
  /** The commit. */
  readonly seq: number;
  /** The id of the record that it is on. */
  readonly targetId: string;
  /** What. */
  readonly mark: MarkKind;
  /** Its value; `null` takes it off. */
  readonly value: unknown;
}

/** A step that waits for a person's yes. */
export interface GateRecord extends RecordBase {
  /** `G1`. */
  readonly label: string;
  /** Which kind of step. */
  readonly kind: GateKind;
  /** What is proposed: the same as its kind of step would have recorded, or enqueued. */
  readonly proposal: unknown;
  /** The task whose outcome waits, if one does. */
  readonly taskId: string | null;
}

/** What a judge said when a stored match was judged again. It moves no rating until it is applied. */
export interface RejudgementRecord extends RecordBase {
  /** The rejudging that it is part of: its first task's seq. */
  readonly batch: number;
  /** The match. */
  readonly matchId: string;
  /** What it says now, told by the match's own first and second. */
  readonly verdict: MatchVerdict;
  /** The two verdicts behind it where it was asked in both orders, as in a match. */
  readonly bothOrders: readonly [MatchVerdict, MatchVerdict] | null;
  /** The model that answered. */
  readonly judge: string | null;
  /** The version of the prompt. */
  readonly promptVersion: string | null;
  /** Why. */
  readonly rationale: string;
  /** The task. */
  readonly taskId: string;
}

/** The key of a blind sheet: which pairs it shows, in its order, each with the side that it shows first. */
export interface SheetRecord extends RecordBase {
  /** What is printed on the sheet and stands in its rows: eight letters that tell nothing. */
  readonly code: string;
  /** Its pairs, from its first on. */
  readonly pairs: readonly SheetPair[];
  /** Whom it is for; `null` where nobody was named. */
  readonly recipient: string | null;
  /** Who had it made. */
  readonly author: string;
}

/** A pair of a blind sheet. */
export interface SheetPair {
  /** The hypothesis shown first. */
  readonly firstId: string;
  /** Its version. */
  readonly firstVersion: number;
  /** The hypothesis shown second. */
  readonly secondId: string;
  /** Its version. */
  readonly secondVersion: number;
}

/** What a result may say of a hypothesis. */
export const RESULTS = ["confirmed", "refuted", "inconclusive"] as const;
/** What a result may say of a hypothesis. */
export type ResultOutcome = (typeof RESULTS)[number];

/** A finding with provenance attached to a hypothesis. */
export interface EvidenceRecord extends RecordBase {
  /** `E3`. */
  readonly label: string;
  /** About which hypothesis. */
  readonly hypothesisId: string;
  /** Where it comes from. */
  readonly kind: "literature" | "computation" | "experiment" | "expert";
  /** What was found. */
  readonly claim: string;
  /** For or against. */
  readonly stance: "supports" | "contradicts" | "neutral";
  /** Where it can be seen again. */
  readonly source: string;
  /** In the source's words. */
  readonly excerpt: string;
  /** The review or task it came with; a person's name for a result of their own. */
  readonly origin: string;
  /** What a result says of the hypothesis; `null` for findings that are read, not made. */
  readonly outcome: ResultOutcome | null;
  /** How much it counts: 1 unless said otherwise. */
  readonly weight: number;
}

/** A proposal that was too near to a hypothesis already there. */
export interface DuplicateRecord extends RecordBase {
  /** What was proposed. */
  readonly title: string;
  /** In one sentence. */
  readonly statement: string;
  /** The id of the hypothesis it resembles, or `known: …` for an idea that the scientist named as known. */
  readonly duplicateOf: string;
  /** Their cosine; 1 where the known idea's own words stand in it. */
  readonly cosine: number;
  /** The task that proposed it. */
  readonly taskId: string;
}

/** Groups of near-duplicates: hypotheses of one cluster are folded under their best. */
export interface ProximityRecord extends RecordBase {
  /** Lists of hypothesis ids, each with at least two. Who is in no list stands alone. */
  readonly clusters: readonly (readonly string[])[];
  /** How many valid matches had been played. */
  readonly matchesSeen: number;
  /** How many vectors were compared. */
  readonly vectors: number;
}

/** What the safety screen said. */
export interface ScreenRecord extends RecordBase {
  /** `goal`, `overview`, or a hypothesis's id. */
  readonly target: string;
  /** `failed` counts as not screened. */
  readonly result: "clear" | "warned" | "blocked" | "failed";
  /** What it saw. */
  readonly categories: readonly SafetyCategory[];
  /** How sure, from 0 to 1. */
  readonly confidence: number;
  /** Why, or the error. */
  readonly rationale: string;
}

/** A version of the research overview. None is ever overwritten. */
export interface OverviewRecord extends RecordBase {
  /** The commit that it tells of: what its task read. */
  readonly readSeq: number;
  /** `O1`. */
  readonly label: string;
  /** 1, 2, 3 … */
  readonly version: number;
  /** Who wrote it: a model, or the fallback from metadata. */
  readonly source: "model" | "fallback";
  /** Markdown. */
  readonly markdown: string;
  /** Whether `finish` asked for it. */
  readonly final: boolean;
  /** Remarks: why a fallback, a cheaper model, a reference dropped. */
  readonly notes: readonly string[];
  /** The model, if one wrote it. */
  readonly model: string | null;
}

/** A change of the session's status. */
export interface SessionStateRecord {
  /** The commit. */
  readonly seq: number;
  /** The status from now on. */
  readonly status: SessionStatus;
  /** Why it stopped, when it did. */
  readonly reason: StopReason | null;
  /** One line for a person. */
  readonly note: string;
}

/** A unit of work, as enqueued. */
export interface TaskRecord extends RecordBase {
  /** `T5`. */
  readonly label: string;
  /** Unique within the session: enqueueing it again does nothing. */
  readonly key: string;
  /** Who does it. */
  readonly agent: AgentName;
  /** Which of the agent's actions. */
  readonly action: TaskAction;
  /** A hypothesis's id, where it has one. */
  readonly targetId: string | null;
  /** What else the agent needs to know. */
  readonly payload: TaskPayload;
  /** Lower goes first. */
  readonly priority: number;
  /** Tries before it is dead. */
  readonly maxAttempts: number;
}

/** Which work a task is. */
export const TASK_ACTIONS = [
  "parse_goal",
  "generate",
  "review",
  "match",
  "rejudge",
  "evolve",
  "system_feedback",
  "overview",
] as const;
/** Which work a task is. */
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** What a task carries besides its target: only what can't be read from a view. */
export interface TaskPayload {
  /** How to generate. */
  readonly mode?: "literature" | "debate" | undefined;
  /** Which of the plan's angles to take: a running number. */
  readonly angle?: number | undefined;
  /** Which review. */
  readonly kind?: ReviewKind | undefined;
  /** A hypothesis that must be one side of the match. */
  readonly focus?: string | undefined;
  /** How to evolve. */
  readonly strategy?: EvolutionStrategy | undefined;
  /** The hypotheses to evolve, if a person named them. */
  readonly parents?: readonly string[] | undefined;
  /** Whether this overview ends the session. */
  readonly final?: boolean | undefined;
  /** A pair of hypotheses that the match is to be between, if a person named it. */
  readonly pair?: readonly [string, string] | undefined;
  /** A hypothesis that is made anew: the result becomes its next version. */
  readonly remakes?: string | undefined;
  /** A match that was judged on texts that have changed since: the new one takes its place. */
  readonly replaces?: string | undefined;
  /** A stored match that is judged again. */
  readonly rejudge?: RejudgePayload | undefined;
}

/** What is judged again, and how. */
export interface RejudgePayload {
  /** The match. */
  readonly matchId: string;
  /** The rejudging that it is part of. */
  readonly batch: number;
  /** Whether it is asked in both orders. */
  readonly bothOrders: boolean;
  /** A judging prompt's text instead of the one in force. */
  readonly prompt?: string | undefined;
  /** A model instead of the route's. */
  readonly model?: string | undefined;
}

/** A change of a task's status that belongs to the history: its end, or a failed attempt. */
export interface TaskStateRecord {
  /** The commit. */
  readonly seq: number;
  /** Whose. */
  readonly taskId: string;
  /** `pending` after a revival; `deferred` after a failed attempt; otherwise an end. */
  readonly status: TaskStatus;
  /** Attempts begun so far. */
  readonly attempts: number;
  /** Why, with the fault's own words. */
  readonly reason: string;
}

/** What one commit cost, in all its calls. */
export interface Cost {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Tokens written, thinking included. */
  readonly outputTokens: number;
  /** Model calls. */
  readonly calls: number;
  /** Of the money: what was settled at its reservation because no answer came. */
  readonly unconfirmedMicroUsd: MicroUsd;
}

/** No cost. */
export const NO_COST: Cost = {
  microUsd: 0,
  inputTokens: 0,
  outputTokens: 0,
  calls: 0,
  unconfirmedMicroUsd: 0,
};

/** The sum of two costs. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    microUsd: a.microUsd + b.microUsd,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    calls: a.calls + b.calls,
    unconfirmedMicroUsd: a.unconfirmedMicroUsd + b.unconfirmedMicroUsd,
  };
}
