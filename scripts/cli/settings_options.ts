import { CosciError, inputError, messageOf } from "../../lib/domain/errors.ts";
import { applyPatch, mergePatches, patchAt } from "../../lib/config/patch.ts";
import { DEFAULT_SETTINGS, type SettingsPatch } from "../../lib/config/settings.ts";
import type { Totals } from "../../lib/engine/totals.ts";
import { readTotals } from "../../lib/supervisor/until.ts";
import { fromCaller } from "./paths.ts";

/** Where settings come from. */
export interface SettingsOptions {
  /** `group.name=value`, each. */
  readonly set?: readonly string[] | undefined;
  /** A JSON file with some of the settings. */
  readonly config?: string | undefined;
}

/** The settings of `--config` with those of `--set` over them. @throws CosciError `input` */
export async function settingsFrom(options: SettingsOptions): Promise<SettingsPatch> {
  let patch = options.config === undefined ? {} : await configFile(options.config);
  for (const assignment of options.set ?? []) {
    const { key, value } = parts(assignment, "--set", "ranking.kFactorNew=40");
    patch = mergePatches(patch, patchAt(key, value, "--set"));
  }
  return patch;
}

async function configFile(path: string): Promise<SettingsPatch> {
  const text = await textFile(path, "--config");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CosciError(
      "input",
      `--config: ${path} is not JSON (${
        messageOf(error)
      }). Give a file such as {"ranking": {"kFactorNew": 40}}.`,
      { cause: error },
    );
  }
  applyPatch(DEFAULT_SETTINGS, value, `--config ${path}`);
  return value as SettingsPatch;
}

/** The totals of `--until matches=200`, several of them by repetition or by commas. @throws CosciError `input` */
export function untilFrom(texts: readonly string[] | undefined): Totals {
  const entries = (texts ?? []).flatMap((text) => text.split(",")).map((text) => {
    const { key, value } = parts(text, "--until", "matches=200");
    return [key, value.trim() === "" ? NaN : Number(value)];
  });
  return readTotals(Object.fromEntries(entries), "--until");
}

/** The text of a file that an option names. @throws CosciError `input` where it can't be read */
export async function textFile(path: string, option: string): Promise<string> {
  const file = fromCaller(path);
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    throw inputError(option, path, `It can't be read (${file}): ${messageOf(error)}.`);
  }
}

function parts(
  text: string,
  option: string,
  example: string,
): { readonly key: string; readonly value: string } {
  const at = text.indexOf("=");
  if (at <= 0) throw inputError(option, text, `Give a name and a value, such as ${option} ${example}.`);
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
