import type { EventType, SessionEvent } from "./events.ts";
import { logger } from "./log.ts";

/** Events that tell of something going wrong and being got over. */
const WARNINGS: ReadonlySet<EventType> = new Set<EventType>([
  "task_failed",
  "task_reclaimed",
  "match_invalid",
  "call_retried",
  "call_degraded",
  "call_failed",
  "budget_notice",
  "fault",
]);

/** Events that a person has to know of. */
const ERRORS: ReadonlySet<EventType> = new Set<EventType>(["task_dead", "session_aborted"]);

/** Events of which there are many, and which others sum up. */
const DETAILS: ReadonlySet<EventType> = new Set<EventType>([
  "task_enqueued",
  "task_started",
  "task_deferred",
]);

/** Writes events to the log, with their payload as properties. */
export function logEvents(events: readonly SessionEvent[]): void {
  if (events.length === 0) return;
  const log = logger("session");
  for (const { type, session, seq, payload } of events) {
    const properties = { event: type, session, seq, ...payload };
    if (ERRORS.has(type)) log.error("{event}", properties);
    else if (WARNINGS.has(type)) log.warn("{event}", properties);
    else if (DETAILS.has(type)) log.debug("{event}", properties);
    else log.info("{event}", properties);
  }
}
