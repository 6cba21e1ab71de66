import type { Embedder } from "./embedder.ts";
import { embeddingsApi, type Fetch } from "./embeddings_api.ts";

/** What {@linkcode openAiEmbedder} needs. */
export interface OpenAiOptions {
  /** The key, sent as a bearer token; left out for servers that want none. */
  readonly apiKey?: string;
  /** Where the API begins, without `/embeddings`: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`, … */
  readonly baseUrl: string;
  /** The model id. */
  readonly model: string;
  /** How many numbers a vector shall have; left out, the server decides. */
  readonly dimensions?: number;
  /** How requests leave. */
  readonly fetch: Fetch;
}

/** Vectors by any server that speaks OpenAI's `/embeddings`: OpenAI, Ollama, vLLM, LM Studio, TEI and others. */
export function openAiEmbedder(options: OpenAiOptions): Embedder {
  return embeddingsApi({
    provider: "The embedding server",
    baseUrl: options.baseUrl,
    apiKey: options.apiKey || null,
    model: options.model,
    dimensions: options.dimensions ?? null,
    parameters: options.dimensions === undefined ? {} : { dimensions: options.dimensions },
    fetch: options.fetch,
  });
}
