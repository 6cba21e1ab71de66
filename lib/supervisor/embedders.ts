import { CosciError } from "../domain/errors.ts";
import type { Credentials } from "../config/environment.ts";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../vectors/embedder.ts";
import { hashEmbedder } from "../vectors/hash_embedder.ts";
import { openAiEmbedder } from "../vectors/openai_embedder.ts";
import { voyageEmbedder } from "../vectors/voyage_embedder.ts";

/** Who makes vectors, and whether that costs money and time. */
export interface OpenEmbedder {
  /** The embedder. */
  readonly embedder: Embedder;
  /** Whether it is a server. */
  readonly remote: boolean;
}

/** The embedder that settings ask for. @throws CosciError `input` where it lacks its key or its address */
export function embedderFor(
  { embedder, model, dimensions, baseUrl }: Settings["vectors"],
  credentials: Credentials,
  network: typeof fetch,
): OpenEmbedder {
  const fetch = (request: Request) => network(request);
  switch (embedder) {
    case "hash":
      return { embedder: hashEmbedder({ dimensions }), remote: false };
    case "voyage": {
      const apiKey = credentials.voyageApiKey;
      if (apiKey === undefined) {
        throw new CosciError(
          "input",
          `vectors.embedder: "voyage" needs a key. Set VOYAGE_API_KEY, or use "hash".`,
        );
      }
      return {
        embedder: voyageEmbedder({
          apiKey,
          dimensions,
          fetch,
          ...(model === "" ? {} : { model }),
          ...(baseUrl === "" ? {} : { baseUrl }),
        }),
        remote: true,
      };
    }
    case "openai": {
      if (baseUrl === "" || model === "") {
        throw new CosciError(
          "input",
          `vectors.embedder: "openai" needs vectors.baseUrl and vectors.model. Set both, or use "hash".`,
        );
      }
      const apiKey = credentials.openaiApiKey;
      return {
        embedder: openAiEmbedder({
          baseUrl,
          model,
          dimensions,
          fetch,
          ...(apiKey === undefined ? {} : { apiKey }),
        }),
        remote: true,
      };
    }
  }
}
