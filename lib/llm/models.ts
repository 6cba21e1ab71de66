import type { MicroUsd } from "../domain/money.ts";

/** When the prices and limits of {@linkcode MODELS} were last looked up. They go stale: settings may override any row. */
export const PRICES_AS_OF = "2026-11-24";

/** Prices in USD per million tokens, which is the same number as micro-USD per token. */
export interface Price {
  /** For input that was neither written to nor read from the cache. */
  readonly input: number;
  /** For output, thinking included. */
  readonly output: number;
  /** For input written to the cache (the 5-minute tier). */
  readonly cacheWrite: number;
  /** For input read from the cache. */
  readonly cacheRead: number;
  /**
   * Other rates for a call whose whole prompt (cached tokens included) is longer than `aboveInputTokens`. Cache rates
   * rise with the input rate.
   */
  readonly long?: { readonly aboveInputTokens: number; readonly input: number; readonly output: number };
}

/** What one call used, in tokens, as the server's `usage` counts them. */
export interface Usage {
  /** Input that was neither written to nor read from the cache. */
  readonly inputTokens: number;
  /** Input written to the cache. */
  readonly cacheWriteTokens: number;
  /** Input read from the cache. */
  readonly cacheReadTokens: number;
  /** Output, thinking included. */
  readonly outputTokens: number;
}

/** How hard a model may be asked to work, from least to most. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
/** How hard a model may be asked to work. */
export type Effort = (typeof EFFORTS)[number];

/**
 * How a model thinks.
 *
 * `none`: not at all · `budget`: with `thinking.budget_tokens` · `adaptive`: with `thinking.type` `adaptive` only ·
 * `adaptive_or_budget`: with either · `always`: also where the field is left out, and it can't be turned off ·
 * `default_on`: also where the field is left out, unless `between_tools` turns the first thinking off. The last two
 * take `adaptive` as well.
 */
export type Thinking = "none" | "budget" | "adaptive" | "adaptive_or_budget" | "always" | "default_on";

/** One model: what a request for it may say, and what it costs. */
export interface ModelRow {
  /** The exact id that requests carry. */
  readonly id: string;
  /** Other exact ids of the same model. */
  readonly aliases: readonly string[];
  /** Who makes it. */
  readonly vendor: "anthropic" | "openai" | "google" | "meta" | "mistral" | "other";
  /** Its price; `null` is unknown, not free. */
  readonly price: Price | null;
  /** Prompt and answer together, in tokens. */
  readonly contextTokens: number;
  /** The largest `max_tokens`. */
  readonly maxOutputTokens: number;
  /** How it thinks. */
  readonly thinking: Thinking;
  /** The values of `output_config.effort` that it takes; empty where the field is refused. */
  readonly efforts: readonly Effort[];
  /** Whether thinking comes back in words where `thinking.display` doesn't say. */
  readonly thinkingDisplay: "summarized" | "omitted";
  /** Whether it takes `temperature`, `top_p` and `top_k`; `one_of` takes `temperature` or `top_p`, not both. */
  readonly sampling: "accepted" | "one_of" | "refused";
  /** Whether the last message may be the beginning of the assistant's answer. */
  readonly prefill: "accepted" | "refused";
  /** Prefixes shorter than this are not cached, whatever breakpoints say; `Infinity` where nothing is cached. */
  readonly cacheMinTokens: number;
}

const ALL_EFFORTS: readonly Effort[] = EFFORTS;

type Terms = Omit<ModelRow, "id" | "aliases" | "vendor" | "price">;

// Minima of the cache by family: 4,096 for Opus and Haiku, 2,048 for Sonnet. Unconfirmed for the newest, which are
// treated like their family's previous row; too high a minimum only means that a breakpoint is not expected to help.
const OPUS: Terms = {
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  thinking: "adaptive",
  efforts: ALL_EFFORTS,
  thinkingDisplay: "omitted",
  sampling: "refused",
  prefill: "refused",
  cacheMinTokens: 4096,
};
const SONNET: Terms = { ...OPUS, maxOutputTokens: 64_000, cacheMinTokens: 2048 };
const HAIKU: Terms = { ...OPUS, contextTokens: 200_000, maxOutputTokens: 64_000, cacheMinTokens: 4096 };

/** Another vendor's model behind a server that speaks the Messages API: no thinking field, no cache. */
const OTHER: Terms = {
  contextTokens: 200_000,
  maxOutputTokens: 8192,
  thinking: "none",
  efforts: [],
  thinkingDisplay: "summarized",
  sampling: "accepted",
  prefill: "accepted",
  cacheMinTokens: Infinity,
};

/** A price without a cache: what would be cached costs as input. */
function plain(input: number, output: number): Price {
  return { input, output, cacheWrite: input, cacheRead: input };
}

function cached(input: number, output: number, cacheWrite: number, cacheRead: number): Price {
  return { input, output, cacheWrite, cacheRead };
}

function anthropic(id: string, price: Price, terms: Terms, aliases: readonly string[] = []): ModelRow {
  return { id, aliases, vendor: "anthropic", price, ...terms };
}

function other(
  vendor: ModelRow["vendor"],
  id: string,
  price: Price,
  contextTokens: number,
  maxOutputTokens: number,
  sampling: ModelRow["sampling"] = "accepted",
): ModelRow {
  return { id, aliases: [], vendor, price, ...OTHER, contextTokens, maxOutputTokens, sampling };
}

/** Every model that is known, as of {@linkcode PRICES_AS_OF}. */
export const MODELS: readonly ModelRow[] = [
  anthropic("claude-opus-4-7", cached(5, 25, 6.25, 0.5), OPUS),
  anthropic("claude-opus-4-8", cached(5, 25, 6.25, 0.5), OPUS),
  anthropic("claude-sonnet-4-6", cached(3, 15, 3.75, 0.3), {
    ...SONNET,
    thinking: "adaptive_or_budget",
    efforts: ["low", "medium", "high", "max"],
    thinkingDisplay: "summarized",
    sampling: "one_of",
  }),
  anthropic("claude-haiku-4-5-20251001", cached(1, 5, 1.25, 0.1), {
    ...HAIKU,
    thinking: "budget",
    efforts: [],
    thinkingDisplay: "summarized",
    sampling: "one_of",
    prefill: "accepted",
  }, ["claude-haiku-4-5"]),
  anthropic("claude-opus-5", cached(5, 25, 6.25, 0.5), OPUS),
  anthropic("claude-opus-5-5", cached(4, 20, 5, 0.2), { ...OPUS, thinking: "always" }),
  anthropic("claude-sonnet-5", cached(2, 10, 2.5, 0.2), SONNET),
  // Two public lists disagree on this cache read (0.10 or 0.20): the dearer one is taken.
  anthropic("claude-sonnet-5-5", cached(2, 10, 2.5, 0.2), { ...SONNET, thinking: "default_on" }),
  anthropic("claude-haiku-5-5", {
    ...cached(0.1, 0.5, 0.125, 0.01),
    long: { aboveInputTokens: 100_000, input: 0.5, output: 2.5 },
  }, { ...HAIKU, thinking: "adaptive_or_budget", sampling: "accepted" }),
  anthropic("claude-fable-5", cached(10, 50, 12.5, 1), OPUS),
  anthropic("claude-3-5-haiku-20241022", cached(0.8, 4, 1, 0.08), {
    ...OTHER,
    cacheMinTokens: 2048,
  }, ["claude-3-5-haiku-latest"]),

  other("openai", "gpt-5", plain(5, 20), 400_000, 128_000, "refused"),
  other("openai", "gpt-4.1", plain(2, 8), 1_047_576, 32_768),
  other("openai", "gpt-4o", plain(2.5, 10), 128_000, 16_384),
  other("openai", "gpt-4o-mini", plain(0.15, 0.6), 128_000, 16_384),
  other("openai", "o3", plain(2, 8), 200_000, 100_000, "refused"),
  other("openai", "o3-mini", plain(1.1, 4.4), 200_000, 100_000, "refused"),
  other("openai", "o1", plain(15, 60), 200_000, 100_000, "refused"),
  other("openai", "o1-mini", plain(3, 12), 128_000, 65_536, "refused"),
  other("google", "gemini-3-pro", plain(2, 12), 1_048_576, 65_536),
  other("google", "gemini-3-flash", plain(0.3, 2.5), 1_048_576, 65_536),
  other("google", "gemini-2.5-pro", plain(1.25, 10), 1_048_576, 65_536),
  other("google", "gemini-2.5-flash", plain(0.3, 2.5), 1_048_576, 65_536),
  other("google", "gemini-2.5-flash-lite", plain(0.1, 0.4), 1_048_576, 65_536),
  other("google", "gemini-2.0-flash", plain(0.1, 0.4), 1_048_576, 8192),
  other("google", "gemini-1.5-pro", plain(1.25, 5), 2_097_152, 8192),
  other("google", "gemini-1.5-flash", plain(0.075, 0.3), 1_048_576, 8192),
  other("mistral", "mistral-large", plain(2, 6), 128_000, 8192),
  other("meta", "llama-3.3-70b", plain(0.6, 0.6), 131_072, 8192),
];

/** Three models that stand for a session's routes. */
export interface Preset {
  /** Generates, reviews, evolves, writes the overview. */
  readonly strong: string;
  /** Parses the goal, judges matches, writes system feedback. */
  readonly middle: string;
  /** Screens for safety. */
  readonly small: string;
}

/** The presets by name: `seed` is what `models: "anthropic"` means, `current` the newest of each family. */
export const PRESETS: { readonly seed: Preset; readonly current: Preset } = {
  seed: { strong: "claude-opus-4-7", middle: "claude-sonnet-4-6", small: "claude-haiku-4-5-20251001" },
  current: { strong: "claude-opus-5-5", middle: "claude-sonnet-5-5", small: "claude-haiku-5-5" },
};

/** What a settings row may say of a model, known or not. */
export type ModelOverride = {
  readonly [K in keyof Omit<ModelRow, "id" | "aliases">]?: ModelRow[K] | undefined;
};

const BY_ID: ReadonlyMap<string, ModelRow> = new Map(
  MODELS.flatMap((row) => [row.id, ...row.aliases].map((id) => [id, { ...row, id }])),
);

/** Whether the id, exactly as written, has a row (an alias counts). */
export function isKnownModel(id: string): boolean {
  return BY_ID.has(id);
}

/**
 * The row of a model, with what `overrides` (by exact id) say of it. Ids match exactly: no family is guessed from a part
 * of a name. An unknown id gives a row with an unknown price and limits that most servers meet: 200k tokens of context,
 * 8,192 of output, no thinking field, no cache.
 */
export function modelRow(id: string, overrides: Readonly<Record<string, ModelOverride>> = {}): ModelRow {
  const row: ModelRow = BY_ID.get(id) ?? { id, aliases: [], vendor: "other", price: null, ...OTHER };
  const override = Object.hasOwn(overrides, id) ? overrides[id] : undefined;
  if (override === undefined) return row;
  return {
    id,
    aliases: row.aliases,
    vendor: override.vendor ?? row.vendor,
    price: override.price === undefined ? row.price : override.price,
    contextTokens: override.contextTokens ?? row.contextTokens,
    maxOutputTokens: override.maxOutputTokens ?? row.maxOutputTokens,
    thinking: override.thinking ?? row.thinking,
    efforts: override.efforts ?? row.efforts,
    thinkingDisplay: override.thinkingDisplay ?? row.thinkingDisplay,
    sampling: override.sampling ?? row.sampling,
    prefill: override.prefill ?? row.prefill,
    cacheMinTokens: override.cacheMinTokens ?? row.cacheMinTokens,
  };
}

/** Who makes a model, by its exact id; `null` where that isn't known. */
export function modelFamily(id: string): ModelRow["vendor"] | null {
  const { vendor } = modelRow(id);
  return vendor === "other" ? null : vendor;
}

/** The strongest effort that the model takes and that asks no more than `wanted`; the weakest it takes if none does. */
export function effortFor(row: ModelRow, wanted: Effort): Effort | undefined {
  const limit = EFFORTS.indexOf(wanted);
  const sorted = [...row.efforts].sort((a, b) => EFFORTS.indexOf(a) - EFFORTS.indexOf(b));
  return sorted.findLast((effort) => EFFORTS.indexOf(effort) <= limit) ?? sorted[0];
}

/** What a call without a known price is reserved at: the dearest known rate of each kind. */
export const DEAREST_PRICE: Price = MODELS.reduce<Price>((dearest, { price }) =>
  price === null ? dearest : {
    input: Math.max(dearest.input, price.input, price.long?.input ?? 0),
    output: Math.max(dearest.output, price.output, price.long?.output ?? 0),
    cacheWrite: Math.max(dearest.cacheWrite, price.cacheWrite),
    cacheRead: Math.max(dearest.cacheRead, price.cacheRead),
  }, { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 });

/** What a batch call costs of a plain one. */
export const BATCH_FACTOR = 0.5;

/** Rates are multiplied by this and rounded to whole numbers, so that sums of products are exact. */
const SCALE = 1_000_000;

/**
 * What a usage costs, exact, rounded up once to whole micro-USD. A row or price that is unknown (`null`) is charged at
 * {@linkcode DEAREST_PRICE}. `factor` scales the sum, e.g. {@linkcode BATCH_FACTOR}.
 */
export function costOf(of: ModelRow | Price | null, usage: Usage, factor = 1): MicroUsd {
  const price = priceOf(of) ?? DEAREST_PRICE;
  const prompt = usage.inputTokens + usage.cacheWriteTokens + usage.cacheReadTokens;
  const long = price.long !== undefined && prompt > price.long.aboveInputTokens ? price.long : null;
  const rise = long === null || price.input === 0 ? 1 : long.input / price.input;
  const scaled = (rate: number) => Math.round(rate * factor * SCALE);
  const total = usage.inputTokens * scaled(long?.input ?? price.input) +
    usage.cacheWriteTokens * scaled(price.cacheWrite * rise) +
    usage.cacheReadTokens * scaled(price.cacheRead * rise) +
    usage.outputTokens * scaled(long?.output ?? price.output);
  return Math.ceil(total / SCALE);
}

function priceOf(of: ModelRow | Price | null): Price | null {
  return of !== null && "price" in of ? of.price : of;
}
