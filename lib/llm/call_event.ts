import type { Route } from "../domain/agent.ts";
import type { MicroUsd } from "../domain/money.ts";

/** What happened while a task called models and tools: for events, logs and live displays. */
export type CallEvent =
  /** A model answered, now or before a crash (`journal`, which costs nothing again). */
  | {
    readonly kind: "answered";
    readonly from: "server" | "journal";
    readonly key: string;
    readonly route: Route;
    readonly prompt: string;
    readonly model: string;
    readonly stopReason: string;
    readonly microUsd: MicroUsd;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly durationMs: number;
    /** Whether the server gave no usage, so that cost and tokens are an upper bound. */
    readonly estimated: boolean;
    readonly concessions: readonly string[];
  }
  /** A send failed and is tried again after a wait. */
  | {
    readonly kind: "retried";
    readonly key: string;
    readonly route: Route;
    readonly model: string;
    readonly failure: string;
    readonly attempt: number;
    readonly waitMs: number;
  }
  /** A model is unavailable: the next of its chain is asked. */
  | {
    readonly kind: "degraded";
    readonly key: string;
    readonly route: Route;
    readonly from: string;
    readonly to: string;
    readonly failure: string;
  }
  /** A call failed for good. */
  | {
    readonly kind: "failed";
    readonly key: string;
    readonly route: Route;
    readonly model: string;
    readonly failure: string;
  }
  /** The model used a tool. */
  | {
    readonly kind: "tool_used";
    readonly from: "source" | "journal";
    readonly key: string;
    readonly tool: string;
    readonly ok: boolean;
    readonly detail: string;
    readonly sources: number;
    readonly durationMs: number;
  }
  /** An answer could not be used as it was, and the model is asked once more. */
  | { readonly kind: "corrected"; readonly route: Route; readonly problem: string };
