import type { EstimateData } from "../../engine/estimate.ts";
import { estimateDisplay } from "../displays/estimate.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Estimate extends EstimateData {}

/** What a stretch of work is expected to cost, and may cost at most. */
export class Estimate extends DisplayedValue<EstimateData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: EstimateData) {
    super(data, estimateDisplay);
  }
}
