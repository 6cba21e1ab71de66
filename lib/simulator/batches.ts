import { hashOf } from "../domain/ids.ts";
import { rng } from "../domain/rng.ts";
import { ApiRefusal, batchesRequest, invalid, parseBody } from "./wire.ts";

/** What became of one request of a batch. */
export type BatchResult =
  | { readonly type: "succeeded"; readonly message: object }
  | { readonly type: "errored"; readonly error: object }
  | { readonly type: "canceled" };

interface Batch {
  readonly id: string;
  readonly createdAt: number;
  readonly requests: readonly {
    readonly custom_id: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
  canceledAt: number | null;
  endedAt: number | null;
  results: readonly { readonly custom_id: string; readonly result: BatchResult }[];
}

/** Message batches: explicit state of a simulator. Work is done when a batch is looked at after its time is up. */
export class Batches {
  readonly #batches = new Map<string, Batch>();
  #made = 0;
  readonly #seed: string;
  readonly #delayMs: number;
  readonly #answer: (params: Readonly<Record<string, unknown>>, at: number) => BatchResult;

  /** No batches yet. @param seed for ids and order @param delayMs how long a batch takes @param answer answers one request */
  constructor(
    seed: string,
    delayMs: number,
    answer: (params: Readonly<Record<string, unknown>>, at: number) => BatchResult,
  ) {
    this.#seed = seed;
    this.#delayMs = delayMs;
    this.#answer = answer;
  }

  /** `POST /v1/messages/batches`. */
  create(raw: unknown, now: number, origin: string): object {
    const { requests } = parseBody(batchesRequest, raw);
    if (new Set(requests.map((request) => request.custom_id)).size < requests.length) {
      throw invalid("requests: custom_id must be unique within a batch");
    }
    const streaming = requests.findIndex(({ params }) => params["stream"] === true);
    if (streaming >= 0) {
      throw invalid(`requests.${streaming}.params.stream: streaming is not supported in batches`);
    }
    const id = `msgbatch_sim${hashOf("batch", this.#seed, String(this.#made++)).slice(0, 20)}`;
    const batch: Batch = { id, createdAt: now, requests, canceledAt: null, endedAt: null, results: [] };
    this.#batches.set(id, batch);
    return this.#show(batch, origin);
  }

  /** `GET /v1/messages/batches/{id}`. */
  retrieve(id: string, now: number, origin: string): object {
    return this.#show(this.#settle(this.#find(id), now), origin);
  }

  /** `GET /v1/messages/batches`, the newest first. */
  list(now: number, origin: string, limit: number, afterId: string | null): object {
    const all = [...this.#batches.values()].reverse();
    const start = afterId === null ? 0 : all.findIndex((batch) => batch.id === afterId) + 1;
    const page = all.slice(start, start + limit);
    return {
      data: page.map((batch) => this.#show(this.#settle(batch, now), origin)),
      has_more: start + limit < all.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  }

  /** `POST /v1/messages/batches/{id}/cancel`: what is not done by now is canceled. */
  cancel(id: string, now: number, origin: string): object {
    const batch = this.#settle(this.#find(id), now);
    if (batch.endedAt === null) batch.canceledAt ??= now;
    return this.#show(batch, origin);
  }

  /** `DELETE /v1/messages/batches/{id}`. */
  delete(id: string, now: number): object {
    const batch = this.#settle(this.#find(id), now);
    if (batch.endedAt === null) throw invalid("Message batches can only be deleted once they have ended");
    this.#batches.delete(id);
    return { id, type: "message_batch_deleted" };
  }

  /** `GET /v1/messages/batches/{id}/results`: one JSON object a line, in no order. */
  results(id: string, now: number): string {
    const batch = this.#settle(this.#find(id), now);
    if (batch.endedAt === null) {
      throw invalid(`The results of batch ${id} are not yet available: it has not ended`);
    }
    return batch.results.map((line) => `${JSON.stringify(line)}\n`).join("");
  }

  #find(id: string): Batch {
    const batch = this.#batches.get(id);
    if (batch === undefined) {
      throw new ApiRefusal(404, "not_found_error", `No such message batch: ${id}`);
    }
    return batch;
  }

  #settle(batch: Batch, now: number): Batch {
    const due = batch.createdAt + this.#delayMs;
    if (batch.endedAt !== null || (batch.canceledAt === null && now < due)) return batch;
    const results = batch.requests.map(({ custom_id, params }) => ({
      custom_id,
      result: batch.canceledAt === null ? this.#answer(params, now) : { type: "canceled" as const },
    }));
    batch.results = rng(this.#seed, batch.id, "order").shuffle(results);
    batch.endedAt = now;
    return batch;
  }

  #show(batch: Batch, origin: string): object {
    const count = (type: BatchResult["type"]) =>
      batch.results.filter(({ result }) => result.type === type).length;
    const ended = batch.endedAt !== null;
    return {
      id: batch.id,
      type: "message_batch",
      processing_status: ended ? "ended" : batch.canceledAt === null ? "in_progress" : "canceling",
      request_counts: {
        processing: ended ? 0 : batch.requests.length,
        succeeded: count("succeeded"),
        errored: count("errored"),
        canceled: count("canceled"),
        expired: 0,
      },
      created_at: iso(batch.createdAt),
      expires_at: iso(batch.createdAt + 86_400_000),
      cancel_initiated_at: iso(batch.canceledAt),
      ended_at: iso(batch.endedAt),
      archived_at: null,
      results_url: ended ? `${origin}/v1/messages/batches/${batch.id}/results` : null,
    };
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
