import type { EventType } from "../../telemetry/events.ts";
import { iso } from "../displays/wording.ts";
import { type ColumnsOf, integer, json, text, time } from "./columns.ts";
import type { FrameSource } from "./source.ts";

/** Something that happened. */
export interface EventRow {
  /** Its number in the store. */
  readonly n: number;
  /** When. */
  readonly at: string;
  /** The commit that it belongs to. */
  readonly seq: number | null;
  /** What. */
  readonly type: EventType;
  /** Details. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The columns of {@linkcode eventFrame}. */
export const EVENT_COLUMNS: ColumnsOf<EventRow> = {
  n: integer("the event's number in the store"),
  at: time("when"),
  seq: integer("the commit that it belongs to, if it does"),
  type: text("what happened"),
  payload: json("details"),
};

/** The session's own events, oldest first. */
export function eventFrame({ events }: Pick<FrameSource, "events">): EventRow[] {
  return events.map(({ n, at, seq, type, payload }) => ({ n, at: iso(at), seq, type, payload }));
}
