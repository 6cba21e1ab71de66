import { z } from "zod";
import { ROUTES } from "../domain/agent.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../config/settings.ts";
import { PRESETS } from "../llm/models.ts";
import type { ProviderRecord } from "../store/view.ts";

/** A server that speaks the Messages API. */
export interface CustomModels {
  /** Its address. */
  readonly baseUrl: string;
  /** The model of every route; the settings' models otherwise. */
  readonly model?: string | undefined;
  /** Its key, if it wants one; kept in memory only. */
  readonly apiKey?: string | undefined;
  /** Prices in USD per million tokens, and limits, of `model`. Without a price it counts at the dearest known rate. */
  readonly price?: { readonly inputUsd: number; readonly outputUsd: number } | undefined;
  /** Tokens that fit. */
  readonly contextTokens?: number | undefined;
  /** Tokens that it can write. */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * Where models come from. `simulator`: offline, invented, free · `anthropic`: Anthropic's API with the seed's models ·
 * `current`: the same with the current models · an object: any server that speaks the Messages API.
 */
export type ModelsChoice = "simulator" | "anthropic" | "current" | CustomModels;

/** A choice of models, understood. */
export interface Models {
  /** Whether they are simulated. */
  readonly mode: "simulator" | "live";
  /** What the session keeps of it. */
  readonly provider: ProviderRecord;
  /** The key given with it. */
  readonly apiKey: string | null;
  /** The settings that follow from it. */
  readonly patch: SettingsPatch;
}

const custom = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  price: z.strictObject({ inputUsd: z.number().nonnegative(), outputUsd: z.number().nonnegative() })
    .optional(),
  contextTokens: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
});

const NAMES = ["simulator", "anthropic", "current"] as const;

/** Reads a choice of models; `mainModel` (from the environment) is for live ones. @throws CosciError `input`, naming what is wrong with it */
export function readModels(choice: unknown, mainModel: string | undefined): Models {
  const main = mainModel === undefined ? {} : everyRoute(mainModel);
  if (choice === undefined || choice === "simulator") {
    return {
      mode: "simulator",
      provider: { name: "simulator", baseUrl: "", models: {} },
      apiKey: null,
      patch: main,
    };
  }
  if (choice === "anthropic" || choice === "current") {
    const patch = choice === "anthropic" ? {} : presetRoutes();
    return {
      mode: "live",
      provider: { name: choice, baseUrl: "", models: {} },
      apiKey: null,
      patch: { ...patch, ...main },
    };
  }
  if (typeof choice === "string") {
    throw inputError("models", choice, `Give ${NAMES.join(", ")}, or an object with a baseUrl.`, NAMES);
  }
  const parsed = custom.safeParse(choice);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new CosciError(
      "input",
      `models.${issue?.path.join(".") ?? ""}: ${
        issue?.message ?? "wrong"
      }. Give { baseUrl, model?, apiKey?, price? }.`,
    );
  }
  const { baseUrl, model, apiKey, price, contextTokens, maxOutputTokens } = parsed.data;
  if (
    model === undefined &&
    (price !== undefined || contextTokens !== undefined || maxOutputTokens !== undefined)
  ) {
    throw new CosciError(
      "input",
      "models.model: a price or a limit was given, but no model that it is of. Name the model.",
    );
  }
  const said = { ...price, contextTokens, maxOutputTokens };
  return {
    mode: "live",
    provider: { name: "custom", baseUrl, models: model === undefined ? {} : { [model]: said } },
    apiKey: apiKey ?? null,
    patch: model === undefined ? main : everyRoute(model),
  };
}

function everyRoute(model: string): SettingsPatch {
  return { models: Object.fromEntries(ROUTES.map((route) => [route, model])) };
}

/** The current preset's models, each where the seed's model of the same strength stands. */
function presetRoutes(): SettingsPatch {
  const { seed, current } = PRESETS;
  const successor = new Map([[seed.strong, current.strong], [seed.middle, current.middle], [
    seed.small,
    current.small,
  ]]);
  return {
    models: Object.fromEntries(
      Object.entries(DEFAULT_SETTINGS.models).map(([route, model]) => [route, successor.get(model) ?? model]),
    ),
  };
}
