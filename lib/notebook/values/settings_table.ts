import { type SettingRow, type SettingsData, settingsDisplay } from "../displays/settings.ts";
import { DisplayedList } from "./displayed_list.ts";

/** All settings with their values, defaults and who changed them. */
export class SettingsTable extends DisplayedList<SettingRow, SettingsData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: SettingsData) {
    super(data, settingsDisplay);
  }
}
