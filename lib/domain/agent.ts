import type { FeedbackDraft, HypothesisDraft, PlanDraft, RecordTool, ReviewDraft } from "./drafts.ts";
import type {
  AgentName,
  Citation,
  MatchMode,
  MatchVerdict,
  ReviewEvidence,
  ReviewKind,
  SafetyCategory,
  ScreenRecord,
  Strategy,
  TaskAction,
  TaskRecord,
} from "./records.ts";
import type { Rng } from "./rng.ts";

/**
 * Which model and which thinking a call gets: `agent.mode`. Each route has a row in the settings `models` and
 * `thinking`.
 */
export const ROUTES = [
  "parse_goal",
  "generation.literature",
  "generation.debate",
  "reflection.full",
  "reflection.verification",
  "reflection.observation",
  "ranking.pairwise",
  "ranking.debate",
  "evolution.combine",
  "evolution.simplify",
  "evolution.out_of_box",
  "evolution.feasibility",
  "metareview.system",
  "metareview.final",
  "classifier",
] as const;
/** Which model and which thinking a call gets. */
export type Route = (typeof ROUTES)[number];

/** The research tools that agents may be offered. */
export const RESEARCH_TOOLS = [
  "web_search",
  "pubmed_search",
  "arxiv_search",
  "europe_pmc_search",
  "web_fetch",
] as const;
/** A research tool. */
export type ResearchTool = (typeof RESEARCH_TOOLS)[number];

/** One call of a model that answers in prose. */
export interface PromptCall {
  /** Which model, thinking and budget share. */
  readonly route: Route;
  /** A model to be asked instead of the route's, with the route's thinking and length: a member of a panel. */
  readonly model?: string | undefined;
  /** The template's name, e.g. `ranking.pairwise`. */
  readonly prompt: string;
  /** The template's variables: exactly those that it declares. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the system prompt carries besides the agent's role. */
  readonly session: SessionContext;
}

/** What the second system block says of the session: the same for every call of a task. */
export interface SessionContext {
  /** The goal as given. */
  readonly goal: string;
  /** The plan as text, when there is one. */
  readonly plan: string;
  /** Ideas that are known already, fenced, for the agents that write hypotheses. */
  readonly known: string;
  /** What the scientist asks of every hypothesis, fenced. */
  readonly criteria: string;
  /** The latest system feedback, for the agents that read it. */
  readonly feedback: string;
  /** Directives in force for this agent, fenced, in order. */
  readonly directives: readonly { readonly id: string; readonly text: string }[];
}

/** A call that must end in a record, with research tools on the way. */
export interface RecordCall<T> extends PromptCall {
  /** How the result is handed over. */
  readonly record: RecordTool<T>;
  /** What may be used on the way; empty for a single forced call. */
  readonly tools: readonly ResearchTool[];
  /** Turns at most; the last one offers the record tool alone. */
  readonly maxTurns: number;
  /**
   * A last look at the record: `null` accepts it, a text is given back to the model as an error, once per turn left.
   * The last record stands whatever it says.
   */
  readonly reconsider?: (value: T) => Promise<string | null>;
}

/** What came of a {@linkcode RecordCall}. */
export interface Recorded<T> {
  /** The record, valid by its schema. */
  readonly value: T;
  /** Every address that a tool returned or fetched, canonical, with what it said there. */
  readonly seen: readonly SeenSource[];
  /** The model that answered. */
  readonly model: string;
  /** The version of the prompt. */
  readonly promptVersion: string;
}

/** A source that a tool really returned during a task. */
export interface SeenSource {
  /** Its address. */
  readonly url: string;
  /** Its title, as far as the tool told. */
  readonly title: string;
  /** The text that the tool gave of it. */
  readonly text: string;
}

/** The answer to a {@linkcode PromptCall}. */
export interface Prose {
  /** The text. */
  readonly text: string;
  /** The model that answered. */
  readonly model: string;
  /** The version of the prompt. */
  readonly promptVersion: string;
  /** Whether money forced a cheaper model, less effort or a shorter answer than the route asks for, in words. */
  readonly concessions: readonly string[];
}

/** What an agent may do to the world while it works on a task. Every verb journals what it did. */
export interface Context {
  /** The task. */
  readonly task: TaskRecord;
  /** Ends the task early. */
  readonly signal: AbortSignal;
  /** Chance for this task, by purpose. */
  rng(purpose: string): Rng;
  /** Asks a model for prose. */
  ask(call: PromptCall): Promise<Prose>;
  /** Asks a model for a record, through the tool loop. */
  record<T>(call: RecordCall<T>): Promise<Recorded<T>>;
  /** Unit vectors of texts, by the session's embedder. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** The same of known ideas: each is embedded once in a process, whichever task asks first. */
  embedKnown(ideas: readonly string[]): Promise<Float32Array[]>;
  /** The hypothesis nearest to a vector, as the records stood when the task was first claimed. */
  nearest(
    vector: Float32Array,
  ): Promise<{ readonly id: string; readonly title: string; readonly cosine: number } | null>;
  /** Asks the safety screen about a text. Never throws for a model's failure: that is a `failed` screen. */
  screen(target: string, text: string): Promise<Omit<ScreenRecord, "seq" | "id">>;
}

/** A hypothesis as an agent hands it over, not yet a record. */
export interface ProposedHypothesis {
  /** What the model recorded. */
  readonly draft: HypothesisDraft;
  /** How it came about. */
  readonly strategy: Strategy;
  /** Ids of the hypotheses it was made from. */
  readonly parents: readonly string[];
  /** The citations that stand for something a tool returned. */
  readonly citations: readonly Citation[];
  /** How many did not. */
  readonly droppedCitations: number;
  /** The model that recorded the draft. */
  readonly model: string;
  /** The unit vector of its embedding text. */
  readonly vector: Float32Array;
  /** The known sentence nearest to it, and their cosine; absent where none is known. */
  readonly nearestKnown?: { readonly idea: string; readonly cosine: number } | null | undefined;
  /** What the screen said. */
  readonly screen: Omit<ScreenRecord, "seq" | "id"> | null;
}

/** What a task returns. Only the engine turns it into records. */
export type Outcome =
  | {
    readonly kind: "plan_parsed";
    readonly plan: PlanDraft;
    readonly screen: Omit<ScreenRecord, "seq" | "id"> | null;
  }
  | { readonly kind: "goal_blocked"; readonly screen: Omit<ScreenRecord, "seq" | "id"> }
  | { readonly kind: "hypothesis_proposed"; readonly proposal: ProposedHypothesis }
  | {
    readonly kind: "review_completed";
    readonly hypothesisId: string;
    readonly hypothesisVersion: number;
    readonly reviewKind: ReviewKind;
    readonly review: ReviewDraft;
    readonly evidence: readonly ReviewEvidence[];
    readonly droppedEvidence: number;
    /** What the safety screen said of a person's text that had not been screened; else `null`. */
    readonly screen: Omit<ScreenRecord, "seq" | "id"> | null;
  }
  | {
    /** A person's hypothesis that the safety screen blocked: it was not reviewed. */
    readonly kind: "hypothesis_blocked";
    readonly hypothesisId: string;
    readonly screen: Omit<ScreenRecord, "seq" | "id">;
  }
  | {
    readonly kind: "match_judged";
    readonly firstId: string;
    readonly secondId: string;
    readonly mode: MatchMode;
    readonly verdict: MatchVerdict;
    /** The two verdicts behind it where it was judged in both orders, told by this match's first and second. */
    readonly bothOrders: readonly [MatchVerdict, MatchVerdict] | null;
    readonly rationale: string;
    readonly judge: string | null;
    readonly promptVersion: string | null;
  }
  | {
    /** A stored match was judged again: it moves nothing. */
    readonly kind: "match_rejudged";
    readonly matchId: string;
    readonly verdict: MatchVerdict;
    /** The two verdicts behind it where it was asked in both orders, told by the match's own first and second. */
    readonly bothOrders: readonly [MatchVerdict, MatchVerdict] | null;
    readonly rationale: string;
    readonly judge: string | null;
    readonly promptVersion: string | null;
  }
  | {
    /** One call ranked a group: each of its pairs becomes a match. */
    readonly kind: "group_judged";
    /** The group in the order shown. */
    readonly ids: readonly string[];
    /** The same ids, best first; `null` where there was no ranking to be read. */
    readonly ranking: readonly string[] | null;
    readonly rationale: string;
    readonly judge: string | null;
    readonly promptVersion: string | null;
  }
  | { readonly kind: "feedback_written"; readonly feedback: FeedbackDraft; readonly matchesSeen: number }
  | {
    readonly kind: "overview_written";
    readonly source: "model" | "fallback";
    readonly markdown: string;
    readonly notes: readonly string[];
    readonly model: string | null;
    readonly screen: Omit<ScreenRecord, "seq" | "id"> | null;
  }
  | { readonly kind: "nothing"; readonly reason: string };

/** What a task fixes at its first claim, so that a retry does the same work. */
export type Decision =
  | {
    readonly kind: "match";
    readonly firstId: string;
    readonly secondId: string;
    readonly mode: MatchMode;
    /** Why this pair: `focus`, `new`, `close`, `random`. */
    readonly bucket: string;
    /** The member of the panel that judges; absent without a panel. */
    readonly judge?: string | undefined;
  }
  | {
    readonly kind: "group";
    /** Three to six hypotheses in the order in which they are shown. */
    readonly ids: readonly string[];
    /** Why the pair that it was built around: as for a match. */
    readonly bucket: string;
    /** The member of the panel that judges; absent without a panel. */
    readonly judge?: string | undefined;
  }
  | { readonly kind: "evolve"; readonly parents: readonly string[] }
  | { readonly kind: "none" }
  /** The task can't do anything as the records stand: it ends as done with this reason, without a call. */
  | { readonly kind: "nothing"; readonly reason: string };

/**
 * An agent. `decide` and `prepare` are pure and synchronous over a view (`V`); `run` touches the world only through its
 * context and returns an outcome; it never writes records.
 */
export interface Agent<V, I = unknown> {
  /** Who it is: the name of its budget share. */
  readonly name: AgentName;
  /** The work it takes. */
  readonly actions: readonly TaskAction[];
  /** What is fixed at the first claim. `busy`: decisions of tasks in flight. */
  decide(view: V, task: TaskRecord, busy: readonly Decision[]): Decision;
  /** Everything that `run` needs of the records, as plain data. */
  prepare(view: V, task: TaskRecord, decision: Decision): I;
  /** The work. */
  run(input: I, context: Context): Promise<Outcome>;
}

/** A category that stops a session or quarantines a hypothesis when the screen is sure enough. */
export type BlockingCategory = Exclude<SafetyCategory, "none">;
