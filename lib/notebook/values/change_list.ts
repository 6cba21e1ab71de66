import { type ChangeListData, type ChangeRow, changesDisplay } from "../displays/changes.ts";
import { DisplayedList } from "./displayed_list.ts";

/** What a person changed: each change a revision, with before and after. */
export class ChangeList extends DisplayedList<ChangeRow, ChangeListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: ChangeListData) {
    super(data, changesDisplay);
  }
}
