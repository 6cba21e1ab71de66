import { costsDisplay, type CostTableData } from "../displays/costs.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface CostTable extends CostTableData {}

/** What a session cost: by agent, by model, by prompt. */
export class CostTable extends DisplayedValue<CostTableData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: CostTableData) {
    super(data, costsDisplay);
  }
}
