import { type SessionListData, type SessionRow, sessionsDisplay } from "../displays/sessions.ts";
import { DisplayedList } from "./displayed_list.ts";

/** The sessions of a store. */
export class SessionList extends DisplayedList<SessionRow, SessionListData> {
  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: SessionListData) {
    super(data, sessionsDisplay);
  }
}
