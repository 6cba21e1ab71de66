import { type GateCardData, gateDisplay } from "../displays/gate_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface GateCard extends GateCardData {}

/** What waits for a person's yes, and how to answer; or that nothing does. */
export class GateCard extends DisplayedValue<GateCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: GateCardData) {
    super(data, gateDisplay);
  }
}
