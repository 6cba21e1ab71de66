import { z } from "zod";
import { messageOf } from "../domain/errors.ts";
import { clip, oneLine } from "../domain/text.ts";
import { unitVector } from "./cosine.ts";
import { type Embedder, EmbeddingError, type EmbedResult } from "./embedder.ts";

/** How requests leave: the network's `fetch`, one with manners, or a stand-in. */
export type Fetch = (request: Request) => Promise<Response>;

/** A server with an `/embeddings` endpoint of the OpenAI kind. */
export interface EmbeddingsApi {
  /** Who the server is, as errors name it. */
  readonly provider: string;
  /** Where the API begins, without `/embeddings`. */
  readonly baseUrl: string;
  /** The key that is sent as a bearer token; null where the server wants none. Errors never show it. */
  readonly apiKey: string | null;
  /** The model id, also the embedder's name. */
  readonly model: string;
  /** How many numbers a vector must have; null takes what the server gives first. */
  readonly dimensions: number | null;
  /** What the request says besides `model` and `input`. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** How requests leave. */
  readonly fetch: Fetch;
}

/** Texts in one request. Providers take 128 (Cohere) to 2,048 (OpenAI). */
const MAX_TEXTS = 128;
/** UTF-16 units in one request: under Voyage's 120,000 tokens even at a token a character. */
const MAX_CHARACTERS = 100_000;

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ total_tokens: z.int().nonnegative().optional() }).nullish(),
});

/** How servers phrase a refusal: OpenAI nests it, Voyage says `detail`, others `message`. */
const Refusal = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ detail: z.string() }).transform((body) => body.detail),
  z.object({ message: z.string() }).transform((body) => body.message),
]);

/** An embedder over such a server: in batches, one after the other, each answer checked before it is believed. */
export function embeddingsApi(api: EmbeddingsApi): Embedder {
  let dimensions = api.dimensions;
  return {
    name: api.model,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      let tokens = 0;
      for (const batch of batches(texts)) {
        const result = await embedBatch(api, batch, dimensions, signal);
        dimensions ??= result.vectors[0]?.length ?? null;
        vectors.push(...result.vectors);
        tokens += result.tokens;
      }
      return { vectors, tokens };
    },
  };
}

function* batches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === MAX_TEXTS || (batch.length > 0 && characters + text.length > MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

async function embedBatch(
  api: EmbeddingsApi,
  texts: readonly string[],
  dimensions: number | null,
  signal: AbortSignal,
): Promise<EmbedResult> {
  const { status, retryAfter, ok, body } = await post(api, texts, signal);
  if (!ok) {
    const said = Refusal.safeParse(jsonOrNull(body));
    const reason = said.success ? said.data : body;
    throw failure(api, `answered ${status}: ${reason || "no reason given"}`, { status, retryAfter });
  }
  const answer = Answer.safeParse(jsonOrNull(body));
  if (!answer.success) {
    const where = answer.error.issues[0];
    throw failure(
      api,
      `gave an answer that isn't a list of embeddings: ${where?.path.join(".") || "body"}: ${where?.message}`,
    );
  }
  const reported = answer.data.usage?.total_tokens;
  return {
    vectors: orderedVectors(api, answer.data.data, texts.length, dimensions),
    tokens: reported ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0),
  };
}

async function post(api: EmbeddingsApi, texts: readonly string[], signal: AbortSignal) {
  signal.throwIfAborted();
  const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
  if (api.apiKey !== null) headers.set("authorization", `Bearer ${api.apiKey}`);
  try {
    const response = await api.fetch(
      new Request(`${api.baseUrl.replace(/\/+$/, "")}/embeddings`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: api.model, input: texts, ...api.parameters }),
        signal,
      }),
    );
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      ok: response.ok,
      body: await response.text(),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw failure(api, `couldn't be reached: ${messageOf(error)}`, NO_ANSWER, { cause: error });
  }
}

/** The vectors in the order of the texts: the server may answer in any order and says which is which by `index`. */
function orderedVectors(
  api: EmbeddingsApi,
  rows: readonly { readonly index: number; readonly embedding: readonly number[] }[],
  count: number,
  dimensions: number | null,
): Float32Array[] {
  if (rows.length !== count) throw failure(api, `gave ${rows.length} embeddings for ${count} texts`);
  const ordered = rows.toSorted((a, b) => a.index - b.index);
  const expected = dimensions ?? ordered[0]?.embedding.length;
  return ordered.map(({ index, embedding }, place) => {
    if (index !== place) throw failure(api, `gave no embedding with index ${place}`);
    if (embedding.length !== expected) {
      throw failure(
        api,
        `gave ${embedding.length} dimensions for text ${place} where ${expected} were expected`,
      );
    }
    const vector = unitVector(embedding);
    if (vector === null) throw failure(api, `gave a vector without direction for text ${place}`);
    return vector;
  });
}

const NO_ANSWER = { status: null, retryAfter: null } as const;

function failure(
  api: EmbeddingsApi,
  what: string,
  details: { readonly status: number | null; readonly retryAfter: string | null } = NO_ANSWER,
  options?: ErrorOptions,
): EmbeddingError {
  const said = api.apiKey ? what.replaceAll(api.apiKey, "[key]") : what;
  return new EmbeddingError(
    `${api.provider} (${api.model} at ${api.baseUrl}) ${clip(oneLine(said), 400)}`,
    details,
    options,
  );
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 4);
}
