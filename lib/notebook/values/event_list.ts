import type { SessionEvent } from "../../telemetry/events.ts";
import { type EventListData, eventsDisplay } from "../displays/events.ts";
import { DisplayedList } from "./displayed_list.ts";

/** Events, oldest first. */
export class EventList extends DisplayedList<SessionEvent, EventListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: EventListData) {
    super(data, eventsDisplay);
  }
}
