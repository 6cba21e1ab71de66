import { type PromptPreviewData, promptPreviewDisplay } from "../displays/prompt_preview.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface PromptPreview extends PromptPreviewData {}

/** The request that a task would send, with its tokens and its cost. */
export class PromptPreview extends DisplayedValue<PromptPreviewData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: PromptPreviewData) {
    super(data, promptPreviewDisplay);
  }
}
