import { type PromptTextData, promptTextDisplay } from "../displays/prompt_text.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface PromptText extends PromptTextData {}

/** A prompt with its text in force: `.text` is the string. */
export class PromptText extends DisplayedValue<PromptTextData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: PromptTextData) {
    super(data, promptTextDisplay);
  }
}
