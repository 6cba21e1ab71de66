import { CosciError } from "../domain/errors.ts";

/** Turns texts into vectors whose cosine measures how alike the texts are. */
export interface Embedder {
  /** Which model made the vectors. It is stored beside them: vectors of different names are never compared. */
  readonly name: string;
  /** How many numbers a vector has; null until the first answer where the server decides. */
  readonly dimensions: number | null;
  /**
   * One vector a text, in the order of the texts. Rejects with the signal's reason when it aborts and with
   * {@linkcode EmbeddingError} when the provider fails; it doesn't retry.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedResult>;
}

/** What an embedder made of a list of texts. */
export interface EmbedResult {
  /** Vectors of length 1, one a text, in the order of the texts. */
  readonly vectors: Float32Array[];
  /** Tokens to be paid: what the server counted or, where it counts none, a quarter of the UTF-8 bytes. Offline 0. */
  readonly tokens: number;
}

/** A failure of the service that embeds, with what a caller needs to decide on another try. */
export class EmbeddingError extends CosciError {
  /** The HTTP status, or null when no answer came or the answer can't be used. */
  readonly status: number | null;
  /** What the server said in `Retry-After`, as it said it (seconds or a date), or null. */
  readonly retryAfter: string | null;
  /** Made where an answer is read. @param message what went wrong and the remedy @param details status and `Retry-After` @param options the cause */
  constructor(
    message: string,
    details: { readonly status: number | null; readonly retryAfter: string | null },
    options?: ErrorOptions,
  ) {
    super("provider", message, options);
    this.name = "EmbeddingError";
    this.status = details.status;
    this.retryAfter = details.retryAfter;
  }
}
