import type { TaskCardData } from "../displays/cards.ts";
import { taskDisplay } from "../displays/task_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface TaskCard extends TaskCardData {}

/** Everything about one task. */
export class TaskCard extends DisplayedValue<TaskCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: TaskCardData) {
    super(data, taskDisplay);
  }
}
