import { z } from "zod";
import { CosciError, inputError, nearest } from "../domain/errors.ts";
import { DEFAULT_SETTINGS, type Settings, type SettingsPatch, settingsSchema } from "./settings.ts";

/** One setting that a patch changes. */
export interface SettingChange {
  /** `group.name`, e.g. `ranking.kFactorNew`. */
  readonly path: string;
  /** The value so far. */
  readonly before: unknown;
  /** The value from now on. */
  readonly after: unknown;
}

/**
 * The settings with a patch applied: checked whole, so that a wrong patch changes nothing.
 *
 * @throws CosciError `input`, naming the key, the value, the nearest valid key and what is expected
 */
export function applyPatch(settings: Settings, patch: unknown, origin = "settings"): Settings {
  const patched = applyEach(settings, patch, origin);
  checkTogether(patched, origin);
  return patched;
}

/**
 * The settings that a store holds, whoever wrote them: settings that came later get their defaults, settings that are no
 * more are left out.
 *
 * @throws CosciError `store` where a value can't be one
 */
export function storedSettings(value: unknown): Settings {
  const groups = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const settings = Object.entries(DEFAULT_SETTINGS).map(([group, defaults]) => {
    const stored: unknown = groups.get(group);
    const known = typeof stored === "object" && stored !== null
      ? Object.entries(stored).filter(([name]) => Object.hasOwn(defaults, name))
      : [];
    return [group, { ...defaults, ...Object.fromEntries(known) }];
  });
  const parsed = settingsSchema.safeParse(Object.fromEntries(settings));
  if (!parsed.success) {
    throw new CosciError("store", `The store's settings: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}

/**
 * The settings after a recorded change of one of them. It was checked, together with what was changed beside it, when it
 * was recorded; a setting that is no more changes nothing.
 */
export function afterRecordedChange(settings: Settings, path: string, value: unknown): Settings {
  const dot = path.indexOf(".");
  const group = path.slice(0, dot), name = path.slice(dot + 1);
  const before = Object.entries(settings).find(([key]) => key === group)?.[1];
  if (before === undefined || !Object.hasOwn(before, name)) return settings;
  return storedSettings({ ...settings, [group]: { ...before, [name]: value } });
}

/** Each value of a patch checked by itself. */
function applyEach(settings: Settings, patch: unknown, origin: string): Settings {
  if (patch === undefined) return settings;
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw inputError(origin, patch, "Give an object of groups, such as { ranking: { kFactorNew: 40 } }.");
  }
  const merged: Record<string, unknown> = { ...settings };
  for (const [group, values] of Object.entries(patch)) {
    if (values === undefined) continue;
    const current = Object.entries(settings).find(([name]) => name === group)?.[1];
    if (current === undefined) {
      throw inputError(
        `${origin}.${group}`,
        group,
        `Groups are ${Object.keys(settings).join(", ")}.`,
        Object.keys(settings),
      );
    }
    if (typeof values !== "object" || values === null || Array.isArray(values)) {
      throw inputError(
        `${origin}.${group}`,
        values,
        `Give an object with some of ${Object.keys(current).join(", ")}.`,
      );
    }
    for (const name of Object.keys(values)) {
      if (!Object.hasOwn(current, name)) {
        throw inputError(
          `${origin}.${group}.${name}`,
          name,
          `Settings of "${group}" are ${Object.keys(current).join(", ")}.`,
          Object.keys(current),
        );
      }
    }
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    merged[group] = { ...current, ...Object.fromEntries(given) };
  }
  const parsed = settingsSchema.safeParse(merged);
  if (!parsed.success) throw settingsError(parsed.error, merged, origin);
  return parsed.data;
}

/** What differs between two settings, in the order of the schema. */
export function changesBetween(before: Settings, after: Settings): SettingChange[] {
  const changes: SettingChange[] = [];
  for (const [path, value] of flatten(after)) {
    const old = valueAt(before, path);
    if (JSON.stringify(old) !== JSON.stringify(value)) changes.push({ path, before: old, after: value });
  }
  return changes;
}

/** Every setting as `[group.name, value]`. */
export function flatten(settings: Settings): [string, unknown][] {
  return Object.entries(settings).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]): [string, unknown] => [`${group}.${name}`, value])
  );
}

/** The value at `group.name`; the name itself may hold dots, as routes do. */
export function valueAt(settings: Settings, path: string): unknown {
  return flatten(settings).find(([key]) => key === path)?.[1];
}

/**
 * The patch that sets one path, for `--set ranking.kFactorNew=40` and `RANKING__K_FACTOR_NEW=40`. The text is read as
 * JSON where it is JSON, and as a string otherwise; for a setting that is a text, `123` is one too.
 *
 * @throws CosciError `input` where there is no such setting
 */
export function patchAt(path: string, text: string, origin = "settings"): SettingsPatch {
  const paths = flatten(DEFAULT_SETTINGS).map(([key]) => key);
  if (!paths.includes(path)) {
    throw inputError(
      `${origin}: ${path}`,
      path,
      "See the settings in lib/config/settings.ts or lab.settings.",
      paths,
    );
  }
  const dot = path.indexOf(".");
  const given = readValue(text, typeof valueAt(DEFAULT_SETTINGS, path) === "string");
  // Values that are wrong only together are found when the whole patch is applied.
  const parsed = applyEach(DEFAULT_SETTINGS, {
    [path.slice(0, dot)]: { [path.slice(dot + 1)]: given },
  }, origin);
  return { [path.slice(0, dot)]: { [path.slice(dot + 1)]: valueAt(parsed, path) } };
}

/** Two patches, the second over the first. */
export function mergePatches(under: SettingsPatch, over: SettingsPatch): SettingsPatch {
  const groups = new Set([...Object.keys(under), ...Object.keys(over)]);
  const entry = (patch: SettingsPatch, group: string) =>
    Object.entries(patch).find(([name]) => name === group)?.[1] ?? {};
  return Object.fromEntries(
    [...groups].map((group) => [group, { ...entry(under, group), ...entry(over, group) }]),
  );
}

function readValue(text: string, forText: boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return forText && typeof value !== "string" ? text : value;
  } catch {
    return text;
  }
}

function settingsError(error: z.ZodError, value: unknown, origin: string): CosciError {
  const issue = error.issues[0];
  if (issue === undefined) return new CosciError("input", `${origin}: ${z.prettifyError(error)}`);
  const path = issue.path.map(String).join(".");
  const found = issue.path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null
        ? Object.entries(at).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );
  const options = issue.code === "invalid_value" ? issue.values.map(String) : [];
  const near = typeof found === "string" ? nearest(found, options) : undefined;
  return inputError(
    `${origin}.${path}`,
    found,
    `${near === undefined ? "" : `Did you mean "${near}"? `}${issue.message}.`,
  );
}

/** What single settings can't say: values that are wrong only together. */
function checkTogether(settings: Settings, origin: string): void {
  const { pNew, pClose, pRandom } = settings.ranking;
  if (pNew + pClose + pRandom === 0) {
    throw inputError(
      `${origin}.ranking`,
      { pNew, pClose, pRandom },
      "At least one of pNew, pClose, pRandom must be above 0.",
    );
  }
  const { panel } = settings.ranking;
  const twice = panel.find((model, i) => panel.indexOf(model) !== i);
  if (twice !== undefined) {
    throw inputError(
      `${origin}.ranking.panel`,
      twice,
      "It is named twice: each member judges as often as others.",
    );
  }
  const { order, judgedAtOnce } = settings.ranking;
  if (order === "both" && judgedAtOnce > 2) {
    throw inputError(
      `${origin}.ranking.judgedAtOnce`,
      judgedAtOnce,
      'A group has more than two orders, so that ranking.order "both" is for pairs: set one of the two back.',
    );
  }
  const names = settings.scope.criteria.map(({ name }) => name.toLowerCase());
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined) {
    throw inputError(`${origin}.scope.criteria`, double, "Two criteria of one name can't be told apart.");
  }
  const shares = Object.values(settings.budgetShares).reduce((sum, share) => sum + share, 0);
  if (shares > 1 + 1e-9) {
    throw inputError(`${origin}.budgetShares`, Number(shares.toFixed(4)), "The shares may sum to 1 at most.");
  }
  const { low, medium, high, xhigh } = settings.efforts;
  if (!(low <= medium && medium <= high && high <= xhigh)) {
    throw inputError(
      `${origin}.efforts`,
      { low, medium, high, xhigh },
      "The limits must not fall from low to xhigh.",
    );
  }
}
