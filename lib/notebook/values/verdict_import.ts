import { importDisplay, type VerdictImportData } from "../displays/sheets.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface VerdictImport extends VerdictImportData {}

/** What a filled-in sheet came to: its verdicts, and how they agree with the machine's and with others'. */
export class VerdictImport extends DisplayedValue<VerdictImportData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: VerdictImportData) {
    super(data, importDisplay);
  }
}
