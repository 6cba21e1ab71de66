import {
  type PromptChangeRow,
  type PromptChangesData,
  promptChangesDisplay,
} from "../displays/prompt_changes.ts";
import { DisplayedList } from "./displayed_list.ts";

/** Prompts that were changed. */
export class PromptChanges extends DisplayedList<PromptChangeRow, PromptChangesData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: PromptChangesData) {
    super(data, promptChangesDisplay);
  }
}
