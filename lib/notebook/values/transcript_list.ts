import { type TranscriptListData, type TranscriptRow, transcriptsDisplay } from "../displays/transcripts.ts";
import { DisplayedList } from "./displayed_list.ts";

/** Model calls in short, oldest first. */
export class TranscriptList extends DisplayedList<TranscriptRow, TranscriptListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: TranscriptListData) {
    super(data, transcriptsDisplay);
  }
}
