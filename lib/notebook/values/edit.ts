import { type EditData, editDisplay } from "../displays/edit.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Edit extends EditData {}

/** What an edit of a hypothesis changed, and what is stale since. */
export class Edit extends DisplayedValue<EditData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: EditData) {
    super(data, editDisplay);
  }
}
