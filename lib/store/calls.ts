import type { Decision } from "../domain/agent.ts";
import type { AgentName } from "../domain/records.ts";
import type { MicroUsd } from "../domain/money.ts";

/** An outside call that was answered: what a crash or a replay gives back instead of calling again. */
export interface JournalledCall {
  /** The call's key. */
  readonly key: string;
  /** What kind. */
  readonly kind: CallKind;
  /** The answer, as JSON. */
  readonly answer: string;
}

/** Kinds of outside call. */
export type CallKind = "model" | "embedding" | "tool";

/** What a call may cost at most, asked for before it is made. */
export interface Reservation {
  /** Whose share it draws on. */
  readonly agent: AgentName;
  /** For which task. */
  readonly taskId: string;
  /** Money at most. */
  readonly microUsd: MicroUsd;
  /** Tokens at most, read and written. */
  readonly tokens: number;
  /** Whether it may draw on what is put aside for the overview. */
  readonly overview: boolean;
}

/**
 * The answer to a {@linkcode Reservation}. `later`: it would fit if what is reserved came free unused. `never`: it does
 * not fit what is left; `left` says how much that is.
 */
export type Admission =
  | { readonly kind: "admitted"; readonly id: string }
  | { readonly kind: "later" | "never"; readonly left: MicroUsd; readonly limit: "usd" | "tokens" };

/** What a call did cost. */
export interface Settlement {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Set where no answer came after sending: the money is the reservation's, since it may have been billed. */
  readonly unconfirmed: boolean;
}

/** One model call, to be looked at. Requests and responses are what went over the wire, without keys. */
export interface TranscriptDraft {
  /** Whose. */
  readonly agent: AgentName;
  /** Route, such as `ranking.pairwise`. */
  readonly route: string;
  /** The model that was asked. */
  readonly model: string;
  /** Name of the prompt. */
  readonly prompt: string;
  /** Version of the prompt: a hash over template and tools. */
  readonly promptVersion: string;
  /** The revision under which it ran. */
  readonly revision: number;
  /** Ids of the directives that it carried. */
  readonly directives: readonly string[];
  /** The request as JSON. */
  readonly request: string;
  /** The response as JSON; empty where none came. */
  readonly response: string;
  /** The answer's stop reason; empty where none came. */
  readonly stopReason: string;
  /** What failed; empty where nothing did. */
  readonly error: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** What money forced: cheaper model, less effort, shorter answer. */
  readonly concessions: readonly string[];
}

/** A version of a prompt: all that a model read that doesn't depend on the records. */
export interface PromptVersion {
  /** The prompt. */
  readonly name: string;
  /** 16 hex digits of a hash over text and tools. */
  readonly version: string;
  /** The whole text, front matter included. */
  readonly source: string;
  /** The tools that were offered with it: names, descriptions, schemas. */
  readonly tools: readonly OfferedTool[];
}

/** A tool as a model reads it. */
export interface OfferedTool {
  /** What the model calls. */
  readonly name: string;
  /** What it reads about it. */
  readonly description: string;
  /** What it must give, as a JSON schema. */
  readonly input_schema: unknown;
}

/** What a call was made from: kept so that it can be made again, and so that versions can be compared later. */
export interface CallOrigin {
  /** The versions that it was rendered from: its prompt's, and those of the system prompt's parts. */
  readonly versions: readonly PromptVersion[];
  /** The commit on which its task was first claimed, and what was decided then. */
  readonly claim?: { readonly seq: number; readonly decision: Decision } | undefined;
}

/** Money and tokens of a session, as far as one agent may use them. */
export interface Headroom {
  /** Left for this agent after spending, reservations and the overview's reserve. */
  readonly microUsd: MicroUsd;
  /** Left if all reservations came free unused. */
  readonly microUsdLater: MicroUsd;
  /** Tokens left. */
  readonly tokens: number;
}

/**
 * The journal, the transcripts and the budget of one session's calls. Every verb is one short transaction of its own, so
 * that what it wrote survives a crash of the task.
 */
export interface CallLedger {
  /** The journalled answer of a call, if it was answered before. */
  find(key: string): JournalledCall | null;
  /** Asks for money and tokens, in one conditional write. */
  admit(reservation: Reservation): Admission;
  /**
   * Ends a reservation: money and tokens are booked, the transcript written with what it was made from and, with
   * `journal`, the answer journalled; all at once.
   */
  settle(
    reservationId: string,
    settlement: Settlement,
    transcript: TranscriptDraft,
    journal: JournalledCall | null,
    origin?: CallOrigin,
  ): void;
  /** Journals the answer of a call that costs nothing (a search, an embedding by hashing). */
  journal(taskId: string, call: JournalledCall): void;
  /** What an agent may still spend. */
  headroom(agent: AgentName): Headroom;
}
