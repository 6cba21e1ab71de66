import type { HypothesisCardData } from "../displays/cards.ts";
import { hypothesisDisplay } from "../displays/hypothesis_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface HypothesisCard extends HypothesisCardData {}

/** Everything about one hypothesis. */
export class HypothesisCard extends DisplayedValue<HypothesisCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: HypothesisCardData) {
    super(data, hypothesisDisplay);
  }
}
