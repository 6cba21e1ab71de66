import type { MatchCardData } from "../displays/cards.ts";
import { matchDisplay } from "../displays/match_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface MatchCard extends MatchCardData {}

/** Everything about one match. */
export class MatchCard extends DisplayedValue<MatchCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: MatchCardData) {
    super(data, matchDisplay);
  }
}
