import type { OverviewCardData } from "../displays/cards.ts";
import { overviewDisplay } from "../displays/overview_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface OverviewCard extends OverviewCardData {}

/** A version of the research overview; as Markdown too. */
export class OverviewCard extends DisplayedValue<OverviewCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: OverviewCardData) {
    super(data, overviewDisplay);
  }
}
