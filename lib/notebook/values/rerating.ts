import { type ReratingData, reratingDisplay } from "../displays/rerating.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Rerating extends ReratingData {}

/** The match log rated anew beside the ranking as it stood: who moves, and by how much. */
export class Rerating extends DisplayedValue<ReratingData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: ReratingData) {
    super(data, reratingDisplay);
  }
}
