import { type TranscriptData, transcriptDisplay } from "../displays/transcript.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Transcript extends TranscriptData {}

/** One model call as it went over the wire. */
export class Transcript extends DisplayedValue<TranscriptData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: TranscriptData) {
    super(data, transcriptDisplay);
  }
}
