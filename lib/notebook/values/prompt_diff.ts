import { type PromptDiffData, promptDiffDisplay } from "../displays/prompt_diff.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface PromptDiff extends PromptDiffData {}

/** What a model reads otherwise under one state of a prompt than under another. */
export class PromptDiff extends DisplayedValue<PromptDiffData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: PromptDiffData) {
    super(data, promptDiffDisplay);
  }
}
