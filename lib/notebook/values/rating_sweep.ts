import { type RatingSweepData, ratingSweepDisplay } from "../displays/rating_sweep.ts";
import type { RatingSweepRow } from "../frames/rating_sweep.ts";
import type { Figure } from "../plots/figure.ts";
import { sweepPlot } from "../plots/rating_sweep.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface RatingSweep extends RatingSweepData {}

/** What values of settings make of the ranking: a row for each combination, and a picture. */
export class RatingSweep extends DisplayedValue<RatingSweepData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: RatingSweepData) {
    super(data, ratingSweepDisplay);
  }

  /** The places of the leading hypotheses against the values. */
  get plot(): Figure<RatingSweepRow> {
    return sweepPlot(this);
  }
}
