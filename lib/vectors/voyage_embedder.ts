import { inputError } from "../domain/errors.ts";
import type { Embedder } from "./embedder.ts";
import { embeddingsApi, type Fetch } from "./embeddings_api.ts";

/** What {@linkcode voyageEmbedder} needs. */
export interface VoyageOptions {
  /** The key of api.voyageai.com. */
  readonly apiKey: string;
  /** The model id; default `voyage-3-large`. */
  readonly model?: string;
  /** How many numbers a vector has; default 1,024. The model must offer it. */
  readonly dimensions?: number;
  /** Where the API begins; default `https://api.voyageai.com/v1`. */
  readonly baseUrl?: string;
  /** How requests leave. */
  readonly fetch: Fetch;
}

/** Vectors by Voyage AI. Throws `CosciError("input")` without a key. */
export function voyageEmbedder(options: VoyageOptions): Embedder {
  if (options.apiKey === "") {
    throw inputError(
      "VOYAGE_API_KEY",
      "",
      "Set it to a key of Voyage AI, or choose the embedder that needs none.",
    );
  }
  const dimensions = options.dimensions ?? 1024;
  return embeddingsApi({
    provider: "Voyage AI",
    baseUrl: options.baseUrl ?? "https://api.voyageai.com/v1",
    apiKey: options.apiKey,
    model: options.model ?? "voyage-3-large",
    dimensions,
    // "document" on both sides: cosci compares like with like (hypothesis with hypothesis).
    parameters: { input_type: "document", output_dimension: dimensions },
    fetch: options.fetch,
  });
}
