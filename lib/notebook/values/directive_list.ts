import { type DirectiveListData, type DirectiveRow, directivesDisplay } from "../displays/directives.ts";
import { DisplayedList } from "./displayed_list.ts";

/** The directives of a session, oldest first. */
export class DirectiveList extends DisplayedList<DirectiveRow, DirectiveListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: DirectiveListData) {
    super(data, directivesDisplay);
  }
}
