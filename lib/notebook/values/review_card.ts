import type { ReviewCardData } from "../displays/cards.ts";
import { reviewDisplay } from "../displays/review_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface ReviewCard extends ReviewCardData {}

/** Everything about one review. */
export class ReviewCard extends DisplayedValue<ReviewCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: ReviewCardData) {
    super(data, reviewDisplay);
  }
}
