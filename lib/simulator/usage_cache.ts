import { createHash } from "node:crypto";
import { canonicalJson } from "../domain/ids.ts";
import type { ModelRow } from "../llm/models.ts";
import { countTextTokens, MESSAGE_TOKENS, TOOL_TOKENS } from "./tokens.ts";
import { blocksOf, type CountTokensRequest, resultText, type WireBlock } from "./wire.ts";

/** What a prompt counts, by how it was met in the cache. */
export interface PromptUsage {
  /** Neither written nor read. */
  readonly inputTokens: number;
  /** Written with a life of five minutes. */
  readonly write5m: number;
  /** Written with a life of one hour. */
  readonly write1h: number;
  /** Read. */
  readonly cacheReadTokens: number;
}

/** One block of a prompt in the order in which prefixes are cached: tools, system, messages. */
interface Segment {
  readonly tokens: number;
  /** What tells it from another block; made only when something is cached. */
  readonly text: () => string;
  /** How long a breakpoint on it keeps the prefix, or `null` without one. */
  readonly keepMs: number | null;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
/** How many blocks before a breakpoint are tried for a prefix that is cached already. */
const LOOK_BACK = 20;
/** How many prefixes are remembered; the least recently written goes first. */
const REMEMBERED = 10_000;

/** All tokens of a prompt. */
export function promptTokens(body: CountTokensRequest): number {
  return segmentsOf(body).reduce((sum, segment) => sum + segment.tokens, 0);
}

/** The cache of prompt prefixes: which were written, and until when they live. Explicit state of a simulator. */
export class PrefixCache {
  readonly #until = new Map<string, { expires: number; readonly keepMs: number }>();

  /**
   * Meets a prompt at a time: what is read, what is written. With `commit` false nothing is remembered. A breakpoint
   * whose prefix is shorter than the model's minimum is ignored.
   */
  meet(row: ModelRow, body: CountTokensRequest, now: number, commit: boolean): PromptUsage {
    const segments = segmentsOf(body);
    const total = segments.reduce((sum, segment) => sum + segment.tokens, 0);
    const points = segments.flatMap((segment, i) => segment.keepMs === null ? [] : [i]);
    if (points.length === 0) return { inputTokens: total, write5m: 0, write1h: 0, cacheReadTokens: 0 };

    const keys: string[] = [];
    const ends: number[] = [];
    let key = `${row.id}`, end = 0;
    for (const segment of segments) {
      key = createHash("sha256").update(key).update("\u0000").update(segment.text()).digest("hex");
      end += segment.tokens;
      keys.push(key);
      ends.push(end);
    }
    const long = points.filter((i) => (ends[i] ?? 0) >= row.cacheMinTokens);
    const hit = this.#longestHit(long, keys, now);
    const read = hit < 0 ? 0 : ends[hit] ?? 0;
    if (commit && hit >= 0) this.#refresh(keys[hit] ?? "", now);
    let done = read, write5m = 0, write1h = 0;
    for (const i of long) {
      const upTo = ends[i] ?? 0, keepMs = segments[i]?.keepMs ?? FIVE_MINUTES;
      if (upTo > done) {
        if (keepMs === HOUR) write1h += upTo - done;
        else write5m += upTo - done;
        done = upTo;
      }
      if (commit) this.#write(keys[i] ?? "", keepMs, now);
    }
    return { inputTokens: total - done, write5m, write1h, cacheReadTokens: read };
  }

  #longestHit(points: readonly number[], keys: readonly string[], now: number): number {
    for (const point of points.toReversed()) {
      for (let i = point; i >= Math.max(0, point - LOOK_BACK); i--) {
        const entry = this.#until.get(keys[i] ?? "");
        if (entry !== undefined && entry.expires > now) return i;
      }
    }
    return -1;
  }

  #refresh(key: string, now: number): void {
    const entry = this.#until.get(key);
    if (entry !== undefined) entry.expires = now + entry.keepMs;
  }

  #write(key: string, keepMs: number, now: number): void {
    this.#until.delete(key);
    this.#until.set(key, { expires: now + keepMs, keepMs });
    const [oldest] = this.#until.keys();
    if (this.#until.size > REMEMBERED && oldest !== undefined) this.#until.delete(oldest);
  }
}

function keepOf(cacheControl: CountTokensRequest["cache_control"]): number | null {
  if (cacheControl === null || cacheControl === undefined) return null;
  return cacheControl.ttl === "1h" ? HOUR : FIVE_MINUTES;
}

function segmentsOf(body: CountTokensRequest): Segment[] {
  const tools = (body.tools ?? []).map((tool): Segment => ({
    tokens: countTextTokens(tool.name) + countTextTokens(tool.description ?? "") +
      countTextTokens(JSON.stringify(tool.input_schema)) + TOOL_TOKENS,
    text: () => `tool ${canonicalJson({ ...tool, cache_control: undefined })}`,
    keepMs: keepOf(tool.cache_control),
  }));
  const systemBlocks = typeof body.system === "string"
    ? [{ text: body.system, cache_control: undefined }]
    : body.system ?? [];
  const system = systemBlocks.map((block): Segment => ({
    tokens: countTextTokens(block.text),
    text: () => `system ${block.text}`,
    keepMs: keepOf(block.cache_control),
  }));
  // A change of thinking or of the tool choice keeps tools and system cached, but not the messages.
  const terms = () => canonicalJson([body.thinking ?? null, body.tool_choice ?? null]);
  const messages = body.messages.flatMap((message, m) =>
    blocksOf(message.content).map((block, b): Segment => ({
      tokens: blockTokens(block) + (b === 0 ? MESSAGE_TOKENS : 0),
      text: () =>
        `${m === 0 && b === 0 ? terms() : ""} ${message.role} ` +
        canonicalJson({ ...block, cache_control: undefined }),
      keepMs: keepOf(block.cache_control),
    }))
  );
  const all = [...tools, ...system, ...messages];
  const last = all.at(-1);
  const automatic = keepOf(body.cache_control);
  return automatic === null || last === undefined || last.keepMs !== null
    ? all
    : [...all.slice(0, -1), { ...last, keepMs: automatic }];
}

function blockTokens(block: WireBlock): number {
  switch (block.type) {
    case "text":
      return countTextTokens(block.text);
    case "tool_use":
      return countTextTokens(block.name) + countTextTokens(JSON.stringify(block.input));
    case "tool_result":
      return countTextTokens(resultText(block));
    case "thinking":
      return countTextTokens(block.thinking);
    case "redacted_thinking":
      return countTextTokens(block.data);
    case "image":
    case "document":
      return countTextTokens(JSON.stringify(block));
  }
}
