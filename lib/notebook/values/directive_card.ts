import type { DirectiveCardData } from "../displays/cards.ts";
import { directiveDisplay } from "../displays/directive_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface DirectiveCard extends DirectiveCardData {}

/** A directive, with the calls that carried it. */
export class DirectiveCard extends DisplayedValue<DirectiveCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: DirectiveCardData) {
    super(data, directiveDisplay);
  }
}
