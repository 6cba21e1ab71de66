import { type RunData, runDisplay } from "../displays/run.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Run extends RunData {}

/** What a run did, what ended it, and how to go on. */
export class Run extends DisplayedValue<RunData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: RunData) {
    super(data, runDisplay);
  }
}
