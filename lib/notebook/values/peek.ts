import { type PeekData, peekDisplay } from "../displays/peek.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Peek extends PeekData {}

/** What the next tick would do, and what it may cost. */
export class Peek extends DisplayedValue<PeekData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: PeekData) {
    super(data, peekDisplay);
  }
}
