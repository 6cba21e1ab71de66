import type { MicroUsd } from "../domain/money.ts";
import { BATCH_FACTOR, costOf, DEAREST_PRICE, type ModelRow, type Price } from "../llm/models.ts";
import type { PromptUsage } from "./usage_cache.ts";

/** What a simulator has charged so far. */
export interface Billed {
  /** Money. */
  readonly microUsd: MicroUsd;
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Tokens written, thinking included. */
  readonly outputTokens: number;
  /** Calls charged; those of batches count one each. */
  readonly calls: number;
}

/** One request as a simulator remembers it. */
export interface RequestSummary {
  /** Its number: 1, 2, 3 …; calls of batches have none (0). */
  readonly call: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** The model asked. */
  readonly model: string;
  /** The step that its system text names, or nothing. */
  readonly step: string;
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** The tool that was forced, `any`, `auto`, `none`, or nothing. */
  readonly toolChoice: string;
  /** How many messages it had. */
  readonly messages: number;
  /** Whether it streamed. */
  readonly stream: boolean;
  /** Whether it came in a batch. */
  readonly batch: boolean;
  /** `max_tokens`. */
  readonly maxTokens: number;
  /** The status answered; 0 where none was. */
  readonly status: number;
  /** The kind of fault injected, if one was. */
  readonly fault: string | null;
  /** Why the answer ended, if there was one. */
  readonly stopReason: string | null;
  /** The error's words, if it was refused. */
  readonly error: string | null;
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Of them, read from the cache. */
  readonly cacheReadTokens: number;
  /** Of them, written to the cache. */
  readonly cacheWriteTokens: number;
  /** Tokens written, thinking included. */
  readonly outputTokens: number;
  /** What it cost. */
  readonly microUsd: MicroUsd;
}

/** How many requests are remembered. */
const REMEMBERED = 2000;

/** What a simulator charged and was asked: explicit state. */
export class Ledger {
  #billed: Billed = { microUsd: 0, inputTokens: 0, outputTokens: 0, calls: 0 };
  #requests: RequestSummary[] = [];

  /** The sums so far. */
  get billed(): Billed {
    return this.#billed;
  }

  /** The latest requests, the oldest first. */
  get requests(): readonly RequestSummary[] {
    return this.#requests;
  }

  /** Remembers a request, and charges it if it cost anything or used tokens. */
  enter(summary: RequestSummary): void {
    this.#requests.push(summary);
    if (this.#requests.length > 2 * REMEMBERED) this.#requests = this.#requests.slice(-REMEMBERED);
    if (summary.inputTokens + summary.outputTokens === 0) return;
    this.#billed = {
      microUsd: this.#billed.microUsd + summary.microUsd,
      inputTokens: this.#billed.inputTokens + summary.inputTokens,
      outputTokens: this.#billed.outputTokens + summary.outputTokens,
      calls: this.#billed.calls + 1,
    };
  }
}

/** What the server charges for a call: cache writes with a life of one hour cost twice the input, batches half of all. */
export function chargeFor(
  row: ModelRow,
  prompt: PromptUsage,
  outputTokens: number,
  batch: boolean,
): MicroUsd {
  const price = row.price ?? DEAREST_PRICE;
  const writes = prompt.write5m + prompt.write1h;
  const blended: Price = prompt.write1h === 0 ? price : {
    ...price,
    cacheWrite: (prompt.write5m * price.cacheWrite + prompt.write1h * 2 * price.input) / writes,
  };
  return costOf(
    blended,
    {
      inputTokens: prompt.inputTokens,
      cacheWriteTokens: writes,
      cacheReadTokens: prompt.cacheReadTokens,
      outputTokens,
    },
    batch ? BATCH_FACTOR : 1,
  );
}
