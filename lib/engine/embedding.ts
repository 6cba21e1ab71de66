import type { Clock } from "../domain/clock.ts";
import { CosciError } from "../domain/errors.ts";
import { canonicalJson, hashOf } from "../domain/ids.ts";
import { microUsd } from "../domain/money.ts";
import { rng } from "../domain/rng.ts";
import type { TaskRecord } from "../domain/records.ts";
import type { Settings } from "../config/settings.ts";
import { Deferred } from "../llm/afford.ts";
import { passingStatus, retryAfter, triesFor, waitMs } from "../llm/retry.ts";
import type { CallLedger, TranscriptDraft } from "../store/calls.ts";
import { type Embedder, EmbeddingError } from "../vectors/embedder.ts";
import { z } from "zod";

/** What an embedding call of a task needs. */
export interface EmbeddingDeps {
  /** Who makes vectors. */
  readonly embedder: Embedder;
  /** Whether it costs money and time: a server's does, hashing doesn't. */
  readonly remote: boolean;
  /** The task, or what stands for one where a person has something measured. */
  readonly task: Pick<TaskRecord, "id" | "key">;
  /** The revision under which it runs. */
  readonly revision: number;
  /** The settings at that revision. */
  readonly settings: Settings;
  /** Journal, transcripts and budget. */
  readonly ledger: CallLedger;
  /** Durations and waits. */
  readonly clock: Clock;
  /** The session's seed, for jitter. */
  readonly seed: string;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

const journalled = z.array(z.array(z.number()));

/**
 * Unit vectors of texts. A remote embedder's answers are journalled, paid for from the share of `proximity`, and retried
 * like model calls.
 *
 * @throws Deferred, or CosciError `budget`, `provider`
 */
export async function embed(texts: readonly string[], deps: EmbeddingDeps): Promise<Float32Array[]> {
  const { embedder, remote, task, ledger, settings, signal } = deps;
  if (!remote) return (await embedder.embed(texts, signal)).vectors;
  const key = hashOf(task.key, "embedding", embedder.name, canonicalJson(texts));
  const found = ledger.find(key);
  if (found !== null) {
    return journalled.parse(JSON.parse(found.answer)).map((vector) => Float32Array.from(vector));
  }
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  const price = (tokens: number) => microUsd((tokens * settings.vectors.usdPerMillionTokens) / 1e6);
  for (let attempt = 1;; attempt++) {
    const admission = ledger.admit({
      agent: "proximity",
      taskId: task.id,
      microUsd: price(bytes),
      tokens: bytes,
      overview: false,
    });
    if (admission.kind !== "admitted") {
      throw admission.kind === "later"
        ? new Deferred("An embedding fits once other calls give back what they reserved.")
        : new CosciError(
          "budget",
          "The budget is used up for embeddings. Raise run.budgetUsd or budgetShares.proximity.",
        );
    }
    const started = deps.clock.now();
    const transcript = (error: string): TranscriptDraft => ({
      agent: "proximity",
      route: "embedding",
      model: embedder.name,
      prompt: "",
      promptVersion: "",
      revision: deps.revision,
      directives: [],
      request: JSON.stringify({ input: texts }),
      response: "",
      stopReason: "",
      error,
      durationMs: deps.clock.now() - started,
      concessions: [],
    });
    try {
      const { vectors, tokens } = await embedder.embed(texts, signal);
      const used = Math.min(tokens, bytes);
      ledger.settle(
        admission.id,
        { microUsd: price(used), inputTokens: used, outputTokens: 0, unconfirmed: false },
        transcript(""),
        { key, kind: "embedding", answer: JSON.stringify(vectors.map((vector) => [...vector])) },
      );
      return vectors;
    } catch (error) {
      const status = error instanceof EmbeddingError ? error.status : null;
      const message = error instanceof Error ? error.message : String(error);
      const sent = status === null;
      ledger.settle(
        admission.id,
        sent
          ? { microUsd: price(bytes), inputTokens: bytes, outputTokens: 0, unconfirmed: true }
          : { microUsd: 0, inputTokens: 0, outputTokens: 0, unconfirmed: false },
        transcript(message),
        null,
      );
      if (signal.aborted) throw new CosciError("aborted", "The embedding was stopped.", { cause: error });
      const passing = status === null ? "lost" : passingStatus(status);
      if (passing === null || attempt >= triesFor(passing, settings.retry)) throw error;
      const asked = error instanceof EmbeddingError && error.retryAfter !== null
        ? retryAfter(new Headers({ "retry-after": error.retryAfter }), deps.clock.now())
        : null;
      const wait = waitMs(passing, attempt, asked, settings.retry, rng(deps.seed, key, `retry ${attempt}`));
      if (wait === null) throw error;
      await deps.clock.sleep(wait, signal);
    }
  }
}
