import { type PlotListData, plotListDisplay, type PlotListRow } from "../displays/plot_list.ts";
import { DisplayedList } from "./displayed_list.ts";

/** The plots that there are, with what each shows. */
export class PlotList extends DisplayedList<PlotListRow, PlotListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of which session; it is copied
   */
  constructor(data: PlotListData) {
    super(data, plotListDisplay);
  }
}
