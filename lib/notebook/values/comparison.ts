import { type ComparisonData, comparisonDisplay } from "../displays/comparison.ts";
import type { ComparisonRow } from "../frames/comparison.ts";
import { comparisonPlot } from "../plots/comparison.ts";
import type { Figure } from "../plots/figure.ts";
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

  /** The leaderboards side by side, and how good the best was after so many matches and so much money. */
  get plot(): Figure<ComparisonRow> {
    return comparisonPlot(this);
  }
}
