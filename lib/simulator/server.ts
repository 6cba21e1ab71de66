import type { Clock } from "../domain/clock.ts";
import { messageOf } from "../domain/errors.ts";
import type { ModelOverride } from "../llm/models.ts";
import { Batches } from "./batches.ts";
import { complete, type Completion, countTokens, type Desk } from "./complete.ts";
import { type Fault, FaultInjector, type FaultPlan, STATUS_ERRORS } from "./faults.ts";
import { topicOf } from "./goal.ts";
import { type Billed, Ledger, type RequestSummary } from "./ledger.ts";
import { type Literature, literatureOf } from "./literature.ts";
import { stepOf } from "./respond/prompt.ts";
import { DEFAULT_JUDGE, type JudgeTraits } from "./respond/verdict.ts";
import { events, eventStream } from "./stream.ts";
import { createSigner } from "./thinking.ts";
import { truthOfText } from "./truth.ts";
import { PrefixCache } from "./usage_cache.ts";
import { ApiRefusal, invalid } from "./wire.ts";
import { createWorld } from "./world.ts";

/** What a simulator is made from. */
export interface SimulatorOptions {
  /** World, literature and answers are functions of it. */
  readonly seed: string;
  /** Where latency, the life of cache entries and of batches come from. */
  readonly clock: Clock;
  /** How the judge errs, where it differs from {@linkcode DEFAULT_JUDGE}. */
  readonly judge?: Partial<JudgeTraits>;
  /** How long an answer takes, in milliseconds: a number, or a function of the call's number. Default: 0. */
  readonly latencyMs?: number | ((call: number) => number);
  /** What goes wrong, and when. */
  readonly faults?: FaultPlan;
  /** Rows of models by exact id, over those of the table; models named here are known. */
  readonly models?: Readonly<Record<string, ModelOverride>>;
  /** If given, requests with another key, or none, get a 401. */
  readonly apiKey?: string;
  /** How long a batch takes, in milliseconds. Default: 1,000. */
  readonly batchMs?: number;
}

/** A Messages API server as a function, with the offline literature beside it. */
export interface Simulator {
  /**
   * Answers a request; can be given to the SDK as its `fetch`. Rejects only where a connection would break: with the
   * signal's reason when the caller gives up, with a `TypeError` for a reset.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The literature of the simulator's world, in neutral words. */
  readonly literature: Literature;
  /** The same literature in the words of a goal: the same addresses and findings. */
  literatureFor(goal: string): Literature;
  /** What was charged so far. */
  billed(): Billed;
  /** The latest requests (at least 2,000), the oldest first. */
  requests(): readonly RequestSummary[];
  /** How good the hypothesis of a text really is: about N(0, 1) over random hypotheses. */
  truth(hypothesisText: string): number;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Makes a simulator. Two with the same options answer alike; they share nothing. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const world = createWorld(options.seed);
  const literature = literatureOf(world);
  const ledger = new Ledger();
  const injector = new FaultInjector(options.seed, options.faults ?? { rules: [] });
  const desk: Desk = {
    seed: options.seed,
    world,
    literature,
    judge: { ...DEFAULT_JUDGE, ...options.judge },
    models: options.models ?? {},
    signer: createSigner(options.seed),
    cache: new PrefixCache(),
    paused: new Set(),
  };
  const { clock } = options;
  let requestNumber = 0;
  let calls = 0;

  const batches = new Batches(options.seed, options.batchMs ?? 1000, (params, at) => {
    const summary = summaryOf(params, 0, at, true);
    try {
      const done = complete(desk, params, at, null, true);
      ledger.enter({ ...summary, ...figures(done), status: 200 });
      return { type: "succeeded", message: done.message };
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      ledger.enter({ ...summary, status: error.status, error: error.message });
      return { type: "errored", error: errorBody(error, requestId(++requestNumber)) };
    }
  });

  const messages = async (request: Request, id: string): Promise<Response> => {
    const raw = await readJson(request);
    const call = ++calls;
    const summary = summaryOf(raw, call, clock.now(), false);
    const fault = injector.next(summary);
    const refuse = (error: ApiRefusal, headers: Readonly<Record<string, string>> = {}) => {
      ledger.enter({
        ...summary,
        status: error.status,
        error: error.message,
        fault: fault?.kind ?? null,
      });
      return errorResponse(error, id, headers);
    };
    const { latencyMs } = options;
    const latency = typeof latencyMs === "function" ? latencyMs(call) : latencyMs ?? 0;
    if (latency > 0) await clock.sleep(latency, request.signal);
    if (fault?.kind === "status") {
      const { type, message } = STATUS_ERRORS[fault.status];
      const headers = fault.retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(fault.retryAfterSeconds) };
      return refuse(new ApiRefusal(fault.status, type, message), headers);
    }
    const lost = fault?.kind === "timeout" || fault?.kind === "reset";
    let done: Completion;
    try {
      done = complete(desk, raw, clock.now(), lost ? null : fault, false);
    } catch (error) {
      if (error instanceof ApiRefusal) return refuse(error);
      throw error;
    }
    const charged = lost && fault.billed !== true ? {} : figures(done);
    ledger.enter({ ...summary, ...charged, status: lost ? 0 : 200, fault: fault?.kind ?? null });
    if (fault?.kind === "timeout") return await untilAborted(request.signal);
    if (fault?.kind === "reset") throw new TypeError("error sending request: connection reset (simulated)");
    return answerResponse(done, summary.stream, fault, id);
  };

  const route = async (request: Request, id: string): Promise<Response> => {
    checkHeaders(request, options.apiKey);
    const url = new URL(request.url);
    const match = /^(.*)\/v1\/messages((?:\/[^/]+)*)\/?$/.exec(url.pathname);
    if (match === null) throw new ApiRefusal(404, "not_found_error", "Not Found");
    const origin = url.origin === "null" ? "" : `${url.origin}${match[1] ?? ""}`;
    const [head, batchId, verb] = (match[2] ?? "").split("/").slice(1);
    const is = (method: string) => {
      if (request.method !== method) throw methodNotAllowed();
    };
    const ok = (body: object) => json(200, body, id);
    const now = clock.now();
    if (head === undefined) {
      is("POST");
      return await messages(request, id);
    }
    if (head === "count_tokens" && batchId === undefined) {
      is("POST");
      return ok(countTokens(desk, await readJson(request)));
    }
    if (head !== "batches") throw new ApiRefusal(404, "not_found_error", "Not Found");
    if (batchId === undefined) {
      if (request.method === "POST") return ok(batches.create(await readJson(request), now, origin));
      is("GET");
      const limit = Number(url.searchParams.get("limit") ?? 20);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw invalid("limit: Input should be between 1 and 1000");
      }
      return ok(batches.list(now, origin, limit, url.searchParams.get("after_id")));
    }
    if (verb === "cancel") {
      is("POST");
      return ok(batches.cancel(batchId, now, origin));
    }
    if (verb === "results") {
      is("GET");
      return new Response(batches.results(batchId, now), {
        headers: { "content-type": "application/x-jsonl", "request-id": id },
      });
    }
    if (verb !== undefined) throw new ApiRefusal(404, "not_found_error", "Not Found");
    if (request.method === "DELETE") return ok(batches.delete(batchId, now));
    is("GET");
    return ok(batches.retrieve(batchId, now, origin));
  };

  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const id = requestId(++requestNumber);
      try {
        return await route(request, id);
      } catch (error) {
        if (error instanceof ApiRefusal) return errorResponse(error, id, {});
        throw error;
      }
    },
    literature,
    literatureFor: (goal) => literatureOf(world, topicOf(goal).split(" ")),
    billed: () => ledger.billed,
    requests: () => ledger.requests,
    truth: (text) => truthOfText(world, text),
  };
}

function requestId(n: number): string {
  return `req_sim${String(n).padStart(8, "0")}`;
}

function methodNotAllowed(): ApiRefusal {
  return new ApiRefusal(405, "invalid_request_error", "Method Not Allowed");
}

function checkHeaders(request: Request, apiKey: string | undefined): void {
  const given = request.headers.get("x-api-key") ??
    request.headers.get("authorization")?.replace(/^Bearer /, "") ?? null;
  if (apiKey !== undefined && given === null) {
    throw new ApiRefusal(401, "authentication_error", "x-api-key header is required");
  }
  if (apiKey !== undefined && given !== apiKey) {
    throw new ApiRefusal(401, "authentication_error", "invalid x-api-key");
  }
  const version = request.headers.get("anthropic-version");
  if (version === null) throw invalid("anthropic-version: header is required");
  if (!/^20\d\d-[01]\d-[0-3]\d$/.test(version)) {
    throw invalid(`anthropic-version: "${version}" is not a valid version`);
  }
}

async function readJson(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BYTES) {
    throw new ApiRefusal(413, "request_too_large", "Request exceeds the maximum size");
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${messageOf(error)}`);
  }
}

function answerResponse(done: Completion, stream: boolean, fault: Fault | null, id: string): Response {
  const broken = fault?.kind === "malformed_json";
  if (stream) {
    return new Response(eventStream(events(done.message, done.cutJson), broken ? 3 : Infinity), {
      headers: { "content-type": "text/event-stream; charset=utf-8", "request-id": id },
    });
  }
  if (!broken) return json(200, done.message, id);
  const text = JSON.stringify(done.message);
  return new Response(text.slice(0, Math.floor(text.length / 2)), {
    headers: { "content-type": "application/json", "request-id": id },
  });
}

function json(
  status: number,
  body: object,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "request-id": id, ...headers },
  });
}

function errorBody(error: ApiRefusal, id: string): object {
  return { type: "error", error: { type: error.type, message: error.message }, request_id: id };
}

function errorResponse(
  error: ApiRefusal,
  id: string,
  headers: Readonly<Record<string, string>>,
): Response {
  return json(error.status, errorBody(error, id), id, headers);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The figures of an answer that the ledger keeps. */
function figures(done: Completion): Partial<RequestSummary> {
  const { prompt } = done;
  return {
    stopReason: done.message.stop_reason,
    inputTokens: prompt.inputTokens + prompt.write5m + prompt.write1h + prompt.cacheReadTokens,
    cacheReadTokens: prompt.cacheReadTokens,
    cacheWriteTokens: prompt.write5m + prompt.write1h,
    outputTokens: done.outputTokens,
    microUsd: done.microUsd,
  };
}

/** What a body, valid or not, says of itself. */
function summaryOf(raw: unknown, call: number, at: number, batch: boolean): RequestSummary {
  const body = new Map(typeof raw === "object" && raw !== null ? Object.entries(raw) : []);
  const list = (key: string): readonly unknown[] => {
    const value: unknown = body.get(key);
    return Array.isArray(value) ? value : [];
  };
  const field = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
  const text = (value: unknown) => typeof value === "string" ? value : "";
  const systemTexts = [
    text(body.get("system")),
    ...list("system").map((block) => text(field(block, "text"))),
  ];
  const choice = body.get("tool_choice");
  const maxTokens = body.get("max_tokens");
  return {
    call,
    at,
    model: text(body.get("model")),
    step: stepOf(systemTexts.join("\n")),
    tools: list("tools").map((tool) => text(field(tool, "name"))),
    toolChoice: text(field(choice, "name")) || text(field(choice, "type")),
    messages: list("messages").length,
    stream: body.get("stream") === true,
    batch,
    maxTokens: typeof maxTokens === "number" ? maxTokens : 0,
    status: 0,
    fault: null,
    stopReason: null,
    error: null,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    microUsd: 0,
  };
}
