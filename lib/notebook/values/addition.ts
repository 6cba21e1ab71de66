import { type AdditionData, additionDisplay } from "../displays/addition.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Addition extends AdditionData {}

/** What became of a hypothesis that a person added. */
export class Addition extends DisplayedValue<AdditionData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: AdditionData) {
    super(data, additionDisplay);
  }
}
