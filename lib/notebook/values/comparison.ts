import { type ComparisonData, comparisonDisplay } from "../displays/comparison.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Comparison extends ComparisonData {}

/** Sessions of one goal side by side: what they share, what each has of its own, and how they differ. */
export class Comparison extends DisplayedValue<ComparisonData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: ComparisonData) {
    super(data, comparisonDisplay);
  }
}
