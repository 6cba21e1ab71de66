import { parseEnv } from "node:util";
import { inputError } from "../domain/errors.ts";
import { mergePatches, patchAt } from "./patch.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "./settings.ts";
import { flatten } from "./patch.ts";

/** What the environment may tell besides settings. Keys are never stored. */
export interface Credentials {
  /** For Anthropic's API. */
  readonly anthropicApiKey?: string | undefined;
  /** For Voyage's embeddings. */
  readonly voyageApiKey?: string | undefined;
  /** For an OpenAI-style embedding endpoint. */
  readonly openaiApiKey?: string | undefined;
}

/** What was read from the environment. */
export interface Environment {
  /** Settings, from `GROUP__NAME`. */
  readonly patch: SettingsPatch;
  /** Keys, by well-known names. */
  readonly credentials: Credentials;
  /** `LLM__MAIN_MODEL`: the model of every route. */
  readonly mainModel?: string | undefined;
}

/**
 * Reads settings and keys. `GROUP__NAME` (`RUN__MAX_IDEAS`) sets `group.name`; a variable whose group is ours and whose
 * name is not is an error. `SERVICES__ANTHROPIC_API_KEY` wins over `ANTHROPIC_API_KEY`.
 *
 * @throws CosciError `input`, naming the variable
 */
export function readEnvironment(variables: Readonly<Record<string, string>>): Environment {
  const groups = new Set(Object.keys(DEFAULT_SETTINGS).map(upperSnake));
  const paths = new Map(flatten(DEFAULT_SETTINGS).map(([path]) => [variableName(path), path]));
  let patch: SettingsPatch = {};
  for (const [name, value] of Object.entries(variables)) {
    const group = name.split("__")[0] ?? "";
    if (!name.includes("__") || !groups.has(group)) continue;
    const path = paths.get(name);
    if (path === undefined) {
      throw inputError(
        "environment variable",
        name,
        `Variables that begin with ${group}__ are settings; unset it, or give it the name of one.`,
        paths.keys(),
      );
    }
    patch = mergePatches(patch, patchAt(path, value, `environment variable ${name}`));
  }
  const key = (name: string) => variables[`SERVICES__${name}`] || variables[name] || undefined;
  return {
    patch,
    credentials: {
      anthropicApiKey: key("ANTHROPIC_API_KEY"),
      voyageApiKey: key("VOYAGE_API_KEY"),
      openaiApiKey: key("OPENAI_API_KEY"),
    },
    mainModel: variables["LLM__MAIN_MODEL"] || undefined,
  };
}

/** The process's environment over the `.env` file of a folder, where that exists and may be read. */
export async function environmentVariables(folder: string): Promise<Record<string, string>> {
  let file: Record<string, string> = {};
  try {
    const parsed = parseEnv(await Deno.readTextFile(`${folder}/.env`));
    file = Object.fromEntries(Object.entries(parsed).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable)) throw error;
  }
  return { ...file, ...processVariables() };
}

function processVariables(): Record<string, string> {
  try {
    return Deno.env.toObject();
  } catch (error) {
    // Without permission for the whole environment nothing is read: keys can still be handed in.
    if (error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}

/** `ranking.kFactorNew` → `RANKING__K_FACTOR_NEW`, `models.ranking.pairwise` → `MODELS__RANKING_PAIRWISE`. */
export function variableName(path: string): string {
  const dot = path.indexOf(".");
  return `${upperSnake(path.slice(0, dot))}__${upperSnake(path.slice(dot + 1))}`;
}

function upperSnake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(".", "_").toUpperCase();
}
