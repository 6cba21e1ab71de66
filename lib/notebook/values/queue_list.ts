import { queueDisplay, type QueueListData, type QueueRow } from "../displays/queue.ts";
import { DisplayedList } from "./displayed_list.ts";

/** The queue, by priority. */
export class QueueList extends DisplayedList<QueueRow, QueueListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: QueueListData) {
    super(data, queueDisplay);
  }
}
