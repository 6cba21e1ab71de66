import type { FeedbackCardData } from "../displays/cards.ts";
import { feedbackDisplay } from "../displays/feedback_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface FeedbackCard extends FeedbackCardData {}

/** System feedback, whole. */
export class FeedbackCard extends DisplayedValue<FeedbackCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: FeedbackCardData) {
    super(data, feedbackDisplay);
  }
}
