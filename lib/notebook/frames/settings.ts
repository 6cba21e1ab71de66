import { flatten, valueAt } from "../../config/patch.ts";
import { DEFAULT_SETTINGS } from "../../config/settings.ts";
import { boolean, type ColumnsOf, json, text, time } from "./columns.ts";
import type { FrameSource } from "./source.ts";

/** A setting in force. */
export interface SettingFrameRow {
  /** Its path. */
  readonly path: string;
  /** Its value. */
  readonly value: unknown;
  /** The value unless something else is said. */
  readonly default: unknown;
  /** Whether they differ. */
  readonly changed: boolean;
  /** Label of the revision that set it last. */
  readonly revision: string | null;
  /** Who made that. */
  readonly author: string | null;
  /** When. */
  readonly at: string | null;
}

/** The columns of {@linkcode settingFrame}. */
export const SETTING_COLUMNS: ColumnsOf<SettingFrameRow> = {
  path: text("the setting: group.name"),
  value: json("its value"),
  default: json("its value unless something else is said"),
  changed: boolean("whether the two differ"),
  revision: text("label of the revision that set it last; empty where it is as at creation"),
  author: text("who made that revision"),
  at: time("when"),
};

/** All settings with the values in force, by group. */
export function settingFrame({ view, at }: Pick<FrameSource, "view" | "at">): SettingFrameRow[] {
  return flatten(view.settings).map(([path, value]): SettingFrameRow => {
    const standard = valueAt(DEFAULT_SETTINGS, path);
    const revision = view.revisions.findLast(({ kind, target }) => kind === "configure" && target === path);
    return {
      path,
      value,
      default: standard,
      changed: JSON.stringify(value) !== JSON.stringify(standard),
      revision: revision?.label ?? null,
      author: revision?.author ?? null,
      at: revision === undefined ? null : at(revision.seq),
    };
  });
}
