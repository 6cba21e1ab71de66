import { type HelpData, helpDisplay, type HelpRow } from "../displays/help.ts";
import { DisplayedList } from "./displayed_list.ts";

/** What a handle can do, verb by verb. */
export class Help extends DisplayedList<HelpRow, HelpData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: HelpData) {
    super(data, helpDisplay);
  }
}
