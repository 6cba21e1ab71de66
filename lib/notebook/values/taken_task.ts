import { takenDisplay, type TakenTaskData } from "../displays/taken_task.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface TakenTask extends TakenTaskData {}

/** A task that a person took upon themselves: what is to be judged, and how to answer. */
export class TakenTask extends DisplayedValue<TakenTaskData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: TakenTaskData) {
    super(data, takenDisplay);
  }
}
