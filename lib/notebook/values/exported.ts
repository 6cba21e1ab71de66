import { type ExportedData, exportedDisplay } from "../displays/exported.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Exported extends ExportedData {}

/** A file that a session was exported to: where it is, what it holds, how large it is. */
export class Exported extends DisplayedValue<ExportedData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: ExportedData) {
    super(data, exportedDisplay);
  }
}
