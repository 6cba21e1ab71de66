import { z } from "zod";
import { ROUTES } from "../domain/agent.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { mergePatches } from "../config/patch.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../config/settings.ts";
import { PRESETS } from "../llm/models.ts";
import type { ModelOverride, ProviderRecord } from "../store/view.ts";
import { wrongOption } from "./wrong_option.ts";

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
  /**
   * Servers for single routes (`ranking.pairwise`) or for all routes of an agent (`ranking`), such as a jury of another
   * family of models.
   */
  readonly routes?: Readonly<Record<string, Omit<CustomModels, "routes">>> | undefined;
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
  /** Keys given for servers of single routes, by address. */
  readonly keys: ReadonlyMap<string, string>;
  /** The settings that follow from it. */
  readonly patch: SettingsPatch;
}

const server = {
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  price: z.strictObject({ inputUsd: z.number().nonnegative(), outputUsd: z.number().nonnegative() })
    .optional(),
  contextTokens: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
};
const custom = z.strictObject({ ...server, routes: z.record(z.string(), z.strictObject(server)).optional() });

/** What to do about a wrong part of a server's description, by its name. */
const REMEDIES: Readonly<Record<string, string>> = {
  baseUrl: 'Give the server\'s address with its scheme, such as "http://127.0.0.1:8080".',
  model: "Give the model's name as the server knows it.",
  apiKey: "Give the key as a text, or leave it out.",
  price: "Give { inputUsd, outputUsd }, in USD per million tokens; 0 for what is free.",
  contextTokens: "Give a whole number above 0.",
  maxOutputTokens: "Give a whole number above 0.",
  routes: "Give servers by routes, such as { ranking: { baseUrl, model } }.",
};

const NAMES = ["simulator", "anthropic", "current"] as const;

/** Reads a choice of models; `mainModel` (from the environment) is for live ones. @throws CosciError `input`, naming what is wrong with it */
export function readModels(choice: unknown, mainModel: string | undefined): Models {
  const main = mainModel === undefined ? {} : everyRoute(mainModel);
  if (choice === undefined || choice === "simulator") {
    return {
      mode: "simulator",
      provider: { name: "simulator", baseUrl: "", models: {} },
      apiKey: null,
      keys: new Map(),
      patch: {},
    };
  }
  if (choice === "anthropic" || choice === "current") {
    const patch = choice === "anthropic" ? {} : presetRoutes();
    return {
      mode: "live",
      provider: { name: choice, baseUrl: "", models: {} },
      apiKey: null,
      keys: new Map(),
      patch: { ...patch, ...main },
    };
  }
  if (typeof choice === "string") {
    throw inputError("models", choice, `Give ${NAMES.join(", ")}, or an object with a baseUrl.`, NAMES);
  }
  const parsed = custom.safeParse(choice);
  if (!parsed.success) {
    if (typeof choice !== "object" || choice === null) {
      throw inputError("models", choice, `Give ${NAMES.join(", ")}, or an object with a baseUrl.`);
    }
    throw wrongOption(parsed.error, {
      shape: custom,
      options: choice,
      key: (path) => `models.${path}`,
      remedy: (path) => REMEDIES[path.split(".").findLast((name) => Object.hasOwn(REMEDIES, name)) ?? ""],
    });
  }
  const { routes = {}, ...all } = parsed.data;
  const models: Record<string, ModelOverride> = {};
  const servers: Record<string, string> = {};
  const keys = new Map<string, string>();
  let patch: SettingsPatch = all.model === undefined ? main : everyRoute(all.model);
  addModel(models, all, "models");
  for (const [name, given] of Object.entries(routes)) {
    const meant = ROUTES.filter((route) => route === name || route.startsWith(`${name}.`));
    if (meant.length === 0) {
      throw inputError(
        `models.routes.${name}`,
        name,
        `Routes are ${ROUTES.join(", ")}, or an agent for all of its routes.`,
        ROUTES,
      );
    }
    addModel(models, given, `models.routes.${name}`);
    if (given.apiKey !== undefined) keys.set(given.baseUrl, given.apiKey);
    for (const route of meant) {
      servers[route] = given.baseUrl;
      if (given.model !== undefined) patch = mergePatches(patch, { models: { [route]: given.model } });
    }
  }
  return {
    mode: "live",
    provider: { name: "custom", baseUrl: all.baseUrl, models, servers },
    apiKey: all.apiKey ?? null,
    keys,
    patch,
  };
}

/** Notes what was said of a server's model. @throws CosciError `input` for a price or limit of no model */
function addModel(
  models: Record<string, ModelOverride>,
  given: Omit<CustomModels, "routes">,
  where: string,
): void {
  const { model, price, contextTokens, maxOutputTokens } = given;
  if (model !== undefined) {
    models[model] = { ...price, contextTokens, maxOutputTokens };
    return;
  }
  if (price !== undefined || contextTokens !== undefined || maxOutputTokens !== undefined) {
    throw new CosciError(
      "input",
      `${where}.model: a price or a limit was given, but no model that it is of. Name the model.`,
    );
  }
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
