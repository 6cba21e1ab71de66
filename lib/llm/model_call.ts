import { z } from "zod";
import type { Clock } from "../domain/clock.ts";
import { CosciError, messageOf } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { rng } from "../domain/rng.ts";
import type { Settings } from "../config/settings.ts";
import type { CallLedger, CallOrigin, PromptVersion, Settlement, TranscriptDraft } from "../store/calls.ts";
import type { ProviderRecord } from "../store/view.ts";
import { admitFirst, agentOf, chainOf, type Granted, ladder } from "./afford.ts";
import type { CallEvent } from "./call_event.ts";
import type { ModelClient, Sent } from "./client.ts";
import { tokenBound } from "./estimate.ts";
import { costOf } from "./models.ts";
import { rowFor } from "./provider.ts";
import { type IntendedCall, requestFor } from "./request.ts";
import { type Passing, passingStatus, triesFor, waitMs } from "./retry.ts";
import { type Answer, readAnswer } from "./wire.ts";

/** A failure of the model's service, after all retries. */
export class ProviderError extends CosciError {
  /** The HTTP status; `null` where no answer came. */
  readonly status: number | null;
  /** `message` says what failed, in the server's own words; `status` is the HTTP status, if one came. */
  constructor(message: string, status: number | null) {
    super("provider", message);
    this.name = "ProviderError";
    this.status = status;
  }
}

/** What a model call needs from the task that makes it. */
export interface ModelCallDeps {
  /** The task. */
  readonly task: { readonly key: string; readonly id: string };
  /** The revision under which it runs. */
  readonly revision: number;
  /** The settings at that revision. */
  readonly settings: Settings;
  /** Where models are. */
  readonly provider: ProviderRecord;
  /** Journal, transcripts and budget. */
  readonly ledger: CallLedger;
  /** The server. */
  readonly client: ModelClient;
  /** Durations and waits. */
  readonly clock: Clock;
  /** The session's seed, for jitter. */
  readonly seed: string;
  /** Ends everything early. */
  readonly signal: AbortSignal;
  /** The commit on which the task was first claimed, and what was decided then: kept with its calls. */
  readonly claim?: CallOrigin["claim"];
  /** Told what happens. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
}

/** What a transcript says of a call besides request and response. */
export interface CallScope {
  /** Name of the prompt. */
  readonly prompt: string;
  /** Its version. */
  readonly promptVersion: string;
  /** What it was rendered from: this version, and those of the system prompt's parts. */
  readonly versions: readonly PromptVersion[];
  /** Ids of the directives that it carries. */
  readonly directives: readonly string[];
}

/** An answer with what it took to get it. */
export interface Called {
  /** The answer. */
  readonly answer: Answer;
  /** The model that was asked in the end. */
  readonly model: string;
  /** What was given up for money or availability, in words. */
  readonly concessions: readonly string[];
}

const journalled = z.object({
  model: z.string(),
  concessions: z.array(z.string()),
  inputBound: z.number(),
  body: z.unknown(),
});

/** Makes model calls that are journalled, paid for, retried and conceded. Knows which models are unavailable. */
export class ModelCalls {
  readonly #deps: ModelCallDeps;
  readonly #unavailable = new Set<string>();

  /** Calls on behalf of one task, through its ports. */
  constructor(deps: ModelCallDeps) {
    this.#deps = deps;
  }

  /**
   * The answer to a call: from the journal where it was answered before, else from the server. `ordinal`: which outside
   * call of the task it is.
   *
   * @throws Deferred where money is only reserved by others
   * @throws CosciError `budget`, `provider`, `aborted` or `tape`
   */
  async call(scope: CallScope, intended: IntendedCall, ordinal: number): Promise<Called> {
    const { task, ledger, settings, provider } = this.#deps;
    const ideal = requestFor(intended, rowFor(intended.model, provider), settings.efforts);
    const key = hashOf(task.key, String(ordinal), canonicalJson(ideal.request));
    const found = ledger.find(key);
    return found === null
      ? await this.#ask(key, scope, intended)
      : this.#remembered(key, found.answer, scope, intended);
  }

  #remembered(key: string, json: string, scope: CallScope, intended: IntendedCall): Called {
    const entry = journalled.safeParse(readJson(json));
    const answer = entry.success ? read(entry.data.body, entry.data.inputBound, key) : null;
    if (!entry.success || answer === null) {
      throw new CosciError("store", `The journalled answer of call ${key.slice(0, 16)} can't be read.`);
    }
    const { model, concessions } = entry.data;
    this.#deps.onCall?.({
      kind: "answered",
      from: "journal",
      key,
      route: intended.route,
      prompt: scope.prompt,
      model,
      stopReason: answer.stopReason,
      microUsd: 0,
      inputTokens: 0,
      outputTokens: 0,
      durationMs: 0,
      estimated: answer.estimated,
      concessions,
    });
    return { answer, model, concessions };
  }

  async #ask(key: string, scope: CallScope, intended: IntendedCall): Promise<Called> {
    const { ledger, settings, provider, clock, client, task, signal } = this.#deps;
    const chance = rng(this.#deps.seed, key, "retry");
    const failures = new Map<Passing, number>();
    for (;;) {
      this.#heed();
      const rungs = ladder(intended, settings.efforts, this.#unavailable);
      const granted = admitFirst(rungs, ledger, settings, provider, task.id);
      const { retry } = settings;
      const started = clock.now();
      const finish = this.#finisher(granted, scope, intended, started);
      let sent: Sent;
      try {
        sent = await client.send(granted.request, {
          route: intended.route,
          key,
          signal,
          timeoutMs: 1000 *
            (granted.thinks ? retry.perCallTimeoutThinkingSeconds : retry.perCallTimeoutSeconds),
          stream: streams(granted),
        });
      } catch (error) {
        // A tape that misses, or a fault of ours: nothing is known to be billed.
        finish({ unconfirmed: false, error: messageOf(error) });
        throw error;
      }
      if (sent.kind === "answered") {
        const answer = read(sent.body, granted.inputTokens, key);
        if (answer !== null) return this.#keep(key, scope, intended, granted, sent.body, answer, started);
        sent = { kind: "lost", message: "the answer is no message of the Messages API" };
      }
      const failure = failed(sent);
      finish({ unconfirmed: sent.kind === "lost" || sent.kind === "aborted", error: failure.text });
      if (sent.kind === "aborted") this.#heed();

      const model = granted.row.id;
      const passing = failure.passing;
      if (passing !== null) {
        const n = (failures.get(passing) ?? 0) + 1;
        failures.set(passing, n);
        const wait = n < triesFor(passing, retry)
          ? waitMs(passing, n, sent.kind === "refused" ? sent.retryAfterMs : null, retry, chance)
          : null;
        if (wait !== null) {
          this.#tell({
            kind: "retried",
            key,
            route: intended.route,
            model,
            failure: failure.text,
            attempt: n,
            waitMs: wait,
          });
          await this.#wait(wait);
          continue;
        }
      }
      if (failure.unavailable) {
        this.#unavailable.add(model);
        const next = chainOf(intended.model).find((id) => !this.#unavailable.has(id));
        if (next !== undefined) {
          failures.clear();
          this.#tell({
            kind: "degraded",
            key,
            route: intended.route,
            from: model,
            to: next,
            failure: failure.text,
          });
          continue;
        }
        // Another task may find it there again; within this one the error below says it all.
        this.#unavailable.clear();
      }
      this.#tell({ kind: "failed", key, route: intended.route, model, failure: failure.text });
      throw new ProviderError(
        `${model} (${intended.route}): ${failure.text}`,
        sent.kind === "refused" ? sent.status : null,
      );
    }
  }

  #keep(
    key: string,
    scope: CallScope,
    intended: IntendedCall,
    granted: Granted,
    body: unknown,
    answer: Answer,
    started: number,
  ): Called {
    const { ledger, clock } = this.#deps;
    const { usage } = answer;
    const inputTokens = usage.inputTokens + usage.cacheWriteTokens + usage.cacheReadTokens;
    const microUsd = costOf(granted.row, usage);
    const durationMs = clock.now() - started;
    const { concessions } = granted;
    const model = granted.row.id;
    ledger.settle(
      granted.reservationId,
      { microUsd, inputTokens, outputTokens: usage.outputTokens, unconfirmed: false },
      {
        ...this.#transcript(granted, scope, intended, durationMs),
        response: JSON.stringify(body),
        stopReason: answer.stopReason,
        error: "",
      },
      {
        key,
        kind: "model",
        answer: JSON.stringify({ model, concessions, inputBound: granted.inputTokens, body }),
      },
      this.#origin(scope),
    );
    this.#tell({
      kind: "answered",
      from: "server",
      key,
      route: intended.route,
      prompt: scope.prompt,
      model,
      stopReason: answer.stopReason,
      microUsd,
      inputTokens,
      outputTokens: usage.outputTokens,
      durationMs,
      estimated: answer.estimated,
      concessions,
    });
    return { answer, model, concessions };
  }

  /** Ends the reservation of a send that gave no answer: in full where it may have been billed. */
  #finisher(granted: Granted, scope: CallScope, intended: IntendedCall, started: number) {
    const { ledger, clock } = this.#deps;
    return ({ unconfirmed, error }: { readonly unconfirmed: boolean; readonly error: string }): void => {
      const settlement: Settlement = {
        microUsd: unconfirmed ? granted.microUsd : 0,
        inputTokens: unconfirmed ? granted.inputTokens : 0,
        outputTokens: unconfirmed ? granted.request.max_tokens : 0,
        unconfirmed,
      };
      ledger.settle(
        granted.reservationId,
        settlement,
        {
          ...this.#transcript(granted, scope, intended, clock.now() - started),
          response: "",
          stopReason: "",
          error,
        },
        null,
        this.#origin(scope),
      );
    };
  }

  #origin({ versions }: CallScope): CallOrigin {
    return { versions, claim: this.#deps.claim };
  }

  #transcript(
    granted: Granted,
    scope: CallScope,
    intended: IntendedCall,
    durationMs: number,
  ): Omit<TranscriptDraft, "response" | "stopReason" | "error"> {
    return {
      agent: agentOf(intended.route),
      route: intended.route,
      model: granted.row.id,
      prompt: scope.prompt,
      promptVersion: scope.promptVersion,
      revision: this.#deps.revision,
      directives: scope.directives,
      request: JSON.stringify(granted.request),
      durationMs,
      concessions: granted.concessions,
    };
  }

  #tell(event: CallEvent): void {
    this.#deps.onCall?.(event);
  }

  async #wait(ms: number): Promise<void> {
    try {
      await this.#deps.clock.sleep(ms, this.#deps.signal);
    } catch (error) {
      this.#heed();
      throw error;
    }
  }

  #heed(): void {
    const { signal } = this.#deps;
    if (!signal.aborted) return;
    if (signal.reason instanceof CosciError) throw signal.reason;
    throw new CosciError("aborted", `The task was stopped: ${messageOf(signal.reason)}`, {
      cause: signal.reason,
    });
  }
}

/** Answers longer than this, or with much thinking before them, are streamed. */
const STREAM_ABOVE = 16_000;
const STREAM_THINKING_ABOVE = 8192;

function streams({ request, thinks }: Granted): boolean {
  return request.max_tokens > (thinks ? STREAM_THINKING_ABOVE : STREAM_ABOVE);
}

function failed(sent: Exclude<Sent, { readonly kind: "answered" }>): {
  readonly text: string;
  readonly passing: Passing | null;
  /** Whether the model, and not the request, is at fault: another model may do. */
  readonly unavailable: boolean;
} {
  switch (sent.kind) {
    case "refused":
      return {
        text: `HTTP ${sent.status} ${sent.type}: ${sent.message}`,
        passing: passingStatus(sent.status),
        unavailable: sent.status === 404 || sent.status === 410 || sent.status === 529,
      };
    case "unreached":
      return {
        text: `the server can't be reached: ${sent.message}`,
        passing: "lost",
        unavailable: false,
      };
    case "lost":
      return {
        text: `no answer came: ${sent.message}. It may have been billed.`,
        passing: "lost",
        unavailable: false,
      };
    case "aborted":
      return {
        text: `stopped after sending: ${sent.message}. It may have been billed.`,
        passing: null,
        unavailable: false,
      };
  }
}

function read(body: unknown, inputTokens: number, key: string): Answer | null {
  return readAnswer(body, { inputTokens, tokensOf: tokenBound }, `call_${key.slice(0, 16)}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
