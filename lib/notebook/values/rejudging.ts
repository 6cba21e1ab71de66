import { type RejudgingData, rejudgingDisplay } from "../displays/rejudging.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Rejudging extends RejudgingData {}

/** Stored matches judged again: agreement, flips, biases, cost, and what it would make of the ranking. */
export class Rejudging extends DisplayedValue<RejudgingData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: RejudgingData) {
    super(data, rejudgingDisplay);
  }
}
