import { type ResentData, resentDisplay } from "../displays/resent.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Resent extends ResentData {}

/** A call that was asked again: both answers. */
export class Resent extends DisplayedValue<ResentData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: ResentData) {
    super(data, resentDisplay);
  }
}
