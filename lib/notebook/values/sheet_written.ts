import { sheetDisplay, type SheetWrittenData } from "../displays/sheets.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface SheetWritten extends SheetWrittenData {}

/** A blind sheet that was written: where it is, and what to do with it. */
export class SheetWritten extends DisplayedValue<SheetWrittenData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: SheetWrittenData) {
    super(data, sheetDisplay);
  }
}
