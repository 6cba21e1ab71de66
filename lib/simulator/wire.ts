import { z } from "zod";

const cacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() })
  .nullish();

const notCached = z.never({ error: "cache_control cannot be set for thinking blocks" }).optional();

const textBlock = z.object({ type: z.literal("text"), text: z.string(), cache_control: cacheControl });
const fileBlock = z.looseObject({ type: z.enum(["image", "document"]), cache_control: cacheControl });

const toolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(z.union([textBlock, fileBlock]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
});

const contentBlock = z.union([
  textBlock,
  z.object({
    type: z.literal("tool_use"),
    id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
    cache_control: cacheControl,
  }),
  toolResultBlock,
  z.object({
    type: z.literal("thinking"),
    thinking: z.string(),
    signature: z.string(),
    cache_control: notCached,
  }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string(), cache_control: notCached }),
  fileBlock,
]);

const message = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.union([z.string(), z.array(contentBlock)]),
});

const tool = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  cache_control: cacheControl,
  strict: z.boolean().optional(),
  input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
  eager_input_streaming: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  allowed_callers: z.array(z.string()).optional(),
});

const parallel = { disable_parallel_tool_use: z.boolean().optional() };

const shared = {
  model: z.string().min(1),
  messages: z.array(message),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("auto"), ...parallel }),
    z.strictObject({ type: z.literal("any"), ...parallel }),
    z.strictObject({ type: z.literal("tool"), name: z.string(), ...parallel }),
    z.strictObject({ type: z.literal("none") }),
  ]).optional(),
  thinking: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("enabled"),
      budget_tokens: z.int().min(1024),
      display: z.enum(["summarized", "omitted"]).nullish(),
    }),
    z.strictObject({ type: z.literal("adaptive"), display: z.enum(["summarized", "omitted"]).nullish() }),
    z.strictObject({ type: z.literal("between_tools") }),
    z.strictObject({ type: z.literal("disabled") }),
  ]).optional(),
  output_config: z.strictObject({
    effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
    format: z.strictObject({
      type: z.literal("json_schema"),
      schema: z.record(z.string(), z.unknown()),
    }).nullish(),
  }).optional(),
  cache_control: cacheControl,
};

/** The body of `POST /v1/messages/count_tokens`. */
export const countTokensRequest = z.strictObject(shared);

/** The body of `POST /v1/messages`. */
export const messagesRequest = z.strictObject({
  ...shared,
  max_tokens: z.int().min(1),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
});

/** The body of `POST /v1/messages/batches`. */
export const batchesRequest = z.strictObject({
  requests: z.array(z.strictObject({
    custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    params: z.record(z.string(), z.unknown()),
  })).min(1).max(100_000),
});

/** A message request, parsed. */
export type MessagesRequest = z.infer<typeof messagesRequest>;
/** A request to count tokens, parsed. */
export type CountTokensRequest = z.infer<typeof countTokensRequest>;
/** A message of a request. */
export type WireMessage = z.infer<typeof message>;
/** A block of a message of a request. */
export type WireBlock = z.infer<typeof contentBlock>;
/** A tool offered. */
export type WireTool = z.infer<typeof tool>;

/** The types of error that the API names. */
export type ApiErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "timeout_error"
  | "overloaded_error";

/** A refusal of the API: thrown while a request is examined, answered as `{type: "error", error: {…}, request_id}`. */
export class ApiRefusal extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The error's type. */
  readonly type: ApiErrorType;
  /** A refusal. @param status the HTTP status @param type the error's type @param message what the API says */
  constructor(status: number, type: ApiErrorType, message: string) {
    super(message);
    this.name = "ApiRefusal";
    this.status = status;
    this.type = type;
  }
}

/** A 400 with this message. */
export function invalid(message: string): ApiRefusal {
  return new ApiRefusal(400, "invalid_request_error", message);
}

/** Parses a body, or throws the 400 that names the first field at fault. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues[0]);
  const path = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    throw invalid(`${path === "" ? key : `${path}.${key}`}: Extra inputs are not permitted`);
  }
  const missing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  throw invalid(
    `${path === "" ? "body" : path}: ${missing ? "Field required" : issue?.message ?? "invalid"}`,
  );
}

type Issue = z.core.$ZodIssue;

/** Of a union's failures, the one that got furthest, with its full path. */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const inner = issue.errors.flatMap((branch) => branch.length === 0 ? [] : [deepest(branch[0])])
    .filter((found) => found !== undefined)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
}

/** The blocks of a message: a string is one text block. */
export function blocksOf(content: WireMessage["content"]): readonly WireBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The text of a tool's result, files left out. */
export function resultText(block: Extract<WireBlock, { type: "tool_result" }>): string {
  if (typeof block.content === "string") return block.content;
  return (block.content ?? []).map((part) => part.type === "text" ? String(part.text) : "").join("\n");
}
