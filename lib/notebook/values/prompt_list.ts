import { type PromptListData, promptListDisplay, type PromptRow } from "../displays/prompt_list.ts";
import { DisplayedList } from "./displayed_list.ts";

/** All prompts of a session. */
export class PromptList extends DisplayedList<PromptRow, PromptListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: PromptListData) {
    super(data, promptListDisplay);
  }
}
