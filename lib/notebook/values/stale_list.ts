import { redoUsd, staleDisplay, type StaleListData, type StaleRow } from "../displays/stale.ts";
import { DisplayedList } from "./displayed_list.ts";

/** What is stale: judged on, or made from, a text that has changed since. */
export class StaleList extends DisplayedList<StaleRow, StaleListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: StaleListData) {
    super(data, staleDisplay);
  }

  /** What doing all of it again is expected to cost, in dollars. */
  get usd(): number {
    return redoUsd(this);
  }
}
