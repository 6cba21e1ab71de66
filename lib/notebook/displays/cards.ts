import type {
  AgentName,
  DirectiveRecord,
  EvidenceRecord,
  FeedbackRecord,
  HypothesisRecord,
  HypothesisState,
  MatchMode,
  MatchRecord,
  OverviewRecord,
  ResultOutcome,
  ReviewKind,
  ReviewRecord,
  ReviewScores,
  ReviewVerdict,
  TaskAction,
  TaskPayload,
  TaskStatus,
} from "../../domain/records.ts";
import type { CriteriaScores } from "../../tournament/criteria_scores.ts";
import type { CostRow } from "../../engine/snapshot.ts";

/** What every card says of its origin. */
export interface CardOrigin {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
}

/** A hypothesis that a card points to. */
export interface HypothesisRef {
  /** `H7`. */
  readonly label: string;
  /** Its title. */
  readonly title: string;
}

/** A review as the card of its hypothesis lists it. */
export interface ReviewLine {
  /** `V3`. */
  readonly label: string;
  /** Which kind. */
  readonly kind: ReviewKind;
  /** Of which version of the hypothesis. */
  readonly hypothesisVersion: number;
  /** What it says. */
  readonly verdict: ReviewVerdict;
  /** Its scores. */
  readonly scores: ReviewScores;
  /** Free text. */
  readonly notes: string;
  /** `model`, or a person's name. */
  readonly author: string;
  /** How much its scores count. */
  readonly weight: number;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
  /** Whether it is of a text that has changed since. */
  readonly stale: boolean;
}

/** A match as the card of one of its two hypotheses lists it. */
export interface MatchLine {
  /** `M12`. */
  readonly label: string;
  /** The other one. */
  readonly opponent: HypothesisRef;
  /** How it went for this one. */
  readonly result: "won" | "lost" | "tied" | "invalid";
  /** How it was judged. */
  readonly mode: MatchMode;
  /** Who judged: `model`, or a person's name. */
  readonly author: string;
  /** The hypothesis that played, where it was merged into this one; else `null`. */
  readonly playedAs: string | null;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
  /** Rating of this one before; `null` where the match moved no rating. */
  readonly eloBefore: number | null;
  /** Rating of this one after. */
  readonly eloAfter: number | null;
  /** Whether it was judged on a text that has changed since. */
  readonly stale: boolean;
}

/** A finding as the card of its hypothesis lists it. */
export interface EvidenceLine {
  /** `E3`. */
  readonly label: string;
  /** What a test came to; `null` for what was read. */
  readonly outcome: ResultOutcome | null;
  /** Who reports a result; `null` for what was read. */
  readonly by: string | null;
  /** How much it counts. */
  readonly weight: number;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
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
}

/** A screen as the card of its hypothesis lists it. */
export interface ScreenLine {
  /** What it says. */
  readonly result: string;
  /** What it saw. */
  readonly categories: readonly string[];
  /** Why, or the error. */
  readonly rationale: string;
}

/** Everything that a card says of a hypothesis. */
export interface HypothesisCardData extends CardOrigin, Omit<HypothesisRecord, "parents"> {
  /** Where it stands. */
  readonly state: HypothesisState;
  /** Why. */
  readonly stateReason: string;
  /** Label of the near-duplicate that is drawn in its stead. */
  readonly foldedUnder: string | null;
  /** Whether a person keeps it in play. */
  readonly pinned: boolean;
  /** What results say of it; `null` where there are none, or they are level. */
  readonly result: "confirmed" | "refuted" | null;
  /** Label of the hypothesis that stands for it, if it was merged. */
  readonly mergedInto: string | null;
  /** The hypotheses that were merged into it. */
  readonly merged: readonly HypothesisRef[];
  /** Its place on the leaderboard, if it has one. */
  readonly rank: number | null;
  /** Bradley-Terry rating on the Elo scale; `null` where it never entered the tournament. */
  readonly rating: number | null;
  /** The lower end of its 90 % interval. */
  readonly ratingLow: number | null;
  /** The upper end. */
  readonly ratingHigh: number | null;
  /** The chance that it truly is among the best {@linkcode topK}; `null` where that isn't asked or tells nothing. */
  readonly topChance: number | null;
  /** How many of the best are looked for. */
  readonly topK: number;
  /** Its tier on the leaderboard, from 1, if it has one. */
  readonly tier: number | null;
  /** Elo. */
  readonly elo: number;
  /** Valid matches. */
  readonly matches: number;
  /** Won. */
  readonly won: number;
  /** Lost. */
  readonly lost: number;
  /** Tied. */
  readonly tied: number;
  /** Its rating after each of its matches. */
  readonly trajectory: readonly number[];
  /** What it was made from. */
  readonly parents: readonly HypothesisRef[];
  /** What was made from it. */
  readonly children: readonly HypothesisRef[];
  /** Its reviews, oldest first. */
  readonly reviews: readonly ReviewLine[];
  /** Its last matches, newest last. */
  readonly lastMatches: readonly MatchLine[];
  /** Findings about it. */
  readonly evidence: readonly EvidenceLine[];
  /** How it does by the scientist's criteria; absent where there are none. */
  readonly criteria?: CriteriaScores | undefined;
  /** What the safety screen said of it. */
  readonly screens: readonly ScreenLine[];
  /** From which older text of a parent it was made; empty where its parents say what they said. */
  readonly stale: string;
}

/** Everything that a card says of a review. */
export interface ReviewCardData extends CardOrigin, Omit<ReviewRecord, "hypothesisId"> {
  /** Of which hypothesis. */
  readonly hypothesis: HypothesisRef;
  /** The newest version of that hypothesis: the review is of an older one where they differ. */
  readonly newestVersion: number;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
  /** Whether the newest version has another text than the one that was reviewed. */
  readonly stale: boolean;
  /** Whether another review of its kind, of the present text, stands in for it. */
  readonly replaced: boolean;
}

/** One side of a match. */
export interface MatchSide extends HypothesisRef {
  /** Rating before; `null` where the match moved no rating. */
  readonly eloBefore: number | null;
  /** Rating after. */
  readonly eloAfter: number | null;
}

/** Everything that a card says of a match. */
export interface MatchCardData extends CardOrigin, Omit<MatchRecord, "firstId" | "secondId"> {
  /** The one that was shown first. */
  readonly first: MatchSide;
  /** The one that was shown second. */
  readonly second: MatchSide;
  /** The whole ranking that it is part of, best first, where one call judged a group; else `null`. */
  readonly ranking: readonly HypothesisRef[] | null;
  /** Why it ended so, in the judge's words. */
  readonly rationale: string;
  /** The K of its ratings; `null` where it moved none. */
  readonly k: number | null;
  /** How many model calls it took. */
  readonly transcripts: number;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
  /** On which older text it was judged; empty where both say what they said. */
  readonly stale: string;
}

/** A model call as the card of its task lists it. */
export interface CallLine {
  /** Its number in the store: what `transcripts` takes. */
  readonly n: number;
  /** Route, such as `ranking.pairwise`. */
  readonly route: string;
  /** The model. */
  readonly model: string;
  /** Money in dollars. */
  readonly usd: number;
  /** Why the answer ended; empty where none came. */
  readonly stopReason: string;
  /** What failed; empty where nothing did. */
  readonly error: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
}

/** Everything that a card says of a task. */
export interface TaskCardData extends CardOrigin {
  /** `T5`. */
  readonly label: string;
  /** The commit that enqueued it. */
  readonly seq: number;
  /** Who does it. */
  readonly agent: AgentName;
  /** Which work. */
  readonly action: TaskAction;
  /** The hypothesis it is about, if one. */
  readonly target: HypothesisRef | null;
  /** What else it carries. */
  readonly payload: TaskPayload;
  /** Where it stands. */
  readonly status: TaskStatus;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Tries before it is dead. */
  readonly maxAttempts: number;
  /** Lower goes first. */
  readonly priority: number;
  /** Why it ended, or what failed last. */
  readonly reason: string;
  /** What its calls cost. */
  readonly cost: CostRow;
  /** Its calls, oldest first. */
  readonly calls: readonly CallLine[];
}

/** Everything that a card says of a result or a finding. */
export interface EvidenceCardData extends CardOrigin, Omit<EvidenceRecord, "hypothesisId"> {
  /** About which hypothesis. */
  readonly hypothesis: HypothesisRef;
  /** What all results together say of that hypothesis. */
  readonly together: "confirmed" | "refuted" | null;
  /** Why it doesn't count any more; `null` where it does. */
  readonly voided: string | null;
}

/** A model call that carried a directive. */
export interface CarryingLine {
  /** Its number: what `transcript` takes. */
  readonly n: number;
  /** Whose call. */
  readonly agent: AgentName;
  /** Its prompt. */
  readonly prompt: string;
  /** `T5`. */
  readonly task: string;
  /** The commit that ended its task's attempt; `null` while that goes on. */
  readonly seq: number | null;
  /** Whether it failed. */
  readonly failed: boolean;
}

/** Everything that a card says of a directive. */
export interface DirectiveCardData extends CardOrigin, DirectiveRecord {
  /** Whether the next calls of its agents carry it. */
  readonly inForce: boolean;
  /** Why it is not in force; `null` where it is. */
  readonly whyNot: string | null;
  /** The calls that carried it, oldest first. */
  readonly calls: readonly CarryingLine[];
}

/** Everything that a card says of system feedback. */
export interface FeedbackCardData extends CardOrigin, FeedbackRecord {}

/** Everything that a card says of an overview. */
export interface OverviewCardData extends CardOrigin, OverviewRecord {
  /** Which older texts it tells of; empty where what it names says what it said. */
  readonly stale: string;
  /** The gate at which it waits to be the last one; absent where it doesn't. */
  readonly gate?: string | undefined;
}
