import { rng } from "../domain/rng.ts";
import type { Draft } from "./answer.ts";
import { countTextTokens } from "./tokens.ts";
import type { ApiErrorType } from "./wire.ts";

/** What can be made to go wrong with a call of `POST /v1/messages`. */
export type Fault =
  /** An error of the API. Costs nothing. */
  | {
    readonly kind: "status";
    readonly status: 401 | 403 | 404 | 408 | 413 | 429 | 500 | 504 | 529;
    /** Sent as `retry-after`, in seconds. */
    readonly retryAfterSeconds?: number;
  }
  /** No answer until the caller gives up. `billed`: the answer was made and is charged all the same. */
  | { readonly kind: "timeout"; readonly billed?: boolean }
  /** The connection breaks. `billed`: see above. */
  | { readonly kind: "reset"; readonly billed?: boolean }
  /** A 200 whose JSON, or whose stream, breaks off. */
  | { readonly kind: "malformed_json" }
  /** The answer ends in the middle (of a tool's JSON, where it calls one), with `max_tokens`. */
  | { readonly kind: "truncated_tool" }
  /** No content, stop reason `refusal`. */
  | { readonly kind: "refusal" }
  /** A beginning, stop reason `pause_turn`; sent back, it goes on. */
  | { readonly kind: "pause_turn" }
  /** A call of a tool that nobody offered. */
  | { readonly kind: "unknown_tool" }
  /** A call whose input breaks the tool's schema. */
  | { readonly kind: "wrong_arguments" }
  /** No content, stop reason `end_turn`. */
  | { readonly kind: "empty" }
  /** Citations and evidence with addresses that no tool returned. */
  | { readonly kind: "invented_citations" }
  /** Prose where a tool was offered or forced. */
  | { readonly kind: "prose_instead_of_tool" };

/** When a fault happens. All conditions that are given must hold. */
export interface FaultRule {
  /** What goes wrong. */
  readonly fault: Fault;
  /** Only these calls, by number: 1 is the simulator's first. */
  readonly calls?: readonly number[];
  /** Only steps of this name, or below it: `ranking` covers `ranking.pairwise`. */
  readonly step?: string;
  /** Only requests that offer this tool. */
  readonly tool?: string;
  /** Only requests of this model. */
  readonly model?: string;
  /** With this probability, drawn by seed, rule and number of the call. */
  readonly probability?: number;
  /** At most so often. */
  readonly times?: number;
}

/** What goes wrong, and when. The first rule that applies to a call does. */
export interface FaultPlan {
  /** The rules, in order. */
  readonly rules: readonly FaultRule[];
}

/** What rules look at. */
export interface FaultSubject {
  /** Number of the call. */
  readonly call: number;
  /** The step that its system text names, or nothing. */
  readonly step: string;
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** The model asked. */
  readonly model: string;
}

/** A plan at work: remembers how often each rule has struck. */
export class FaultInjector {
  readonly #seed: string;
  readonly #rules: readonly FaultRule[];
  readonly #struck: number[];

  /** A plan that has not struck yet. @param seed for rules with a probability @param plan what goes wrong, and when */
  constructor(seed: string, plan: FaultPlan) {
    this.#seed = seed;
    this.#rules = plan.rules;
    this.#struck = plan.rules.map(() => 0);
  }

  /** The fault of a call, or `null`. Counts it. */
  next(subject: FaultSubject): Fault | null {
    for (const [i, rule] of this.#rules.entries()) {
      if (!this.#applies(rule, i, subject)) continue;
      this.#struck[i] = (this.#struck[i] ?? 0) + 1;
      return rule.fault;
    }
    return null;
  }

  #applies(rule: FaultRule, i: number, subject: FaultSubject): boolean {
    if (rule.times !== undefined && (this.#struck[i] ?? 0) >= rule.times) return false;
    if (rule.calls !== undefined && !rule.calls.includes(subject.call)) return false;
    if (rule.step !== undefined && subject.step !== rule.step && !subject.step.startsWith(`${rule.step}.`)) {
      return false;
    }
    if (rule.tool !== undefined && !subject.tools.includes(rule.tool)) return false;
    if (rule.model !== undefined && rule.model !== subject.model) return false;
    if (rule.probability === undefined) return true;
    return rng(this.#seed, `${i}:${subject.call}`, "fault").next() < rule.probability;
  }
}

/** The API's name and words for a status. */
export const STATUS_ERRORS: Readonly<
  Record<
    Extract<Fault, { kind: "status" }>["status"],
    { readonly type: ApiErrorType; readonly message: string }
  >
> = {
  401: { type: "authentication_error", message: "invalid x-api-key" },
  403: {
    type: "permission_error",
    message: "Your API key does not have permission to use the specified resource.",
  },
  404: { type: "not_found_error", message: "model: not available" },
  408: { type: "timeout_error", message: "Request timed out" },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  429: {
    type: "rate_limit_error",
    message: "This request would exceed your organization's rate limit. Please try again later.",
  },
  500: { type: "api_error", message: "Internal server error" },
  504: { type: "timeout_error", message: "Request timed out. Consider streaming." },
  529: { type: "overloaded_error", message: "Overloaded" },
};

/** What a fault makes of what the model wanted to say. Faults that concern the transport leave it as it is. */
export function spoil(fault: Fault, drafts: readonly Draft[], prose: () => string): readonly Draft[] {
  switch (fault.kind) {
    case "status":
    case "timeout":
    case "reset":
    case "malformed_json":
    case "truncated_tool":
      return drafts;
    case "refusal":
    case "empty":
      return [];
    case "pause_turn":
      return [{ type: "text", text: "I am still at work on this and will go on." }];
    case "unknown_tool":
      return [{ type: "tool_use", name: "consult_oracle", input: { question: "What is true?" } }];
    case "prose_instead_of_tool":
      return [{ type: "text", text: prose() }];
    case "wrong_arguments":
      return drafts.map((draft) => draft.type === "text" ? draft : { ...draft, input: mangled(draft.input) });
    case "invented_citations":
      return drafts.map((draft) =>
        draft.type === "text" ? draft : { ...draft, input: embellished(draft.input) }
      );
  }
}

/** How many tokens a truncated answer gets: a good half of what it would have needed, at least one. */
export function truncatedLimit(drafts: readonly Draft[]): number {
  const needed = drafts.reduce(
    (sum, draft) => sum + countTextTokens(draft.type === "text" ? draft.text : JSON.stringify(draft.input)),
    0,
  );
  return Math.max(1, Math.floor(needed * 0.6));
}

/** Without its first property, and with the others of the wrong type. */
function mangled(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).slice(1).map(([key, value]) => [key, typeof value === "string" ? 7 : "seven"]),
  );
}

/** With a citation and a piece of evidence that were made up, where it has any such lists. */
function embellished(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const url = "https://journal.example/invented/42";
  const { citations, evidence, ...rest } = input;
  return {
    ...rest,
    ...(Array.isArray(citations)
      ? { citations: [...citations, { url, title: "A paper that nobody wrote" }] }
      : {}),
    ...(Array.isArray(evidence)
      ? { evidence: [...evidence, { claim: "It is so", url, excerpt: "words that nobody wrote" }] }
      : {}),
  };
}
