import { type FrameListData, frameListDisplay, type FrameListRow } from "../displays/frame_list.ts";
import { DisplayedList } from "./displayed_list.ts";

/** The frames that there are, with what a row of each is. */
export class FrameList extends DisplayedList<FrameListRow, FrameListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: FrameListData) {
    super(data, frameListDisplay);
  }
}
