import Anthropic, { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk";
import { z } from "zod";
import type { Route } from "../domain/agent.ts";
import type { Clock } from "../domain/clock.ts";
import { CosciError, messageOf } from "../domain/errors.ts";
import { CALL_HEADER, withoutCallHeader } from "../net/tape.ts";
import { TimedOut, withDeadline } from "./deadline.ts";
import { retryAfter } from "./retry.ts";
import type { MessagesRequest } from "./wire.ts";

/** What came of sending a request once. */
export type Sent =
  /** An answer, not yet read: `body` is its JSON. */
  | { readonly kind: "answered"; readonly body: unknown }
  /** The server refused or failed, and bills nothing. */
  | {
    readonly kind: "refused";
    readonly status: number;
    readonly type: string;
    readonly message: string;
    readonly retryAfterMs: number | null;
  }
  /** The server could not be reached: nothing was sent. */
  | { readonly kind: "unreached"; readonly message: string }
  /** It was sent and no answer came, or none that can be read: it may have been billed. */
  | { readonly kind: "lost"; readonly message: string }
  /** The caller stopped it after it was sent. */
  | { readonly kind: "aborted"; readonly message: string };

/** How to send a request. */
export interface SendOptions {
  /** The route: different ones may have servers of their own. */
  readonly route: Route;
  /** The call's key: tapes go by it. */
  readonly key: string;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether to let the answer stream in, so that no silent connection is cut. */
  readonly stream: boolean;
}

/** Sends requests to one server, each exactly once: retrying is the caller's business, because it costs. */
export interface ModelClient {
  /**
   * Sends a request.
   *
   * @throws CosciError `tape` where a strict replay misses
   */
  send(request: MessagesRequest, options: SendOptions): Promise<Sent>;
}

/** Where a client sends to. */
export interface ClientOptions {
  /** The server's address; empty for the vendor's own. */
  readonly baseUrl: string;
  /** The key; `null` for servers that want none. */
  readonly apiKey: string | null;
  /** The clock, for waits that servers ask for by date. */
  readonly clock: Clock;
  /** The network, the simulator or a tape; the network by default. */
  readonly fetch?: typeof fetch;
}

/** What the SDK wants a body to be. Its own types are narrower than the blocks of other servers. */
const sdkBody = z.custom<Anthropic.MessageStreamParams>((body) =>
  z.looseObject({ model: z.string(), max_tokens: z.number(), messages: z.array(z.unknown()).min(1) })
    .safeParse(body).success
);

/** A client over the vendor's SDK, with its own retries turned off. */
export function createModelClient(options: ClientOptions): ModelClient {
  // The SDK wraps what its fetch throws; our own errors are kept aside under the call's key, to come out as they are.
  const thrown = new Map<string, CosciError>();
  const inner = options.fetch ?? withoutCallHeader(globalThis.fetch);
  const client = new Anthropic({
    apiKey: options.apiKey ?? "none",
    // The SDK adds `/v1/messages`: an address that already ends in `/v1` is meant without it.
    baseURL: options.baseUrl === ""
      ? "https://api.anthropic.com"
      : options.baseUrl.replace(/\/(v1\/?)?$/, ""),
    webhookKey: null,
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
    fetch: async (input, init) => {
      try {
        return await inner(input, init);
      } catch (error) {
        const key = new Headers(init?.headers).get(CALL_HEADER);
        if (error instanceof CosciError && key !== null) thrown.set(key, error);
        throw error;
      }
    },
  });
  const redact = (text: string) =>
    options.apiKey === null || options.apiKey === "" ? text : text.replaceAll(options.apiKey, "[key]");

  return {
    send: async (request, { key, signal, timeoutMs, stream }) => {
      try {
        const body = await withDeadline(timeoutMs, signal, async (limited): Promise<unknown> => {
          const how = { signal: limited, timeout: timeoutMs, headers: { [CALL_HEADER]: key } };
          if (stream) return await client.messages.stream(sdkBody.parse(request), how).finalMessage();
          const answer = await client.post<unknown>("/v1/messages", { ...how, body: request });
          // The SDK parses what is labelled as JSON; some servers label it otherwise.
          return typeof answer === "string" ? JSON.parse(answer) : answer;
        });
        return { kind: "answered", body };
      } catch (error) {
        const own = thrown.get(key);
        if (own !== undefined) throw own;
        return failure(error, signal, options.clock, redact);
      } finally {
        thrown.delete(key);
      }
    },
  };
}

function failure(
  error: unknown,
  signal: AbortSignal,
  clock: Clock,
  redact: (text: string) => string,
): Sent {
  if (signal.aborted) return { kind: "aborted", message: redact(messageOf(signal.reason)) };
  if (error instanceof TimedOut) return { kind: "lost", message: redact(error.message) };
  if (error instanceof APIConnectionTimeoutError) return { kind: "lost", message: "no answer in time" };
  if (error instanceof APIConnectionError) {
    const message = redact(causes(error));
    return { kind: NEVER_SENT.test(message) ? "unreached" : "lost", message };
  }
  if (error instanceof APIError && typeof error.status === "number") {
    return {
      kind: "refused",
      status: error.status,
      type: error.type ?? "error",
      message: redact(error.apiMessage ?? error.message),
      retryAfterMs: error.headers instanceof Headers ? retryAfter(error.headers, clock.now()) : null,
    };
  }
  // An error event in the middle of a stream, or an answer that is no JSON: something was sent back, and may cost.
  return { kind: "lost", message: redact(`the answer can't be read: ${causes(error)}`) };
}

/** How runtimes word it when no connection came about. */
const NEVER_SENT =
  /refused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|dns error|failed to lookup|unreachable|invalid peer certificate|UnknownIssuer/i;

function causes(error: unknown): string {
  const parts: string[] = [];
  for (let at = error, depth = 0; at !== undefined && depth < 4; depth++) {
    parts.push(messageOf(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join(": ");
}

/** A client that sends each route to its own server, and all others to one. */
export function routedClient(rest: ModelClient, byRoute: ReadonlyMap<string, ModelClient>): ModelClient {
  if (byRoute.size === 0) return rest;
  return { send: (request, options) => (byRoute.get(options.route) ?? rest).send(request, options) };
}
