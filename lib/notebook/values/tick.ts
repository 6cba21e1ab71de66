import { type TickData, tickDisplay } from "../displays/tick.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Tick extends TickData {}

/** What one tick did, what it cost, and what comes next. */
export class Tick extends DisplayedValue<TickData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: TickData) {
    super(data, tickDisplay);
  }
}
